/** Plans while a table goes on: what is asked of the server for them, and until when they are kept. */
import { flushSync } from 'svelte'
import { afterEach, describe, expect, it } from 'vitest'
import { BoardDraft } from '../../src/lib/games/board/draft.svelte'
import type { BoardView, FromServer, ToServer } from '../../src/lib/net/protocol'
import type { ConnectionState } from '../../src/lib/net/socket'
import { Table } from '../../src/lib/net/table.svelte'

let end = () => {}
afterEach(() => end())

const BUILD = ['build ulm', 'build bonn', 'start kiel', 'build kiel', 'done']
const AHEAD = { phase: 'fuel', connect: { ulm: 1, bonn: 2 } }

/** A plan at a table, and what is asked for it. */
function sit(view: object, ...moves: string[]) {
  const sent: Extract<ToServer, { type: 'preview' }>[] = []
  let receive: (message: FromServer) => void = () => undefined
  let link: (link: ConnectionState) => void = () => undefined
  const send = (message: ToServer) => sent.push(message as never) > 0
  const table = new Table<BoardView>('t', (onMessage, onLink) => {
    receive = onMessage
    link = onLink
    return { send, ask: send, restart: () => undefined, close: () => undefined }
  })
  const doing = <Value>(act: () => Value) => {
    const value = act()
    flushSync()
    return value
  }
  let shown = {}
  const state = (seq: number, view: object, moves: string[], more: object = {}) =>
    doing(() => {
      shown = { names: ['Ann', 'Bob'], round: 1, to_move: 0, auction: { card: null }, ...view }
      receive({
        ...{ type: 'state', table: { seats: [], status: 'running' }, seq, you: 0, view: shown },
        ...{ legal: moves.map((move) => ({ move })), log_from: 0, log: [], setup: null, clocks: null },
        ...{ undo_to: null, max_bids: {}, ...more },
      } as never)
    })
  /** What was asked since, and the answer to the last of it. */
  const asked = (ahead = false) => sent.filter((each) => each.ahead === ahead).map((each) => each.moves)
  const answer = (more: object) =>
    doing(() => receive({ type: 'preview', seq: table.seq, ref: sent.at(-1)!.ref, view: shown, ...more } as never))
  const refuse = (move: string) => answer({ refused: { code: 'no', message: '', rule: null, values: {}, move } })
  link('open')
  state(1, view, moves)
  let draft!: BoardDraft
  end = $effect.root(() => {
    draft = new BoardDraft(table)
  })
  flushSync()
  return {
    table,
    draft,
    sent,
    doing,
    state,
    asked,
    answer,
    refuse,
    link: (is: ConnectionState) => doing(() => link(is)),
  }
}

describe('a plan', () => {
  it('is asked about whenever it changes, once', () => {
    const { draft, asked, doing, answer } = sit({ phase: 'building' }, ...BUILD)
    expect(asked()).toEqual([])
    doing(() => draft.add('ulm'))
    answer({ legal: [], cost: 4 })
    expect([asked(), draft.cost]).toEqual([[['build ulm']], 4])
    doing(() => draft.add('bonn'))
    expect(asked()).toEqual([['build ulm'], ['build ulm', 'build bonn']])
  })

  it('is asked about again in another position, and with another connection', () => {
    const { draft, asked, answer, doing, state, link } = sit({ phase: 'building' }, ...BUILD)
    doing(() => draft.add('ulm'))
    link('lost')
    expect(asked()).toHaveLength(1)
    link('open')
    expect(asked()).toHaveLength(2)
    answer({ legal: [] })
    state(2, { phase: 'building' }, BUILD)
    expect(asked()).toEqual(Array(3).fill(['build ulm']))
  })

  it('is not asked about while a decision is on its way', () => {
    const { table, draft, asked, doing, state } = sit({ phase: 'building' }, ...BUILD)
    doing(() => table.play('build bonn'))
    doing(() => draft.add('ulm'))
    expect(asked()).toEqual([])
    state(2, { phase: 'building' }, BUILD)
    expect(asked()).toEqual([['build ulm']])
  })

  it('loses what is refused', () => {
    const { table, draft, asked, doing, refuse } = sit({ phase: 'building' }, ...BUILD)
    doing(() => draft.add('ulm'))
    doing(() => draft.add('bonn'))
    refuse('build ulm')
    refuse('build ulm')
    expect([draft.plan, table.refusal?.code, asked().at(-1)]).toEqual([['bonn'], 'no', ['build bonn']])
  })

  it.each<[string, object, string[]]>([
    ['round', { phase: 'building', round: 2 }, BUILD],
    ['phase', { phase: 'fuel' }, BUILD],
    ['player', { phase: 'building', to_move: 1 }, BUILD],
    ['card', { phase: 'building', auction: { card: '5' } }, BUILD],
    ['decision of others', { phase: 'building' }, []],
  ])('is forgotten with the next %s', (_, view, moves) => {
    const { draft, doing, state } = sit({ phase: 'building' }, ...BUILD)
    doing(() => draft.add('ulm'))
    state(2, { phase: 'building' }, BUILD)
    expect(draft.plan).toEqual(['ulm'])
    state(3, view, moves)
    expect(draft.plan).toEqual([])
  })
})

describe('a plan ahead', () => {
  const plan = () => {
    const here = sit(AHEAD, 'done')
    here.doing(() => here.draft.toggleCity('ulm'))
    here.doing(() => here.draft.toggleCity('bonn'))
    return here
  }

  it('is asked about as if it were time to build, and begins the plan when it is', () => {
    const { draft, asked, state } = plan()
    expect(asked(true).at(0)).toEqual(['build ulm'])
    state(2, { ...AHEAD, phase: 'building' }, BUILD)
    expect([draft.plan, draft.ahead]).toEqual([['ulm', 'bonn'], []])
    expect(asked().at(-1)).toEqual(['build ulm', 'build bonn'])
  })

  it('is kept while others decide, and while a city is chosen before the first round', () => {
    const { draft, state } = plan()
    state(2, { ...AHEAD, round: 2 }, [])
    state(3, { ...AHEAD, phase: 'building' }, ['place ulm'])
    expect([draft.ahead, draft.plan]).toEqual([['ulm', 'bonn'], []])
  })

  it('loses what is refused, and is for one seat', () => {
    const { draft, asked, refuse, state } = plan()
    refuse('build ulm')
    refuse('build bonn')
    expect([draft.ahead, asked(true).at(-1)]).toEqual([['ulm'], ['build ulm']])
    state(2, AHEAD, ['done'], { you: 1 })
    expect(draft.ahead).toEqual([])
  })

  it('is not asked about without a connection', () => {
    const { draft, asked, doing, link } = plan()
    link('lost')
    const before = asked(true).length
    doing(() => draft.toggleCity('bonn'))
    expect(asked(true)).toHaveLength(before)
    link('open')
    expect(asked(true).at(-1)).toEqual(['build ulm'])
  })
})
