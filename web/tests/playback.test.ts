/** One playhead: nothing is asked before it has arrived, and it arrives soon. Time is virtual. */

import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sceneWords } from '../src/lib/actions/sentence'
import type { Event, FromServer, GameView, Row, State, TableInfo } from '../src/lib/net/protocol'
import { Table } from '../src/lib/net/table.svelte'
import { duringLog } from '../src/lib/stage/during'
import { saleIn } from '../src/lib/stage/lots'
import { paidNow, paydayAt } from '../src/lib/stage/payday'
import { speak } from '../src/texts/messages'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const row = (seat: number, move: string, events: Event[] = [], phase = 'auction') =>
  ({ round: 1, phase, seat, move, events, by: 'bot' }) as Row
const state = (log: Row[], mine: boolean, fields: Partial<State> = {}) =>
  ({
    type: 'state',
    table: { seats: [], status: 'running' },
    seq: log.length,
    you: 0,
    view: null,
    legal: mine ? [{ move: 'pass' }] : [],
    log_from: 0,
    log,
    setup: null,
    clocks: null,
    undo_to: null,
    max_bids: {},
    ...fields,
  }) as unknown as State

function watch() {
  let receive: (message: FromServer) => void = () => undefined
  const table = new Table('t', (onMessage) => {
    receive = onMessage
    return { send: () => true, ask: () => true, restart: () => undefined, close: () => undefined }
  })
  receive(state([], false))
  return { table, receive: (shown: State) => receive(shown) }
}

/** How long it takes until something can be decided. */
function waits(table: Table): number {
  const from = performance.now()
  while (!table.myTurn) {
    if (performance.now() - from > 60_000) return Infinity
    vi.advanceTimersByTime(10)
  }
  return performance.now() - from
}

const lot = (card: string, bids: number, winner = 1) => [
  row(1, `nominate ${card} @5`),
  ...Array.from({ length: bids }, (_, i) => row(1 + (i % 3), `bid ${i + 6}`)),
  row(3, 'pass', [{ what: 'sold', seat: winner, card, amount: 9 }]),
]
const payday = [1, 2, 3].map((seat) =>
  row(seat, 'run 8', [{ what: 'income', seat, amount: 60, supplied: 12 }], 'bureaucracy'),
)

it('asks nothing while the past is shown, and then asks', () => {
  const { table, receive } = watch()
  receive(state(lot('5', 2), true))
  expect([table.playhead.moving, table.isDue, table.myTurn, table.legal]).toEqual([true, true, false, []])
  expect(waits(table)).toBeGreaterThan(500)
  expect([table.playhead.moving, table.playhead.at, table.legal.length]).toEqual([false, 4, 1])
})

it('arrives at once when it is skipped', () => {
  const { table, receive } = watch()
  receive(state(lot('5', 2), true))
  table.playhead.skip()
  expect([table.playhead.at, table.myTurn]).toEqual([4, true])
})

it('never costs time on a clock', () => {
  const { table, receive } = watch()
  receive(state(lot('5', 2), true, { clocks: { left: [60, 60, 60, 60], running: 0 } }))
  expect([table.playhead.at, table.myTurn]).toEqual([4, true])
})

it('shows an opened table as it is, and what is undone not at all', () => {
  const { table, receive } = watch()
  receive(state(lot('5', 2), true))
  receive(state(lot('5', 2).slice(0, 1), true))
  expect([table.playhead.moving, table.playhead.at]).toEqual([false, 1])
})

it('takes four seconds at most, whatever has happened, and usually no more than 1.2', () => {
  const turns: Row[][] = [
    [row(1, 'bid 6'), row(2, 'pass'), row(3, 'bid 7')],
    [row(1, 'buy coal 2', [], 'fuel'), row(2, 'done', [], 'fuel')],
    [row(1, 'build essen', [], 'building')],
    lot('5', 30),
    [...lot('5', 30), ...lot('6', 3), ...lot('7', 20)],
    [...payday, ...lot('5', 30), ...lot('6', 3)],
  ]
  const { table, receive } = watch()
  let log: Row[] = []
  const times = turns.map((turn) => {
    log = [...log, ...turn]
    receive(state(log, true))
    return waits(table)
  })
  expect(Math.max(...times)).toBeLessThanOrEqual(4010)
  expect(times.slice(0, 3).every((time) => time <= 1200)).toBe(true)
})

it('does not let slow bots add up: what came last is shown, then it is my turn', () => {
  const { table, receive } = watch()
  let log: Row[] = []
  for (const each of lot('5', 12)) {
    log = [...log, each]
    receive(state(log, false))
    vi.advanceTimersByTime(800)
  }
  log = [...log, ...lot('6', 3)]
  receive(state(log, true))
  expect(waits(table)).toBeLessThanOrEqual(4010)
})

describe('what only follows from what is shown comes after it', () => {
  beforeAll(() => speak('en'))
  const view = (phase: string, round: number, fields: Partial<GameView> = {}) =>
    ({
      phase,
      round,
      order: [0, 1, 2, 3],
      names: ['Ann', 'Bea', 'Cid', 'Dov'],
      to_move: 0,
      outcome: null,
      auction: { card: null, bidders: [], eligible: [], leader: null, bid: 0 },
      players: [],
      ...fields,
    }) as unknown as GameView
  const seats = [{ seat: 0, mine: true }] as TableInfo['seats']
  const shownBy = ({ shown }: Table) => [shown?.round, shown?.phase, shown?.order.join('')]

  it('the next phase and the new order wait for the payday', () => {
    const { table, receive } = watch()
    receive(state([], false, { view: view('bureaucracy', 1) }))
    for (const [i] of payday.entries())
      receive(
        state(payday.slice(0, i + 1), i === 2, {
          view: i === 2 ? view('auction', 2, { order: [3, 2, 1, 0] }) : view('bureaucracy', 1),
        }),
      )
    const words = new Set<string>()
    while (!table.myTurn) {
      expect(shownBy(table)).toEqual([1, 'bureaucracy', '0123'])
      expect(table.shown?.to_move).toBe(payday[table.playhead.at - 1]?.seat)
      words.add(sceneWords(table.playhead, { ...table.info!, seats }, table.shown!))
      vi.advanceTimersByTime(50)
    }
    expect([...words]).toEqual(['Payday'])
    expect(shownBy(table)).toEqual([2, 'auction', '3210'])
  })

  it('the markets, the workers and the log of the next round wait until the last player is paid', () => {
    const { table, receive } = watch()
    const at = (round: number, phase: string, money: number, humans: number, coal: number) =>
      view(phase, round, {
        market: { coal },
        players: [0, 1, 2, 3].map((seat) => ({ seat, money: seat === 3 ? money : 7, income: money - 10, humans })),
      } as never)
    const last = payday[2]!
    const log = [...payday.slice(0, 2), { ...last, events: [...last.events, { what: 'labour', count: 9 } as never] }]
    receive(state(log.slice(0, 2), false, { view: at(1, 'bureaucracy', 10, 5, 3) }))
    receive(state(log, true, { view: at(2, 'auction', 70, 2, 8) }))
    while (table.playhead.at < 3) vi.advanceTimersByTime(50)
    expect(table.playhead.moving).toBe(true)
    expect(table.shown).toMatchObject({
      market: { coal: 3 },
      players: [{ humans: 5 }, {}, {}, { money: 70, income: 60, humans: 5 }],
    })
    expect(duringLog(log).at(-1)!.events).toEqual(last.events)
    waits(table)
    expect(table.shown).toMatchObject({
      market: { coal: 8 },
      players: [{ humans: 2 }, {}, {}, { money: 70, humans: 2 }],
    })
  })

  it('a Step is announced after the pay that brought it, not during it', () => {
    const { table, receive } = watch()
    const last = payday[2]!
    const log = [...payday.slice(0, 2), { ...last, events: [...last.events, { what: 'step', step: 3 } as never] }]
    receive(state(log.slice(0, 2), false, { view: view('bureaucracy', 1) }))
    receive(state(log, true, { view: view('auction', 2, { step: 3 } as never) }))
    const shown: unknown[] = []
    while (!table.myTurn) {
      const { at, announces } = table.playhead
      const now = [
        announces,
        paydayAt(log, at).length,
        paidNow(table.playhead),
        (table.shown as { step?: number }).step,
      ]
      if (at === 3 && String(shown.at(-1)) !== String(now)) shown.push(now)
      expect([table.shown?.round, table.shown?.phase]).toEqual([1, 'bureaucracy'])
      vi.advanceTimersByTime(50)
    }
    expect(shown).toEqual([
      [false, 3, 3, undefined],
      [true, 3, null, 3],
    ])
  })

  it('a new order settles before anybody acts in it, and I am in front only when I am asked', () => {
    const { table, receive } = watch()
    const last = payday[2]!
    const log = [
      ...payday.slice(0, 2),
      { ...last, events: [...last.events, { what: 'order' } as never] },
      row(2, 'nominate 5 @5'),
    ]
    const mine = view('auction', 2, { order: [3, 2, 1, 0], seat: 0, to_move: 0 } as never)
    receive(state(log.slice(0, 2), false, { view: view('bureaucracy', 1) }))
    receive(state(log.slice(0, 3), false, { view: view('auction', 2, { order: [3, 2, 1, 0] }) }))
    receive(state(log, true, { view: mine }))
    const shown: string[] = []
    while (!table.myTurn) {
      const now = `${table.playhead.at} ${table.shown?.order.join('')} ${table.shown?.to_move}`
      if (table.playhead.at > 2 && shown.at(-1) !== now) shown.push(now)
      vi.advanceTimersByTime(20)
    }
    expect(shown).toEqual(['3 0123 3', '3 3210 3', '4 3210 2'])
    expect(table.shown?.to_move).toBe(0)
  })

  it('while the hammer falls its card is the one in the market that is marked', () => {
    const { table, receive } = watch()
    const at = (card: string | null, market: string[]) =>
      view('auction', 1, {
        auction: { card, bid: 9, leader: 1, bidders: [1, 3], eligible: [0, 1, 3] },
        market,
      } as never)
    const [opening, call, hammer] = lot('5', 1) as [Row, Row, Row]
    const turnedUp = { ...hammer, events: [...hammer.events, { what: 'drawn', card: '6' } as never] }
    const log = [opening, call, turnedUp, row(2, 'nominate 4 @4')]
    expect(duringLog(log.slice(0, 3))).toEqual([opening, call, hammer])
    receive(state(log.slice(0, 2), false, { view: at('5', ['4', '5']) }))
    receive(state(log.slice(0, 3), false, { view: at(null, ['4', '6']) }))
    receive(state(log, true, { view: at('4', ['4', '6']) }))
    while (table.playhead.at < 3) vi.advanceTimersByTime(10)
    expect(table.shown).toMatchObject({ market: ['4', '5'], auction: { card: '5', leader: 1, bidders: [1] } })
    while (table.playhead.at < 4) vi.advanceTimersByTime(10)
    expect(table.shown).toMatchObject({ market: ['4', '6'], auction: { card: '4' } })
  })

  it('nobody has won before everybody was honoured, the winner last', () => {
    const { table, receive } = watch()
    receive(state([], false, { view: view('building', 9) }))
    const outcome = { reason: 'cities', ranking: [[2], [0, 1], [3]], scores: [] }
    const end = state([row(1, 'done', [], 'building')], false, { view: view('building', 9, { outcome }) })
    receive(end)
    const lit: (number | null)[] = []
    while (table.playhead.moving) {
      expect(table.shown?.outcome).toBeNull()
      if (lit.at(-1) !== table.playhead.lit) lit.push(table.playhead.lit)
      vi.advanceTimersByTime(100)
      if (lit.length === 2) receive(end) // somebody came or went
    }
    expect(lit).toEqual([3, 1, 0, 2])
    expect([table.shown?.outcome?.ranking[0], table.playhead.lit]).toEqual([[2], 2])
  })

  it('while I am about to be asked, the bar names the card and not me', () => {
    const { table, receive } = watch()
    const up = { card: '5', bidders: [0, 1], eligible: [0, 1], leader: 1, bid: 5 }
    receive(state([], false, { view: view('auction', 1) }))
    receive(state(lot('5', 0).slice(0, 1), true, { view: view('auction', 1, { auction: up as never }) }))
    expect(table.playhead.moving).toBe(true)
    expect(sceneWords(table.playhead, { ...table.info!, seats }, table.shown!)).toBe('Card 5 under the hammer')
    expect(sceneWords(table.playhead, { ...table.info!, seats: [] }, table.shown!)).toBe('')
  })

  it.each([
    [1, 'Sold to Bea'],
    [0, 'Sold to you'],
  ])('after the hammer the bar says who bought: seat %i', (buyer, words) => {
    const { table, receive } = watch()
    receive(state([], false, { view: view('auction', 1) }))
    receive(state(lot('5', 0, buyer), true, { view: view('auction', 1) }))
    while (!table.playhead.rows.slice(0, table.playhead.at).some(saleIn)) vi.advanceTimersByTime(50)
    expect(table.playhead.moving).toBe(true)
    expect(table.shown?.to_move).toBe(buyer)
    expect(sceneWords(table.playhead, { ...table.info!, seats }, table.shown!)).toBe(words)
  })
})
