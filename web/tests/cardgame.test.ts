import { render } from 'svelte/server'
import { describe, expect, it } from 'vitest'
import { type FuelPick, fuelPicksOf, moveOf, surplusOf } from '../src/lib/games/cardgame/basket'
import ScoreSheet from '../src/lib/games/cardgame/ScoreSheet.svelte'
import { mergeEvents, missed } from '../src/lib/games/cardgame/words'
import type { CardGameView } from '../src/lib/net/protocol'
import { speak } from '../src/texts/messages'

const fuelPick = (fuel: string, units: number, column: number): FuelPick => ({ fuel, units, column })

describe('a basket of fuel cards', () => {
  it('is read from the legal moves and written as moves', () => {
    const legal = [{ move: 'buy coal 2 from 3', cost: 3 }, { move: 'done' }]
    expect(fuelPicksOf(legal)).toEqual([fuelPick('coal', 2, 3)])
    expect(fuelPicksOf(legal).map(moveOf)).toEqual(['buy coal 2 from 3'])
  })

  it('leaves over as many units as the server reports', () => {
    const paid = { what: 'paid' as const, seat: 0, amount: 3 }
    expect(surplusOf({ move: 'buy coal 3 from 3', events: [paid, { what: 'surplus', fuel: 'coal', count: 2 }] })).toBe(
      2,
    )
    expect(surplusOf({ move: 'buy coal 3 from 3' })).toBe(0)
  })
})

describe('the result', () => {
  it('names the plants that did not run, and strikes nothing through', async () => {
    await speak('en')
    const plant = (card: string) => ({ card, number: Number(card), fuels: ['coal'], need: 2, income: 9, back: 'plug' })
    const players = [{ plants: [plant('7'), plant('9')], ready: ['9'] }]
    const outcome = { reason: 'deck', ranking: [[0]], scores: [{ points: 9, money: 0, plant: 9 }] }
    const view = { names: ['Ann'], players, outcome } as unknown as CardGameView
    const { body } = render(ScoreSheet, { props: { view } })
    const words = body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
    expect(words).toMatch(/\b9 .*did not run: 7\b/)
  })

  it('says which plants had no fuel in the end, and what that cost', async () => {
    await speak('en')
    const plants = [{ card: '5c' }, { card: '12' }, { card: '21' }]
    const view = {
      players: [
        { plants, ready: ['12'] },
        { plants, ready: ['5c', '12', '21'] },
      ],
      outcome: { unfuelled: [17, 0] },
    }
    const words = [0, 1].map((seat) => missed(view as unknown as CardGameView, seat))
    expect(words).toEqual(['Without fuel: 5c, 21. Points missed: 17.', ''])
  })
})

describe('the log', () => {
  it('merges fuel cards of one column', () => {
    const turned = (column: number, card: string) => ({ what: 'turned' as const, column, card })
    expect(
      mergeEvents([turned(2, 'coal1'), turned(2, 'gas3'), turned(3, 'oil1'), { what: 'slid', card: '20' }]),
    ).toEqual([{ what: 'turned', column: 2, card: 'coal1 gas3' }, turned(3, 'oil1'), { what: 'slid', card: '20' }])
  })

  it('merges what the Bank takes', () => {
    const taken = (card: string) => ({ what: 'taken' as const, seat: -1, column: 2, card })
    const plant = { what: 'taken' as const, seat: -1, card: '20' }
    const surplus = { what: 'surplus' as const, fuel: 'coal', count: 1 }
    expect(mergeEvents([plant, taken('coal2'), surplus, taken('gas1')])).toEqual([
      plant,
      { ...taken('coal2'), card: 'coal2 gas1' },
      surplus,
    ])
  })
})
