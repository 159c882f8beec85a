import { Desk } from '../../actions/desk.svelte'
import { type RunPlan, readRuns } from '../../actions/runs'
import type { CardGameView } from '../../net/protocol'
import { type Lot, lotsOf, moveOf, same, surplusOf } from './basket'

/** What has been chosen but not played: a plant and a bid, fuel cards, plants to run. */
export class CardDesk extends Desk<CardGameView> {
  /** Fuel cards to buy, in this order. */
  basket = $state.raw<Lot[]>([])
  run = $state.raw<RunPlan | null>(null)
  runs: RunPlan[] = $derived(readRuns(this.table.legal))
  /** Fuel cards that could be bought, besides those in the basket. */
  lots: Lot[] = $derived(lotsOf(this.table.foreseen?.legal ?? this.table.legal))
  /** What stays with me of each card in the basket. */
  kept: number[] = $derived.by(() => {
    const moves = this.table.foreseen?.moves ?? []
    return this.basket.map(({ units }, i) => units - (moves[i] ? surplusOf(moves[i]) : 0))
  })

  override clear() {
    super.clear()
    this.basket = []
    this.run = null
  }

  fill(basket: Lot[]) {
    this.doubt = null
    this.basket = basket
  }

  /** One more such card finds room and money beside the basket. */
  fits = (lot: Lot): boolean => this.lots.some((each) => same(each, lot))

  override get planned(): string[] {
    if (this.runs.length) return [this.run?.move ?? 'usual run']
    return this.basket.length || this.table.view?.phase !== 'fuel' ? this.basket.map(moveOf) : ['look']
  }

  protected override retract(move: string) {
    this.basket = this.basket.filter((lot) => moveOf(lot) !== move)
  }
}
