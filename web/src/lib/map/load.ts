/** Where the drawing of a map comes from. */
import { learnRegions } from '../ui/covers.svelte'
import type { Chart, Stamp } from './chart'
import type { Atlas, Atlases, MapFile } from './draw'

const shipped = import.meta.glob<Chart>('../../maps/*.json', { import: 'default' })

/** The map of a table: drawn when the page was built, or now, if it came from elsewhere. */
export async function loadChart(id: string, ownMap: () => Promise<unknown>): Promise<Chart> {
  const drawn = shipped[`../../maps/${id}.json`]
  const chart = drawn ? await drawn() : await drawNow((await ownMap()) as MapFile, id)
  learnRegions(chart.region_names)
  return chart
}

async function drawNow(map: MapFile, id: string): Promise<Chart> {
  const { draw } = await import('./draw')
  return draw({ ...map, id }, await world())
}

export async function drawStamp(load: () => Promise<unknown>): Promise<Stamp> {
  const { stamp } = await import('./draw')
  return stamp((await load()) as MapFile, null)
}

/** The outlines of the countries, fetched when they are first needed; without them the ground is plain. */
async function world(): Promise<Atlases | null> {
  const { default: address } = await import('world-atlas/countries-50m.json?url')
  try {
    const coarse = (await (await fetch(address)).json()) as Atlas
    return { coarse, fine: coarse }
  } catch {
    return null
  }
}
