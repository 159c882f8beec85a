import { describe, expect, it } from 'vitest'
import { addable, costOf, keep, type Lot, lotsOf, moveOf, surplus } from '../src/lib/games/cardgame/basket'
import { bestPlants, bestRun, idlePlants, incomeOf, tally } from '../src/lib/games/cardgame/running'
import { together } from '../src/lib/games/cardgame/words'
import type { CardgamePlantView, CardgamePlayerView } from '../src/lib/net/schema'

const plant = (card: string, fuels: string[], need: number, income: number): CardgamePlantView => ({
  card,
  number: Number.parseInt(card, 10),
  fuels,
  need,
  income,
  back: 'small',
})
const COAL = plant('5', ['coal'], 2, 7)
const HYBRID = plant('7', ['gas', 'oil'], 3, 8)
const GAS = plant('9', ['gas'], 1, 6)
const WIND = plant('8', [], 0, 6)

const player = (plants: CardgamePlantView[], fuel: Record<string, number>, more: Partial<CardgamePlayerView> = {}) =>
  ({
    seat: 0,
    money: 12,
    plants,
    fuel: { coal: 0, gas: 0, oil: 0, uranium: 0, ...fuel },
    room: { coal: 0, gas: 0, oil: 0, uranium: 0 },
    store: [],
    income: 0,
    ...more,
  }) as CardgamePlayerView
const lot = (fuel: string, units: number, column: number): Lot => ({ fuel, units, column })

describe('a basket of fuel cards', () => {
  it('is read from the legal moves and written as moves', () => {
    const legal = [{ move: 'buy coal 2 from 3', cost: 3 }, { move: 'done' }]
    expect(lotsOf(legal)).toEqual([lot('coal', 2, 3)])
    expect(lotsOf(legal).map(moveOf)).toEqual(['buy coal 2 from 3'])
  })

  it('costs what the columns say, whatever is on the cards', () => {
    expect(costOf([lot('coal', 3, 2), lot('coal', 1, 4)])).toBe(6)
  })

  it('keeps what finds room, in order', () => {
    const me = player([COAL], { coal: 1 }, { room: { coal: 3, gas: 0, oil: 0, uranium: 0 } })
    expect(keep(me, false, [lot('coal', 2, 2), lot('coal', 3, 3)])).toEqual([2, 1])
    expect(surplus(me, false, [lot('coal', 2, 2), lot('coal', 3, 3)])).toEqual({ coal: 2 })
  })

  it('shares the room of a hybrid between gas and oil', () => {
    const me = player([HYBRID, GAS], {}, { room: { coal: 0, gas: 8, oil: 6, uranium: 0 } })
    expect(keep(me, false, [lot('gas', 3, 2), lot('oil', 3, 2), lot('oil', 3, 3)])).toEqual([3, 3, 2])
  })

  it('lays nothing in for a round that will not come', () => {
    const me = player([HYBRID, GAS], {}, { room: { coal: 0, gas: 4, oil: 3, uranium: 0 } })
    expect(keep(me, true, [lot('gas', 3, 2), lot('oil', 2, 2)])).toEqual([3, 1])
  })

  it('takes no card that it cannot pay or store', () => {
    const me = player([COAL], {}, { money: 4, room: { coal: 4, gas: 0, oil: 0, uranium: 0 } })
    expect(addable(me, false, [lot('coal', 2, 2)], lot('coal', 1, 3))).toBe(false)
    expect(addable(me, false, [lot('coal', 2, 2)], lot('coal', 3, 2))).toBe(true)
    expect(addable(me, false, [], lot('gas', 1, 2))).toBe(false)
  })
})

describe('plants that run', () => {
  it('are those that bring in most', () => {
    expect(bestPlants([COAL, HYBRID, GAS, WIND], { gas: 3, oil: 1 })).toEqual([HYBRID, GAS, WIND])
    expect(bestPlants([HYBRID, GAS], { gas: 3 })).toEqual([HYBRID])
    expect(incomeOf([HYBRID, GAS])).toBe(14)
  })

  it('are proposed for their income', () => {
    const runs = [[], ['5'], ['8'], ['5', '8']].map((cards) => ({
      move: `run ${cards.join(' ')}`,
      plants: cards.map((card) => ({ card, mix: [] })),
    }))
    expect(bestRun([COAL, WIND], runs)?.move).toBe('run 5 8')
  })

  it('are missed where their fuel could be bought', () => {
    const me = player([COAL, WIND], { coal: 1 }, { money: 3 })
    expect(idlePlants(me, [lot('coal', 1, 3)])).toEqual([COAL])
    expect(idlePlants(me, [lot('coal', 1, 4)])).toEqual([])
    expect(idlePlants(me, [lot('gas', 3, 2)])).toEqual([])
  })

  it('count at the end, with full tens of money', () => {
    const me = player([COAL, WIND], { coal: 1 }, { money: 27 })
    expect(tally(me, 8)).toEqual({ ran: [WIND], income: 6, tens: 2, rest: 7, points: 8 })
  })
})

describe('the log', () => {
  it('tells fuel cards of one column together', () => {
    const turned = (column: number, card: string) => ({ what: 'turned' as const, column, card })
    expect(together([turned(2, 'coal1'), turned(2, 'gas3'), turned(3, 'oil1'), { what: 'slid', card: '20' }])).toEqual([
      { what: 'turned', column: 2, card: 'coal1 gas3' },
      turned(3, 'oil1'),
      { what: 'slid', card: '20' },
    ])
  })

  it('tells together what the Bank takes', () => {
    const taken = (card: string) => ({ what: 'taken' as const, seat: -1, column: 2, card })
    const plant = { what: 'taken' as const, seat: -1, card: '20' }
    const surplus = { what: 'surplus' as const, fuel: 'coal', count: 1 }
    expect(together([plant, taken('coal2'), surplus, taken('gas1')])).toEqual([
      plant,
      { ...taken('coal2'), card: 'coal2 gas1' },
      surplus,
    ])
  })
})
