/** Income as it is shown: the rows of the log about the pay of one round. It contains no rules: it only parses texts. */
import type { GameView, Of, Row, Seat } from '../net/protocol'
import type { Playhead } from './playhead'

export interface Pay {
  seat: Seat
  amount: number
  /** Cities that were supplied, where there are cities. */
  supplied: number
  /** The cards that ran. */
  ran: string[]
}

/** What a player earned with their own move. */
export const incomeIn = (row: Row | undefined) =>
  row?.events.find((event): event is Of<'income'> => event.what === 'income' && event.seat === row.seat)

/** The seat whose network lights up now: it is paid, or its turn has come at the end of the game. */
export const paidNow = ({ lit, moving, announces, rows, at }: Playhead): Seat | null =>
  lit ?? (moving && !announces ? (incomeIn(rows[at - 1])?.seat ?? null) : null)

/** Whether the players are honoured one after the other: the game is over. */
export const isCounting = ({ lit }: Playhead) => typeof lit === 'number'

/** The pay of each player in a round, up to the last of the first `at` rows, if that one paid somebody. */
export function paydayAt(rows: Row[], at: number): Pay[] {
  const last = rows[at - 1]
  if (!last || !incomeIn(last)) return []
  const from = rows.slice(0, at).findLastIndex(({ round, phase }) => round !== last.round || phase !== last.phase)
  return rows.slice(from + 1, at).flatMap((row) => {
    const income = incomeIn(row)
    return income ? [{ seat: row.seat, amount: income.amount, supplied: income.supplied ?? 0, ran: ranIn(row) }] : []
  })
}

/** The pay that is shown now: while it is staged and, if I have nothing to decide, until everybody is paid. */
export function paysNow({ rows, at, moving, announces, lit }: Playhead, view: GameView, stays: boolean): Pay[] {
  const last = rows[at - 1]
  const isDue = last?.round === view.round && last.phase === view.phase
  const isShown = moving ? !announces : stays && isDue
  return isShown && typeof lit !== 'number' ? paydayAt(rows, at) : []
}

/** One window for each city, so many in a row, all in one drawing. */
export function windowsOf(cities: number, row: number): { width: number; height: number; path: string } {
  const spots = Array.from(
    { length: cities },
    (_, i) => `M${11 * (i % row) + 1.5} ${13 * Math.floor(i / row)}${WINDOW}`,
  )
  return { width: 11 * Math.min(cities, row) - 3, height: 13 * Math.ceil(cities / row) - 3, path: spots.join('') }
}
const WINDOW = 'h5q1.5 0 1.5 1.5v7q0 1.5-1.5 1.5h-5q-1.5 0-1.5-1.5v-7q0-1.5 1.5-1.5Z'

const ranIn = ({ move }: Row) =>
  move.startsWith('run ')
    ? move
        .split(' ')
        .slice(1)
        .map((word) => word.split(':')[0]!)
    : []
