/** What was read of the lessons, stored in the browser: they can be interrupted and resumed. */
import { readStored, store } from '../ui/stored'

const AT = 'hv-lesson-'
const BEGUN = 'hv-lessons-begun'
const FINISHED = 'hv-lessons-finished'

export interface Progress {
  lesson: string
  /** Steps that were read. */
  read: string[]
  /** The coach was put aside. */
  folded?: boolean
  /** The lesson is over: the coach speaks only when asked. */
  over?: boolean
}

/** How far the lesson at a table has come; null if it has none. */
export const progressAt = (table: string) => readStored<Progress>(AT + table)
export const storeProgress = (table: string, progress: Progress) => store(AT + table, progress)

const begun = () => readStored<Record<string, string>>(BEGUN) ?? {}
/** The table of a lesson that is in progress. */
export const begunAt = (lesson: string): string | undefined => begun()[lesson]

export function begin(lesson: string, table: string) {
  store(BEGUN, { ...begun(), [lesson]: table })
  storeProgress(table, { lesson, read: [] })
}

export const finishedLessons = (): string[] => readStored<string[]>(FINISHED) ?? []

/** The next time it starts anew. */
export function finish(lesson: string) {
  store(BEGUN, { ...begun(), [lesson]: '' })
  store(FINISHED, [...new Set([...finishedLessons(), lesson])])
}
