/** Draws the maps that come along once, when the page is built: one small JSON per map in src/maps. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type Atlas, draw, type MapFile, stamp } from '../src/lib/map/draw.ts'

const HERE = import.meta.dirname
const MAPS = `${HERE}/../../src/highvoltage/maps`
const OUT = `${HERE}/../src/maps`

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
  covers[map.id] = cover(map)
  writeFileSync(`${OUT}/${file}`, JSON.stringify(draw(map, atlases)))
  stamps[map.called ?? map.id] = stamp(map, atlases)
}
writeFileSync(`${OUT}/stamps/all.json`, JSON.stringify(stamps))
writeFileSync(`${OUT}/stamps/covers.json`, JSON.stringify(covers))
