/** A map is judged by games, and mended until it is a usual one. */

import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { MapDraft } from '../src/lib/maker/draft.svelte'
import { MapJudge, oddFigures } from '../src/lib/maker/judge.svelte'
import { loadWords } from '../src/lib/maker/words'
import type { MapFile } from '../src/lib/map/file'
import type { MapVerdict } from '../src/lib/net/protocol'
import { speak } from '../src/texts/messages'

/** What was asked for, and what the server says to it. */
let asked: { path: string; body: Record<string, unknown> }[]
let verdicts: (Partial<MapVerdict> | 'refused')[]

const found = (games: number, odd = 0) => ({
  games,
  of: 100,
  so_far: { games } as unknown as MapVerdict['so_far'],
  figures: Array.from({ length: 3 }, (_, n) => ({ usual: n >= odd })) as MapVerdict['figures'],
})
const json = (value: unknown, status = 200) =>
  new Response(JSON.stringify(value), { status, headers: { 'content-type': 'application/json' } })

beforeAll(() => Promise.all([speak('en'), loadWords('en')]))
beforeEach(() => {
  asked = []
  verdicts = []
  vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
    const sent = JSON.parse(body)
    asked.push({ path, body: sent })
    if (path === '/api/maker/mend') {
      const { connections } = sent.map as MapFile
      return json({ ...sent.map, connections: connections.map(([a, b, cost]) => [a, b, cost + 1]) })
    }
    const next = verdicts.shift() ?? (await new Promise<never>(() => undefined))
    return next === 'refused' ? json({ code: 'bad_map', message: 'No.', values: {} }, 400) : json(next)
  })
})
afterEach(() => vi.unstubAllGlobals())

function drawn() {
  const draft = new MapDraft()
  draft.addCity([100, 100], 'green', 'Ulm')
  draft.addCity([400, 100], 'green', 'Bonn')
  draft.connect('ulm', 'bonn')
  return draft
}
const cost = (map: MapFile) => map.connections[0]![2]

describe('a verdict', () => {
  test('takes games until there are enough', async () => {
    const [draft, judge] = [drawn(), new MapJudge()]
    verdicts = [found(40), found(80), found(100)]
    const done = judge.begin(draft.file())
    expect(judge.running).toBe(true)
    await done
    expect([judge.running, judge.found?.games, verdicts.length]).toEqual([false, 100, 0])
    expect(asked.map(({ path, body }) => [path, body.so_far])).toEqual([
      ['/api/maker/judge', {}],
      ['/api/maker/judge', { games: 40 }],
      ['/api/maker/judge', { games: 80 }],
    ])
    expect([judge.isStale(draft.file()), oddFigures(found(1, 2) as MapVerdict)]).toEqual([false, 2])
    draft.rename('Other')
    draft.moveCity('ulm', [100, 100])
    expect(judge.isStale(draft.file())).toBe(false)
    draft.setEntry('ulm', 3)
    expect(judge.isStale(draft.file())).toBe(true)
    draft.undo()
    expect(judge.isStale(draft.file())).toBe(false)
    draft.setCost('bonn ulm', 3)
    expect(judge.isStale(draft.file())).toBe(true)
    expect(new MapJudge().isStale(draft.file())).toBe(false)
  })

  test('goes on with the games of the same map, and not with those of another', async () => {
    const [draft, judge] = [drawn(), new MapJudge()]
    verdicts = [found(40)]
    void judge.begin(draft.file())
    await vi.waitFor(() => expect(judge.found?.games).toBe(40))
    judge.stop()
    expect([judge.running, judge.found?.games]).toEqual([false, 40])
    verdicts = [found(100)]
    await judge.begin(draft.file())
    expect(asked.at(-1)!.body.so_far).toEqual({ games: 40 })
    draft.setCost('bonn ulm', 3)
    verdicts = [found(100)]
    await judge.begin(draft.file())
    expect(asked.at(-1)!.body.so_far).toEqual({})
  })

  test('may be refused', async () => {
    const judge = new MapJudge()
    verdicts = ['refused']
    await judge.begin(drawn().file())
    expect([judge.problem, judge.running, judge.found]).toEqual(['No.', false, null])
    verdicts = [found(100)]
    await judge.begin(drawn().file())
    expect(judge.problem).toBe('')
  })
})

describe('a map that is mended', () => {
  test('gets other costs until nothing is odd', async () => {
    const [draft, judge] = [drawn(), new MapJudge()]
    verdicts = [found(60, 2), found(100, 2), found(100, 1), found(100, 0), found(100, 0)]
    await judge.mendUntilUsual(draft)
    expect(cost(draft.file())).toBe(23)
    const judged = asked.filter(({ path }) => path === '/api/maker/judge')
    expect(judged.map(({ body }) => [body.seed, body.games, cost(body.map as MapFile), body.so_far])).toEqual([
      ['mend/0', 100, 21, {}],
      ['mend/0', 100, 21, { games: 60 }],
      ['mend/1', 100, 22, {}],
      ['mend/2', 100, 23, {}],
    ])
    expect([judge.attempt, judge.running, oddFigures(judge.found!), judge.isStale(draft.file())]).toEqual([
      0,
      false,
      0,
      false,
    ])
    verdicts = [found(100, 1), found(100, 0)]
    await judge.mendUntilUsual(draft)
    const costs = [0, 1, 2].map((n) => {
      if (n) draft.undo()
      return cost(draft.file())
    })
    expect(costs).toEqual([24, 23, 21]) // each in one step
  })

  test('is the best of eight, if none is usual', async () => {
    const [draft, judge] = [drawn(), new MapJudge()]
    verdicts = [3, 2, 1, 2, 1, 3, 3, 3, 0].map((odd) => found(100, odd))
    await judge.mendUntilUsual(draft)
    expect([verdicts.length, cost(draft.file()), oddFigures(judge.found!)]).toEqual([1, 23, 1])
    expect(judge.isStale(draft.file())).toBe(false)
  })

  test('stays as it is drawn meanwhile', async () => {
    const [draft, judge] = [drawn(), new MapJudge()]
    verdicts = [found(40, 2), found(100, 0)]
    const done = judge.mendUntilUsual(draft)
    draft.setCost('bonn ulm', 5)
    await done
    expect([cost(draft.file()), verdicts.length, judge.running]).toEqual([5, 1, false])
  })

  test('may be mended once, by hand', async () => {
    const [draft, judge] = [drawn(), new MapJudge()]
    verdicts = [found(100, 2)]
    await judge.begin(draft.file())
    expect(cost((await judge.mended(draft.file()))!)).toBe(22)
    expect(asked.at(-1)!.body.so_far).toEqual({ games: 100 })
    vi.stubGlobal('fetch', async () => json({ code: 'bad_map', message: 'No.', values: {} }, 400))
    expect([await judge.mended(draft.file()), judge.problem]).toEqual([null, 'No.'])
  })
})
