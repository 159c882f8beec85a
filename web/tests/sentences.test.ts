/** Every move and every effect in plain words, as somebody would say them. */
import { beforeAll, describe, expect, it } from 'vitest'
import { moveWords } from '../src/lib/actions/move_words'
import { readableValues, reasonWords } from '../src/lib/actions/reason'
import { question, sceneWords, sentence } from '../src/lib/actions/sentence'
import type { Family, Narrator } from '../src/lib/family/family'
import { Places } from '../src/lib/family/places.svelte'
import * as board from '../src/lib/games/board/words'
import * as outpost from '../src/lib/games/outpost/words'
import type { Event, GameView, OutpostView, Row, TableInfo, Values } from '../src/lib/net/protocol'
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

describe('values of the server', () => {
  const family = { moveWords: board.moveWords } as Family
  const teller = { ...narrator, family } as Narrator

  it.each([
    ['city', 'e', 'Essen'],
    ['elsewhere', 'e', 'Essen'],
    ['built', 'e', 'Essen'],
    ['cities', 'e, c1', 'Essen, Highport'],
    ['card', '5', 'habitat 5'],
    ['other', '5', 'habitat 5'],
    ['runner_up', '31', 'Colony'],
    ['new', '9', '9'],
    ['old', '5', 'habitat 5'],
    ['region', 'north', 'North'],
    ['regions', 'north, south', 'North, South'],
    ['fuel', 'stored_coal', 'coal from storage'],
    ['fuels', 'coal, stored_oil', 'coal, oil from storage'],
    ['kind', 'habitat', 'habitat'],
    ['piece', 'station', 'station'],
    ['pieces', 'station, dome', 'station, dome'],
    ['market', 'north', 'North'],
    ['markets', 'north, south', 'North, South'],
    ['than', 'build e', 'Build in Essen'],
    ['advised', 'buy oil 3', 'Buy 3 oil'],
    ['second', 'bid 7', 'Bid 7 Ɇ'],
    ['third', 'done', 'End the turn'],
    ['buyer', 'e', 'e'],
    ['fuel', 3, 3],
  ])('are said as people say them: %s %s', (key, value, words) =>
    expect(readableValues({ [key]: value }, teller)).toEqual({ [key]: words }),
  )

  it('are said in the language of the page', async () => {
    await speak('de')
    const values = { piece: 'plant', pieces: 'plant, station', fuel: 'coal', fuels: 'coal', markets: 'north' }
    const said = readableValues(values, teller)
    await speak('en')
    expect(Object.values(said)).toEqual(['Kraftwerk', 'Kraftwerk, Station', 'Kohle', 'Kohle', 'Norden'])
  })

  const why = (code: string, values: Values = {}) => reasonWords({ code, values, text: 'because' }, 'classic', teller)

  it('make a reason, with what else is known before and after it', () => {
    expect(why('nobody_says_this')).toBe('because')
    expect(why('win_alone', { win: 40, win_alone: 1 })).toBe('Chance of winning: 40%.')
    expect(
      why('nobody_says_this', {
        ...{ win: 40, behind: 30, second: 'build e', to_win: 1, untaught: 1 },
        ...{ built: 'e', built_by: 1, built_round: 3, builder: 'Bob', ends_soon: 16, end: 17, ender: 'Ann' },
      }),
    ).toBe(
      'The tycoon was not taught this, so it plays like the engineer. because ' +
        'It watches Ann: 16 of 17, the number of cities that ends the game. In round 3 Bob builds in Essen. ' +
        'Chance of winning: 40%; with “Build in Essen”: 30%.',
    )
    expect(why('nobody_says_this', { no_network: 1, too_close: 1, win: 40, second: 'pass' })).toBe(
      'The tycoon cannot use its network here, so it plays like the engineer. because ' +
        'Chance of winning: 40%. “Pass” is about as good: too close to call.',
    )
  })
})

describe('whose turn it is', () => {
  const seats = (...mine: boolean[]) => ({ seats: mine.map((mine, seat) => ({ mine, seat })), status: 'running' })
  const auction = { card: '5', bid: 12, scrapping: null }
  const view = (more: object = {}) =>
    ({
      names: ['Ann', 'Bob', 'Cid'],
      phase: 'auction',
      to_move: 1,
      outcome: null,
      auction,
      ...more,
    }) as unknown as GameView
  const says = (of: GameView, info: object = seats(true, false, false), myTurn = false) =>
    sentence({ ...narrator, places: new Places(), family: { question } as Family }, info as TableInfo, of, myTurn)

  it.each<[string, object, string, string]>([
    ['a bid', {}, 'Bob is thinking about plant 5 at 12', 'Plant 5 stands at 12. Bid more?'],
    [
      'a plant',
      { auction: { ...auction, card: null } },
      'Bob is choosing a plant',
      'Your turn: put a plant up for auction',
    ],
    ['a city', { phase: 'building' }, 'Bob is building', 'Your turn: connect cities'],
    ['what is not known', { phase: 'moon_landing' }, 'Moon landing', 'Moon landing'],
  ])('for %s', (_, more, theirs, mine) => {
    expect(says(view(more))).toBe(theirs)
    expect(says(view(more), seats(false, true, false), true)).toBe(mine)
    expect(says(view(more), seats(true, true, false), true)).toBe(`Bob: ${mine}`)
  })

  it('and which plant to give up comes first', () => {
    const scrapping = view({ auction: { ...auction, scrapping: 1 } })
    expect(says(scrapping, seats(false, true, false), true)).toBe('One plant too many: which one do you give up?')
  })

  it('is no question at the end', () => {
    const over = (...ranking: number[][]) => view({ outcome: { ranking } })
    expect(says(over([1], [0, 2]))).toBe('Bob has won!')
    expect(says(over([0], [1, 2]))).toBe('You have won!')
    expect(says(over([0], [1, 2]), seats(true, true, false))).toBe('Ann has won!') // at one screen
    expect(says(over([0], [1, 2]), seats(false, false, false))).toBe('Ann has won!')
    expect(says(over([0, 2], [1]))).toBe('Shared victory: Ann, Cid')
    expect(says(view({ to_move: null }))).toBe('This game was ended early')
    expect(says(view(), { ...seats(true), status: 'broken' })).toBe('This game was ended early')
    const failed = { ...seats(true, false, false), status: 'failed' }
    expect([says(view(), failed), says(view(), failed, true)]).toEqual([
      ...['An error has stopped this game', 'Plant 5 stands at 12. Bid more?'],
    ])
  })
})

it('moves that all games share are proposed alike', () => {
  const family = { moveWords: () => undefined } as unknown as Family
  const words = (move: string) => moveWords(move, { ...narrator, family })
  expect(['nominate 4 @7', 'bid 7', 'pass', 'scrap 4', 'done', 'fly moon'].map(words)).toEqual([
    ...['Nominate 4 for 7 Ɇ.', 'Bid 7 Ɇ.', 'Pass.', 'Give up plant 4.', 'End the turn.', 'fly moon'],
  ])
})

describe('the scene that is shown', () => {
  const view = (more: object = {}) =>
    ({
      names: ['Ann', 'Bob'],
      phase: 'auction',
      to_move: 0,
      auction: { card: '5', bidders: [] },
      ...more,
    }) as unknown as GameView
  const row = (seat: number, move: string, events: object[] = [], phase = 'auction') =>
    ({ round: 1, phase, seat, move, events }) as Row
  const info = { seats: [{ seat: 0, mine: true }] } as TableInfo
  const says = (rows: Row[], more: object = {}, of = view()) =>
    sceneWords({ rows, at: rows.length, moving: true, ...more }, info, of)
  const NOMINATED = row(1, 'nominate 5 @5')
  const sold = (seat: number) => row(0, 'pass', [{ what: 'sold', seat, card: '5', amount: 5 }])
  const PAYDAY = row(1, 'run 4', [{ what: 'income', seat: 1, amount: 22 }], 'bureaucracy')

  it.each<[string, () => string]>([
    ['nothing while nothing moves', () => says([NOMINATED], { moving: false })],
    ['nothing before anything has happened', () => says([])],
    ['nothing while only others think', () => says([NOMINATED], {}, view({ to_move: 2 }))],
  ])('says %s', (_, words) => expect(words()).toBe(''))

  it('is named', () => {
    expect(says([NOMINATED])).toBe('Card 5 under the hammer')
    expect(says([NOMINATED], {}, view({ to_move: 1 }))).toBe('Card 5 under the hammer')
    expect(says([NOMINATED, sold(1)], {}, view({ to_move: 1 }))).toBe('Sold to Bob')
    expect(says([NOMINATED, sold(0)])).toBe('Sold to you')
    expect(says([PAYDAY])).toBe('Payday')
    expect(says([PAYDAY], { announces: true })).toBe('Bureaucracy')
    expect(says([PAYDAY], { lit: 0 })).toBe('The game is over')
    expect(says([PAYDAY], { lit: null })).toBe('Payday')
    expect(says([row(1, 'build e', [], 'building')])).toBe('Building')
    expect(says([PAYDAY, row(1, 'build e', [], 'building')], { at: 1 })).toBe('Payday')
  })
})
