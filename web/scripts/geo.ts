/**
 * Draws the maps that come along once, when the page is built, on all cores: one small JSON per map in src/maps, with
 * its labels in place, and the labels of the planet. Nothing is done while no map and no way of drawing has changed since.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { drawPlanet, type Ground, outlineOf, slotBoxes } from '../src/lib/games/outpost/planet.ts'
import { compactLabels, LEVELS } from '../src/lib/map/labels.ts'
import type { DrawnMap } from './draw-map.ts'

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
  `${HERE}/draw-map.ts`,
  `${HERE}/../package-lock.json`,
]
const age = (path: string) => statSync(path).mtimeMs
const isFresh = () => existsSync(LAST) && MADE_OF.every((path) => age(path) < age(LAST))
if (isFresh()) process.exit()
rmSync(OUT, { recursive: true, force: true })

interface PlanetFile {
  canvas: number[]
  cities: (Ground['cities'][string] & { id: string })[]
  edges: { a: string; b: string }[]
}
const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf-8')) as T

mkdirSync(`${OUT}/stamps`, { recursive: true })
const files = readdirSync(MAPS).filter((name) => name.endsWith('.json'))
const drawn = new Map<string, DrawnMap>()
/** Another process draws maps until none is left. Threads get less memory for new objects, and take twice as long. */
async function drawBeside(): Promise<void> {
  const other = fork(`${HERE}/draw-map.ts`)
  const failed = once(other, 'exit').then(() => {
    throw new Error('A map could not be drawn, see above.')
  })
  for (let file = files.shift(); file; file = files.shift()) {
    other.send({ file: `${MAPS}/${file}`, out: OUT })
    const [made] = (await Promise.race([once(other, 'message'), failed])) as [DrawnMap]
    drawn.set(file, made)
  }
  failed.catch(() => undefined) // it ends because it is done
  other.disconnect()
}
await Promise.all(Array.from({ length: availableParallelism() }, drawBeside))
const inOrder = [...drawn].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, made]) => made)
writeFileSync(
  `${OUT}/stamps/all.json`,
  JSON.stringify(Object.fromEntries(inOrder.map(({ title, stamp }) => [title, stamp]))),
)

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
writeFileSync(LAST, JSON.stringify(Object.fromEntries(inOrder.map(({ id, cover }) => [id, cover]))))
