/** What went wrong, in the reader's language where the page has words for it. */
import { say } from '../ui/words'
import { Problem } from './api'

export const problemWords = (error: unknown): string =>
  error instanceof Problem ? say(`problem_${error.code}`, error.message) : String(error)
