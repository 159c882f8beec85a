import { describe, expect, it } from 'vitest'
import type { Row, SeatInfo } from '../src/lib/net/protocol'
import { momentIn } from '../src/lib/stage/remarks'

const seat = (at: number, kind: SeatInfo['kind'], left = false) => ({ seat: at, kind, left }) as SeatInfo
const SEATS = [seat(0, 'person'), seat(1, 'bot'), seat(2, 'bot')]
const row = (at: number, move: string, events: object[] = []) => ({ seat: at, move, events }) as unknown as Row
const sold = (to: number, card: string, amount: number) => ({ what: 'sold', seat: to, card, amount })

describe('a telling moment', () => {
  it('is a dear plant, and no cheap one', () => {
    expect(momentIn([row(0, 'pass', [sold(1, '8', 13)])], SEATS, 0)).toEqual({ seat: 1, what: 'dear' })
    expect(momentIn([row(0, 'pass', [sold(1, '8', 12)])], SEATS, 0)).toBeUndefined()
  })
  it('is an auction that I win against a bot', () => {
    expect(momentIn([row(0, 'bid 9'), row(2, 'pass', [sold(0, '8', 9)])], SEATS, 0)).toEqual({ seat: 2, what: 'lost' })
  })
  it('is much fuel, a second city, and only since my last decision', () => {
    const rows = [row(1, 'buy coal 4'), row(1, 'build essen'), row(1, 'build koeln')]
    expect(momentIn(rows, SEATS, 0)).toEqual({ seat: 1, what: 'built' })
    expect(momentIn(rows.slice(0, 2), SEATS, 0)).toEqual({ seat: 1, what: 'fuel' })
    expect(momentIn([...rows, row(0, 'done'), row(1, 'done')], SEATS, 0)).toBeUndefined()
  })
  it('is the end: a bot has won, or I have', () => {
    expect(momentIn([], SEATS, 0, [2])).toEqual({ seat: 2, what: 'won' })
    expect(momentIn([], SEATS, 0, [0])).toEqual({ seat: 1, what: 'beaten' })
    expect(momentIn([], [SEATS[0]!, seat(1, 'bot', true)], 0, [0])).toBeUndefined()
  })
})
