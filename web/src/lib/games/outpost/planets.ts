/** The planet of a view, with its labels in place if it is one of the shipped ones. */
import stored from '../../../maps/stamps/planets.json'
import type { CompactLabels } from '../../map/chart'
import type { OutpostView } from '../../net/protocol'
import { drawPlanet, outlineOf, type Planet } from './planet'

const labels = stored as unknown as Record<string, CompactLabels[]>
let latest: { key: string; planet: Planet } | undefined

/** Returns the same object as long as the planet does not change. */
export function planetOf(view: OutpostView): Planet {
  const key = JSON.stringify([view.map, Object.keys(view.cities), view.connections])
  if (latest?.key !== key) {
    const planet = drawPlanet(view)
    const placed = labels[outlineOf(planet)]
    latest = { key, planet: placed ? { ...planet, labels: placed } : planet }
  }
  return latest.planet
}
