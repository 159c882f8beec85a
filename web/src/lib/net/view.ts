/** Fills in what this page expects in every view, whatever the game. */
import { withNames } from '../ui/words'
import type { GameView } from './protocol'

const added = new WeakSet<object>()
/** Whether this part was added here, not sent by the game. */
export const isAdded = (part: unknown): boolean => typeof part === 'object' && part !== null && added.has(part)

function adding<T extends object>(part: T): T {
  added.add(part)
  return part
}

const noAuction = (seats: number[]): GameView['auction'] =>
  adding({ eligible: seats, card: null, bid: 0, leader: null, bidders: [], scrapping: null, sold: 0 })

/** The present value, reusing the unchanged parts of the previous one: what shows them does not update. */
export function sharing<T>(before: unknown, now: T): T {
  if (typeof before !== 'object' || typeof now !== 'object' || !before || !now) return now
  const known = before as Record<string, unknown>
  const parts = now as Record<string, unknown>
  const keys = Object.keys(parts)
  let same = keys.length === Object.keys(known).length && Array.isArray(before) === Array.isArray(now)
  for (const key of keys) {
    parts[key] = sharing(known[key], parts[key])
    same &&= key in known && parts[key] === known[key]
  }
  return same ? (before as T) : now
}

/** Remembers the latest value to reuse its parts: for values that are recomputed and often equal. */
export function steady<T>(): (now: T) => T {
  let known: T | undefined
  return (now) => {
    known = sharing(known, now)
    return known
  }
}

/** A view of an unknown family may lack auctions and players in our form. */
export function withDefaults<V extends GameView>(view: V): V {
  const seats = view.names.map((_, seat) => seat)
  return withNames({
    ...view,
    auction: view.auction ?? noAuction(seats),
    players: view.players ?? adding(seats.map((seat) => ({ seat }))),
  })
}
