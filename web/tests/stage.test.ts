import { expect, test } from 'vitest'
import type { Event, Row } from '../src/lib/net/protocol'
import { sharing, steady } from '../src/lib/net/view'
import { ViewHistory } from '../src/lib/net/view_history'
import { beats } from '../src/lib/stage/beats'
import { lotAt, standing } from '../src/lib/stage/lots'
import { lastTurns, paydayAt } from '../src/lib/stage/payday'

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

test('each call is given time, less if there are many; what is not staged takes none', () => {
  const calls = Array.from({ length: 20 }, (_, i) => row(i % 2, `bid ${i + 6}`))
  const long = beats([
    row(0, 'nominate 5 @5'),
    ...calls,
    row(0, 'pass', [sold(1, '5', 25)]),
    row(1, 'done', [], 'fuel'),
  ])
  const short = beats(ROWS)
  expect(long[1]!).toBeLessThan(short[1]!)
  expect(long.slice(1, 21).every((time) => time === long[1] && time > 0)).toBe(true)
  expect([long[21], long[22]]).toEqual([short[3], 0])
})

test('the time of a call is the same whether the calls before it are included or not', () => {
  for (const from of ROWS.keys()) expect(beats(ROWS, from)).toEqual(beats(ROWS).slice(from))
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

test('the last turn of each player is what they did in their last phase', () => {
  const turns = lastTurns(PAID.slice(0, 4), [0, 1, 2])
  expect(turns.map(({ seat, rows }) => [seat, ...rows.map(({ move }) => move)])).toEqual([
    [0, 'done'],
    [1, 'run 8 5:coal,oil'],
  ])
  expect(lastTurns(PAID.slice(0, 3), [1])[0]!.rows.map(({ move }) => move)).toEqual(['build essen'])
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
