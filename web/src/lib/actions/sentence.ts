/** One sentence that says whose turn it is and what is expected. */
import { m } from '../../paraglide/messages.js'
import type { BoardView, TableInfo } from '../net/protocol'
import { phaseName, say } from '../ui/words'

/** What the seat to move has to decide, as a key of the texts. */
export function question(view: BoardView): string {
  if (view.phase !== 'auction') return view.phase
  if (view.auction.scrapping !== null) return 'scrap'
  return view.auction.card === null ? 'nominate' : 'bid'
}

export function sentence(info: TableInfo, view: BoardView | null, myTurn: boolean): string {
  if (!view) return m.turn_waiting_for_players()
  if (view.outcome) {
    const winners = view.outcome.ranking[0]!.map((seat) => view.names[seat]!)
    return winners.length > 1
      ? m.turn_tied({ names: winners.join(', ') })
      : m.turn_won({ name: winners[0]! })
  }
  if (view.to_move === null) return m.turn_broken_off()
  const asked = question(view)
  const values = { card: view.auction.card ?? '', bid: view.auction.bid }
  const mine = info.seats.filter((seat) => seat.mine).length
  const name = view.names[view.to_move]!
  if (myTurn && mine < 2) return say(`turn_you_${asked}`, phaseName(view.phase), values)
  if (myTurn) return m.turn_at_screen({ name, what: say(`turn_you_${asked}`, '', values) })
  return say(`turn_${asked}`, phaseName(view.phase), { ...values, name })
}
