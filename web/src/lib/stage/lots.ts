/** An auction as it is shown: the rows of the log about one card. It contains no rules: it only parses texts. */
import type { GameView, Of, Row, Seat } from '../net/protocol'

export interface Lot {
  card: string
  bid: number
  leader: Seat
  /** Who put the card up. */
  opener: Seat
  /** The last call of each seat; null is out. */
  calls: Map<Seat, number | null>
  /** Seats that will still call, or may still bid. */
  waiting: Set<Seat>
  sold: Of<'sold'> | null
}

export const isNomination = ({ phase, move }: Row) => phase === 'auction' && move.startsWith('nominate ')
export const saleIn = (row: Row) => row.events.find((event): event is Of<'sold'> => event.what === 'sold')

/** The auction that the last of the first `at` rows belongs to, if any. */
export function lotAt(rows: Row[], at: number, { auction }: Pick<GameView, 'auction'>): Lot | null {
  const from = rows.slice(0, at).findLastIndex(isNomination)
  const first = rows[from]
  if (!first || rows.slice(from, at).some(({ phase }) => phase !== 'auction')) return null
  const [, card = '', bid = ''] = first.move.split(' ')
  const opening = Number(bid.slice(1))
  const lot: Lot = {
    card,
    bid: opening,
    leader: first.seat,
    opener: first.seat,
    calls: new Map(),
    waiting: new Set(),
    sold: null,
  }
  for (const [i, row] of rows.slice(from).entries()) {
    const past = from + i < at
    if (lot.sold || (i > 0 && isNomination(row))) return past ? null : lot
    if (past) call(lot, row)
    else lot.waiting.add(row.seat)
    const sold = saleIn(row)
    if (sold && past) lot.sold = sold
    else if (sold) return lot
  }
  if (!lot.sold && auction.card === card) for (const seat of auction.bidders) lot.waiting.add(seat)
  return lot
}

function call(lot: Lot, { seat, move }: Row) {
  const [verb, first] = move.split(' ')
  if (verb === 'bid') lot.bid = Number(first)
  if (verb !== 'pass') lot.leader = seat
  lot.calls.set(seat, verb === 'pass' ? null : lot.bid)
}

/** All seats in the order in which they call: clockwise from the one that opened. */
export const callers = ({ opener }: Lot, seats: number): Seat[] =>
  Array.from({ length: seats }, (_, i) => (opener + i) % seats)

export type Standing = 'leads' | 'in' | 'out' | 'away'

/** The status of a seat in an auction: `away` takes no part in it. */
export function standing(lot: Lot, seat: Seat): Standing {
  if (lot.leader === seat) return 'leads'
  const lastCall = lot.calls.get(seat)
  if (lastCall === null || (lot.sold && lastCall !== undefined)) return 'out'
  return lastCall !== undefined || lot.waiting.has(seat) ? 'in' : 'away'
}
