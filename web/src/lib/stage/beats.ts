/** How long what happened is looked at. */
import type { Row } from '../net/protocol'

const isSale = ({ events }: Row) => events.some(({ what }) => what === 'sold')
const CALLS: Record<string, number> = { nominate: 1000, bid: 700, pass: 550 }
/** In so many calls a card is sold without haste. */
const UNHURRIED = 7

/** How long each row is looked at, in milliseconds; what nobody stages takes no time. */
export function beats(rows: Row[]): number[] {
  const found: number[] = []
  let lot: number[] = []
  for (const [i, row] of rows.entries()) {
    const verb = row.move.split(' ')[0]!
    const time = row.phase === 'auction' ? (CALLS[verb] ?? 0) : 0
    found.push(isSale(row) ? 1900 : time)
    if (verb === 'nominate') lot = []
    if (!isSale(row)) lot.push(i)
    else for (const call of lot) found[call]! *= Math.min(1, UNHURRIED / lot.length)
  }
  return found
}
