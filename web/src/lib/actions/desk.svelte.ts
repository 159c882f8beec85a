import { untrack } from 'svelte'
import type { GameView } from '../net/protocol'
import type { Table } from '../net/table.svelte'

/** What has been chosen but not played. Every rulebook has a card and a bid; each adds its own. */
export class Desk<V extends GameView = GameView> {
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
