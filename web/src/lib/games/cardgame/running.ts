/** Which plants run, and what they bring in. */
import type { CardgamePlantView, CardgamePlayerView } from '../../net/schema'
import type { Lot } from './basket'

export const incomeOf = (plants: CardgamePlantView[]) => plants.reduce((sum, { income }) => sum + income, 0)

/** The plants that run with the fuel there is. */
export const runningOf = ({ plants, ready }: CardgamePlayerView) => plants.filter(({ card }) => ready.includes(card))

/** Plants that stand still for want of fuel that is on sale. */
export const idlePlants = (me: CardgamePlayerView, lots: Lot[]): CardgamePlantView[] =>
  me.plants.filter(({ card, fuels }) => !me.ready.includes(card) && lots.some(({ fuel }) => fuels.includes(fuel)))
