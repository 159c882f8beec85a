/** Warnings against slips of the hand. They advise and never forbid. */
import type { Plant, Player } from '../../net/protocol'
import type { BoardChoices } from './choices'

/** Plants that stand still for want of fuel that is on sale, while cities stay dark. */
export function idlePlants(me: Player, choices: BoardChoices): Plant[] {
  const lit = me.plants.filter(({ card }) => me.ready.includes(card)).reduce((sum, { powers }) => sum + powers, 0)
  if (lit >= me.cities.length) return []
  return me.plants.filter(({ card, fuels }) => !me.ready.includes(card) && fuels.some((fuel) => fuel in choices.buy))
}
