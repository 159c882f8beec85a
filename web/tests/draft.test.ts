/** A map that is drawn, change by change and back again. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MapDraft, slug } from '../src/lib/maker/draft.svelte'
import { referring } from '../src/lib/maker/references'
import { loadWords } from '../src/lib/maker/words'
import { PALETTE } from '../src/lib/map/chart'
import type { Layout, MapFile } from '../src/lib/map/file'

let kept: Record<string, string>
beforeEach(async () => {
  kept = {}
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => (kept[key] = value),
  })
  vi.stubGlobal('innerWidth', 900)
  vi.stubGlobal('innerHeight', 600)
  await loadWords('en')
})

afterEach(() => vi.unstubAllGlobals())

/** Ulm and Bonn 300 apart, and Kiel 400 below Ulm. */
function drawn() {
  const draft = new MapDraft()
  draft.addCity([100, 100], 'green', 'Ulm')
  draft.addCity([400, 100], 'purple', 'Bonn')
  draft.addCity([100, 500], 'green', 'Kiel')
  draft.connect('ulm', 'bonn')
  draft.connect('kiel', 'ulm')
  return draft
}
const costs = (draft: MapDraft) => draft.map.connections.map(([, , cost]) => cost)

test('a name becomes an id', () => {
  expect(['Nový Jičín', 'Łódź', 'Đakovo', 'Gießen', ' St. Pölten! '].map(slug)).toEqual([
    'novy_jicin',
    'lodz',
    'dakovo',
    'giessen',
    'st_polten',
  ])
})

describe('a sheet', () => {
  test('is empty at first, as broad as a screen is held', () => {
    const draft = new MapDraft()
    expect(draft.map).toMatchObject({ id: 'my_map', name: '', regions: PALETTE, cities: [], connections: [] })
    expect(draft.map.layout).toEqual({ canvas: [1400, 1000], cities: {} })
    expect([draft.canUndo, draft.canRedo, draft.before, draft.law]).toEqual([
      false,
      false,
      null,
      { base: 0, per100: 7 },
    ])
    vi.stubGlobal('innerWidth', 400)
    expect(new MapDraft().map.layout.canvas).toEqual([1000, 1400])
  })

  test('is kept in the browser', () => {
    drawn()
    expect(new MapDraft().map.cities.map(({ id }) => id)).toEqual(['ulm', 'bonn', 'kiel'])
    expect(new MapDraft().canUndo).toBe(false)
  })

  test('goes back and forth by whole changes', () => {
    const draft = drawn()
    draft.moveCity('ulm', [100, 200])
    draft.moveCity('ulm', [100, 300])
    expect(draft.place('ulm')).toEqual([100, 300])
    draft.undo()
    expect(draft.place('ulm')).toEqual([100, 100])
    expect(draft.canRedo).toBe(true)
    draft.redo()
    expect(draft.place('ulm')).toEqual([100, 300])
    draft.moveCity('ulm', [100, 310])
    draft.settle()
    draft.moveCity('ulm', [100, 320])
    draft.undo()
    expect(draft.place('ulm')).toEqual([100, 310])
    draft.rename('Here')
    expect(draft.canRedo).toBe(false)
    draft.redo()
    expect(draft.map.name).toBe('Here')
    for (let n = 0; n < 20; n++) draft.undo()
    expect([draft.map.cities.length, draft.canUndo]).toEqual([0, false])
    for (let n = 0; n < 20; n++) draft.redo()
    expect([draft.map.name, draft.canRedo, JSON.parse(kept['hv-maker']!).map.name]).toEqual(['Here', false, 'Here'])
  })

  test('keeps the map before another one', () => {
    const draft = drawn()
    draft.rename('Old')
    draft.clear()
    expect([draft.map.cities, draft.before]).toEqual([[], 'Old'])
    expect(new MapDraft().before).toBe('Old')
    draft.swap()
    expect(draft.map.cities.length).toBe(3)
    draft.undo()
    draft.clear()
    expect(draft.before).toBe('Old') // nothing was on the empty one
  })
})

describe('cities', () => {
  test('stay on the canvas, and are placed by their degrees', () => {
    const draft = new MapDraft()
    expect(draft.addCity([-50, 2000], 'red', 'Ulm')).toBe('ulm')
    expect(draft.addCity([700.4, 500.6], 'red', 'Ulm')).toBe('ulm_2')
    expect(draft.addCity([700, 500], 'red', 'Red')).toBe('red_2') // regions have ids, too
    expect(draft.addCity([2000, -3], 'red', '?')).toBe('city')
    expect(draft.map.layout.cities).toEqual({ ulm: [30, 970], ulm_2: [700, 501], red_2: [700, 500], city: [1370, 30] })
    expect(draft.city('ulm_2')).toEqual({ id: 'ulm_2', name: 'Ulm', region: 'red', lon: 7, lat: -5.01 })
  })

  test('that move take their connections along', () => {
    const draft = drawn()
    expect(costs(draft)).toEqual([21, 28])
    draft.setCost('bonn ulm', 9)
    draft.moveCity('ulm', [100, 300])
    expect(costs(draft)).toEqual([9, 14])
    expect(draft.city('ulm')).toMatchObject({ lon: 1, lat: -3 })
    draft.moveCity('bonn', [500, 100])
    expect(costs(draft)).toEqual([9, 14])
  })

  test('are named, painted, entered at a cost and removed', () => {
    const draft = drawn()
    draft.setCost('bonn ulm', 9)
    expect(draft.nameCity('ulm', 'Köln')).toBe('koln')
    expect(draft.nameCity('koln', 'Köln am Rhein')).toBe('koln_am_rhein')
    expect(draft.map.connections).toEqual([
      ['koln_am_rhein', 'bonn', 9],
      ['kiel', 'koln_am_rhein', 28],
    ])
    expect([...draft.byHand]).toEqual(['bonn koln_am_rhein'])
    expect(draft.place('koln_am_rhein')).toEqual([100, 100])
    expect(draft.nameCity('kiel', 'Bonn')).toBe('bonn_2')
    draft.paint('bonn', 'red')
    draft.paint('bonn', 'red')
    draft.setEntry('bonn', 4)
    expect(draft.city('bonn')).toMatchObject({ region: 'red', cost: 4 })
    draft.undo()
    draft.undo()
    expect(draft.city('bonn')?.region).toBe('purple')
    draft.removeCity('koln_am_rhein')
    expect(draft.map.connections).toEqual([])
    expect(Object.keys(draft.map.layout.cities).sort()).toEqual(['bonn', 'bonn_2'])
  })

  test('on a map of real places lie between their neighbours', () => {
    const draft = drawn()
    const { layout, ...file } = draft.file()
    const cities = file.cities.map((city, n) => ({ ...city, lon: 10 * n, lat: 50 }))
    draft.load({ ...file, cities } as MapFile, { ...layout, projection: {} } as unknown as Layout)
    const at = draft.addCity([250, 100], 'red', 'New') // as far from Ulm at 0 as from Bonn at 10; Kiel is far away
    expect(draft.city(at)!.lon).toBeGreaterThan(5)
    expect(draft.city(at)!.lon).toBeLessThan(7)
    expect(draft.city(at)!.lat).toBe(50)
    draft.moveCity('ulm', [130, 130])
    expect(draft.city('ulm')).toMatchObject({ lon: 0, lat: 50 })
  })
})

describe('connections', () => {
  test('are made once, and not to the city itself', () => {
    const draft = drawn()
    draft.connect('bonn', 'ulm')
    draft.connect('ulm', 'ulm')
    expect(draft.map.connections.length).toBe(2)
    expect(draft.connection('kiel ulm')).toEqual(['kiel', 'ulm', 28])
    draft.disconnect('bonn ulm')
    expect(draft.map.connections).toEqual([['kiel', 'ulm', 28]])
  })

  test('cost what the law says, or what was set by hand', () => {
    const draft = drawn()
    draft.setCost('kiel ulm', 5)
    draft.setLaw({ base: 2, per100: 3 })
    expect(costs(draft)).toEqual([11, 5])
    draft.setLaw({ base: 2, per100: 1 })
    draft.undo()
    expect([costs(draft), draft.law]).toEqual([[21, 5], { base: 0, per100: 7 }]) // in one step
    draft.applyLaw()
    expect([costs(draft), draft.byHand.size]).toEqual([[21, 28], 0])
    draft.setLaw({ base: -50, per100: 1 })
    expect(costs(draft)).toEqual([0, 0])
  })

  test('take the costs of a file', () => {
    const draft = drawn()
    draft.takeCosts({
      ...draft.map,
      connections: [
        ['ulm', 'bonn', 21],
        ['kiel', 'ulm', 3],
      ],
    })
    expect([costs(draft), [...draft.byHand]]).toEqual([[21, 3], ['kiel ulm']])
    draft.disconnect('kiel ulm')
    draft.connect('kiel', 'ulm')
    expect([costs(draft), draft.byHand.size]).toEqual([[21, 28], 0])
  })
})

describe('the file', () => {
  test('has a name, and no region without a city', () => {
    const draft = drawn()
    draft.nameRegion('green', 'The south')
    draft.nameRegion('red', 'Nowhere')
    draft.setField('region_colours', { green: '#0f0', red: '#f00' })
    expect(draft.file()).toMatchObject({ id: 'my_map', name: 'My map', regions: ['green', 'purple'] })
    draft.rename('Große Karte')
    expect(draft.file()).toMatchObject({
      id: 'grosse_karte',
      name: 'Große Karte',
      region_names: { green: { en: 'The south' } },
      region_colours: { green: '#0f0' },
    })
    expect(draft.file().region_names).not.toHaveProperty('red')
    expect(draft.file().region_colours).not.toHaveProperty('red')
    draft.nameRegion('green', '')
    expect(draft.file().region_names).toEqual({})
  })

  test('is loaded with the regions of the palette that are free', () => {
    const draft = drawn()
    const file = { ...draft.file(), regions: ['green', 'north'] } as MapFile
    draft.load(file, draft.map.layout)
    expect(draft.map.regions).toEqual(['green', 'north', ...PALETTE.slice(2)])
    expect([...draft.byHand]).toEqual(['bonn ulm', 'kiel ulm'])
    draft.setLaw({ base: 1, per100: 0 })
    expect(costs(draft)).toEqual([21, 28])
  })

  test('has fields, and an outline, that can be taken away', () => {
    const draft = drawn()
    draft.setField('rules', { end: 3 })
    draft.setOutline('M0 0')
    expect([draft.map.rules, draft.map.layout.outline]).toEqual([{ end: 3 }, 'M0 0'])
    draft.setField('rules', undefined)
    draft.setOutline('')
    expect(draft.map).not.toHaveProperty('rules')
    expect(draft.map.layout).not.toHaveProperty('outline')
    expect(Object.keys(draft.map.layout.cities).length).toBe(3)
  })
})

test('whatever names a city follows it', () => {
  const rules = {
    turns: 3,
    no_start: ['a', 'b'],
    slots: { a: 1, b: 2 },
    discounts: [
      { city: 'a', off: 1 },
      { city: 'b', off: 2 },
    ],
    networks: { starts: ['b', 'a'], count: 2 },
  }
  const connections: [string, string, number][] = [
    ['a', 'b', 1],
    ['b', 'c', 2],
  ]
  const variant = { rules: { no_start: ['a'] }, connections, no_connections: [['a', 'c']] }
  const map = { connections, rules, rulebooks: { classic: rules }, variants: { dry: variant, wet: {} } }
  const renamed = {
    turns: 3,
    no_start: ['z', 'b'],
    slots: { z: 1, b: 2 },
    discounts: [
      { city: 'z', off: 1 },
      { city: 'b', off: 2 },
    ],
    networks: { starts: ['b', 'z'], count: 2 },
  }
  expect(referring(map as unknown as MapFile, 'a', 'z')).toEqual({
    connections: [
      ['z', 'b', 1],
      ['b', 'c', 2],
    ],
    rules: renamed,
    rulebooks: { classic: renamed },
    variants: {
      dry: {
        rules: { no_start: ['z'] },
        connections: [
          ['z', 'b', 1],
          ['b', 'c', 2],
        ],
        no_connections: [['z', 'c']],
      },
      wet: {},
    },
  })
  const without = {
    turns: 3,
    no_start: ['b'],
    slots: { b: 2 },
    discounts: [{ city: 'b', off: 2 }],
    networks: { starts: ['b'], count: 2 },
  }
  expect(referring(map as unknown as MapFile, 'a', null)).toEqual({
    connections: [['b', 'c', 2]],
    rules: without,
    rulebooks: { classic: without },
    variants: { dry: { rules: { no_start: [] }, connections: [['b', 'c', 2]], no_connections: [] }, wet: {} },
  })
  const plain = { connections, rules: { networks: { count: 2 } } } as unknown as MapFile
  expect(referring(plain, 'a', 'z')).toEqual({
    connections: [
      ['z', 'b', 1],
      ['b', 'c', 2],
    ],
    rules: { networks: { count: 2 } },
  })
})
