/** The results of puzzles, stored in the browser. A puzzle once solved stays solved. */
import { readStored, store } from '../ui/stored'

const KEY = 'hv-puzzles'
const DAYS = 'hv-puzzle-days'
const DAY = 86_400_000

export type Mark = 'solved' | 'shown'

export const progress = (): Record<string, Mark> => readStored<Record<string, Mark>>(KEY) ?? {}

/** Marks a puzzle, and returns the mark that it has: the first one stays. */
export function storeMark(name: string, mark: Mark): Mark {
  const known = progress()
  if (known[name]) return known[name]
  store(KEY, { ...known, [name]: mark })
  return mark
}

/** The days, as the server counts them, on which the puzzle of the day was found. */
const days = (): number[] => readStored<number[]>(DAYS) ?? []
const today = () => Math.floor(Date.now() / DAY)

/** The puzzle of the day was found today. */
export const storeDay = () => store(DAYS, [...new Set([...days(), today()])])

/** On how many days in a row, up to today or yesterday. */
export function streak(now = today(), found = days()): number {
  let last = found.includes(now) ? now : now - 1
  let length = 0
  while (found.includes(last--)) length++
  return length
}
