/** Every move and every effect in plain words, as somebody would say them. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { Family, Narrator } from '../src/lib/family/family'
import { Places } from '../src/lib/family/places.svelte'
import * as board from '../src/lib/games/board/words'
import * as outpost from '../src/lib/games/outpost/words'
import type { Event, OutpostView, Row } from '../src/lib/net/protocol'
import { speak } from '../src/texts/messages'

type Words = Pick<Family, 'decision' | 'eventWords' | 'moveWords'>

beforeAll(() => speak('en'))

const places = new Places()
places.names = { e: 'Essen', c1: 'Highport', 'card 5': 'habitat 5', 'card 31': 'Colony' }
places.fuels = ['coal', 'oil']
const narrator = { names: ['Ann', 'Bob'], places } as unknown as Narrator
const PAID = { what: 'paid', seat: 1, amount: 7 }

const said = (words: Words, move: string, ...events: object[]) =>
  words.decision!({ move, seat: 1, events } as unknown as Row, 'Bob', narrator)
const told = (words: Words, event: object) => words.eventWords!(event as Event, 'Bob', narrator)
const asked = (words: Words, move: string) => words.moveWords!(move, places)

describe('on a board', () => {
  it.each([
    ['buy coal 2', 'Bob buys 2 coal for 7 Ɇ'],
    ['build e', 'Bob connects Essen for 7 Ɇ'],
    ['start e', 'Bob starts a new network in Essen for 7 Ɇ'],
    ['sell', 'Bob sells uranium'],
    ['market north', 'Bob buys in the market North'],
    ['region south', 'Bob chooses the region South'],
    ['place e', 'Bob places a cartel house in Essen'],
    ['mark e', 'Bob marks Essen as a starting city'],
    ['pass', undefined],
  ])('%s', (move, sentence) => expect(said(board, move, { ...PAID, seat: 0, amount: 99 }, PAID)).toBe(sentence))

  it('tells what was run', () => {
    const income = { what: 'income', seat: 1, amount: 33, supplied: 2 }
    expect(said(board, 'run 4:coal 7', income)).toBe('Bob runs 4, 7, powers 2 cities and earns 33 Ɇ')
    expect(said(board, 'run nothing', { ...income, amount: 10 })).toBe('Bob runs nothing and gets 10 Ɇ')
    expect(said(board, 'run nothing')).toBe('Bob runs nothing and gets 0 Ɇ')
  })

  it.each([
    [{ what: 'refilled', fuel: [3, 0] }, 'The fuel market gets 3 coal'],
    [{ what: 'refilled', fuel: [0, 0] }, ''],
    [{ what: 'stocked', fuel: [1, 2] }, 'Bob takes 1 coal, 2 oil'],
    [{ what: 'stocked', fuel: [0, 0] }, ''],
    [{ what: 'mined', amount: 12 }, 'Bob gets 12 Ɇ for uranium'],
    [{ what: 'uranium_used', count: 3 }, 'Tokens that leave the uranium market: 3'],
    [
      { what: 'outage', houses: 5, loss: 3 },
      'Outage, as more houses were built than the grid bears (5): every own city costs 3 of the income',
    ],
    [{ what: 'placed', city: 'e' }, 'Bob: a house in Essen'],
    [{ what: 'paid' }, undefined],
  ])('%j', (event, sentence) => expect(told(board, event)).toBe(sentence))

  it.each([
    ['buy oil 3', 'Buy 3 oil.'],
    ['build e', 'Build in Essen.'],
    ['start e', 'Start a new network in Essen.'],
    ['run 4:coal 7', 'Run 4, 7.'],
    ['run nothing', 'Run nothing.'],
    ['sell', 'Sell uranium.'],
    ['market north', 'North'],
    ['region south', 'South'],
    ['place e', 'Essen'],
    ['mark e', 'Essen'],
    ['pass', undefined],
  ])('%s is proposed', (move, sentence) => expect(asked(board, move)).toBe(sentence))
})

describe('on the planet', () => {
  it.each([
    ['nominate 5 @6', 'Bob nominates habitat 5 for 6 Ɇ'],
    ['nominate 9 @9', 'Bob nominates card 9 for 9 Ɇ'],
    ['build station c1', 'Bob builds in Highport for 7 Ɇ: station'],
    ['settle plant 31', 'Bob settles Colony: plant'],
    ['place 5', 'Bob places habitat 5'],
    ['swap 5 for 31', 'Bob replaces habitat 5 by Colony'],
    ['robot human', 'Bob makes a robot'],
    ['syndicate plant c1', 'Bob chooses for the Syndicate'],
    ['pass', undefined],
  ])('%s', (move, sentence) => expect(said(outpost, move, PAID)).toBe(sentence))

  it('tells who was hired and what was powered', () => {
    const hired = { what: 'hired', seat: 1, hired: 3, free: 2 }
    expect(said(outpost, 'hire 3', hired, PAID)).toBe('Bob hires 3 for 7 Ɇ and fills beds: 2')
    expect(said(outpost, 'hire 0')).toBe('Bob hires 0 for 0 Ɇ and fills beds: 0')
    expect(said(outpost, 'power 2', { what: 'income', seat: 1, amount: 33 })).toBe('Bob powers 2 cities and earns 33 Ɇ')
    expect(said(outpost, 'power 1')).toBe('Bob powers 1 city and earns 0 Ɇ')
  })

  it.each([
    [{ what: 'sold', card: '5', amount: 8 }, 'Bob buys habitat 5 for 8 Ɇ'],
    [{ what: 'turned', card: '31' }, 'Turned up: Colony'],
    [{ what: 'turned', card: 'step3' }, 'The Step 3 card is turned up'],
    [{ what: 'removed', card: '9' }, 'Leaves the game: card 9'],
    [{ what: 'slid', card: '5' }, 'Goes under the deck: habitat 5'],
    [{ what: 'taken', card: '5' }, 'Bob takes habitat 5'],
    [{ what: 'cannot_buy' }, 'Bob cannot pay for any card'],
    [{ what: 'placed', piece: 'station', city: 'c1' }, 'Bob builds in Highport: station'],
    [{ what: 'hired', seat: -1, hired: 3 }, 'Bob takes workers: 3'],
    [{ what: 'hired', seat: -1, hired: 0 }, ''],
    [{ what: 'hired', seat: 1, hired: 3 }, ''],
    [{ what: 'labour', workers: 12 }, 'Workers in the labour market: 12'],
    [{ what: 'paid' }, undefined],
  ])('%j', (event, sentence) => expect(told(outpost, event)).toBe(sentence))

  it.each([
    ['nominate 5 @6', 'Nominate habitat 5 for 6 Ɇ.'],
    ['build plant c1', 'Build in Highport: plant.'],
    ['settle plant 31', 'Settle the Colony: plant.'],
    ['place 5', 'Place on the board: habitat 5.'],
    ['swap 5 for 31', 'Replace habitat 5 by Colony.'],
    ['hire 2', 'Hire 2 workers and fill the beds.'],
    ['robot human', 'Make a robot and end the turn.'],
    ['power 2', 'Power 2 cities.'],
    ['syndicate plant c1', 'For the Syndicate in Highport: plant.'],
    ['pass', undefined],
  ])('%s is proposed', (move, sentence) => expect(asked(outpost, move)).toBe(sentence))

  it('knows the names of all cities and cards, those of the Syndicate and of before too', () => {
    const plant = (card: string) => ({ kind: 'plant', card })
    const company = (card: string) => ({
      plants: [plant(card)],
      habitats: [{ kind: 'habitat', card: `${card}0` }],
      pool: [],
    })
    const view = {
      cities: { c1: { name: 'Highport' } },
      market: { current: [{ card: plant('3'), below: [plant('3b')] }], future: [{ card: plant('4'), below: [] }] },
      players: [company('5')],
      syndicate: company('6'),
    } as unknown as OutpostView
    expect(outpost.namesIn(view, { c0: 'Gone' })).toEqual({
      ...{ c0: 'Gone', c1: 'Highport', 'card 3': 'plant 3', 'card 3b': 'plant 3b', 'card 4': 'plant 4' },
      ...{ 'card 5': 'plant 5', 'card 50': 'habitat 50', 'card 6': 'plant 6', 'card 60': 'habitat 60' },
    })
    expect(outpost.namesIn({ ...view, syndicate: null } as unknown as OutpostView, {})).not.toHaveProperty('card 6')
  })

  it('says what is on a card', () => {
    const words = (card: object) => outpost.cardWords(card as Parameters<typeof outpost.cardWords>[0])
    expect(words({ kind: 'plant', card: '3', workers: 3, energy: 2 })).toBe('Plant 3. Workers: 3, powers 2')
    expect(words({ kind: 'habitat', card: '5', places: 1 })).toBe('Habitat 5. Beds: 1')
    expect(words({ technology: 'colony', card: '31', name: '' })).toBe(
      'Colony (31). A city of your own, off the map: one station, one plant and one habitat free of charge.',
    )
    expect(outpost.areaName('center')).toBe('centre')
  })
})
