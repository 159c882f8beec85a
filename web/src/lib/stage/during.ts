import type { GameView, Of, Row } from '../net/protocol'
import { saleIn } from './lots'
import { incomeIn } from './payday'

/**
 * The table while the scene of a row is shown: with what its move has changed, but without what only
 * follows from it, which is the next phase, the new order and the result. Whoever buys or is paid is in
 * front; I am not, before I am asked.
 */
export function duringRow<V extends GameView>(row: Row, before: V, after: V): V {
  const { round, phase, seat } = row
  const isSamePhase = after.round === round && after.phase === phase
  const isPaid = !!incomeIn(row)
  const sale = saleIn(row)
  const next = isSamePhase && !isPaid && after.to_move !== after.seat ? after.to_move : seat
  const table = sale ? withSale(before, after, sale) : isPaid && !isSamePhase ? withPay(before, after, seat) : after
  return { ...table, round, phase, order: before.order, outcome: null, to_move: sale?.seat ?? next }
}

/** The table while it is announced what follows from a row: only the next phase has not begun. */
export function afterRow<V extends GameView>({ round, phase, seat }: Row, after: V): V {
  return { ...after, round, phase, outcome: null, to_move: seat }
}

/** The table while the hammer falls: the card is still in the market, and no other is up. */
function withSale<V extends GameView>(before: V, after: V, { seat, card, amount }: Of<'sold'>): V {
  const auction = { ...before.auction, card, bid: amount, leader: seat, bidders: [seat] }
  return { ...after, ...('market' in before ? { market: before.market } : {}), auction }
}

/** What of a player changes when their plants run. */
const RUN = ['money', 'income', 'fuel', 'store', 'ready', 'supplied', 'powered']

/** The table when the last player was paid: markets are refilled, and workers leave, only after that. */
function withPay<V extends GameView>(before: V, after: V, seat: number): V {
  const paid = Object.entries(after.players[seat] ?? {}).filter(([part]) => RUN.includes(part))
  const players = before.players.map((player) =>
    player.seat === seat ? { ...player, ...Object.fromEntries(paid) } : player,
  )
  return { ...before, players }
}

/** The log while the scene of its last row is shown: a card is turned up, or the round ends, only after it. */
export function duringLog(rows: Row[]): Row[] {
  const last = rows.at(-1)
  const scene = incomeIn(last) ?? (last && saleIn(last))
  if (!last || !scene) return rows
  return [...rows.slice(0, -1), { ...last, events: last.events.slice(0, last.events.indexOf(scene) + 1) }]
}
