import { describe, expect, it } from 'vitest'
import board from '../../src/highvoltage/games/outpost/data/map.json'
import { EMPTY_PLAN, exchanged, movesToPreview } from '../src/lib/games/outpost/plan'
import { planetOf } from '../src/lib/games/outpost/planets'
import { faultsIn } from '../src/lib/map/faults'
import { inPlay, LEVELS, sizesAt } from '../src/lib/map/labels'
import { rungs } from '../src/lib/market/ladder'
import type { OutpostView } from '../src/lib/net/protocol'

describe('a turn', () => {
  it('is previewed in the order of the rules, with the defaults where nothing was chosen', () => {
    expect(movesToPreview(EMPTY_PLAN, new Map())).toEqual([
      ...['look', 'usual place', 'usual swap'],
      ...['look', 'usual hire'],
      ...['look', 'usual robot', 'usual done'],
    ])
    const turnPlan = { builds: ['build plant a'], settled: ['settle station 31'], placed: ['place 12'], robot: false }
    expect(movesToPreview({ ...turnPlan, hired: 2 }, new Map([[2, 6]]))).toEqual([
      ...['build plant a', 'settle station 31'],
      ...['look', 'place 12', 'look', 'hire 2', 'look', 'usual done'],
    ])
  })

  it('hires nobody where that is not legal', () => {
    expect(movesToPreview({ ...EMPTY_PLAN, hired: 0 }, new Map([[1, 3]]))).not.toContain('hire 0')
    expect(movesToPreview({ ...EMPTY_PLAN, hired: 0 }, new Map([[0, 0]]))).toContain('hire 0')
  })

  it('places one card instead of another', () => {
    expect(exchanged([], '3', '22')).toEqual(['swap 3 for 22'])
    expect(exchanged(['swap 3 for 22', 'place 8'], '22', '25')).toEqual(['swap 3 for 25', 'place 8'])
    expect(exchanged(['place 35 on plant'], '35', '25')).toEqual(['place 25 on plant'])
  })
})

describe('the planet', () => {
  it('stays the same object as long as nothing in it changes', () => {
    const city = { name: 'A', area: 'center', slot: 'plant', x: 10, y: 10, stations: [], building: null }
    const view = { map: 'planet', canvas: [100, 100], areas: ['center'], cities: { a: city }, connections: [] }
    expect(planetOf(view as unknown as OutpostView)).toBe(planetOf({ ...view, round: 2 } as unknown as OutpostView))
  })

  it.each([[['center']], [['center', 'north']], [['center', 'south']], [['center', 'north', 'south']]])(
    'comes with its labels in place, each clear of the others: %j',
    (areas) => {
      const cities = board.cities.filter(({ area }) => areas.includes(area))
      const ids = cities.map(({ id }) => id)
      const planet = planetOf({
        ...{ map: 'planet', canvas: board.canvas, areas },
        cities: Object.fromEntries(cities.map((city) => [city.id, city])),
        connections: board.edges
          .filter(({ a, b }) => ids.includes(a) && ids.includes(b))
          .map((edge, i) => ({ ...edge, cost: i })),
      } as unknown as OutpostView)
      expect(planet.labels).toHaveLength(LEVELS.length)
      for (const level of LEVELS)
        expect(
          faultsIn(
            planet,
            sizesAt(level),
            inPlay(planet, level, () => true),
          ),
        ).toEqual([])
    },
  )

  it('has its labels computed where it is not ours', () => {
    const city = { name: 'A', area: 'center', slot: 'plant', x: 10, y: 10, stations: [], building: null }
    const view = { map: 'planet', canvas: [100, 100], areas: ['center'], cities: { a: city }, connections: [] }
    const planet = planetOf(view as unknown as OutpostView)
    expect(planet.labels).toBeUndefined()
    expect(inPlay(planet, LEVELS[0]!, () => true).names.a!.lines).toEqual(['A'])
  })
})

describe('a ladder', () => {
  it('is filled from its expensive end', () => {
    expect(rungs([1, 1, 2, 2, 10, 10], 3, true)).toEqual([
      { price: 1, places: [null, null] },
      { price: 2, places: [null, 0] },
      { price: 10, places: [1, 2] },
    ])
  })
})
