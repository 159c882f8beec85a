import type { GameView, Row } from '../net/protocol'
import { saleIn } from './lots'
import { incomeIn } from './payday'

/**
 * The table while a row is shown: with what its move has changed, but without what only follows from
 * it, which is the next phase, the new order and the result. Whoever buys or is paid is in front.
 */
export function duringRow<V extends GameView>(row: Row, before: V, after: V): V {
  const { round, phase, seat } = row
  const goesOn = after.round === round && after.phase === phase && !incomeIn(row)
  const to_move = saleIn(row)?.seat ?? (goesOn ? after.to_move : seat)
  return { ...after, round, phase, order: before.order, outcome: null, to_move }
}
