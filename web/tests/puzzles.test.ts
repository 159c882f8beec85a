import { expect, it } from 'vitest'
import { streak } from '../src/lib/puzzles/progress'

it('counts the days in a row, up to today or yesterday', () => {
  expect(streak(10, [])).toBe(0)
  expect(streak(10, [10])).toBe(1)
  expect(streak(10, [7, 8, 9])).toBe(3)
  expect(streak(10, [6, 8, 9, 10])).toBe(3)
  expect(streak(10, [7, 8])).toBe(0)
})
