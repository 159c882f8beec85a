import { expect, test } from 'vitest'
import { inPercent } from '../src/lib/replay/percent'

test('whole percentages of everybody sum to 100', () => {
  const lines = inPercent([
    [1 / 3, 0.005, 1],
    [1 / 3, 0.006, 0],
    [1 / 3, 0.989, 0],
  ])
  expect(lines).toEqual([
    [34, 0, 100],
    [33, 1, 0],
    [33, 99, 0],
  ])
})
