/** Times in words. */

import { beforeAll, expect, test } from 'vitest'
import type { Clocks, SeatInfo } from '../src/lib/net/protocol'
import { awayText, clockText, timeText } from '../src/lib/ui/clock.svelte'
import { speak } from '../src/texts/messages'

beforeAll(() => speak('en'))

test.each([
  [65, '1:05'],
  [59.9, '0:59'],
  [0, '0:00'],
  [-3, '0:00'],
  [3599.9, '59:59'],
  [3600, '1:00:00'],
  [7385, '2:03:05'],
])('%d seconds are %s', (seconds, text) => expect(timeText(seconds)).toBe(text))

test('only the clock that runs is counted down', () => {
  const clocks = { left: [100, 200], running: 1, at: 5_000 } as unknown as Clocks & { at: number }
  expect([0, 1, 2].map((seat) => clockText(clocks, seat, 25_500))).toEqual(['1:40', '2:59', '0:00'])
})

test('a holiday is known by its last day', () => {
  const seat = (away_until: number | null) => ({ away_until }) as SeatInfo
  expect(awayText(seat(Date.UTC(2026, 11, 25) / 1000))).toMatch(/Dec 24, 2026/)
  expect([awayText(seat(null)), awayText(undefined)]).toEqual([null, null])
})
