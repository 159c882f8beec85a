/** How a game was won, from its scores: their measures are listed in the order in which they count. */
import type { Outcome, Seat } from '../net/protocol'

export interface Verdict {
  winners: Seat[]
  /** The measure that separated the winner from the runner-up; null if the win is shared or there is no runner-up. */
  decided: { measure: string; first: number; second: number; level: string[] } | null
}

export function verdictOf({ ranking, scores }: Outcome): Verdict {
  const [winners = [], next = []] = ranking
  const best = scores[winners[0] ?? -1]
  const other = scores[next[0] ?? -1]
  if (winners.length > 1 || !best || !other) return { winners, decided: null }
  const measures = Object.keys(best)
  const at = measures.findIndex((measure) => best[measure] !== other[measure])
  const measure = measures[at]
  if (measure === undefined) return { winners, decided: null }
  return {
    winners,
    decided: { measure, first: best[measure]!, second: other[measure] ?? 0, level: measures.slice(0, at) },
  }
}

/** The place of a seat, counted from 1. */
export const placeOf = ({ ranking }: Outcome, seat: Seat) => ranking.findIndex((seats) => seats.includes(seat)) + 1
