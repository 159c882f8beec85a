/** A game that is viewed move by move: where one is, what is fetched, and what was found in it. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { familyOf } from '../src/lib/games'
import { api, Problem } from '../src/lib/net/api'
import type { AnalysisInfo, GameLog, Position, Row, State } from '../src/lib/net/protocol'
import { Replay } from '../src/lib/replay/game.svelte'
import { speak } from '../src/texts/messages'

const row = (round: number, phase: string) => ({ round, phase, seat: 0, move: 'pass', events: [], by: 'bot' }) as Row
const ROWS = [
  row(1, 'auction'),
  row(1, 'auction'),
  row(1, 'fuel'),
  row(2, 'auction'),
  row(2, 'building'),
  row(3, 'auction'),
]
const seats = [
  { seat: 0, name: 'Ann', mine: false },
  { seat: 1, name: 'Bob', mine: true },
]
const running = (done: number): AnalysisInfo => ({ status: 'running', done, found: null })
const decision = (move: number, seat: number, best: string) => ({ move, seat, played: 'pass', best })
const FOUND = {
  status: 'done',
  done: 6,
  found: { decisions: [decision(2, 1, 'bid 9'), decision(3, 1, 'pass'), decision(5, 0, 'build ulm')] },
} as unknown as AnalysisInfo

let asked: number[] = []
let fail: Problem | null = null

beforeAll(() => Promise.all([speak('en'), familyOf('plain')]))
beforeEach(() => {
  vi.useFakeTimers()
  asked = []
  fail = null
  vi.spyOn(api, 'log').mockResolvedValue({ rows: ROWS, setup: [], unread: 'not all' } as unknown as GameLog)
  vi.spyOn(api, 'at').mockImplementation(async (_, n) => {
    asked.push(n)
    if (fail) throw fail
    return { view: { names: ['Ann', 'Bob'], round: n } } as unknown as Position
  })
  vi.spyOn(api, 'analysis').mockResolvedValue({ status: 'none', done: 0, found: null })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** The replay of a game, loaded. */
async function open(start: number | null = 3, status = 'running') {
  const table = { family: 'plain', status, seats } as unknown as State['table']
  vi.spyOn(api, 'table').mockResolvedValue({ table } as State)
  const replay = new Replay('t', start)
  await vi.waitFor(() => expect(replay.view).not.toBeNull())
  return replay
}
const passed = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

it('opens where it is asked to, or else at the end', async () => {
  const replay = await open(3)
  expect([replay.at, replay.view!.round, replay.unread, replay.problem, replay.missing]).toEqual([
    ...[3, 3, 'not all'],
    ...['', false],
  ])
  expect((await open(null)).at).toBe(6)
  expect((await open(0)).at).toBe(0)
})

it('stays within the game, and fetches what is next, once', async () => {
  const replay = await open(3)
  expect(asked).toEqual([3, 4, 5, 2])
  await replay.go(4)
  expect(asked.slice(4)).toEqual([6])
  await replay.go(9)
  expect([replay.at, asked.length]).toEqual([6, 5])
  await replay.go(-2)
  expect([replay.at, asked.slice(5)]).toEqual([0, [0, 1]])
})

it('goes from round to round', async () => {
  const replay = await open(4)
  const at = (go: () => void) => {
    go()
    return replay.at
  }
  const next = () => replay.round(1)
  const back = () => replay.round(-1)
  expect([back, back, back, next, next, next, back].map(at)).toEqual([3, 0, 0, 3, 5, 6, 5])
  expect([2, 1, 7].map((round) => at(() => replay.toRound(round)))).toEqual([3, 0, 0])
})

it('plays by itself to the end, from the beginning once it is there, at its speed', async () => {
  const replay = await open(4)
  replay.speed = 2
  replay.toggle()
  await passed(440)
  expect([replay.at, replay.playing]).toEqual([4, true])
  await passed(20)
  expect([replay.at, replay.playing]).toEqual([5, true])
  await passed(450)
  expect([replay.at, replay.playing]).toEqual([6, false])
  replay.toggle()
  expect([replay.at, replay.playing]).toEqual([0, true])
  await passed(450)
  replay.toggle()
  await passed(2_000)
  expect([replay.at, replay.playing]).toEqual([1, false])
  replay.toggle()
  replay.stop()
  await passed(2_000)
  expect([replay.at, replay.playing]).toEqual([1, false])
})

it('plays no faster, and no further, when it is stopped while a position is on its way', async () => {
  const replay = await open(0)
  const arrive: (() => void)[] = []
  vi.mocked(api.at).mockImplementation(
    (_, n) => new Promise((go) => arrive.push(() => go({ view: { names: [], round: n } } as unknown as Position))),
  )
  await replay.go(2) // that and what is near is known
  replay.toggle()
  await passed(900)
  expect([replay.at, replay.view!.round]).toEqual([3, 2])
  replay.toggle()
  replay.toggle()
  for (const each of arrive) each()
  await passed(900)
  expect(replay.at).toBe(4)
  replay.toggle()
  for (const each of arrive) each()
  await passed(2_000)
  expect(replay.at).toBe(4)
})

it('says why a position does not come, and asks for it again', async () => {
  const replay = await open(0)
  fail = new Problem('offline', '')
  await replay.go(5)
  expect([replay.at, replay.view!.round, replay.problem]).toEqual([5, 0, 'The server does not answer.'])
  fail = null
  await replay.go(5)
  expect(replay.view!.round).toBe(5)
})

it.each([
  ['not_found', true],
  ['offline', false],
])('says why the game does not come: %s', async (code, missing) => {
  vi.spyOn(api, 'table').mockRejectedValue(new Problem(code, 'why'))
  const replay = new Replay('t', null)
  await vi.waitFor(() => expect(replay.problem).not.toBe(''))
  expect(replay.missing).toBe(missing)
})

describe('an analysis', () => {
  it.each([
    ['finished', true, 1],
    ['broken', true, 1],
    ['running', false, 0],
  ])('that there is already is shown of a game that is %s', async (status, over, times) => {
    const replay = await open(null, status)
    await passed(0)
    expect([replay.over, vi.mocked(api.analysis).mock.calls.length]).toEqual([over, times])
  })

  it('is asked for, waited for, and shows what would have been better, mine apart', async () => {
    const analyse = vi.spyOn(api, 'analyse').mockResolvedValue(running(1))
    vi.mocked(api.analysis).mockResolvedValueOnce(running(4)).mockResolvedValueOnce(FOUND)
    const replay = await open(2)
    void replay.analyse()
    await passed(999)
    expect([analyse.mock.calls, replay.analysis.done, replay.mistakes]).toEqual([[['t']], 1, []])
    await passed(1)
    expect(replay.analysis.done).toBe(4)
    await passed(1_000)
    expect(replay.mistakes.map(({ move }) => move)).toEqual([2, 5])
    expect(replay.myMistakes.map(({ move }) => move)).toEqual([2])
    expect(replay.mistake?.best).toBe('bid 9')
    await replay.go(3)
    expect(replay.mistake).toBeUndefined()
    await passed(5_000)
    expect(api.analysis).toHaveBeenCalledTimes(2)
  })

  it('is waited for only as long as somebody looks, and may be refused', async () => {
    const analyse = vi.spyOn(api, 'analyse').mockRejectedValueOnce(new Problem('offline', ''))
    const replay = await open()
    await replay.analyse()
    expect(replay.refusal).toBe('The server does not answer.')
    analyse.mockResolvedValue(running(1))
    vi.mocked(api.analysis).mockResolvedValue(running(2))
    void replay.analyse()
    expect(replay.refusal).toBe('')
    await passed(1_000)
    replay.stop()
    await passed(5_000)
    expect(api.analysis).toHaveBeenCalledTimes(2)
  })
})

it('draws its charts from the end of every round, once', async () => {
  const replay = await open(0)
  const charts = vi.fn(() => [{} as never])
  replay.family = { charts } as never
  await replay.draw()
  await replay.draw()
  expect(replay.rounds).toEqual([1, 2, 3])
  const [views, rows] = charts.mock.calls[0] as unknown as [{ round: number }[], Row[]]
  expect([views.map(({ round }) => round), rows, charts.mock.calls.length]).toEqual([[3, 5, 6], ROWS, 1])
})
