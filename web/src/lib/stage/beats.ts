/** How long each event is shown. */
import type { Event, Row } from '../net/protocol'
import { isNomination } from './lots'
import { incomeIn } from './payday'

const isSale = ({ events }: Row) => events.some(({ what }) => what === 'sold')
const CALLS: Record<string, number> = { nominate: 1000, bid: 700, pass: 550 }
/** An auction of at most so many calls is shown at an unhurried pace. */
const UNHURRIED = 7

/** What is announced large: a Step, a card that leaves. */
export const isNews = ({ what }: Event) => what === 'step' || what === 'removed' || what === 'end_resolved'

/** How long each row after the first `from` is shown, in milliseconds; rows that are not staged take no time. */
export function beats(rows: Row[], from = 0): number[] {
  const first = Math.max(0, rows.slice(0, from).findLastIndex(isNomination)) // the pace of an auction depends on all its calls
  const found: number[] = []
  let lot: number[] = []
  for (const [i, row] of rows.slice(first).entries()) {
    const verb = row.move.split(' ')[0]!
    found.push(beat(row, verb) + (row.events.some(isNews) ? 1400 : 0))
    if (verb === 'nominate') lot = []
    if (!isSale(row)) lot.push(i)
    else for (const call of lot) found[call]! *= Math.min(1, UNHURRIED / lot.length)
  }
  return found.slice(from - first)
}

function beat(row: Row, verb: string): number {
  if (isSale(row)) return 1900
  if (row.phase === 'auction') return CALLS[verb] ?? 0
  const income = incomeIn(row)
  return income ? 800 + Math.min(900, 60 * (income.supplied ?? 0)) : 0
}
