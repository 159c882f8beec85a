import { Desk } from '../../actions/desk.svelte'
import type { RunPlan } from '../../actions/runs'
import type { BoardView } from '../../net/protocol'
import { type BoardChoices, readLegal } from './choices'

/** What has been chosen but not played: a basket, cities to build in, plants to run. */
export class BoardDesk extends Desk<BoardView> {
  choices: BoardChoices = $derived(readLegal(this.table.legal))
  /** What could be added to what is planned. */
  further: BoardChoices = $derived(this.table.foreseen ? readLegal(this.table.foreseen.legal) : this.choices)
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

  /** How much of a fuel the basket can take: what lies in it, and what could be bought besides. */
  most(fuel: string): number {
    return (this.basket[fuel] ?? 0) + (this.further.buy[fuel]?.length ?? 0)
  }

  get basketMoves(): string[] {
    return Object.entries(this.basket)
      .filter(([, count]) => count)
      .map(([fuel, count]) => `buy ${fuel} ${count}`)
  }

  override get planned(): string[] {
    if (this.choices.run.length) return [this.run?.move ?? 'usual run']
    const planned = [...this.basketMoves, ...this.plan.map((city) => `build ${city}`)]
    return !planned.length && this.table.view?.phase === 'fuel' ? ['look'] : planned
  }

  protected override retract(move: string) {
    const [verb, what = ''] = move.split(' ')
    if (verb === 'build') this.plan = this.plan.filter((city) => city !== what)
    if (verb === 'buy') this.basket = { ...this.basket, [what]: (this.basket[what] ?? 1) - 1 }
  }
}
