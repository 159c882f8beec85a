/** An error message, in the reader's language if the page has a text for it. */
import { translate } from '../ui/words'
import { Problem } from './api'

/** The sentence for a refusal of the server, which may say when to come back. */
export const problemText = ({ code, message, values }: Pick<Problem, 'code' | 'message' | 'values'>) =>
  translate(`problem_${code}`, message, { ...(values as Record<string, string | number>), message })

export function problemWords(error: unknown): string {
  if (!(error instanceof Problem)) return String(error)
  const text = problemText(error)
  const [field] = (error.values.fields ?? []) as { key: string }[]
  return field ? translate(`problem_field_${field.key}`, text) : text
}
