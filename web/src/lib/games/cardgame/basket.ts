/** Fuel cards to be bought. */
import type { Foreseen, Legal } from '../../net/protocol'

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
export const lotsOf = (legal: Legal[]): Lot[] => legal.flatMap(({ move }) => readLot(move) ?? [])

/** Units that a purchase leaves over for the others. */
export const surplusOf = ({ events = [] }: Foreseen): number =>
  events.reduce((sum, event) => sum + (event.what === 'surplus' ? event.count : 0), 0)
