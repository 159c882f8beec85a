import { describe, expect, it } from 'vitest'
import type { Chart } from '../src/lib/map/chart'
import { faultsIn, labelFaults } from '../src/lib/map/faults'
import { compactLabels, inPlay, isReadable, LEVELS, labelsAt, sizesAt } from '../src/lib/map/labels'

const maps = import.meta.glob<Chart>('../src/maps/*.json', { import: 'default', eager: true })
/** Without each of their regions in every run; the others among the long tests. */
const some = process.env.EVERY_MAP ? Object.values(maps) : Object.values(maps).slice(0, 4)

/** From the second size on: at the smallest one the crowded corners of some maps have no room. */
const PHONE = LEVELS[1]!

describe.each(Object.values(maps))('$name', (map) => {
  it('comes with its labels in place at every level', () => {
    expect(map.labels).toHaveLength(LEVELS.length)
  })

  it('has no label on a city, a cost, another label or outside the pane, at any size', () => {
    expect(labelFaults(map)).toEqual([])
  })
})

describe.each(some)('$name without a region', (map) => {
  it('has no name on another one, whichever it is, on a phone', () => {
    for (const out of Object.keys(map.regions)) {
      const cities = map.cities.filter(({ region }) => region !== out)
      const open = new Set(cities.map(({ id }) => id))
      const placed = inPlay(map, PHONE, (city) => open.has(city))
      const faults = faultsIn({ ...map, cities, connections: [] }, sizesAt(PHONE), placed)
      expect(faults.filter((fault) => !fault.includes('ring'))).toEqual([])
    }
  })

  it('has a name for every city in play, or room for it when one zooms in', () => {
    const regions = new Map(map.cities.map(({ id, region }) => [id, region]))
    for (const out of Object.keys(map.regions)) {
      const isOpen = (city: string) => regions.get(city) !== out
      const levels = [LEVELS[0]!, LEVELS.at(-1)!]
      const named = levels.map((level) => inPlay(map, level, isOpen).names)
      for (const { id, name } of map.cities.filter(({ id }) => isOpen(id))) {
        expect(named.at(-1)![id]!.lines).not.toEqual([])
        for (const names of named) expect(name.startsWith((names[id]!.lines[0] ?? '').slice(0, 3))).toBe(true)
      }
      for (const [i, level] of levels.entries())
        for (const { size, lines } of Object.values(named[i]!))
          if (lines.length) expect(isReadable(size, level)).toBe(true)
      expect(named[0]).not.toHaveProperty(map.cities.find(({ region }) => region === out)!.id)
    }
  })
})

it('places the labels of a map that came without them where ours were placed', () => {
  const [map] = Object.values(maps)
  const own = { ...map!, labels: undefined }
  expect(compactLabels(own, LEVELS.slice(-2))).toEqual(map!.labels!.slice(-2))
  const [here, there] = [labelsAt(own, LEVELS.at(-1)!), labelsAt(map!, LEVELS.at(-1)!)]
  for (const { id } of own.cities) {
    expect(there.names[id]!.lines).toEqual(here.names[id]!.lines)
    expect(Math.abs(there.names[id]!.w - here.names[id]!.w)).toBeLessThan(1)
  }
})
