/**
 * Draws the maps that come along once, when the page is built: one small JSON per map in src/maps, with
 * its labels in place, and the labels of the planet. Nothing is done while no map and no way of drawing has changed since.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { drawPlanet, type Ground, outlineOf, slotBoxes } from '../src/lib/games/outpost/planet.ts'
import { type Atlas, draw, stamp } from '../src/lib/map/draw.ts'
import type { MapFile } from '../src/lib/map/file.ts'
import { compactLabels, LEVELS } from '../src/lib/map/labels.ts'

const HERE = import.meta.dirname
const MAPS = `${HERE}/../../src/highvoltage/maps`
const PLANET = `${HERE}/../../src/highvoltage/games/outpost/data/map.json`
const OUT = `${HERE}/../src/maps`
const LAST = `${OUT}/stamps/covers.json` // written when all others are

const MADE_OF = [
  MAPS,
  ...readdirSync(MAPS).map((name) => `${MAPS}/${name}`),
  ...['draw', 'labels', 'layout'].map((name) => `${HERE}/../src/lib/map/${name}.ts`),
  PLANET,
  `${HERE}/../src/lib/games/outpost/planet.ts`,
  `${HERE}/geo.ts`,
  `${HERE}/../package-lock.json`,
]
const age = (path: string) => statSync(path).mtimeMs
const isFresh = () => existsSync(LAST) && MADE_OF.every((path) => age(path) < age(LAST))
if (isFresh()) process.exit()
rmSync(OUT, { recursive: true, force: true })

/** The id of a map that gives none, by the same rule as the engine. */
const namedAfter = (file: string) =>
  file
    .replace(/\.json$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
interface PlanetFile {
  canvas: number[]
  cities: (Ground['cities'][string] & { id: string })[]
  edges: { a: string; b: string }[]
}
const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf-8')) as T
const atlas = (path: string): Atlas => read(`${HERE}/../node_modules/${path}`)
const atlases = {
  coarse: atlas('world-atlas/countries-50m.json'),
  fine: atlas('world-atlas/countries-10m.json'),
  states: atlas('us-atlas/states-10m.json'),
}

/** What the map file says about its board, for those who choose one. */
const cover = ({ name, names, about, difficulty, section, doubts, variants }: MapFile): object => ({
  names: { en: name, ...names },
  about,
  difficulty,
  section,
  doubts,
  variants:
    variants &&
    Object.fromEntries(
      Object.entries(variants).map(([name, { names, rule, players }]) => [name, { names, rule, players }]),
    ),
})

mkdirSync(`${OUT}/stamps`, { recursive: true })
const covers: Record<string, object> = {}
const stamps: Record<string, object> = {}
for (const file of readdirSync(MAPS).filter((name) => name.endsWith('.json'))) {
  const map = read<MapFile>(`${MAPS}/${file}`)
  map.id ??= namedAfter(file)
  covers[map.id] = cover(map)
  const chart = draw(map, atlases)
  writeFileSync(`${OUT}/${map.id}.json`, JSON.stringify({ ...chart, labels: compactLabels(chart) }))
  stamps[map.called ?? map.id] = stamp(map, atlases)
}
writeFileSync(`${OUT}/stamps/all.json`, JSON.stringify(stamps))

/** The areas of the planet besides its centre: none, one or both are in play. */
const SMALL = [[], ['north'], ['south'], ['north', 'south']]
const board = read<PlanetFile>(PLANET)
const planets: Record<string, object> = {}
for (const small of SMALL) {
  const areas = ['center', ...small]
  const cities = board.cities.filter(({ area }) => areas.includes(area))
  const isThere = (id: string) => cities.some((city) => city.id === id)
  const planet = drawPlanet({
    map: 'planet',
    canvas: board.canvas,
    areas,
    cities: Object.fromEntries(cities.map((city) => [city.id, city])),
    connections: board.edges.filter(({ a, b }) => isThere(a) && isThere(b)).map(({ a, b }) => ({ a, b, cost: 0 })),
  })
  planets[outlineOf(planet)] = compactLabels(planet, LEVELS, (ring) => slotBoxes(planet, ring))
}
writeFileSync(`${OUT}/stamps/planets.json`, JSON.stringify(planets))
writeFileSync(LAST, JSON.stringify(covers))
