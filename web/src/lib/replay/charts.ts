/** Figures for the charts of the replay. */
import type { Event, Of, Row } from '../net/protocol'

type Money = 'paid' | 'sold' | 'income' | 'demolished'
const isMoney = (event: Event, what: Money): event is Of<Money> => event.what === what

/** What one seat got or paid in total, in the rows that count. */
export function total(rows: Row[], what: Money, seat: number, counts: (row: Row) => boolean = () => true): number {
  let sum = 0
  for (const row of rows) {
    if (!counts(row)) continue
    for (const event of row.events) if (isMoney(event, what) && event.seat === seat) sum += event.amount
  }
  return sum
}
