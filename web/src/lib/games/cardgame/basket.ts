/** Fuel cards to be bought: what they cost together, what finds room, and what is left over. */
import type { CardgamePlayerView, Offer } from '../../net/schema'

/** A fuel card on sale; its column is its price. */
export interface Lot {
  fuel: string
  units: number
  column: number
}

export const moveOf = ({ fuel, units, column }: Lot) => `buy ${fuel} ${units} from ${column}`

export const same = (a: Lot, b: Lot) => a.fuel === b.fuel && a.units === b.units && a.column === b.column

export function readLot(move: string): Lot | null {
  const found = /^buy (\S+) (\d+) from (\d+)$/.exec(move)
  return found && { fuel: found[1]!, units: Number(found[2]), column: Number(found[3]) }
}

/** The cards that the server lets me buy now. */
export const lotsOf = (legal: Offer[]): Lot[] => legal.flatMap(({ move }) => readLot(move) ?? [])

export const costOf = (basket: Lot[]) => basket.reduce((sum, { column }) => sum + column, 0)

/**
 * What is kept of each card when they are bought in this order. The server says how much room there
 * is; only how one card narrows it for the next is worked out here.
 */
export function keep(me: CardgamePlayerView, last: boolean, basket: Lot[]): number[] {
  const runs = last ? 1 : 2 // nothing is laid in for a round that will not come
  const pure: Record<string, number> = {}
  let shared = 0
  for (const [kind, room] of Object.entries(me.room)) {
    const own = me.plants
      .filter(({ fuels }) => fuels.length === 1 && fuels[0] === kind)
      .reduce((sum, { need }) => sum + runs * need, 0)
    pure[kind] = Math.min(room, Math.max(0, own - (me.fuel[kind] ?? 0)))
    shared = Math.max(shared, room - pure[kind])
  }
  const hybrid = (kind: string) => me.plants.some(({ fuels }) => fuels.length > 1 && fuels.includes(kind))
  return basket.map(({ fuel, units }) => {
    const own = Math.min(units, pure[fuel] ?? 0)
    const joint = hybrid(fuel) ? Math.min(units - own, shared) : 0
    pure[fuel] = (pure[fuel] ?? 0) - own
    shared -= joint
    return own + joint
  })
}

/** A card can be put into the basket: there is money, and at least one unit finds room. */
export function addable(me: CardgamePlayerView, last: boolean, basket: Lot[], lot: Lot): boolean {
  const money = me.money ?? Infinity
  return costOf(basket) + lot.column <= money && keep(me, last, [...basket, lot]).at(-1)! > 0
}

/** What a basket leaves over for the others, by fuel. */
export function surplus(me: CardgamePlayerView, last: boolean, basket: Lot[]): Record<string, number> {
  const kept = keep(me, last, basket)
  const over: Record<string, number> = {}
  basket.forEach(({ fuel, units }, i) => {
    if (units > kept[i]!) over[fuel] = (over[fuel] ?? 0) + units - kept[i]!
  })
  return over
}
