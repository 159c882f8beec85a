import { TurnDraft } from '../../actions/draft.svelte'
import { type RunPlan, readRuns } from '../../actions/runs'
import type { CardGameView } from '../../net/protocol'
import { type FuelPick, fuelPicksOf, moveOf, same, surplusOf } from './basket'

/** What has been chosen but not played: a plant and a bid, fuel cards, plants to run. */
export class CardDraft extends TurnDraft<CardGameView> {
  /** Fuel cards to buy, in this order. */
  basket = $state.raw<FuelPick[]>([])
  run = $state.raw<RunPlan | null>(null)
  runs: RunPlan[] = $derived(readRuns(this.table.legal))
  /** Fuel cards that could be added to the basket. */
  fuelPicks: FuelPick[] = $derived(fuelPicksOf(this.table.previewed?.legal ?? this.table.legal))
  /** How many units of each card in the basket I keep. */
  kept: number[] = $derived.by(() => {
    const moves = this.table.previewed?.moves ?? []
    return this.basket.map(({ units }, i) => units - (moves[i] ? surplusOf(moves[i]) : 0))
  })

  override clear() {
    super.clear()
    this.basket = []
    this.run = null
  }

  fill(basket: FuelPick[]) {
    this.doubt = null
    this.basket = basket
  }

  /** Whether there is room and money for one more such card. */
  fits = (fuelPick: FuelPick): boolean => this.fuelPicks.some((each) => same(each, fuelPick))

  override get planned(): string[] {
    if (this.runs.length) return [this.run?.move ?? 'usual run']
    return this.basket.length || this.table.view?.phase !== 'fuel' ? this.basket.map(moveOf) : ['look']
  }

  protected override retract(move: string) {
    this.basket = this.basket.filter((fuelPick) => moveOf(fuelPick) !== move)
  }
}
