import { describe, expect, it } from 'vitest'
import { Camera } from '../src/lib/map/camera.svelte'
import { type Chart, Routes } from '../src/lib/map/chart'
import { TAG, tagSpot, tagWidth, visible } from '../src/lib/map/tag'

const chart = {
  cities: ['a', 'b', 'c', 'd'].map((id, i) => ({ id, name: id, region: id === 'd' ? 'out' : 'in', x: i, y: 0 })),
  connections: [
    ['a', 'b', 5],
    ['b', 'c', 4],
    ['a', 'c', 20],
    ['a', 'd', 0],
    ['d', 'c', 0],
  ],
} as unknown as Chart

describe('routes', () => {
  const routes = new Routes(chart, ['in'])

  it('are the cheapest within the regions in play', () => {
    expect(routes.cost('a', 'c')).toBe(9)
    expect(routes.path('a', 'c')).toEqual(['a', 'b', 'c'])
    expect(routes.cost('a', 'd')).toBe(Infinity)
  })

  it('cost no more than a connection without one', () => {
    const short = new Routes(chart, ['in'], 8)
    expect(short.path('a', 'b')).toEqual(['a', 'b'])
    expect(short.path('a', 'c')).toEqual([])
    expect([...short.wires(['a', 'c'])]).toEqual([])
  })

  it('start where the network is nearest', () => {
    expect(routes.reach(['a', 'b'], 'c')).toEqual(['b', 'c'])
    expect(routes.reach([], 'c')).toEqual([])
  })

  it('give the distance to the nearest cities', () => {
    expect(routes.around('b')).toBe(9)
    expect(routes.around('a', ['b'])).toBe(9) // to c, past b
    expect(routes.around('c', [], 1)).toBe(4)
  })

  it('cost more for each city that is passed, and for that only', () => {
    const paid = new Routes({ ...chart, transit: 2 }, ['in'])
    expect(paid.around('b')).toBe(9)
    expect(paid.around('c', ['b'])).toBe(11) // 4 + 5, and 2 for b
  })

  it('give the wires of a network', () => {
    expect([...routes.wires(['a', 'c'])].sort()).toEqual(['a b', 'b c'])
    expect([...routes.wires(['c', 'b'], ['a'])].sort()).toEqual(['a b', 'b c']) // each once
  })
})

describe('the camera', () => {
  it('keeps the point under the finger where it is', () => {
    const camera = new Camera()
    camera.setHome(() => ({ x: 0, y: 0, w: 1000, h: 1000 }))
    camera.resize(500, 500)
    const before = camera.x + (100 - 250) / camera.k
    camera.zoom(2, 100, 250)
    expect(camera.x + (100 - 250) / camera.k).toBeCloseTo(before)
    expect(camera.k).toBeCloseTo(1)
  })

  it('shows no city below the buttons on the right', () => {
    const camera = new Camera()
    camera.resize(600, 600)
    const right = (x: number) => 300 - (x - camera.x) * camera.k
    camera.setHome(() => ({ x: 0, y: 0, w: 1000, h: 1000 }), [{ x: 950, y: 500 }])
    expect(right(950)).toBeCloseTo(30)
    camera.setHome(() => ({ x: 0, y: 0, w: 1000, h: 1000 }), [{ x: 950, y: 40 }])
    expect(right(950)).toBeGreaterThan(76)
    camera.setHome(() => ({ x: 0, y: 0, w: 1000, h: 1000 }), [{ x: 850, y: 40 }])
    expect(right(850)).toBeCloseTo(90)
    camera.setHome(() => ({ x: 0, y: 0, w: 1000, h: 1000 }), [{ x: 850, y: 40 }], { news: false, zoom: true })
    expect(right(850)).toBeGreaterThan(104) // the button above is wider there, with its key
  })

  it('shows no city below the line of news', () => {
    const camera = new Camera()
    camera.resize(600, 600)
    camera.setHome(() => ({ x: 0, y: 0, w: 1000, h: 1000 }), [{ x: 500, y: 980 }], { news: true, zoom: true })
    expect(300 + (980 - camera.y) * camera.k).toBeLessThan(600 - 46)
  })

  it('leaves room for names, which are larger the smaller the map is', () => {
    const camera = new Camera()
    camera.resize(500, 500)
    camera.setHome((k) => ({ x: 0, y: 0, w: k < 0.6 ? 1250 : 1000, h: 1000 }))
    expect(camera.k).toBeCloseTo(0.4)
  })

  it('stays on the map', () => {
    const camera = new Camera()
    camera.setHome(() => ({ x: 0, y: 0, w: 1000, h: 1000 }))
    camera.resize(500, 500)
    camera.pan(-99_999, 0)
    expect(camera.x).toBe(1000)
  })
})

describe('a label about a city', () => {
  const SIZE = 10
  const RING = 20
  const W = tagWidth('Ulm', SIZE)
  const LOW = TAG.foot * SIZE + (TAG.height * SIZE) / 2
  const city = { x: 100, y: 100 }
  const wide = { x: -1000, y: -1000, w: 2000, h: 2000 }
  const [above, below, right, left] = [
    { x: 100, y: 80 },
    { x: 100, y: 120 + 2 * LOW },
    { x: 100 + RING + W / 2 + SIZE / 2, y: 100 + LOW },
    { x: 100 - RING - W / 2 - SIZE / 2, y: 100 + LOW },
  ]
  const spot = (cities: { x: number; y: number }[], frame = wide) => tagSpot('Ulm', SIZE, city, RING, cities, frame)

  it('is above it, or where it covers the fewest others', () => {
    const at = { above: { x: 100, y: 70 }, below: { x: 100, y: 135 }, right: { x: 140, y: 100 } }
    expect(spot([city])).toEqual(above)
    expect(spot([city, at.above])).toEqual(below)
    expect(spot([city, at.above, at.below])).toEqual(right)
    expect(spot([city, at.above, at.below, at.right])).toEqual(left)
    expect(spot([city, at.above, at.above, at.below, at.right, { x: 60, y: 100 }])).toEqual(below)
  })

  it('stays above where others are a ring away', () => {
    const top = above.y - LOW - (TAG.height * SIZE) / 2
    expect(spot([city, { x: 100, y: top - RING }])).toEqual(above)
    expect(spot([city, { x: 100, y: top - RING + 1 }])).toEqual(below)
  })

  it('is not cut by the edge of what is shown', () => {
    const top = above.y - LOW - (TAG.height * SIZE) / 2
    const from = (x: number, y: number) => spot([city], { x, y, w: 2000, h: 2000 })
    const to = (x: number, y: number) => spot([city], { x: x - 2000, y: y - 2000, w: 2000, h: 2000 })
    expect([from(-1000, top), from(-1000, top + 1)]).toEqual([above, below])
    expect([from(100 - W / 2, -1000), from(101 - W / 2, -1000)]).toEqual([above, right])
    expect([to(100 + W / 2, 1000), to(99 + W / 2, 1000)]).toEqual([above, left])
    const bottom = below.y - LOW + (TAG.height * SIZE) / 2
    const under = { x: 100, y: 70 }
    const within = (low: number) => spot([city, under], { x: -1000, y: low - 2000, w: 2000, h: 2000 })
    expect([within(bottom), within(bottom - 1)]).toEqual([below, right])
  })

  it('is measured by the part of the map that is shown', () => {
    expect(visible({ drawn: { x: 500, y: 300, k: 2 }, w: 400, h: 200 } as never)).toEqual({
      ...{ x: 400, y: 250, w: 200, h: 100 },
    })
  })
})
