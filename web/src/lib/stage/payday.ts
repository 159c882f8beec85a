/** Income as it is shown: the rows of the log about the pay of one round. It contains no rules: it only parses texts. */
import type { Of, Row, Seat } from '../net/protocol'
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

/** Whether the player who is honoured has won. */
export const hasWon = ({ lit }: Playhead, table: { ranking: Seat[][] } | null) =>
  typeof lit === 'number' && !!table?.ranking[0]?.includes(lit)

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

const ranIn = ({ move }: Row) =>
  move.startsWith('run ')
    ? move
        .split(' ')
        .slice(1)
        .map((word) => word.split(':')[0]!)
    : []
