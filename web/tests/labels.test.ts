import { describe, expect, it } from 'vitest'
import type { Chart } from '../src/lib/map/chart'
import { faultsIn, labelFaults } from '../src/lib/map/faults'
import { compactLabels, inPlay, LEVELS, labelsAt, sizesAt } from '../src/lib/map/labels'

const maps = import.meta.glob<Chart>('../src/maps/*.json', { import: 'default', eager: true })

/** From the second size on: at the smallest one the crowded corners of some maps have no room. */
const PHONE = LEVELS[1]!

describe.each(Object.values(maps))('$name', (map) => {
  it('comes with its labels in place at every level', () => {
    expect(map.labels).toHaveLength(LEVELS.length)
  })

  it('has no label on a city, a cost, another label or outside the pane, at any size', () => {
    expect(labelFaults(map)).toEqual([])
  })

  it('has no name on another one, whichever region is out of play, on a phone', () => {
    for (const out of Object.keys(map.regions)) {
      const cities = map.cities.filter(({ region }) => region !== out)
      const open = new Set(cities.map(({ id }) => id))
      const placed = inPlay(map, PHONE, (city) => open.has(city))
      const faults = faultsIn({ ...map, cities, connections: [] }, sizesAt(PHONE), placed)
      expect(faults.filter((fault) => !fault.includes('ring'))).toEqual([])
    }
  })

  it('has a name for every city in play, on the smallest screen', () => {
    const regions = new Map(map.cities.map(({ id, region }) => [id, region]))
    for (const out of Object.keys(map.regions)) {
      const { names } = inPlay(map, LEVELS[0]!, (city) => regions.get(city) !== out)
      const cities = map.cities.filter(({ region }) => region !== out)
      expect(cities.filter(({ id }) => !names[id]?.lines.length)).toEqual([])
      for (const { id, name } of cities) expect(name.startsWith(names[id]!.lines[0]!.slice(0, 3))).toBe(true)
      expect(names).not.toHaveProperty(map.cities.find(({ region }) => region === out)!.id)
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
