import { Desk } from '../../actions/desk.svelte'
import { type RunPlan, readRuns } from '../../actions/runs'
import type { CardGameView } from '../../net/protocol'
import { addable, type Lot, lotsOf, same } from './basket'

/** What has been chosen but not played: a plant and a bid, fuel cards, plants to run. */
export class CardDesk extends Desk<CardGameView> {
  /** Fuel cards to buy, in this order. */
  basket = $state.raw<Lot[]>([])
  run = $state.raw<RunPlan | null>(null)
  runs: RunPlan[] = $derived(readRuns(this.table.legal))
  /** Fuel cards that the server offers. */
  lots: Lot[] = $derived(lotsOf(this.table.legal))

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
  fits = (lot: Lot): boolean => {
    const { view, you } = this.table
    const me = you === null ? undefined : view?.players[you]
    return !!me && !!view && this.lots.some((each) => same(each, lot)) && addable(me, view.last, this.basket, lot)
  }
}
