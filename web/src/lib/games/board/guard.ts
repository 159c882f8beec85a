/** Warnings against slips of the hand. They advise and never forbid. */

import type { BoardView, Plant, Player } from '../../net/protocol'
import type { BoardChoices } from './choices'

/** Plants that stand still for want of fuel that could be bought, while cities stay dark. */
export function idlePlants(_view: BoardView, me: Player, choices: BoardChoices): Plant[] {
  const left = { ...me.fuel }
  const idle: Plant[] = []
  let powered = 0
  // Those of one fuel first, hybrids with what is left.
  for (const plant of [...me.plants].sort((a, b) => a.fuels.length - b.fuels.length)) {
    const held = plant.fuels.reduce((sum, fuel) => sum + (left[fuel] ?? 0), 0)
    if (held < plant.need) {
      idle.push(plant)
      continue
    }
    powered += plant.powers
    let need = plant.need
    for (const fuel of plant.fuels) {
      const burned = Math.min(need, left[fuel] ?? 0)
      left[fuel] = (left[fuel] ?? 0) - burned
      need -= burned
    }
  }
  if (powered >= me.cities.length) return []
  return idle.filter((plant) => {
    const held = plant.fuels.reduce((sum, fuel) => sum + (left[fuel] ?? 0), 0)
    return plant.fuels.some((fuel) => (choices.buy[fuel]?.length ?? 0) >= plant.need - held)
  })
}
