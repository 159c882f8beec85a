/** Maps from elsewhere: from files, from links, and as a picture to draw on. */
import { outlinePath } from '../map/draw'
import type { Layout, MapFile, Point } from '../map/file'
import { computeLayout } from '../map/layout'
import { packText, unpackText } from '../replay/link'

/** The map in the fragment of an address, compressed: `#map=CODE`. */
export const writeMapFragment = async (map: MapFile) => `#map=${await packText(JSON.stringify(map))}`

export const unpackMap = async (code: string): Promise<unknown> => JSON.parse(await unpackText(code)) as unknown

const isText = (value: unknown) => typeof value === 'string'
const isPoint = (value: unknown) => Array.isArray(value) && value.length === 2 && value.every(Number.isFinite)

/** Whether there is enough in a file to draw it; what else is wrong with it is shown on the drawing. */
export function canDraw(content: unknown): content is MapFile {
  const { regions, cities, connections } = (content ?? {}) as Partial<MapFile>
  if (!Array.isArray(regions) || !regions.every(isText)) return false
  if (!Array.isArray(cities) || !Array.isArray(connections)) return false
  const isCity = (city: Partial<MapFile['cities'][number]> | null) =>
    !!city && [city.id, city.name, city.region].every(isText) && [city.lon, city.lat].every(Number.isFinite)
  if (!cities.every(isCity)) return false
  const ids = new Set(cities.map(({ id }) => id))
  return connections.every((link) => Array.isArray(link) && ids.has(link[0]) && ids.has(link[1]) && link[0] !== link[1])
}

/** The positions in a file, or new ones if some are missing. */
export function layoutOf(file: MapFile): Layout {
  const { layout } = file
  const placed = layout && isPoint(layout.canvas) && file.cities.every(({ id }) => isPoint(layout.cities?.[id]))
  return placed ? layout : computeLayout(file)
}

const OUTLINE_LETTERS = 20_000 // of the outline that a map keeps

/** The outline in a GeoJSON file, as a path that fills the canvas. */
export function outlineOf(geojson: unknown, canvas: Point): string {
  const outline = outlinePath(geojson as Parameters<typeof outlinePath>[0], canvas, OUTLINE_LETTERS)
  if (!/^[Mlz0-9 .-]+$/.test(outline)) throw new Error('There is no outline in this file.')
  return outline
}
