/** What bots say at telling moments: somebody paid dearly, a place was taken, the game is won. */
import type { Row, SeatInfo } from '../net/protocol'
import { translate } from '../ui/words'

export interface Moment {
  seat: number
  what: 'dear' | 'lost' | 'fuel' | 'built' | 'step' | 'won' | 'beaten'
}

const DEAR = 5 // more than the number of the card
const MUCH = 4 // units of fuel at once

const numberOf = (card: string) => Number.parseInt(card, 10)

/** The moment that a row is, for one of these bots. */
function momentOf(row: Row, before: Row | undefined, bots: Set<number>, you: number | null): Moment | undefined {
  const { seat, move } = row
  const [verb, , count] = move.split(' ')
  for (const event of row.events) {
    if (event.what === 'sold' && bots.has(event.seat) && event.amount >= numberOf(event.card) + DEAR)
      return { seat: event.seat, what: 'dear' }
    if (event.what === 'sold' && event.seat === you && verb === 'pass' && bots.has(seat)) return { seat, what: 'lost' }
    if (event.what === 'step' && bots.has(seat)) return { seat, what: 'step' }
  }
  if (!bots.has(seat)) return undefined
  if (verb === 'buy' && Number(count) >= MUCH) return { seat, what: 'fuel' }
  const again = before?.seat === seat && before.move.startsWith('build ')
  return verb === 'build' && again ? { seat, what: 'built' } : undefined
}

/** The latest moment since my last decision; at the end of the game who has won. */
export function momentIn(
  rows: Row[],
  seats: SeatInfo[],
  you: number | null,
  winners: number[] = [],
): Moment | undefined {
  const bots = new Set(seats.flatMap(({ seat, kind, left }) => (kind === 'bot' && !left ? [seat] : [])))
  const winner = winners.find((seat) => bots.has(seat))
  if (winner !== undefined) return { seat: winner, what: 'won' }
  const loser = [...bots][0]
  if (you !== null && winners.includes(you) && loser !== undefined) return { seat: loser, what: 'beaten' }
  let since = rows.length
  while (since > 0 && rows[since - 1]!.seat !== you) since--
  for (let at = rows.length - 1; at >= Math.max(0, since - 1); at--) {
    const moment = momentOf(rows[at]!, rows[at - 1], bots, you)
    if (moment) return moment
  }
  return undefined
}

/** It in words, as somebody of this temper says it. */
export function remarkWords({ what }: Moment, bot: string): string {
  const temper = bot.split(':')[1] ?? bot
  return translate(`remark_${what}_${temper}`, '') || translate(`remark_${what}`, '')
}
