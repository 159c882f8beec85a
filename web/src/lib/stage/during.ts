import type { GameView, Row } from '../net/protocol'
import { saleIn } from './lots'

/**
 * The table while a row is shown: with what its move has changed, but without what only follows from
 * it, which is the next phase, the new order and the result.
 */
export function duringRow<V extends GameView>(row: Row, before: V, after: V): V {
  const { round, phase, seat } = row
  const sold = saleIn(row)
  const goesOn = after.round === round && after.phase === phase
  const shown = sold ? sold.seat : goesOn ? after.to_move : seat
  return { ...after, round, phase, order: before.order, outcome: null, to_move: shown }
}
