import { beforeAll, describe, expect, it } from 'vitest'
import { type Chart, withCosts } from '../src/lib/map/chart'
import { once } from '../src/lib/net/once'
import type { RulesetLine } from '../src/lib/net/protocol'
import { grouped, lineName, Values } from '../src/lib/rules/ruleset'
import { speak } from '../src/texts/messages'

const line = (name: string, value: unknown, option = false): RulesetLine => ({
  name,
  value,
  option,
  origin: 'rulebook',
  rule: '',
})
const board = {
  id: 'made',
  name: 'Made',
  regions: ['west'],
  cities: [{ id: 'oslo', name: 'Oslo', region: 'west', lon: 0, lat: 0 }],
  connections: [],
}
const values = new Values({ board })
const shown = (name: string, value: unknown) =>
  values
    .rows(line(name, value))
    .map(({ head, parts }) => [head, ...parts.flatMap(({ label, text }) => [label, text])].filter(Boolean).join(' '))

describe('the rules of a table', () => {
  beforeAll(() => speak('en'))

  it('are shown in words', () => {
    expect(shown('start_money', 50)).toEqual(['50'])
    expect(shown('house_costs', [10, 15, 20])).toEqual(['10 / 15 / 20'])
    expect(shown('refill', { coal: [5, 6, 4], oil: [3, 4, 5] })).toEqual(['coal 5 / 6 / 4 oil 3 / 4 / 5'])
    expect(shown('no_start', ['oslo', 'west'])).toEqual(['Oslo, West'])
    expect(shown('no_start', [])).toEqual(['none'])
    expect(shown('slots', { oslo: [{ cost: 5, step: 1 }] })).toEqual(['Oslo cost 5 from Step 1'])
    expect(shown('money', 'hidden')).toEqual(['hidden'])
    expect(shown('step_2_when_full', true)).toEqual(['yes'])
    expect(shown('spaces', { coal: { '1': 3, '2': 2 } })).toEqual(['coal 1: 3 2: 2'])
  })

  it('keep their own names where a rulebook is not ours', () => {
    expect(lineName(line('border_toll', 2))).toBe('Border toll')
    expect(lineName(line('solar_bonus', true, true))).toBe('Solar bonus')
    expect(shown('border_toll', { far_side: { no_one: [1, 'x'] } })).toEqual(['Far side No one 1, x'])
    expect(new Values({ board: null }).rows(line('no_start', ['oslo']))).toEqual([
      { head: '', parts: [{ label: '', text: 'oslo' }] },
    ])
  })

  it('are sorted by topic', () => {
    const lines = [line('money', 'open', true), line('border_toll', 2), line('tokens', {}), line('start_money', 50)]
    expect(grouped(lines).map(({ id, lines }) => [id, ...lines.map(({ name }) => name)])).toEqual([
      ['numbers', 'start_money'],
      ['fuel', 'tokens'],
      ['board', 'border_toll'],
      ['options', 'money'],
    ])
  })
})

describe('a drawn map', () => {
  const cities = [
    { id: 'a', name: 'A' },
    { id: 'b', name: 'B' },
  ]
  const chart = { id: 'made', cities, connections: [['a', 'b', 5]] } as unknown as Chart
  const played = (connections: Chart['connections'], named = cities) => ({ cities: named, connections })

  it('shows the connection costs of the game being played', () => {
    expect(withCosts(chart, played([['b', 'a', 7]]))?.connections).toEqual([['a', 'b', 7]])
    expect(chart.connections).toEqual([['a', 'b', 5]])
  })

  it('is drawn again where it has other connections', () => {
    expect(withCosts(chart, played([['a', 'c', 7]]))).toBeNull()
    expect(withCosts(chart, played([]))).toBeNull()
    expect(withCosts(chart, played([['a', 'b', 5]], [{ id: 'a', name: 'Aa' }]))).toBeNull()
  })
})

describe('a constant value', () => {
  it('is requested once, and again only if the request failed', async () => {
    let calls = 0
    const request = once(async () => {
      calls++
      if (calls === 1) throw new Error('offline')
      return calls
    })
    await expect(request()).rejects.toThrow('offline')
    expect(await request()).toBe(2)
    expect(await request()).toBe(2)
  })
})
