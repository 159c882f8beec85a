import { expect, test } from 'vitest'
import { placeOf, verdictOf } from '../src/lib/table/verdict'

const outcome = (ranking: number[][], ...scores: [number, number][]) => ({
  reason: 'cities',
  ranking,
  scores: scores.map(([supplied, money]) => ({ supplied, money })),
})

test('what decided is the first measure that differs', () => {
  const won = verdictOf(outcome([[1], [0]], [14, 200], [15, 10]))
  expect(won).toEqual({ winners: [1], decided: { measure: 'supplied', first: 15, second: 14, level: [] } })
})

test('a tie-break is reported with the tied measure', () => {
  const won = verdictOf(outcome([[0], [2], [1]], [15, 31], [9, 90], [15, 20]))
  expect(won.decided).toEqual({ measure: 'money', first: 31, second: 20, level: ['supplied'] })
})

test('a shared victory is decided by nothing', () => {
  const shared = outcome([[0, 1], [2]], [15, 20], [15, 20], [9, 9])
  expect(verdictOf(shared)).toEqual({ winners: [0, 1], decided: null })
  expect([0, 1, 2].map((seat) => placeOf(shared, seat))).toEqual([1, 1, 2])
})
