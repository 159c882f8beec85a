/** Which plants run, and what they bring in. */
import type { CardgamePlantView, CardgamePlayerView } from '../../net/schema'

export const incomeOf = (plants: CardgamePlantView[]) => plants.reduce((sum, { income }) => sum + income, 0)

/** The plants that run with the available fuel. */
export const runningOf = ({ plants, ready }: CardgamePlayerView) => plants.filter(({ card }) => ready.includes(card))
