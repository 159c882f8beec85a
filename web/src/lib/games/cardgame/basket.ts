/** Fuel cards to be bought. */
import type { Legal, PreviewedMove } from '../../net/protocol'

/** A fuel card on sale; its column is its price. */
export interface FuelPick {
  fuel: string
  units: number
  column: number
}

export const moveOf = ({ fuel, units, column }: FuelPick) => `buy ${fuel} ${units} from ${column}`

export const same = (a: FuelPick, b: FuelPick) => a.fuel === b.fuel && a.units === b.units && a.column === b.column

export function readFuelPick(move: string): FuelPick | null {
  const found = /^buy (\S+) (\d+) from (\d+)$/.exec(move)
  return found && { fuel: found[1]!, units: Number(found[2]), column: Number(found[3]) }
}

/** The cards that I may buy now. */
export const fuelPicksOf = (legal: Legal[]): FuelPick[] => legal.flatMap(({ move }) => readFuelPick(move) ?? [])

/** Units of a purchase that are left for the others. */
export const surplusOf = ({ events = [] }: PreviewedMove): number =>
  events.reduce((sum, event) => sum + (event.what === 'surplus' ? event.count : 0), 0)
