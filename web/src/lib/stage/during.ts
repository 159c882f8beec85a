import type { GameView, Row } from '../net/protocol'
import { saleIn } from './lots'
import { incomeIn } from './payday'

/**
 * The table while a row is shown: with what its move has changed, but without what only follows from
 * it, which is the next phase, the new order and the result. Whoever buys or is paid is in front.
 */
export function duringRow<V extends GameView>(row: Row, before: V, after: V): V {
  const { round, phase, seat } = row
  const isSamePhase = after.round === round && after.phase === phase
  const isPaid = !!incomeIn(row)
  const to_move = saleIn(row)?.seat ?? (isSamePhase && !isPaid ? after.to_move : seat)
  const table = isPaid && !isSamePhase ? withPay(before, after, seat) : after
  return { ...table, round, phase, order: before.order, outcome: null, to_move }
}

/** What of a player changes when their plants run. */
const RUN = ['money', 'fuel', 'ready', 'supplied', 'powered']

/** The table when the last player was paid: markets are refilled, and workers leave, only after that. */
function withPay<V extends GameView>(before: V, after: V, seat: number): V {
  const paid = Object.entries(after.players[seat] ?? {}).filter(([part]) => RUN.includes(part))
  const players = before.players.map((player) =>
    player.seat === seat ? { ...player, ...Object.fromEntries(paid) } : player,
  )
  return { ...before, players }
}

/** The log while its last row is shown: a round ends only when its last player was paid. */
export function duringLog(rows: Row[]): Row[] {
  const last = rows.at(-1)
  const income = incomeIn(last)
  if (!last || !income) return rows
  return [...rows.slice(0, -1), { ...last, events: last.events.slice(0, last.events.indexOf(income) + 1) }]
}
