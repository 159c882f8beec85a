import { describe, expect, it } from 'vitest'
import type { Chart } from '../src/lib/map/chart'
import { labelFaults } from '../src/lib/map/faults'
import { LEVELS, labelsAt } from '../src/lib/map/labels'

const maps = import.meta.glob<Chart>('../src/maps/*.json', { import: 'default', eager: true })

describe.each(Object.values(maps))('$name', (map) => {
  it('comes with its labels in place at every level', () => {
    expect(LEVELS.map((level) => labelsAt(map, level))).toEqual(map.labels)
  })

  it('has no label on a city, a cost, another label or beyond the pane, in any size', () => {
    expect(labelFaults(map)).toEqual([])
  })
})

it('places the labels of a map that came without as those of ours were placed', () => {
  const [map] = Object.values(maps)
  const [level] = LEVELS
  expect(labelsAt({ ...map!, labels: undefined }, level!)).toEqual(map!.labels![0])
})
