/** What the replay draws. */
import type { Row } from '../net/protocol'

/** Lines by round, one for each player. */
export interface Lines {
  title: string
  lines: (number | null)[][]
}

/** Bars of several parts, one bar for each player. */
export interface Bars {
  title: string
  parts: string[]
  bars: number[][]
}

export type Chart = Lines | Bars

/** What one seat got or paid in all, in the moves that count. */
export function total(rows: Row[], what: string, seat: number, counts: (row: Row) => boolean = () => true): number {
  let sum = 0
  for (const row of rows) {
    if (!counts(row)) continue
    for (const event of row.events) if (event.what === what && event.seat === seat) sum += event.amount ?? 0
  }
  return sum
}
