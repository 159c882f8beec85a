import { untrack } from 'svelte'
import { TurnDraft } from '../../actions/draft.svelte'
import type { RunPlan } from '../../actions/runs'
import type { BoardView } from '../../net/protocol'
import type { Table } from '../../net/table.svelte'
import { steady } from '../../net/view'
import { type BoardChoices, readLegal } from './choices'

/** The moves that buy so many tokens, at most some of them at once. */
function purchases(fuel: string, count: number, atOnce: number): string[] {
  const moves = []
  for (let left = count; left > 0; left -= atOnce) moves.push(`buy ${fuel} ${Math.min(left, atOnce)}`)
  return moves
}

/** What has been chosen but not played: a basket, cities to build in, plants to run. */
export class BoardDraft extends TurnDraft<BoardView> {
  #steady = steady<BoardChoices>()
  choices: BoardChoices = $derived(this.#steady(readLegal(this.table.legal)))
  /** What could be added to the plan. */
  further: BoardChoices = $derived(this.table.previewed ? readLegal(this.table.previewed.legal) : this.choices)
  basket = $state<Record<string, number>>({})
  city = $state<string | null>(null)
  /** Cities to build in, in this order. */
  plan = $state.raw<string[]>([])
  /** Planned cities in which a new network starts. */
  newNetworks = $state.raw<string[]>([])
  /** A city that can be connected or start a new network: the player still has to decide which. */
  undecided = $state<string | null>(null)
  run = $state.raw<RunPlan | null>(null)
  /** Cities chosen before the building phase: the plan begins with them. */
  #ahead = $state.raw<string[]>([])
  ahead = $derived(this.#ahead.filter((city) => this.#price(city) !== undefined))
  isBuilding: boolean = $derived(this.table.myTurn && this.table.view?.phase === 'building' && !this.choices.city)

  constructor(table: Table<BoardView>) {
    super(table)
    $effect(() => {
      void table.you // a plan is for one seat
      untrack(() => this.forgetAhead())
    })
    $effect(() => {
      if (this.isBuilding && this.ahead.length) untrack(() => this.#begin())
    })
    const request = $derived(JSON.stringify([table.seq, this.ahead.map(this.#move)]))
    $effect(() => {
      const [, moves] = JSON.parse(request) as [number, string[]]
      if (table.link === 'open') untrack(() => table.askPreviewAhead(moves))
    })
    $effect(() => {
      const gone = table.previewedAhead?.refused?.move.split(' ')[1]
      if (gone) untrack(() => (this.#ahead = this.#ahead.filter((city) => city !== gone)))
    })
  }

  #begin() {
    this.plan = this.ahead
    this.#ahead = []
  }

  override clear() {
    super.clear()
    this.basket = {}
    this.city = null
    this.forgetPlan()
    this.run = null
  }

  /** Adds a city to the plan, or removes it; before the building phase, in the plan ahead. */
  toggleCity(city: string) {
    const plan = this.isBuilding ? this.plan : this.ahead
    if (plan.includes(city)) this.#drop(city)
    else if (this.routesTo(city).start !== undefined) this.undecided = this.undecided === city ? null : city
    else this.add(city)
  }

  /** What a city that is not planned yet costs: connected, and as the start of a new network. */
  routesTo(city: string): { build?: number; start?: number } {
    const { connect, start } = this.table.view!
    if (this.isBuilding) return { build: this.further.build[city], start: this.further.start[city] }
    const free = !this.newNetworks.length // whether another may start is only known in the building phase
    return { build: connect[city], start: free ? start?.[city] : undefined }
  }

  add(city: string, newNetwork = false) {
    if (this.isBuilding) this.plan = [...this.plan, city]
    else this.#ahead = [...this.ahead, city]
    if (newNetwork) this.newNetworks = [...this.newNetworks, city]
    this.undecided = null
  }

  #drop(city: string) {
    this.#keep(
      this.plan.filter((each) => each !== city),
      this.#ahead.filter((each) => each !== city),
    )
  }

  #keep(plan: string[], ahead: string[]) {
    this.plan = plan
    this.#ahead = ahead
    this.newNetworks = this.newNetworks.filter((city) => plan.includes(city) || ahead.includes(city))
    this.undecided = null
  }

  #price(city: string): number | undefined {
    const { connect, start } = this.table.view ?? {}
    return (this.newNetworks.includes(city) ? start : connect)?.[city]
  }

  get buildMoves(): string[] {
    return this.plan.map(this.#move)
  }

  #move = (city: string) => `${this.newNetworks.includes(city) ? 'start' : 'build'} ${city}`

  forgetPlan() {
    this.#keep([], this.#ahead)
  }

  forgetAhead() {
    this.#keep(this.plan, [])
  }

  fill(fuel: string, count: number) {
    this.doubt = null
    this.basket = { ...this.basket, [fuel]: Math.max(0, count) }
  }

  /** How much of a fuel the basket can hold: what is in it, and what could be added. */
  most(fuel: string): number {
    return (this.basket[fuel] ?? 0) + (this.further.buy[fuel]?.length ?? 0)
  }

  get basketMoves(): string[] {
    return Object.entries(this.basket)
      .filter(([, count]) => count)
      .flatMap(([fuel, count]) => purchases(fuel, count, this.table.view?.tokens_a_turn ?? count))
  }

  override get planned(): string[] {
    if (this.choices.run.length) return [this.run?.move ?? 'usual run']
    const planned = [...this.basketMoves, ...this.buildMoves]
    return !planned.length && this.table.view?.phase === 'fuel' ? ['look'] : planned
  }

  protected override retract(move: string) {
    const [verb, what = ''] = move.split(' ')
    if (verb === 'build' || verb === 'start') this.#drop(what)
    if (verb === 'buy') this.basket = { ...this.basket, [what]: (this.basket[what] ?? 1) - 1 }
  }
}
