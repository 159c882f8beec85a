/** What of a file from elsewhere can be drawn. */

import { describe, expect, test } from 'vitest'
import { canDraw, layoutOf, outlineOf, unpackMap, writeMapFragment } from '../src/lib/maker/open'
import type { MapFile } from '../src/lib/map/file'

const city = (id: string, more: object = {}) => ({ id, name: id, region: 'west', lon: 1, lat: 2, ...more })
const MAP = { regions: ['west'], cities: [city('a'), city('b')], connections: [['a', 'b', 5]] }

describe('a map', () => {
  test('can be drawn with regions, cities and connections', () => {
    expect(canDraw(MAP)).toBe(true)
    expect(canDraw({ regions: [], cities: [], connections: [] })).toBe(true)
  })

  test.each<[string, unknown]>([
    ['nothing', null],
    ['a text', 'map'],
    ['no regions', { ...MAP, regions: undefined }],
    ['regions that are no texts', { ...MAP, regions: ['west', 3] }],
    ['no cities', { ...MAP, cities: {} }],
    ['no connections', { ...MAP, connections: undefined }],
    ['a city that is none', { ...MAP, cities: [...MAP.cities, null] }],
    ['a city without an id', { ...MAP, cities: [...MAP.cities, city('c', { id: 4 })] }],
    ['a city without a name', { ...MAP, cities: [...MAP.cities, city('c', { name: undefined })] }],
    ['a city without a region', { ...MAP, cities: [...MAP.cities, city('c', { region: null })] }],
    ['a city that is nowhere', { ...MAP, cities: [...MAP.cities, city('c', { lon: 'east' })] }],
    ['a city that is high', { ...MAP, cities: [...MAP.cities, city('c', { lat: Number.NaN })] }],
    ['a connection that is none', { ...MAP, connections: ['a b'] }],
    ['a connection from elsewhere', { ...MAP, connections: [['x', 'b', 5]] }],
    ['a connection to elsewhere', { ...MAP, connections: [['a', 'x', 5]] }],
    ['a connection to itself', { ...MAP, connections: [['a', 'a', 5]] }],
  ])('cannot be drawn from %s', (_, content) => expect(canDraw(content)).toBe(false))

  test('keeps its positions if it has all of them', () => {
    const layout = { canvas: [100, 200], cities: { a: [1, 2], b: [3, 4] } }
    const laid = (of: object) => layoutOf({ ...MAP, layout: of } as unknown as MapFile)
    expect(laid(layout)).toBe(layout)
    const wrong = [
      { ...layout, canvas: [100] },
      { ...layout, canvas: undefined },
      { ...layout, cities: { a: [1, 2] } },
      { ...layout, cities: { a: [1, 2], b: [3, 'four'] } },
      { canvas: [100, 200] },
    ]
    for (const each of wrong) {
      expect(laid(each)).not.toBe(each)
      expect(Object.keys(laid(each).cities)).toEqual(['a', 'b'])
    }
  })

  test('goes into a link and comes out of it', async () => {
    const fragment = await writeMapFragment(MAP as unknown as MapFile)
    expect(fragment).toMatch(/^#map=[\w-]+$/)
    expect(await unpackMap(fragment.slice(5))).toEqual(MAP)
    await expect(unpackMap('broken')).rejects.toThrow()
  })
})

test('an outline fills the canvas up to its margin', () => {
  const square = {
    type: 'LineString',
    coordinates: [
      [0, 0],
      [10, 0],
      [10, 10],
      [0, 0],
    ],
  }
  const outline = outlineOf(square, [200, 200])
  expect(outline).toBe('M40 160l120 0 0-120z')
  expect(() => outlineOf({ type: 'Point', coordinates: [0, 0] }, [200, 200])).toThrow()
})
