import { describe, expect, it } from 'vitest'
import { buildable, isBetter, mostEnergy, movesOf, NOTHING, planTurn, settleable } from '../src/lib/games/outpost/plan'
import { planetOf } from '../src/lib/games/outpost/planet'
import { Ways } from '../src/lib/map/chart'
import { rungs } from '../src/lib/market/ladder'
import type { OutpostView } from '../src/lib/net/protocol'
import type { OutpostCardView as Card, OutpostPlayerView as Company } from '../src/lib/net/schema'

const card = (name: string, values: Partial<Card>): Card => ({
  card: name,
  number: Number.parseInt(name, 10),
  kind: 'plant',
  back: 'plug',
  workers: 0,
  energy: 0,
  places: 0,
  technology: '',
  name: '',
  reconstructed: false,
  ...values,
})
const plant = (name: string, workers: number, energy: number) => card(name, { workers, energy })
const habitat = (name: string, places: number) => card(name, { kind: 'habitat', places })
const technology = (name: string, called: string, values: Partial<Card> = {}) =>
  card(name, { kind: 'technology', technology: called, ...values })

const company = (values: Partial<Company> = {}): Company => ({
  seat: 0,
  money: 60,
  network: 0,
  cities: [],
  stations: 18,
  spaces: { plant: 0, habitat: 0 },
  plants: [],
  habitats: [],
  pool: [],
  colonies: {},
  beds: 0,
  need: 0,
  humans: 0,
  robots: 0,
  busy: '',
  energy: 0,
  powered: 0,
  ...values,
})

/** Four cities in a row: a -4- b -5- c -6- d; plants can be built in a and c, habitats in b and d. */
function table(me: Company, structure: string[] = [], values: Partial<OutpostView> = {}): OutpostView {
  const ids = ['a', 'b', 'c', 'd']
  const cities = Object.fromEntries(
    ids.map((id, i) => [
      id,
      {
        name: id.toUpperCase(),
        area: 'center',
        slot: i % 2 ? 'habitat' : 'plant',
        x: 100 * i,
        y: 10 * i,
        stations: structure.includes(id) ? [0] : [],
        building: null,
      },
    ]),
  )
  const connections = [
    { a: 'a', b: 'b', cost: 4 },
    { a: 'b', b: 'c', cost: 5 },
    { a: 'c', b: 'd', cost: 6 },
  ]
  const view = {
    map: 'planet',
    canvas: [1000, 1000],
    areas: ['center'],
    stage: 'building',
    robots: 9,
    cities,
    connections,
    players: [me],
    labour: { workers: 10, prices: [3, 3, 4, 4, 5, 5, 6, 6, 7, 7], ladder: [] },
    payment: [10, 22, 33, 44, 54, 64],
    ...values,
  } as unknown as OutpostView
  const ways = waysOf(view)
  view.connect = Object.fromEntries(
    ids.map((id) => {
      const way = structure.length ? Math.min(...structure.map((each) => ways.cost(each, id))) : 0
      const special = { [cities[id]!.slot]: 5 + way }
      return [id, structure.includes(id) ? special : { station: 10 + way, ...special }]
    }),
  ) as OutpostView['connect']
  return view
}
const waysOf = (view: OutpostView) => new Ways(planetOf(view), ['center'])
const plan = (view: OutpostView, wish = NOTHING) => planTurn(view, waysOf(view), 0, wish)
const station = (city: string) => ({ piece: 'station' as const, city })

describe('a turn', () => {
  it('counts ways from what is planned before', () => {
    const turn = plan(table(company()), {
      ...NOTHING,
      builds: [{ piece: 'plant', city: 'a' }, station('a'), station('b'), station('d')],
    })
    expect(turn.builds.map(({ cost }) => cost)).toEqual([5, 10, 14, 21])
    expect(turn.cost).toBe(50)
    expect(turn.left).toBe(10)
    expect(turn.network).toBe(3)
    expect(turn.spaces).toEqual({ plant: 1, habitat: 0 })
  })

  it('leaves out what the money does not reach', () => {
    const view = table(company({ money: 20 }), ['a'])
    const turn = plan(view, { ...NOTHING, builds: [station('b'), station('c')] })
    expect(turn.builds).toEqual([{ ...station('b'), cost: 14 }])
    expect(buildable(view, waysOf(view), 0, turn).map(({ piece, city, cost }) => `${piece} ${city} ${cost}`)).toEqual([
      'plant a 5',
      'habitat b 5',
    ])
  })

  it('puts the best cards on the spaces that are free', () => {
    const me = company({
      spaces: { plant: 1, habitat: 1 },
      pool: [plant('3', 3, 2), plant('18', 2, 3), habitat('5', 1), habitat('26', 3)],
    })
    const turn = plan(table(me, ['a']))
    expect(turn.placed).toEqual([
      { card: '18', space: 'plant' },
      { card: '26', space: 'habitat' },
    ])
    expect(turn.beds).toBe(3)
    expect(turn.housed).toBe(3)
  })

  it('exchanges only what is better in every way', () => {
    const me = company({ spaces: { plant: 1, habitat: 0 }, plants: [plant('3', 3, 2)], pool: [plant('25', 4, 5)] })
    expect(plan(table(me, ['a'])).placed).toEqual([])
    expect(isBetter('plant', plant('25', 4, 5), plant('3', 3, 2))).toBe(true)
    const better = company({ ...me, pool: [plant('22', 3, 4)] })
    expect(plan(table(better, ['a'])).placed).toEqual([{ card: '22', space: 'plant', old: '3' }])
  })

  it('hires as few as power most, and pays the cheapest prices', () => {
    const me = company({ network: 2, spaces: { plant: 2, habitat: 0 }, plants: [plant('12', 2, 2), plant('25', 4, 5)] })
    const turn = plan(table(me, ['a', 'b']))
    expect(turn.most).toBe(6)
    expect(turn.hired).toBe(2)
    expect(turn.wages).toBe(6)
    expect(turn.powered).toBe(2)
    expect(turn.income).toBe(33)
    expect(plan(table(me, ['a', 'b']), { ...NOTHING, hired: 4 }).wages).toBe(14)
  })

  it('makes no more beds of a module than there are workers', () => {
    const me = company({
      network: 1,
      plants: [plant('12', 2, 2)],
      habitats: [habitat('26', 3)],
      pool: [technology('27', 'hub_module')],
    })
    const turn = plan(table(me, ['a']))
    expect([turn.beds, turn.most, turn.housed]).toEqual([4, 0, 4])
  })

  it('counts laboratories for every plant that runs', () => {
    expect(mostEnergy([plant('12', 2, 2), plant('25', 4, 5)], 6, 1)).toBe(9)
    expect(mostEnergy([plant('12', 2, 2), plant('25', 4, 5)], 5, 0)).toBe(5)
  })

  it('is played in the order of the rules and ends by itself after hiring', () => {
    const me = company({ pool: [plant('12', 2, 2)] })
    const view = table(me)
    const turn = plan(view, { ...NOTHING, builds: [{ piece: 'plant', city: 'a' }, station('a')] })
    expect(movesOf(turn, me.pool)).toEqual(['build plant a', 'build station a', 'place 12', 'hire 2'])
    expect(movesOf(plan(table(company())), [])).toEqual(['done'])
  })

  it('makes a robot where that is possible, and ends with it', () => {
    const me = company({ robots: 1, pool: [technology('23', 'robots')] })
    expect(movesOf(plan(table(me)), me.pool)).toEqual(['robot robot'])
    expect(movesOf(plan(table(me), { ...NOTHING, robot: false }), me.pool)).toEqual(['done'])
    expect(plan(table(me, [], { robots: 0 })).maker).toBe(null)
  })

  it('settles colonies without paying', () => {
    const me = company({ pool: [technology('31', 'colony')], colonies: { '31': ['plant'] } })
    const view = table(me)
    expect(settleable(view, 0, plan(view)).map(({ piece }) => piece)).toEqual(['station', 'habitat'])
    const turn = plan(view, { ...NOTHING, settled: [{ piece: 'station', card: '31' }] })
    expect([turn.network, turn.cost]).toEqual([1, 0])
    expect(movesOf(turn, me.pool)).toEqual(['settle station 31', 'done'])
  })

  it('builds nothing more once cards have been placed', () => {
    const view = table(company(), [], { stage: 'board' })
    const turn = plan(view, { ...NOTHING, builds: [station('a')] })
    expect(turn.builds).toEqual([])
    expect(buildable(view, waysOf(view), 0, turn)).toEqual([])
  })
})

describe('the planet', () => {
  it('stays the same as long as nothing of it changes', () => {
    const view = table(company())
    expect(planetOf(view)).toBe(planetOf({ ...view, round: 2 } as OutpostView))
  })
})

describe('a ladder', () => {
  it('is filled from its dear end', () => {
    expect(rungs([1, 1, 2, 2, 10, 10], 3, true)).toEqual([
      { price: 1, places: [null, null] },
      { price: 2, places: [null, 0] },
      { price: 10, places: [1, 2] },
    ])
  })
})
