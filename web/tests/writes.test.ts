import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { api, Problem } from '../src/lib/net/api'
import type { FromServer, NewTable, State, ToServer } from '../src/lib/net/protocol'
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
  let receive: (message: FromServer) => void = () => undefined
  let link: (link: ConnectionState) => void = () => undefined
  const send = (message: ToServer) => sent.push(message) > 0
  const table = new Table('t', (onMessage, onLink) => {
    receive = onMessage
    link = onLink
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
