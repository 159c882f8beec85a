/**
 * Draws the maps that come along, on all cores: one small JSON per map in src/maps, with its labels in place, and the
 * labels of the planet. That takes most of a minute, so they are kept in the repository, beside a digest of what they
 * are made of: nothing is done while no map and no way of drawing has changed since.
 */
import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { drawPlanet, type Ground, outlineOf, slotBoxes } from '../src/lib/games/outpost/planet.ts'
import { compactLabels, LEVELS } from '../src/lib/map/labels.ts'
import type { DrawnMap } from './draw-map.ts'

const HERE = import.meta.dirname
const MAPS = `${HERE}/../../src/highvoltage/maps`
const PLANET = `${HERE}/../../src/highvoltage/games/outpost/data/map.json`
const OUT = `${HERE}/../src/maps`
const DIGEST = `${OUT}/stamps/made_of.txt` // written when all others are

const SOURCES = [
  ...readdirSync(MAPS)
    .sort()
    .map((name) => `${MAPS}/${name}`)
    .filter((path) => path.endsWith('.json')),
  PLANET,
  ...['map/draw', 'map/labels', 'map/layout', 'ui/random', 'games/outpost/planet'].map(
    (name) => `${HERE}/../src/lib/${name}.ts`,
  ),
  `${HERE}/geo.ts`,
  `${HERE}/draw-map.ts`,
]
const PACKAGES = ['d3-contour', 'd3-geo', 'topojson-client', 'us-atlas', 'world-atlas']

interface PlanetFile {
  canvas: number[]
  cities: (Ground['cities'][string] & { id: string })[]
  edges: { a: string; b: string }[]
}
const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf-8')) as T

function digestOfSources(): string {
  const digest = createHash('sha256')
  for (const path of SOURCES) digest.update(readFileSync(path, 'utf-8').replaceAll('\r', ''))
  const { packages } = read<{ packages: Record<string, { version: string }> }>(`${HERE}/../package-lock.json`)
  for (const name of PACKAGES) digest.update(`${name} ${packages[`node_modules/${name}`]!.version}`)
  return digest.digest('hex')
}
const madeOf = digestOfSources()
if (existsSync(DIGEST) && readFileSync(DIGEST, 'utf-8').trim() === madeOf) process.exit()
rmSync(OUT, { recursive: true, force: true })

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
writeFileSync(
  `${OUT}/stamps/covers.json`,
  JSON.stringify(Object.fromEntries(inOrder.map(({ id, cover }) => [id, cover]))),
)
writeFileSync(DIGEST, `${madeOf}\n`)
