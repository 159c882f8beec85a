import { describe, expect, it } from 'vitest'
import { draw } from '../src/lib/map/draw'
import { labelFaults } from '../src/lib/map/faults'
import type { MapFile, Point } from '../src/lib/map/file'
import { computeLayout } from '../src/lib/map/layout'

const files = import.meta.glob<MapFile>('../../src/highvoltage/maps/*.json', { import: 'default', eager: true })
const maps = Object.values(files).map(({ layout: _, ...map }): MapFile => map)
/** Laid out in every run; the others among the long tests. */
const some = process.env.EVERY_MAP ? maps : maps.slice(0, 4)

const far = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1])

/** The smallest distance between two cities. */
function nearest(map: MapFile): number {
  const at = Object.values(computeLayout(map).cities)
  return Math.min(...at.flatMap((a, i) => at.slice(i + 1).map((b) => far(a, b))))
}

describe.each(some)('$name without its layout', (map) => {
  it('has no city on another, none on a line between others, and all on the canvas', () => {
    const { canvas, cities } = computeLayout(map)
    expect(nearest(map)).toBeGreaterThan(85)
    for (const [x, y] of Object.values(cities)) expect(x > 0 && x < canvas[0] && y > 0 && y < canvas[1]).toBe(true)
    for (const [a, b] of map.connections)
      for (const [id, city] of Object.entries(cities)) {
        const detour = far(cities[a]!, city) + far(city, cities[b]!) - far(cities[a]!, cities[b]!)
        if (id !== a && id !== b) expect(detour, `${id} on ${a}-${b}`).toBeGreaterThan(1)
      }
  })
})

it('leaves room for all names', () => {
  const germany = maps.find(({ id }) => id === 'germany')!
  expect(labelFaults(draw(germany, null))).toEqual([])
})

it('parts cities that lie in one place or in one row', () => {
  const row = Array.from({ length: 42 }, (_, i) => ({ id: `c${i}`, name: `C ${i}`, region: 'r', lon: 10, lat: 50 }))
  const map: MapFile = { id: 'row', name: 'Row', regions: ['r'], cities: row, connections: [] }
  expect(nearest(map)).toBeGreaterThan(85)
  expect(nearest({ ...map, cities: row.map((city, i) => ({ ...city, lon: 10 + i / 50 })) })).toBeGreaterThan(85)
})
