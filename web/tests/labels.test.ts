import { describe, expect, it } from 'vitest'
import type { Chart } from '../src/lib/map/chart'
import { type Box, placeLabels } from '../src/lib/map/labels'

const maps = import.meta.glob<Chart>('../src/maps/*.json', { import: 'default', eager: true })
const SIZES = { ring: 27, name: 17, cost: 15 } // as on a laptop

const overlap = (a: Box, b: Box) =>
  Math.max(0, (a.w + b.w) / 2 - Math.abs(a.x - b.x)) * Math.max(0, (a.h + b.h) / 2 - Math.abs(a.y - b.y))

describe.each(Object.values(maps))('$name', (map) => {
  const { names, costs } = placeLabels(map, SIZES)
  const boxes = [...names.entries()]

  it('names every city and every cost', () => {
    expect(names.size).toBe(map.cities.length)
    expect(costs.length).toBe(map.connections.length)
  })

  it('lets no name cover another', () => {
    const clashes = boxes.flatMap(([a, box], i) =>
      boxes.slice(i + 1).flatMap(([b, other]) => (overlap(box, other) > 12 ? [`${a} ${b}`] : [])),
    )
    expect(clashes).toEqual([])
  })

  it('lets no name cover the ring of another city', () => {
    const covered = boxes.flatMap(([id, box]) =>
      map.cities.flatMap((city) =>
        city.id !== id && overlap(box, { x: city.x, y: city.y, w: SIZES.ring, h: SIZES.ring }) > 0
          ? [`${id} covers ${city.id}`]
          : [],
      ),
    )
    expect(covered).toEqual([])
  })

  it('lets hardly a name touch a cost, even where cities crowd', () => {
    const touched = boxes.flatMap(([id, box]) =>
      costs.flatMap((spot, i) =>
        overlap(box, { ...spot, w: SIZES.cost, h: SIZES.cost }) > 40
          ? [`${id} touches ${map.connections[i]!.join(' ')}`]
          : [],
      ),
    )
    expect(touched.length, touched.join()).toBeLessThanOrEqual(2)
  })
})
