/** What every plant card shows, in all games. */
import { m } from '../../texts/messages'
import { fuelAmount } from '../ui/words'

export interface PlantFace {
  card: string
  number: number
  fuels: string[]
  need: number
  /** The cities that it powers, where there are cities. */
  powers?: number
  /** A mine: what a token that it sells counts. */
  mine?: number
  /** What it earns, where it is paid for running. */
  income?: number
}

/** The part of a view in which the players own plants. */
export interface PlantOwners {
  players: { plants: PlantFace[] }[]
}

export function plantLabel(plant: PlantFace): string {
  const { fuels, need, powers = 0, income } = plant
  const number = `${plant.number}${letterOf(plant)}`
  if (plant.mine !== undefined) return m.mine_label({ number, count: plant.mine })
  const burns = need ? fuelAmount(need, ...fuels) : m.fuel_none()
  return income === undefined
    ? m.plant_label({ number, need: burns, powers })
    : m.plant_label_income({ number, need: burns, income })
}

/** The letter that distinguishes a card from another of the same number. */
export const letterOf = ({ card, number }: Pick<PlantFace, 'card' | 'number'>): string =>
  card.slice(String(number).length)
