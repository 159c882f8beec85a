import { untrack } from 'svelte'
import type { GameView, Preview } from '../net/protocol'
import type { Table } from '../net/table.svelte'

/** What has been chosen but not played. Every rulebook has a card and a bid; each adds its own. */
export class TurnDraft<V extends GameView = GameView> {
  card = $state<string | null>(null)
  amount = $state(0)
  /** A doubtful move that was requested once; it is played if it is requested again. */
  doubt = $state<string | null>(null)

  /** A draft belongs to one decision. Create it while a component is set up. */
  constructor(readonly table: Table<V>) {
    const view = $derived(table.view)
    const decision = $derived(`${view?.round} ${view?.phase} ${view?.to_move} ${view?.auction.card} ${table.myTurn}`)
    $effect(() => {
      void decision
      untrack(() => this.clear())
    })
    // The plan may depend on the preview: the same question is not sent twice.
    const request = $derived(JSON.stringify([table.seq, table.myTurn ? this.planned : []]))
    $effect(() => {
      const [, moves] = JSON.parse(request) as [number, string[]]
      if (table.link === 'open' && !table.waiting) untrack(() => table.askPreview(moves))
    })
    $effect(() => {
      const preview = table.previewed
      if (preview) untrack(() => this.onPreview(preview))
    })
  }

  /** The moves chosen so far, to be previewed. */
  get planned(): string[] {
    return []
  }

  /** The cost of the plan by the preview; until that arrives, the sum of the costs of single moves. */
  get cost(): number {
    const { previewed, previewing, legal } = this.table
    if (previewed && !previewing) return previewed.cost
    return this.planned.reduce((sum, move) => sum + (legal.find((each) => each.move === move)?.cost ?? 0), 0)
  }

  /** Handles a preview of the server. Moves that are not possible with the rest are removed from the plan. */
  protected onPreview({ refused }: Preview<V>) {
    if (!refused) return
    this.table.refusal = { ...refused, type: 'refused', ref: null }
    this.retract(refused.move)
  }

  /** Removes a move from the plan. */
  protected retract(_move: string) {
    this.clear()
  }

  clear() {
    this.card = null
    this.doubt = null
  }

  chooseCard(card: string) {
    this.card = card
    this.amount = this.table.choices.nominate.find((span) => span.card === card)?.low ?? 0
  }
}
