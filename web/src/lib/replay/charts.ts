/** What the replay draws. */
import type { Event, Of, Row } from '../net/protocol'

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

type Money = 'paid' | 'sold' | 'income' | 'demolished'
const isMoney = (event: Event, what: Money): event is Of<Money> => event.what === what

/** What one seat got or paid in all, in the moves that count. */
export function total(rows: Row[], what: Money, seat: number, counts: (row: Row) => boolean = () => true): number {
  let sum = 0
  for (const row of rows) {
    if (!counts(row)) continue
    for (const event of row.events) if (isMoney(event, what) && event.seat === seat) sum += event.amount
  }
  return sum
}
