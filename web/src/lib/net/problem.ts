/** An error message, in the reader's language if the page has a text for it. */
import { translate } from '../ui/words'
import { Problem } from './api'

export function problemWords(error: unknown): string {
  if (!(error instanceof Problem)) return String(error)
  const text = translate(`problem_${error.code}`, error.message, {
    ...(error.values as Record<string, string | number>),
    message: error.message,
  })
  const [field] = (error.values.fields ?? []) as { key: string }[]
  return field ? translate(`problem_field_${field.key}`, text) : text
}
