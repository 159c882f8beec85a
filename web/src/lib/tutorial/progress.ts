/** What was heard in the first games, kept with the browser: they can be left and taken up again. */

const LESSONS = 'hv-lessons-'
const FIRST = 'hv-first-'

/** The lessons heard at a table; null where none are told. */
export const heardAt = (table: string): string[] | null =>
  localStorage
    .getItem(LESSONS + table)
    ?.split(' ')
    .filter(Boolean) ?? null

export const keepHeard = (table: string, heard: string[]) => localStorage.setItem(LESSONS + table, heard.join(' '))

/** The table of the first game by these rules, if one was begun. */
export const begunAt = (rulebook: string) => localStorage.getItem(FIRST + rulebook)

export function begin(rulebook: string, table: string) {
  localStorage.setItem(FIRST + rulebook, table)
  keepHeard(table, [])
}

/** There is nothing more to tell: the next first game is a new one. */
export const finish = (rulebook: string) => localStorage.removeItem(FIRST + rulebook)
