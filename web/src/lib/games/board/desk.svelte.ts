import { Desk } from '../../actions/desk.svelte'
import type { RunPlan } from '../../actions/runs'
import type { Ways } from '../../map/chart'
import type { BoardView, Plant, Player } from '../../net/protocol'
import { kindOf } from '../../ui/words'
import { type BoardChoices, readLegal } from './choices'

/** What has been chosen but not played: a basket, cities to build in, plants to run. */
export class BoardDesk extends Desk<BoardView> {
  choices: BoardChoices = $derived(readLegal(this.table.legal))
  basket = $state<Record<string, number>>({})
  city = $state<string | null>(null)
  /** Cities to build in, in this order. */
  plan = $state.raw<string[]>([])
  run = $state.raw<RunPlan | null>(null)

  override clear() {
    super.clear()
    this.basket = {}
    this.city = null
    this.plan = []
    this.run = null
  }

  /** Puts a city into the plan, or takes it out again. */
  toggleCity(city: string) {
    this.plan = this.plan.includes(city) ? this.plan.filter((each) => each !== city) : [...this.plan, city]
  }

  fill(fuel: string, count: number) {
    this.doubt = null
    this.basket = { ...this.basket, [fuel]: Math.max(0, count) }
  }

  /** What the basket costs: each fuel has a market of its own, so prices add up. */
  get basketCost(): number {
    const { buy } = this.choices
    return Object.entries(this.basket).reduce(
      (sum, [fuel, count]) => sum + (count ? (buy[fuel]?.[count - 1] ?? 0) : 0),
      0,
    )
  }

  /** How much of a fuel the basket can take: what is offered, as far as money and room go. */
  most(fuel: string, money: number | null): number {
    const prices = this.choices.buy[fuel] ?? []
    const count = this.basket[fuel] ?? 0
    const left = (money ?? Infinity) - this.basketCost + (count ? (prices[count - 1] ?? 0) : 0)
    return prices.filter((price, i) => price <= left && this.#fits(fuel, i + 1)).length
  }

  /** Whether so much finds room beside the rest of the basket: hybrids are there for either fuel. */
  #fits(fuel: string, count: number): boolean {
    const { view, you } = this.table
    const me = you === null ? undefined : view?.players[you]
    if (!me) return true
    const basket = { ...this.basket, [fuel]: count }
    const own = kindOf(fuel)
    const sharing = Object.keys(me.fuel).filter(
      (other) => other !== own && me.plants.some(({ fuels }) => fuels.includes(own) && fuels.includes(other)),
    )
    const bought = (kind: string) => (basket[kind] ?? 0) + (basket[`stored_${kind}`] ?? 0)
    const wanted = (kind: string) => bought(kind) + (me.fuel[kind] ?? 0)
    const kinds = [own, ...sharing]
    const room = me.plants
      .filter(({ fuels }) => fuels.some((kind) => kinds.includes(kind)))
      .reduce((sum, { need }) => sum + 2 * need, 0)
    return kinds.reduce((sum, kind) => sum + wanted(kind), 0) <= room
  }

  get basketMoves(): string[] {
    return Object.entries(this.basket)
      .filter(([, count]) => count)
      .map(([fuel, count]) => `buy ${fuel} ${count}`)
  }
}

export const powersOf = (plants: Plant[], plan: RunPlan): number =>
  plan.plants.reduce((sum, { card }) => sum + (plants.find((plant) => plant.card === card)?.powers ?? 0), 0)

export const burns = (plants: Plant[], plan: RunPlan): Record<string, number> => {
  const burned: Record<string, number> = {}
  for (const { card, mix } of plan.plants) {
    const plant = plants.find((each) => each.card === card)!
    const fuels = mix.length ? mix : Array.from({ length: plant.need }, () => plant.fuels[0]!)
    for (const fuel of fuels) burned[fuel] = (burned[fuel] ?? 0) + 1
  }
  return burned
}

/** Of the runs offered the one that supplies most cities, and of those the one that burns least. */
export function bestRun(view: BoardView, me: Player, runs: RunPlan[]): RunPlan | null {
  let best: RunPlan | null = null
  let most = -Infinity
  for (const run of runs) {
    const supplied = Math.min(me.cities.length, powersOf(me.plants, run))
    const burned = burns(me.plants, run)
    const worth = Object.entries(burned).reduce(
      (sum, [fuel, count]) => sum + count * (view.fuel[fuel]?.prices[0] ?? 8),
      0,
    )
    const score = supplied * 1000 - worth - run.plants.length / 100
    if (score > most) [best, most] = [run, score]
  }
  return best
}

/**
 * What a city costs once those of the plan are built. The server says what it costs now; a city of
 * the plan may only bring a shorter way to it.
 */
export function quote(view: BoardView, ways: Ways, network: string[], plan: string[], city: string): number {
  const now = view.connect[city] ?? Infinity
  if (!plan.length) return now
  const prices = view.slots?.[city]?.map(({ cost }) => cost) ?? view.house_prices
  const slot = prices[view.houses[city]?.length ?? 0] ?? Infinity
  const way = Math.min(...plan.map((each) => ways.cost(each, city)))
  return Math.min(network.length ? now : Infinity, slot + way)
}

/** What the cities of a plan cost, one after the other. */
export const quotes = (view: BoardView, ways: Ways, network: string[], plan: string[]): number[] =>
  plan.map((city, i) => quote(view, ways, network, plan.slice(0, i), city))
