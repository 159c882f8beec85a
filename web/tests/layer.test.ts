/** Where something floats over a table. */

import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Box, boxOf, clearPlace, placeAtTable } from '../src/lib/ui/layer'

const box = (left: number, top: number, width: number, height: number): Box => ({ left, top, width, height })
const SIZE = { width: 100, height: 50 }
const ROOM = box(0, 0, 500, 300)
const light = (...of: [number, number, number, number]) => ({ box: box(...of), weight: 1 })

afterEach(() => vi.unstubAllGlobals())

describe('a place', () => {
  test.each<[string, Box, { box: Box; weight: number }[], [number, number]]>([
    ['is below in the middle', ROOM, [], [200, 240]],
    ['is beside what is needed there', ROOM, [light(180, 200, 150, 100)], [10, 240]],
    ['is on the right if the left is needed, too', ROOM, [light(0, 200, 330, 100)], [390, 240]],
    ['is above what is needed everywhere', ROOM, [light(0, 200, 500, 100)], [200, 144]],
    ['is further to the right in a room further to the right', box(1000, 40, 500, 300), [], [1200, 280]],
    ['is in the middle of a narrow room', box(0, 0, 80, 300), [], [10, 240]],
    ['is at the top of a low room', box(0, 0, 500, 40), [], [200, 10]],
    [
      'covers what weighs least',
      box(0, 0, 500, 70),
      [light(200, 0, 100, 70), { box: box(10, 0, 100, 70), weight: 10 }, light(390, 0, 50, 50)],
      [390, 10],
    ],
  ])('%s', (_, room, needed, [left, top]) => expect(clearPlace(SIZE, room, needed)).toEqual({ left, top }))
})

const element = (of: Box, panel: { top: number; bottom: number } | null = null, chosen = false) =>
  ({
    getBoundingClientRect: () => ({ ...of, right: of.left + of.width, bottom: of.top + of.height }),
    closest: () => panel && { getBoundingClientRect: () => panel },
    matches: () => chosen,
  }) as unknown as Element

test('of an element in a panel that scrolls, a part can be seen', () => {
  const own = box(5, 10, 100, 50)
  expect(boxOf(element(own))).toEqual(own)
  expect(boxOf(element(own, { top: 20, bottom: 50 }))).toEqual(box(5, 20, 100, 30))
  expect(boxOf(element(own, { top: 0, bottom: 90 }))).toEqual(own)
  expect(boxOf(element(own, { top: 70, bottom: 90 }))).toEqual(box(5, 70, 100, 0))
})

describe('at a table', () => {
  const at = (room: Box | null, ...needed: Element[]) =>
    vi.stubGlobal('document', { querySelector: () => room && element(room), querySelectorAll: () => needed })

  test('what can be chosen weighs more, and what it is about most', () => {
    const low = box(0, 0, 500, 70)
    at(low, element(box(200, 0, 100, 70), null, true), element(box(0, 0, 110, 70)))
    expect(placeAtTable(SIZE)).toEqual({ left: 390, top: 10 })
    at(
      low,
      element(box(200, 0, 100, 70), null, true),
      element(box(0, 0, 110, 70)),
      element(box(390, 0, 100, 70), null, true),
    )
    expect(placeAtTable(SIZE)).toEqual({ left: 10, top: 10 })
    expect(placeAtTable(SIZE, box(0, 0, 110, 70))).toEqual({ left: 200, top: 10 })
  })

  test('there is none without one', () => {
    at(null)
    expect(placeAtTable(SIZE)).toBeNull()
  })
})
