/** Draws the maps that geo.ts names, one after the other, in a process of its own. */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Stamp } from '../src/lib/map/chart.ts'
import { type Atlas, draw, stamp } from '../src/lib/map/draw.ts'
import type { MapFile } from '../src/lib/map/file.ts'
import { compactLabels } from '../src/lib/map/labels.ts'

/** What is shown of a map that is not open. */
export interface DrawnMap {
  id: string
  title: string // what its thumbnail is filed under
  cover: object
  stamp: Stamp
}

const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf-8')) as T
const atlas = (path: string): Atlas => read(`${import.meta.dirname}/../node_modules/${path}`)
const atlases = {
  coarse: atlas('world-atlas/countries-50m.json'),
  fine: atlas('world-atlas/countries-10m.json'),
  states: atlas('us-atlas/states-10m.json'),
}

/** The id of a map that gives none, by the same rule as the engine. */
const namedAfter = (file: string) =>
  basename(file, '.json')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')

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

process.on('message', ({ file, out }: { file: string; out: string }) => {
  const map = read<MapFile>(file)
  map.id ??= namedAfter(file)
  const chart = draw(map, atlases)
  writeFileSync(`${out}/${map.id}.json`, JSON.stringify({ ...chart, labels: compactLabels(chart) }))
  const made: DrawnMap = { id: map.id, title: map.called ?? map.id, cover: cover(map), stamp: stamp(map, atlases) }
  process.send!(made)
})
