/** Which plants run, and what they bring in. */
import type { RunPlan } from '../../actions/runs'
import type { CardgamePlantView, CardgamePlayerView } from '../../net/schema'
import type { Lot } from './basket'

type Held = Record<string, number>

export const incomeOf = (plants: CardgamePlantView[]) => plants.reduce((sum, { income }) => sum + income, 0)

/** What these plants leave of the fuel when they run; null if there is too little. */
function burn(plants: CardgamePlantView[], fuel: Held): Held | null {
  const left = { ...fuel }
  // Those of one fuel first, hybrids with what is left.
  for (const { fuels, need } of [...plants].sort((a, b) => a.fuels.length - b.fuels.length)) {
    let open = need
    for (const kind of fuels) {
      const burnt = Math.min(open, left[kind] ?? 0)
      left[kind] = (left[kind] ?? 0) - burnt
      open -= burnt
    }
    if (open) return null
  }
  return left
}

function subsets<T>(items: T[]): T[][] {
  return items.reduce<T[][]>((found, item) => found.concat(found.map((each) => [...each, item])), [[]])
}

/** The plants that bring in most with the fuel there is. */
export function bestPlants(plants: CardgamePlantView[], fuel: Held): CardgamePlantView[] {
  return subsets(plants)
    .filter((each) => burn(each, fuel))
    .reduce((best, each) => (incomeOf(each) > incomeOf(best) ? each : best))
}

/** Of the runs offered the one that earns most. */
export const bestRun = (plants: CardgamePlantView[], runs: RunPlan[]): RunPlan | null =>
  runs.reduce<RunPlan | null>(
    (best, run) => (!best || earnings(plants, run) > earnings(plants, best) ? run : best),
    null,
  )

export const earnings = (plants: CardgamePlantView[], run: RunPlan): number =>
  incomeOf(plants.filter(({ card }) => run.plants.some((each) => each.card === card)))

/** Plants that stand still for want of fuel that could be bought now. */
export function idlePlants(me: CardgamePlayerView, lots: Lot[]): CardgamePlantView[] {
  const running = bestPlants(me.plants, me.fuel)
  const left = burn(running, me.fuel)!
  return me.plants.filter((plant) => {
    if (running.includes(plant)) return false
    let lack = plant.need - plant.fuels.reduce((sum, kind) => sum + (left[kind] ?? 0), 0)
    let money = me.money ?? Infinity
    const fitting = lots.filter(({ fuel }) => plant.fuels.includes(fuel))
    for (const { units, column } of fitting.sort((a, b) => a.column / a.units - b.column / b.units)) {
      if (lack <= 0 || column > money) break
      lack -= units
      money -= column
    }
    return lack <= 0
  })
}

export interface Tally {
  ran: CardgamePlantView[]
  income: number
  /** Points for full tens of money, and the money beyond them. */
  tens: number
  rest: number
  points: number
}

const PER_POINT = 10

/** How the server came to a player's points. */
export function tally({ plants, fuel, money }: CardgamePlayerView, points: number): Tally {
  const tens = Math.floor((money ?? 0) / PER_POINT)
  return {
    ran: bestPlants(plants, fuel),
    income: points - tens,
    tens,
    rest: (money ?? 0) % PER_POINT,
    points,
  }
}
