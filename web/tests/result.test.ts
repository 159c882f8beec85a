import { render } from 'svelte/server'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Family } from '../src/lib/family/family'
import type { Places } from '../src/lib/family/places.svelte'
import type { Event, GameView, Outcome, Row, TableInfo } from '../src/lib/net/protocol'
import Honours from '../src/lib/stage/Honours.svelte'
import { earnings, story } from '../src/lib/table/story'
import {
  countWords,
  darkWords,
  endWords,
  placeOf,
  scoreWords,
  tieBreakOf,
  verdictOf,
  whyWords,
} from '../src/lib/table/verdict'
import { speak } from '../src/texts/messages'

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

test('nothing separates those who share a victory', () => {
  const shared = outcome([[0, 1], [2]], [15, 20], [15, 20], [9, 9])
  expect(verdictOf(shared, 1)).toEqual({ winners: [0, 1], decided: null })
  expect(verdictOf(shared).decided).toEqual({ measure: 'supplied', first: 15, second: 9, level: [] })
  expect([0, 1, 2].map((seat) => placeOf(shared, seat))).toEqual([1, 1, 2])
})

test('whoever is level with somebody of another place shows what separates them', () => {
  const close = outcome([[0], [2], [1], [3]], [15, 31], [13, 90], [15, 20], [9, 8])
  expect([0, 1, 2, 3].map((seat) => tieBreakOf(close, seat))).toEqual(['money', null, 'money', null])
  expect(tieBreakOf(outcome([[0, 1]], [15, 20], [15, 20]), 0)).toBeNull()
})

describe('the count at the end', () => {
  beforeAll(() => speak('en'))
  const info = { seats: [] } as unknown as TableInfo
  const names = ['Ann', 'Bea', 'Cid']
  const stageOf = (result: Outcome, lit: number) => {
    const view = { rulebook: 'classic', names, outcome: result } as unknown as GameView
    const playhead = { rows: [], at: 0, moving: true, lit }
    const narrator = { family: {} as Family, names, places: {} as Places }
    const { body } = render(Honours, { props: { playhead, narrator, info, view, outcome: result } })
    return body
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  }

  test('says what it counts, and what broke a tie', () => {
    const close = outcome([[0], [2], [1]], [15, 31], [9, 90], [15, 20])
    expect(stageOf(close, 1)).toBe('Last round: cities powered 3 Bea 9')
    expect(stageOf(close, 0)).toMatch(/1 Ann has won! 15 Money 31 Ɇ/)
    expect(countWords({ ...close, scores: [{ points: 30, money: 4 }] })).toBe('Last round: points')
    expect(countWords({ ...close, scores: [] })).toBe('The game is over')
  })

  test('is what just happened', () => {
    const result = outcome([[0], [1]], [15, 31], [9, 90])
    const won = { rulebook: 'classic', names, outcome: result } as unknown as GameView & { outcome: Outcome }
    expect(scoreWords(won, 1)).toBe('Bea: Powered 9')
  })
})

describe('why a game was won', () => {
  beforeAll(() => speak('en'))
  const view = (result: Outcome) =>
    ({ rulebook: 'classic', names: ['Ann', 'Bea', 'Cid'], outcome: result }) as unknown as GameView & {
      outcome: Outcome
    }
  const clear = view(outcome([[1], [2], [0]], [14, 200], [16, 10], [15, 40]))
  const close = view(outcome([[0], [2], [1]], [15, 31], [9, 90], [15, 20]))

  test('the loser is compared with the winner, the winner with the runner-up', () => {
    expect([0, 1, 2, null].map((asker) => whyWords(clear, asker))).toEqual([
      'Bea powered 16 cities, you 14.',
      'You powered 16 cities, Cid 15.',
      'Bea powered 16 cities, you 15.',
      'Bea powered 16 cities, Cid 15.',
    ])
  })

  test('a tie-break counts only against those who are level', () => {
    expect([0, 1, 2].map((asker) => whyWords(close, asker))).toEqual([
      'Level on Powered. Money decides: you 31, Cid 20.',
      'Ann powered 15 cities, you 9.',
      'Level on Powered. Money decides: Ann 31, you 20.',
    ])
  })

  test('those who share a victory are level on everything, and whoever lost is compared with them', () => {
    const shared = view(outcome([[0, 1], [2]], [15, 20], [15, 20], [9, 9]))
    expect([0, 2, null].map((asker) => whyWords(shared, asker))).toEqual([
      'Level on Powered, Money.',
      'Ann powered 15 cities, you 9.',
      'Level on Powered, Money.',
    ])
  })

  test('cities without power lacked plants, or fuel for them', () => {
    const dark = (supplied: number, unfuelled?: number[]) =>
      darkWords({ ...outcome([[0]]), scores: [{ supplied, money: 0, cities: 17 }], unfuelled } as Outcome, 0)
    expect(dark(17, [0])).toBe('')
    expect(dark(13, [0])).toContain('13 of 17. Your plants could')
    expect(dark(0, [9])).toBe('Your cities with power: 0 of 17. Fuel was missing.')
    expect(dark(13)).toBe('Your cities with power: 13 of 17.')
    const few = { ...outcome([[1], [0]]), scores: [13, 16].map((n) => ({ supplied: n, money: 109, cities: n })) }
    expect([0, 1].map((seat) => darkWords(few, seat))).toEqual([
      'All your cities had power: 13. You needed more; money left: 109 Ɇ.',
      '',
    ])
  })

  test('whoever connected enough cities has ended the game', () => {
    const scores = [17, 14, 18].map((cities) => ({ supplied: 14, money: 0, cities }))
    const ended = { ...view({ ...outcome([[0], [2], [1]]), scores }), end_cities: 17 }
    expect(endWords(ended)).toBe('It ended because of 17 connected cities: Ann, Cid.')
    expect(endWords(view({ ...outcome([[0]]), scores: [{ points: 3 }] }))).toBe('')
  })

  test('the penultimate-round card has ended the Card Game', () => {
    const ended = { ...view({ ...outcome([[0]]), reason: 'last_round', scores: [{ points: 3 }] }), round: 9 }
    expect(endWords(ended)).toBe('The penultimate-round card came up, so round 9 was the last.')
  })
})

describe('the story of a game', () => {
  beforeAll(() => speak('en'))
  const family = { decision: () => undefined, eventWords: () => undefined, stranger: () => '' } as unknown as Family
  const narrator = { family, names: ['Ann', 'Bea'], places: {} as Places }
  const row = (round: number, seat: number, move: string, events: Event[] = [], phase = 'auction'): Row => ({
    round,
    phase,
    seat,
    move,
    events,
    by: 'bot',
  })
  const sale = (round: number, seat: number, card: string, amount: number, bids: number) => [
    row(round, seat, `nominate ${card} @${amount - bids}`),
    ...Array.from({ length: bids }, (_, i) => row(round, i % 2, `bid ${amount - bids + i + 1}`)),
    row(round, 1 - seat, 'pass', [{ what: 'sold', seat, card, amount }]),
  ]
  const pay = (round: number, seat: number, amount: number) =>
    row(round, seat, 'run 5', [{ what: 'income', seat, amount, supplied: 1 }], 'bureaucracy')
  const ROWS = [
    ...sale(1, 0, '5', 12, 7),
    pay(1, 0, 22),
    pay(1, 1, 10),
    ...sale(2, 1, '30', 44, 2),
    row(2, 0, 'done', [{ what: 'step', step: 2 }], 'building'),
    pay(2, 0, 33),
    pay(2, 1, 33),
    pay(3, 0, 44),
    pay(3, 1, 54),
  ]

  test('says what everybody earned in each round', () => {
    expect(earnings(ROWS, [0, 1])).toEqual({
      rounds: [1, 2, 3],
      lines: [
        [22, 33, 44],
        [10, 33, 54],
      ],
    })
  })

  test('has the dearest card, the longest auction, the last Step and the best payday', () => {
    expect(story(ROWS, narrator)).toEqual([
      { what: 'dearest', round: 2, text: 'Bea buys plant 30 for 44 Ɇ' },
      { what: 'war', round: 1, text: 'Ann buys plant 5 for 12 Ɇ' },
      { what: 'step', round: 2, text: 'Step 2 begins' },
      { what: 'payday', round: 3, text: 'Bea: run 5' },
    ])
    expect(story([], narrator)).toEqual([])
  })

  test("has the turn in which the winner's chance rose most, once the game has been judged", () => {
    const turns = [
      { round: 2, seat: 0, before: 0.5, after: 0.6 },
      { round: 3, seat: 1, before: 0.62, after: 0.31 },
      { round: 4, seat: 0, before: 0.4, after: 0.7 },
      { round: 5, seat: 1, before: 0.2, after: 0.9 },
    ]
    expect(story([], narrator, turns, [0])).toEqual([
      { what: 'turn', round: null, text: 'Round 4, Ann: from 40 to 70%' },
    ])
    expect(story([], narrator, turns.slice(1, 2), [1])).toEqual([])
  })
})
