import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { api, Problem } from '../src/lib/net/api'
import type { FromServer, NewTable, Row, State, ToServer } from '../src/lib/net/protocol'
import type { ConnectionState } from '../src/lib/net/socket'
import { Table } from '../src/lib/net/table.svelte'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const state = (seq: number, fields: Partial<State> = {}) =>
  ({
    type: 'state',
    table: { seats: [], status: 'running' },
    seq,
    you: 0,
    view: null,
    legal: [{ move: 'pass' }],
    log_from: 0,
    log: [],
    setup: null,
    clocks: null,
    undo_to: null,
    max_bids: {},
    ...fields,
  }) as unknown as State

/** A table, what it sends, and what it is made to receive. */
function sit() {
  const sent: ToServer[] = []
  let isOpen = true
  let receive: (message: FromServer) => void = () => undefined
  let link: (link: ConnectionState) => void = () => undefined
  const send = (message: ToServer) => isOpen && sent.push(message) > 0
  const table = new Table('t', (onMessage, onLink) => {
    receive = onMessage
    link = (now) => {
      isOpen = now === 'open'
      onLink(now)
    }
    return { send, ask: send, restart: () => undefined, close: () => undefined }
  })
  link('open')
  receive(state(1))
  return {
    table,
    sent,
    receive,
    link,
    error: (code: string) => receive({ type: 'error', code, message: '', values: {}, ref: sent.at(-1)!.ref! }),
  }
}

it('repeats a move by the same name after a break, though the game went on', () => {
  const { table, sent, receive, link } = sit()
  table.play('pass')
  link('lost')
  link('open')
  receive(state(2)) // perhaps by this move, perhaps by another
  expect(sent).toHaveLength(2)
  expect(sent[1]).toEqual(sent[0])
  expect(table.waiting).toBe(true)
  receive({ type: 'done', ref: sent[0]!.ref! })
  expect(table.waiting).toBe(false)
  expect(table.refusal).toBeNull()
})

it('says that nothing is known yet, and asks again until something is', () => {
  const { table, sent, receive, error } = sit()
  table.maxBid('5', 9)
  error('not_known')
  expect(table.refusal?.code).toBe('not_known')
  expect(table.waiting).toBe(true)
  receive(state(2)) // which does not show whether it was kept
  vi.advanceTimersByTime(2_000)
  expect(sent).toHaveLength(2)
  expect(sent[1]).toEqual(sent[0])
  receive({ type: 'done', ref: sent[0]!.ref! })
  expect(table.refusal).toBeNull()
  expect(table.waiting).toBe(false)
})

it('does not take the next state for an answer once nothing is known', () => {
  const { table, sent, receive, error } = sit()
  table.play('pass')
  error('not_known')
  receive(state(2))
  expect(table.waiting).toBe(true)
  vi.advanceTimersByTime(2_000)
  expect(sent[1]).toEqual(sent[0])
  receive({ type: 'refused', code: 'stale', message: '', rule: null, values: {}, ref: sent[0]!.ref! })
  expect(table.refusal?.code).toBe('stale')
  expect(table.waiting).toBe(false)
})

it('takes it for refused when the server says that it was not kept', () => {
  const { table, sent, error } = sit()
  table.maxBid('5', 9)
  error('no_store')
  expect(table.refusal?.code).toBe('no_store')
  expect(table.waiting).toBe(false)
  vi.advanceTimersByTime(10_000)
  expect(sent).toHaveLength(1)
})

it('says nothing twice to the others', () => {
  const { table, sent, receive, link, error } = sit()
  table.say('hello')
  link('lost')
  link('open')
  expect(sent).toHaveLength(2)
  expect(sent[1]).toEqual(sent[0])
  error('not_known')
  vi.advanceTimersByTime(2_000)
  expect(sent[2]).toEqual(sent[0])
  receive({ type: 'done', ref: sent[0]!.ref! })
  link('lost')
  link('open')
  expect(sent).toHaveLength(3)
  table.say('hello')
  expect(sent[3]!.ref).not.toBe(sent[0]!.ref)
})

/** A server that gives these answers one after the other. */
function serve(...answers: ((ref: string) => Response | null)[]) {
  const refs: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    refs.push(new URL(path, 'http://x').searchParams.get('ref')!)
    const answer = answers[Math.min(refs.length, answers.length) - 1]!(refs.at(-1)!)
    if (!answer) throw new TypeError('cut')
    return answer
  })
  return refs
}
const problem = (status: number, code: string, ref: string | null) =>
  Response.json({ code, message: '', values: {}, ref }, { status })
const cut = () => null
const made = () => new Response('{"id": "made"}', { status: 201 })
const TABLE = { rulebook: 'classic', seats: [] } as unknown as NewTable

it('makes one table, however often it has to ask', async () => {
  const refs = serve(
    cut,
    (ref) => problem(503, 'not_known', ref),
    () => problem(503, 'no_store', null),
    made,
  )
  const answer = api.newTable(TABLE)
  await vi.advanceTimersByTimeAsync(20_000)
  expect((await answer).id).toBe('made')
  expect(refs).toHaveLength(4)
  expect(new Set(refs).size).toBe(1)
})

it('asks by the same name again where nothing became known', async () => {
  const refs = serve((ref) => problem(503, 'not_known', ref))
  const failed = api.newTable(TABLE).catch((error: Problem) => error.code)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await failed).toBe('not_known')
  const again = serve(made)
  await api.newTable(TABLE)
  expect(again[0]).toBe(refs[0])
  await api.newTable(TABLE) // that is another one
  expect(again[1]).not.toBe(refs[0])
})

it('does not repeat what was refused', async () => {
  const refs = serve((ref) => problem(503, 'no_store', ref))
  await expect(api.join('t', null)).rejects.toThrow(Problem)
  expect(refs).toHaveLength(1)
})

it('waits for a hint until it comes, fails, or is about a position that has passed', () => {
  const { table, receive, link, error } = sit()
  const hint = () => receive({ type: 'hint', seq: table.seq } as FromServer)
  for (const end of [hint, () => receive(state(2)), () => error('no_bot'), () => link('lost')]) {
    table.askHint()
    expect(table.isHinting).toBe(true)
    end()
    expect(table.isHinting).toBe(false)
  }
})

const REF = expect.any(String)
const legal = (...moves: string[]) => ({ legal: moves.map((move) => ({ move })) })
const refused = (code: string) =>
  ({ type: 'refused', code, message: '', rule: null, values: {}, ref: 'any' }) as FromServer

it('plays moves one after the other, each in the position after the one before', () => {
  const { table, sent, receive } = sit()
  table.play()
  expect([sent, table.waiting]).toEqual([[], false])
  table.play('buy coal 1', 'buy oil 1', 'done')
  table.play('pass')
  receive(state(2))
  receive(state(3, legal('done')))
  expect(sent).toEqual([
    { type: 'move', seq: 1, move: 'buy coal 1', ref: REF },
    { type: 'move', seq: 2, move: 'buy oil 1', ref: REF },
    { type: 'move', seq: 3, move: 'done', ref: REF },
  ])
  receive(state(4))
  expect([sent.length, table.waiting]).toEqual([3, false])
})

it.each<[string, Parameters<typeof state>[1], string]>([
  ['it is refused', {}, 'buy oil 1'],
  ['nothing can be decided', { legal: [] }, 'buy oil 1'],
  ['I have another seat', { you: 1 }, 'buy oil 1'],
  ['the server has ended the turn', legal('pass'), 'done'],
])('plays no further where %s', (why, fields, next) => {
  const { table, sent, receive } = sit()
  table.play('buy coal 1', next)
  if (why === 'it is refused') receive(refused('no_money'))
  receive(state(2, fields))
  receive(state(3, legal('done')))
  expect([sent.length, table.waiting]).toEqual([1, false])
})

it('takes back what can be taken back, and not while an answer is awaited', () => {
  const { table, sent, receive } = sit()
  table.undo()
  expect(sent).toEqual([])
  receive(state(2, { undo_to: 0 }))
  table.undo()
  table.undo()
  receive(state(3, { undo_to: 0 }))
  table.undo(1)
  expect(sent).toEqual([
    { type: 'undo', seq: 2, ref: REF },
    { type: 'undo', seq: 3, to: 1, ref: REF },
  ])
})

it('sends limits, passes ahead, lines and questions', () => {
  const { table, sent } = sit()
  table.maxBid('5', 9)
  table.maxBid('5', null)
  table.passOn('5')
  expect(table.say('hello')).toBe(true)
  table.askHint()
  table.askCoach()
  table.askAdvice()
  expect(sent).toEqual([
    { type: 'max_bid', card: '5', limit: 9, ref: REF },
    { type: 'max_bid', card: '5', limit: null, ref: REF },
    { type: 'pass_on', card: '5', ref: REF },
    { type: 'chat', text: 'hello', ref: REF },
    { type: 'hint' },
    { type: 'coach' },
    { type: 'hint', bot: 'engineer' },
  ])
})

it('says nothing, and waits for no hint, without a connection', () => {
  const { table, sent, link } = sit()
  expect(table.isCutOff).toBe(false)
  link('lost')
  table.askHint()
  expect([table.say('hello'), table.isHinting, table.isCutOff]).toEqual([false, false, true])
  link('open')
  expect([sent, table.isCutOff]).toEqual([[], false])
})

it('shows hints, advice and the coach for the position that they are about, and until the next', () => {
  const { table, receive } = sit()
  const hint = (seq: number, thinking = false) => receive({ type: 'hint', seq, thinking } as FromServer)
  const coach = (seq: number) => receive({ type: 'coach', seq } as FromServer)
  const shown = () => [table.hint, table.coached, table.advice].map((each) => each?.seq)
  hint(1) // nobody has asked
  coach(2)
  expect(shown()).toEqual([undefined, undefined, undefined])
  coach(1)
  table.askHint()
  hint(1, true)
  expect([shown(), table.isHinting]).toEqual([[1, 1, undefined], true])
  hint(1)
  table.askAdvice()
  expect([table.isHinting, table.advising]).toEqual([false, 1])
  hint(1)
  expect([shown(), table.advising]).toEqual([[1, 1, 1], null])
  receive(state(1))
  expect(shown()).toEqual([1, 1, 1])
  receive(state(2))
  expect(shown()).toEqual([undefined, undefined, undefined])
  table.askAdvice()
  hint(1) // too late
  expect([shown(), table.advising]).toEqual([[undefined, undefined, undefined], null])
  table.askHint()
  hint(2)
  coach(2)
  receive(refused('no_money'))
  table.dismiss()
  expect([shown(), table.refusal]).toEqual([[undefined, undefined, undefined], null])
})

it('shows each line once, and a line that was removed without its text', () => {
  const { table, receive } = sit()
  const say = (...lines: [number, string][]) =>
    receive({ type: 'chat', lines: lines.map(([n, text]) => ({ n, text })) } as FromServer)
  say([1, 'hello'], [2, 'rude'])
  say([2, ''], [3, 'well'])
  expect(table.chat.map(({ text }) => text)).toEqual(['hello', '', 'well'])
})

it.each([
  ['askPreview', 'previewed', false],
  ['askPreviewAhead', 'previewedAhead', true],
] as const)('shows what moves would lead to in this position: %s', (ask, shown, ahead) => {
  const { table, sent, receive } = sit()
  const answer = (seq: number) =>
    receive({ type: 'preview', seq, ref: sent.at(-1)!.ref, view: { names: [] }, cost: seq } as unknown as FromServer)
  table[ask](['build ulm'])
  expect(sent).toEqual([{ type: 'preview', seq: 1, moves: ['build ulm'], ahead, ref: expect.any(Number) }])
  answer(1)
  expect(table[shown]).toMatchObject({ cost: 1 })
  table[ask]([])
  expect([table[shown], sent.length]).toEqual([null, 1])
  table[ask](['build bonn'])
  receive(state(2))
  answer(1)
  expect(table[shown]).toBeNull()
})

const error = (code: string, ref: string | number | null, values: object = {}) =>
  ({ type: 'error', code, message: '', values, ref }) as FromServer

it('still waits for a decision when a line is not taken, and does not say that line again', () => {
  const { table, sent, receive, link } = sit()
  table.play('pass')
  table.say('rude')
  receive(error('muted', sent[1]!.ref!))
  expect([table.waiting, table.refusal?.code]).toEqual([true, 'muted'])
  link('lost')
  link('open')
  receive(state(1))
  expect(sent.map(({ type }) => type)).toEqual(['move', 'chat', 'move'])
})

it('waits no longer where something else failed, and repeats nothing', () => {
  const { table, sent, receive } = sit()
  table.say('hello')
  table.play('pass')
  receive(error('not_known', 'another'))
  expect([table.waiting, table.refusal?.code]).toEqual([false, 'not_known'])
  vi.advanceTimersByTime(10_000)
  expect(sent).toHaveLength(2)
})

it('asks later what it asked too fast, and says so of anything else', () => {
  const { table, sent, receive } = sit()
  const ask = [() => table.askPreview(['pass']), () => table.askPreviewAhead(['pass'])]
  for (const [n, preview] of ask.entries()) {
    sent.length = 0
    preview()
    receive(error('too_fast', null, { retry_after: 3 }))
    expect([sent.length, table.refusal]).toEqual([1, null])
    vi.advanceTimersByTime(3_000)
    expect(sent[1], `${n}`).toEqual(sent[0])
    receive({ type: 'preview', seq: 1, ref: sent[1]!.ref, view: { names: [] } } as unknown as FromServer)
  }
  receive(error('too_fast', null, { retry_after: 3 }))
  expect(table.refusal?.code).toBe('too_fast')
})

it('has the log as the server has it', () => {
  const { table, receive } = sit()
  const log = (...moves: string[]) => moves.map((move) => ({ move, events: [] }) as unknown as Row)
  expect([table.log, table.setup, table.chat]).toEqual([[], [], []])
  receive(state(2, { log: log('a', 'b'), setup: [{ what: 'order' } as never] }))
  receive(state(3, { log: log('c'), log_from: 1 }))
  expect(table.log.map(({ move }) => move)).toEqual(['a', 'c'])
  expect(table.setup).toHaveLength(1)
})

it('is timed while a clock runs and something can be decided', () => {
  const { table, receive } = sit()
  const timed = (fields: Parameters<typeof state>[1]) => {
    receive(state(2, fields))
    return [table.isTimed, table.isDue, table.myTurn]
  }
  const clocks = { left: [60], running: 0 } as never
  expect(timed({ clocks })).toEqual([true, true, true])
  expect(table.clocks).toEqual({ left: [60], running: 0, at: performance.now() })
  expect(timed({ clocks, legal: [] })).toEqual([false, false, false])
  expect(timed({})).toEqual([false, true, true])
  expect(table.clocks).toBeNull()
})

describe('a decision that is made without a connection', () => {
  const auction = (card: string) => ({ view: { names: [], auction: { card } } as never })
  const decided = (decide: (table: Table) => void) => {
    const here = sit()
    here.receive(state(1, auction('5')))
    here.link('lost')
    decide(here.table)
    expect([here.sent, here.table.waiting]).toEqual([[], true])
    return here
  }

  it.each<[string, (table: Table) => void, number, string, number]>([
    ['a move', (table) => table.play('pass'), 1, '5', 0],
    ['a move in another position', (table) => table.play('pass'), 2, '5', 0],
    ['a limit', (table) => table.maxBid('5', 9), 2, '5', 0],
    ['a limit for another card', (table) => table.maxBid('5', 9), 2, '6', 0],
    ['a move in another seat', (table) => table.play('pass'), 1, '5', 1],
  ])('is sent later if it still fits: %s', (what, decide, seq, card, you) => {
    const { table, sent, receive, link } = decided(decide)
    const fits = !what.includes('another')
    expect(table.unsent).toMatchObject({ ref: REF })
    link('open')
    receive(state(seq, { ...auction(card), you }))
    expect([sent.length, table.waiting, table.refusal?.code, table.unsent]).toEqual(
      fits ? [1, true, undefined, null] : [0, false, 'lapsed', null],
    )
  })

  it('can be dropped', () => {
    const { table, sent, receive, link } = decided((table) => table.play('pass'))
    table.drop()
    link('open')
    receive(state(1))
    expect([sent, table.unsent, table.waiting, table.refusal]).toEqual([[], null, false, null])
  })
})
