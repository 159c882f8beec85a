/** Loads the drawing of a map. */
import states from 'us-atlas/states-10m.json?url'
import countries from 'world-atlas/countries-50m.json?url'
import { setRegionNames } from '../ui/covers.svelte'
import { type Chart, type Stamp, withCosts } from './chart'
import type { Atlas, Atlases } from './draw'
import type { MapFile } from './file'

const shipped = import.meta.glob<Chart>('../../maps/*.json', { import: 'default' })

/**
 * The map of a table: drawn when the page was built, or now, if it came from elsewhere. The costs of
 * its connections come from the board, as it is played.
 */
export async function loadChart(id: string, board: Promise<MapFile>): Promise<Chart> {
  const [drawn, played] = await Promise.all([shipped[`../../maps/${id}.json`]?.(), board])
  const chart = (drawn && withCosts(drawn, played)) ?? (await drawNow(played, id))
  setRegionNames(chart.region_names)
  return chart
}

async function drawNow(map: MapFile, id: string): Promise<Chart> {
  const { draw } = await import('./draw')
  return draw({ ...map, id }, await world(map))
}

export async function drawStamp(load: () => Promise<MapFile>): Promise<Stamp> {
  const { stamp } = await import('./draw')
  return stamp(await load(), null)
}

/** The outlines that a map needs, fetched on first use; without them the background is plain. */
export async function world({ layout }: MapFile): Promise<Atlases | null> {
  const { ALBERS } = await import('./draw')
  const read = async (address: string) => (await (await fetch(address)).json()) as Atlas
  try {
    const coarse = await read(countries)
    const american = layout?.projection?.startsWith(ALBERS)
    return { coarse, fine: coarse, ...(american && { states: await read(states) }) }
  } catch {
    return null
  }
}
