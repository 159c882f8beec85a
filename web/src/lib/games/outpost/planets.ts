/** The planet of a view, with its labels in place if it is one of those that come along. */
import kept from '../../../maps/stamps/planets.json'
import type { Kept } from '../../map/chart'
import type { OutpostView } from '../../net/protocol'
import { drawPlanet, outlineOf, type Planet } from './planet'

const labels = kept as unknown as Record<string, Kept[]>
let latest: { key: string; planet: Planet } | undefined

/** It stays the same object as long as nothing of it changes. */
export function planetOf(view: OutpostView): Planet {
  const key = JSON.stringify([view.map, Object.keys(view.cities), view.connections])
  if (latest?.key !== key) {
    const planet = drawPlanet(view)
    const placed = labels[outlineOf(planet)]
    latest = { key, planet: placed ? { ...planet, labels: placed } : planet }
  }
  return latest.planet
}
