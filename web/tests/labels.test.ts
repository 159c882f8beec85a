import { describe, expect, it } from 'vitest'
import type { Chart } from '../src/lib/map/chart'
import { labelFaults } from '../src/lib/map/faults'

const maps = import.meta.glob<Chart>('../src/maps/*.json', { import: 'default', eager: true })

describe.each(Object.values(maps))('$name', (map) => {
  it('has no label on a city, a cost, another label or beyond the pane, in any size', () => {
    expect(labelFaults(map)).toEqual([])
  })
})
