/** The lessons done in the first games, stored in the browser: games can be interrupted and resumed. */

const LESSONS = 'hv-lessons-'
const FIRST = 'hv-first-'

/** The lessons done at a table; null if it has none. */
export const lessonsDoneAt = (table: string): string[] | null =>
  localStorage
    .getItem(LESSONS + table)
    ?.split(' ')
    .filter(Boolean) ?? null

export const storeLessonsDone = (table: string, done: string[]) => localStorage.setItem(LESSONS + table, done.join(' '))

/** The table of the first game by these rules, if one is in progress. */
export const begunAt = (rulebook: string) => localStorage.getItem(FIRST + rulebook)

export function begin(rulebook: string, table: string) {
  localStorage.setItem(FIRST + rulebook, table)
  storeLessonsDone(table, [])
}

/** All lessons are done: the next first game is a new one. */
export const finish = (rulebook: string) => localStorage.removeItem(FIRST + rulebook)
