import { untrack } from 'svelte'
import type { GameView, Preview } from '../net/protocol'
import type { Table } from '../net/table.svelte'

/** What has been chosen but not played. Every rulebook has a card and a bid; each adds its own. */
export class TurnDraft<V extends GameView = GameView> {
  card = $state<string | null>(null)
  amount = $state(0)
  /** A doubtful move was asked for once; asked for twice it is played. */
  doubt = $state<string | null>(null)

  /** What was chosen belongs to one decision. Made while a component is set up. */
  constructor(readonly table: Table<V>) {
    const view = $derived(table.view)
    const decision = $derived(`${view?.round} ${view?.phase} ${view?.to_move} ${view?.auction.card} ${table.myTurn}`)
    $effect(() => {
      void decision
      untrack(() => this.clear())
    })
    // What is planned may hang on what was foreseen: the same question is not asked twice.
    const asks = $derived(JSON.stringify([table.seq, table.myTurn ? this.planned : []]))
    $effect(() => {
      const [, moves] = JSON.parse(asks) as [number, string[]]
      if (table.link === 'open' && !table.waiting) untrack(() => table.askPreview(moves))
    })
    $effect(() => {
      const preview = table.previewed
      if (preview) untrack(() => this.heard(preview))
    })
  }

  /** The moves that are chosen so far, to be asked about. */
  get planned(): string[] {
    return []
  }

  /** What is planned costs, as foreseen; until then as far as single moves were told. */
  get cost(): number {
    const { previewed, previewing, legal } = this.table
    if (previewed && !previewing) return previewed.cost
    return this.planned.reduce((sum, move) => sum + (legal.find((each) => each.move === move)?.cost ?? 0), 0)
  }

  /** What the server foresees. What cannot be done beside the rest leaves the plan. */
  protected heard({ refused }: Preview<V>) {
    if (!refused) return
    this.table.refusal = { ...refused, type: 'refused', ref: null }
    this.retract(refused.move)
  }

  /** Takes a move out of the plan. */
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
