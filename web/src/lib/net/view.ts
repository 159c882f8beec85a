/** What this page counts on in every view, whatever the game. */
import { withNames } from '../ui/words'
import type { GameView } from './protocol'

const NO_AUCTION = { eligible: [], card: null, bid: 0, leader: null, bidders: [], scrapping: null, sold: 0 }

/** A view of a family of its own may lack auctions and players as we know them. */
export const whole = <V extends GameView>(view: V): V =>
  withNames({
    ...view,
    auction: view.auction ?? NO_AUCTION,
    players: view.players ?? view.names.map((_, seat) => ({ seat, money: null })),
  })
