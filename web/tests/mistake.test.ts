import { expect, test } from 'vitest'
import type { JudgedDecision } from '../src/lib/net/protocol'
import { costOf, mistakeKind, weakest } from '../src/lib/replay/mistake'

test.each([
  ['pass', 'bid 9', 'passed'],
  ['bid 9', 'bid 14', 'passed'],
  ['nominate 9 @9', 'pass', 'bought'],
  ['nominate 9 @9', 'nominate 12 @12', 'card'],
  ['done', 'buy coal 2', 'fuel_less'],
  ['buy coal 5', 'buy coal 2', 'fuel_more'],
  ['buy coal 2', 'buy oil 2', 'fuel_other'],
  ['done', 'build essen', 'stopped'],
  ['build koeln', 'done', 'built'],
  ['build koeln', 'build essen', 'city'],
  ['run 5', 'run 5 8', 'other'],
])('%s where %s was better', (played, best, lapse) => {
  expect(mistakeKind({ played, best })).toBe(lapse)
})

test('a decision cost what the chances differ by, give or take two standard errors', () => {
  const cost = (chance: number, best_chance: number, error: number) =>
    costOf({ chance, best_chance, error } as JudgedDecision)
  expect(cost(0.25, 0.5, 0.05)).toEqual({ low: 15, high: 35 })
  expect(cost(0.25, 0.5, 0)).toEqual({ low: 25, high: 25 })
  expect(cost(0.1, 0.2, 0.1)).toEqual({ low: 0, high: 20 }) // nobody gains, nor loses more than there was
})

test('the advice is about where most was lost, not about where most went wrong', () => {
  const judged = (played: string, best: string, lost: number) =>
    ({ played, best, chance: 0.3, best_chance: 0.3 + lost }) as JudgedDecision
  const mistakes = [judged('pass', 'bid 9', 0.1), judged('pass', 'bid 9', 0.1), judged('done', 'build essen', 0.3)]
  expect(weakest(mistakes)).toBe('building')
  expect(weakest([])).toBeNull()
})
