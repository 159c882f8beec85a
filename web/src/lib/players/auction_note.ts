import { m } from '../../texts/messages'
import type { GameView, Seat } from '../net/protocol'

/** What somebody is doing in the auction, if anything. */
export function auctionNote(view: Pick<GameView, 'phase' | 'auction'>, seat: Seat): string {
  const { card, leader, bid, bidders, eligible } = view.auction
  if (view.phase !== 'auction') return ''
  if (!eligible.includes(seat)) return m.note_done()
  if (card === null) return ''
  if (leader === seat) return m.note_bids({ amount: bid })
  return bidders.includes(seat) ? m.note_in() : m.stage_out()
}
