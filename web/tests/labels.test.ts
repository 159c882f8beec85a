import { describe, expect, it } from 'vitest'
import type { Chart } from '../src/lib/map/chart'
import { labelFaults } from '../src/lib/map/faults'
import { keepLabels, LEVELS, labelsAt } from '../src/lib/map/labels'

const maps = import.meta.glob<Chart>('../src/maps/*.json', { import: 'default', eager: true })

describe.each(Object.values(maps))('$name', (map) => {
  it('comes with its labels in place at every level', () => {
    expect(map.labels).toHaveLength(LEVELS.length)
  })

  it('has no label on a city, a cost, another label or beyond the pane, in any size', () => {
    expect(labelFaults(map)).toEqual([])
  })
})

it('places the labels of a map that came without them where ours were placed', () => {
  const [map] = Object.values(maps)
  const own = { ...map!, labels: undefined }
  expect(keepLabels(own)).toEqual(map!.labels)
  const [here, there] = [labelsAt(own, LEVELS[4]!), labelsAt(map!, LEVELS[4]!)]
  for (const { id } of own.cities) {
    expect(there.names[id]!.lines).toEqual(here.names[id]!.lines)
    expect(Math.abs(there.names[id]!.w - here.names[id]!.w)).toBeLessThan(1)
  }
})
