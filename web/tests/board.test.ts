import { describe, expect, it } from 'vitest'
import { bestRun } from '../src/lib/games/board/desk.svelte'
import { Camera } from '../src/lib/map/camera.svelte'
import { type Chart, Ways } from '../src/lib/map/chart'
import type { BoardView, Player } from '../src/lib/net/protocol'

const chart = {
  cities: ['a', 'b', 'c', 'd'].map((id, i) => ({ id, name: id, region: id === 'd' ? 'out' : 'in', x: i, y: 0 })),
  connections: [
    ['a', 'b', 5],
    ['b', 'c', 4],
    ['a', 'c', 20],
    ['a', 'd', 0],
    ['d', 'c', 0],
  ],
} as unknown as Chart

describe('ways', () => {
  const ways = new Ways(chart, ['in'])

  it('are the cheapest within the regions in play', () => {
    expect(ways.cost('a', 'c')).toBe(9)
    expect(ways.way('a', 'c')).toEqual(['a', 'b', 'c'])
    expect(ways.cost('a', 'd')).toBe(Infinity)
  })

  it('start where the network is nearest', () => {
    expect(ways.reach(['a', 'b'], 'c')).toEqual(['b', 'c'])
    expect(ways.reach([], 'c')).toEqual([])
  })

  it('tell where the next cities are near', () => {
    expect(ways.around('b')).toBe(9)
    expect(ways.around('a', ['b'])).toBe(9) // to c, past b
    expect(ways.around('c', [], 1)).toBe(4)
  })

  it('make the wires of a network', () => {
    expect([...ways.wires(['a', 'c'])].sort()).toEqual(['a b', 'b c'])
    expect([...ways.wires(['c', 'b'], ['a'])].sort()).toEqual(['a b', 'b c']) // each once
  })
})

describe('the camera', () => {
  it('keeps the point under the finger where it is', () => {
    const camera = new Camera()
    camera.setHome({ x: 0, y: 0, w: 1000, h: 1000 })
    camera.resize(500, 500)
    const before = camera.x + (100 - 250) / camera.k
    camera.zoom(2, 100, 250)
    expect(camera.x + (100 - 250) / camera.k).toBeCloseTo(before)
    expect(camera.k).toBeCloseTo(1)
  })

  it('stays on the map', () => {
    const camera = new Camera()
    camera.setHome({ x: 0, y: 0, w: 1000, h: 1000 })
    camera.resize(500, 500)
    camera.pan(-99_999, 0)
    expect(camera.x).toBe(1000)
  })
})

describe('the run that is proposed', () => {
  const plant = (card: string, fuel: string, need: number, powers: number) => ({
    card,
    number: Number(card),
    fuels: fuel ? [fuel] : [],
    need,
    powers,
  })
  const me = {
    cities: ['a', 'b', 'c'],
    plants: [plant('13', '', 0, 1), plant('20', 'coal', 3, 5), plant('25', 'coal', 2, 5)],
  } as unknown as Player
  const view = { fuel: { coal: { prices: [4] } } } as unknown as BoardView
  const runs = [[], ['13'], ['20'], ['25'], ['13', '25'], ['20', '25']].map((cards) => ({
    move: `run ${cards.join(' ')}`,
    plants: cards.map((card) => ({ card, mix: [] })),
  }))

  it('supplies most cities and burns least', () => {
    expect(bestRun(view, me, runs)?.move).toBe('run 25')
  })
})
