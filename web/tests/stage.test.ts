import { beforeAll, describe, expect, test } from 'vitest'
import type { Family } from '../src/lib/family/family'
import type { Places } from '../src/lib/family/places.svelte'
import { fold, happened } from '../src/lib/log/fold'
import type { Event, Row } from '../src/lib/net/protocol'
import { sharing, steady } from '../src/lib/net/view'
import { ViewHistory } from '../src/lib/net/view_history'
import { auctionNote } from '../src/lib/players/auction_note'
import { beats, within } from '../src/lib/stage/beats'
import { callers, lotAt, standing } from '../src/lib/stage/lots'
import { paydayAt } from '../src/lib/stage/payday'
import { speak } from '../src/texts/messages'

const row = (seat: number, move: string, events: Event[] = [], phase = 'auction'): Row => ({
  round: 1,
  phase,
  seat,
  move,
  events,
  by: 'bot',
})
const sold = (seat: number, card: string, amount: number): Event => ({ what: 'sold', seat, card, amount })
const auction = (card: string | null, bidders: number[] = []) => ({
  auction: { bid: 0, bidders, card, eligible: [], leader: null, scrapping: null, sold: 0 },
})

const ROWS = [
  row(0, 'nominate 5 @5'),
  row(1, 'bid 6'),
  row(2, 'pass'),
  row(0, 'pass', [sold(1, '5', 6)]),
  row(2, 'pass'),
  row(0, 'nominate 4 @4'),
]

test('an auction consists of the calls so far', () => {
  const lot = lotAt(ROWS, 2, auction('4', [0]))!
  expect([lot.card, lot.bid, lot.leader, lot.sold]).toEqual(['5', 6, 1, null])
  expect([0, 1, 2, 3].map((seat) => standing(lot, seat))).toEqual(['in', 'leads', 'in', 'away'])
})

test('the hammer falls with the last bidder who passes', () => {
  const lot = lotAt(ROWS, 4, auction('4', [0]))!
  expect(lot.sold).toEqual(sold(1, '5', 6))
  expect([0, 1, 2].map((seat) => standing(lot, seat))).toEqual(['out', 'leads', 'out'])
})

test('between two cards there is no auction', () => {
  expect(lotAt(ROWS, 0, auction(null))).toBeNull()
  expect(lotAt(ROWS, 5, auction('4', [0]))).toBeNull()
  expect(lotAt([...ROWS, row(0, 'done', [], 'fuel')], 7, auction(null))).toBeNull()
})

test('for the card that is up now the server lists who may still bid', () => {
  const lot = lotAt(ROWS, 6, auction('4', [0, 3]))!
  expect([lot.card, lot.bid]).toEqual(['4', 4])
  expect([0, 1, 3].map((seat) => standing(lot, seat))).toEqual(['leads', 'away', 'in'])
})

test('bidders are listed in the order in which they call', () => {
  expect(callers(lotAt([row(2, 'nominate 5 @5')], 1, auction('5'))!, 4)).toEqual([2, 3, 0, 1])
})

const calls = (count: number) => Array.from({ length: count }, (_, i) => row(i % 2, `bid ${i + 6}`))
const sum = (times: number[]) => times.reduce((total, time) => total + time, 0)

test('everybody has one note in an auction', async () => {
  await speak('en')
  const notes = (card: string | null) => {
    const auction = { eligible: [0, 1, 2], card, bid: 7, leader: 0, bidders: [0, 1], scrapping: null, sold: 1 }
    return [0, 1, 2, 3].map((seat) => auctionNote({ phase: 'auction', auction }, seat))
  }
  expect(notes('5')).toEqual(['bids 7', 'still in', 'out', 'done'])
  expect(notes(null)).toEqual(['', '', '', 'done'])
})

test('an auction takes at most three seconds to watch, however many calls it has', () => {
  for (const count of [0, 3, 24, 200]) {
    const times = beats([row(0, 'nominate 5 @5'), ...calls(count), row(0, 'pass', [sold(1, '5', 25)])], 0, 3)
    expect(times.at(0)).toBeGreaterThan(300)
    expect(times.at(-1)).toBeGreaterThanOrEqual(1000)
    expect(sum(times)).toBeLessThanOrEqual(3000)
  }
})

test('my own calls, and what is not staged, take no time', () => {
  expect(beats([row(0, 'nominate 5 @5'), row(1, 'bid 6'), row(0, 'bid 7')], 0, 0).map(Boolean)).toEqual([
    false,
    true,
    false,
  ])
  expect(beats([row(1, 'done', [], 'fuel')], 0, 0)).toEqual([0])
})

test('the time of a call is the same whether the calls before it are included or not', () => {
  for (const from of ROWS.keys()) expect(beats(ROWS, from, null)).toEqual(beats(ROWS, 0, null).slice(from))
})

test('what takes too long loses its calls first, then what is oldest; the last hammer is always shown', () => {
  const lot = (card: string) => [row(0, `nominate ${card} @5`), ...calls(4), row(0, 'pass', [sold(1, card, 9)])]
  for (const lots of [1, 2, 3, 9]) {
    const rows = Array.from({ length: lots }, (_, i) => lot(String(i))).flat()
    const times = within(4000, beats(rows, 0, null), rows)
    expect(sum(times)).toBeLessThanOrEqual(4001)
    expect(times.at(-1)).toBeGreaterThanOrEqual(500)
    expect(times.filter((time, i) => time > 0 && rows[i]!.events.length).length).toBe(Math.min(lots, 8))
  }
})

const run = (seat: number, move: string, amount: number, supplied: number): Row =>
  row(seat, move, [{ what: 'income', seat, amount, supplied }], 'bureaucracy')

const PAID = [
  row(1, 'build essen', [], 'building'),
  row(1, 'done', [], 'building'),
  row(0, 'done', [], 'building'),
  run(1, 'run 8 5:coal,oil', 33, 2),
  run(0, 'run nothing', 10, 0),
]

test('pay is shown one after the other, up to the playhead', () => {
  expect(paydayAt(PAID, 3)).toEqual([])
  expect(paydayAt(PAID, 4)).toEqual([{ seat: 1, amount: 33, supplied: 2, ran: ['8', '5'] }])
  expect(paydayAt(PAID, 5).map(({ seat }) => seat)).toEqual([1, 0])
})

test('while a past row is shown, so is the view at that time; undone views are dropped', () => {
  const history = new ViewHistory<string>(3)
  for (const rows of [1, 3, 4, 7]) history.add(rows, `after ${rows}`)
  expect([2, 3, 6, 9].map((rows) => history.at(rows))).toEqual([undefined, 'after 3', 'after 4', 'after 7'])
  history.add(4, 'again')
  expect(history.at(9)).toBe('again')
})

test('unchanged parts stay the same object', () => {
  const before = { order: [1, 0], players: [{ money: 50 }, { money: 40 }], card: null as string | null }
  const now = sharing(before, { order: [1, 0], players: [{ money: 50 }, { money: 33 }], card: '5' })
  expect(now).toEqual({ order: [1, 0], players: [{ money: 50 }, { money: 33 }], card: '5' })
  expect(now.order).toBe(before.order)
  expect(now.players[0]).toBe(before.players[0])
  expect(now.players[1]).not.toBe(before.players[1])
  expect(sharing(before, structuredClone(before))).toBe(before)
  expect(sharing([1, 2, 3], [1, 2])).toEqual([1, 2])
})

test('equal values are the same object', () => {
  const steadily = steady<{ build: Record<string, number>; pass: boolean }>()
  const first = steadily({ build: { essen: 10 }, pass: true })
  expect(steadily({ build: { essen: 10 }, pass: true })).toBe(first)
  expect(steadily({ build: { essen: 10 }, pass: false }).build).toBe(first.build)
})

describe('the log', () => {
  beforeAll(() => speak('en'))
  const family = {
    decision: () => undefined,
    eventWords: () => undefined,
    stranger: () => '',
  } as unknown as Family
  const narrator = { family, names: ['Ann', 'Bea', 'Cid'], places: {} as Places }

  test('has one line for a sale, with its calls inside; an auction that goes on has a line for each call', () => {
    const entries = fold([...ROWS, row(1, 'bid 5')])
    expect(entries.map(({ from, rows, sale }) => [from, rows.length, sale?.card])).toEqual([
      [0, 4, '5'],
      [4, 1, undefined],
      [5, 1, undefined],
      [6, 1, undefined],
    ])
  })

  test('says what happened since my last decision, in its order: who bought what for how much', () => {
    const since = [...ROWS.slice(0, 4), row(1, 'nominate 4 @4'), row(2, 'pass', [sold(1, '4', 4)]), ...PAID.slice(0, 2)]
    expect(happened(since, 0, narrator).map(({ seat, texts }) => [seat, ...texts])).toEqual([
      [1, 'Bea buys plant 4 for 4 Ɇ'],
      [1, 'Bea: build essen'],
    ])
    expect(happened(ROWS.slice(0, 4), 2, narrator)[0]!.texts).toEqual(['Bea buys plant 5 for 6 Ɇ'])
  })

  test('says who bought the card on which I passed, though another is up', () => {
    const calls = [row(1, 'nominate 5 @5'), row(0, 'pass'), row(2, 'pass', [sold(1, '5', 5)]), row(2, 'nominate 4 @4')]
    const [sale, ...more] = happened(calls, 0, narrator)
    expect(sale).toMatchObject({ seat: 1, texts: ['Bea buys plant 5 for 5 Ɇ'] })
    expect(more.map(({ seat }) => seat)).toEqual([2])
  })

  test('says what happened in the last phase where nothing was decided since', () => {
    expect(happened(PAID, 0, narrator).map(({ seat }) => seat)).toEqual([1, 0])
    expect(happened(PAID, null, narrator)).toEqual(happened(PAID, 0, narrator))
    expect(happened([], null, narrator)).toEqual([])
  })
})
