/**
 * Draws the maps that come along once, when the page is built: one small JSON per map in src/maps, with
 * its labels in place. Nothing is done while no map and no way of drawing has changed since.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type Atlas, draw, stamp } from '../src/lib/map/draw.ts'
import type { MapFile } from '../src/lib/map/file.ts'
import { keepLabels } from '../src/lib/map/labels.ts'

const HERE = import.meta.dirname
const MAPS = `${HERE}/../../src/highvoltage/maps`
const OUT = `${HERE}/../src/maps`
const LAST = `${OUT}/stamps/covers.json` // written when all others are

const MADE_OF = [
  MAPS,
  ...readdirSync(MAPS).map((name) => `${MAPS}/${name}`),
  ...['draw', 'labels', 'layout'].map((name) => `${HERE}/../src/lib/map/${name}.ts`),
  `${HERE}/geo.ts`,
  `${HERE}/../package-lock.json`,
]
const age = (path: string) => statSync(path).mtimeMs
const isFresh = () => existsSync(LAST) && MADE_OF.every((path) => age(path) < age(LAST))
if (isFresh()) process.exit()
rmSync(OUT, { recursive: true, force: true })

/** The id of a map that gives none, as the engine has it. */
const namedAfter = (file: string) =>
  file
    .replace(/\.json$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf-8')) as T
const atlas = (path: string): Atlas => read(`${HERE}/../node_modules/${path}`)
const atlases = {
  coarse: atlas('world-atlas/countries-50m.json'),
  fine: atlas('world-atlas/countries-10m.json'),
  states: atlas('us-atlas/states-10m.json'),
}

/** What the map file says of its board to those who choose one. */
const cover = ({ name, names, about, difficulty, section, doubts, rules }: MapFile): object => ({
  names: { en: name, ...names },
  about,
  difficulty,
  section,
  doubts,
  ruled: rules !== undefined,
})

mkdirSync(`${OUT}/stamps`, { recursive: true })
const covers: Record<string, object> = {}
const stamps: Record<string, object> = {}
for (const file of readdirSync(MAPS).filter((name) => name.endsWith('.json'))) {
  const map = read<MapFile>(`${MAPS}/${file}`)
  map.id ??= namedAfter(file)
  covers[map.id] = cover(map)
  const chart = draw(map, atlases)
  writeFileSync(`${OUT}/${map.id}.json`, JSON.stringify({ ...chart, labels: keepLabels(chart) }))
  stamps[map.called ?? map.id] = stamp(map, atlases)
}
writeFileSync(`${OUT}/stamps/all.json`, JSON.stringify(stamps))
writeFileSync(LAST, JSON.stringify(covers))
