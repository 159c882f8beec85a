/** Conditions and values of lessons, read from what a table shows. */

import { describe, expect, test } from 'vitest'
import type { GameView } from '../src/lib/net/protocol'
import { evaluate, factsOf, fill, isAnswer, isOtherwise, type Step, sayNow, valuesOf } from '../src/lib/tutorial/lesson'

const view = {
  phase: 'auction',
  round: 2,
  nothing: null,
  auction: { bid: 7, card: '13' },
  payment: [10, 22, 33],
  market: { coal: 5, oil: 3, gas: 4 },
  offers: [
    { card: 4, need: 2, fuels: ['coal'] },
    { card: 8, need: 3, fuels: ['coal', 'oil'] },
  ],
  players: [
    { seat: 0, money: 50, size: 1, cities: ['a', 'b'] },
    { seat: 1, money: 30, size: 2, cities: ['c'] },
  ],
} as unknown as GameView
const facts = factsOf(view, 1, true, null)

describe('a path', () => {
  test.each([
    ['phase', 'auction'],
    ['mine', true],
    ['me.money', 30],
    ['auction.bid', 7],
    ['nothing.more', undefined],
    ['nowhere.more', undefined],
    ['players.0.money', 50],
    ['players.length', 2],
    ['players.last.seat', 1],
    ['offers.card=8.need', 3],
    ['offers.card=9.need', undefined],
    ['players.*.money', [50, 30]],
    ['players.*.money.most', 50],
    ['players.*.money.least', 30],
    ['players.*.money.sum', 80],
    ['players.*.cities.length', [2, 1]],
    ['players.*.cities.length.sum', 3],
    ['market.*.sum', 12],
    ['market.where_least', 'oil'],
    ['payment.{me.size}', 33],
    ['me.cities.most', Number.NaN],
  ])('%s', (path, value) => expect(evaluate(facts, path)).toEqual(value))

  test('is added up', () => {
    expect(evaluate(facts, 'me.money - auction.bid')).toBe(23)
    expect(evaluate(facts, 'me.money - auction.bid + 5')).toBe(28)
    expect(evaluate(facts, '12')).toBe(12)
    expect(evaluate(facts, 'me.money - nowhere')).toBeUndefined()
    expect(evaluate(factsOf({ ...view, players: [] }, 0, false, null), 'players.most')).toBeUndefined()
  })
})

test('what was decided otherwise can be named', () => {
  const before = { ...view, round: 1 }
  const otherwise = { advised: 'nominate 4 @5', decided: 'buy coal 2', before }
  const found = factsOf(view, null, false, otherwise)
  expect(['mine', 'me.seat', 'otherwise', 'before.round', 'round'].map((path) => evaluate(found, path))).toEqual([
    false,
    0,
    true,
    1,
    2,
  ])
  expect(['verb', '0', '1', 'move'].map((path) => evaluate(found, `advised.${path}`))).toEqual([
    'nominate',
    '4',
    '5',
    'nominate 4 @5',
  ])
  expect(['verb', '0', '1'].map((path) => evaluate(found, `decided.${path}`))).toEqual(['buy', 'coal', '2'])
})

describe('a condition', () => {
  const holds = (test: Step['when']) => valuesOf({ id: 'one', when: test! }, facts) !== null
  test.each<[Step['when'], boolean]>([
    [{ phase: 'auction' }, true],
    [{ phase: 'building' }, false],
    [{ phase: ['building', 'auction'] }, true],
    [{ phase: ['building'] }, false],
    [{ phase: { not: 'building' } }, true],
    [{ phase: { not: 'auction' } }, false],
    [{ nowhere: null }, true],
    [{ nothing: null }, true],
    [{ phase: null }, false],
    [{ 'me.money': { min: 30 } }, true],
    [{ 'me.money': { min: 31 } }, false],
    [{ 'me.money': { max: 30 } }, true],
    [{ 'me.money': { max: 29 } }, false],
    [{ 'me.money': { min: 20, max: 40 } }, true],
    [{ phase: { min: 1 } }, false],
    [{ nowhere: { max: 1 } }, false],
    [{ phase: 'auction', round: 3 }, false],
  ])('%j is %s', (test, is) => expect(holds(test)).toBe(is))
})

describe('a step', () => {
  const step: Step = { id: 'one', values: { bid: 'auction.bid', burns: 'offers.card=8', name: 'phase' } }

  test('has values, and cannot be said without them', () => {
    expect(valuesOf(step, facts)).toEqual({ bid: 7, burns: '3 coal oil', name: 'auction' })
    expect(valuesOf({ id: 'two', values: { none: 'nowhere' } }, facts)).toBeNull()
    expect(valuesOf({ id: 'two', values: { many: 'players' } }, facts)).toBeNull()
    expect(valuesOf({ id: 'three' }, facts)).toEqual({})
  })

  test('is said once, unless it is a decision or an answer', () => {
    const steps: Step[] = [{ id: 'later', when: { round: 5 } }, step, { id: 'do', decide: true }, { id: 'two' }]
    expect(sayNow(steps, facts, [])?.step.id).toBe('one')
    expect(sayNow(steps, facts, ['one', 'do'])).toEqual({ step: { id: 'do', decide: true }, values: {} })
    const answer: Step = { id: 'no', when: { otherwise: true } }
    const after = factsOf(view, 0, true, { advised: 'pass', decided: 'bid 3', before: view })
    expect(sayNow([answer], after, ['no'])?.step).toBe(answer)
    expect([isAnswer(answer), isAnswer(step)]).toEqual([true, false])
    expect(sayNow([answer], facts, [])).toBeUndefined()
  })

  test('is filled in', () => expect(fill('{a} and {b}, {a}', { a: 1, b: 'x' })).toBe('1 and x, 1'))
})

test.each([
  ['nominate 4 @5', 'nominate 4 @7', false],
  ['nominate 4', 'nominate 5', true],
  ['nominate 4', 'pass', true],
  ['pass', 'pass', false],
  ['buy coal 3', 'buy oil 1', false],
  ['bid 7', 'bid 9', false],
  ['run 4 5', 'run 4', true],
  ['run 4', 'run 4', false],
  ['power 4', 'power 5', true],
  ['build ulm', 'build bonn', true],
])('of advice to %s, %s is another decision: %s', (advised, decided, is) =>
  expect(isOtherwise(advised, decided)).toBe(is),
)
