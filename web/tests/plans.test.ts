/** What has been chosen at a table but not played: which moves it comes to, and what is left of it when one is refused. */
import { beforeAll, describe, expect, it } from 'vitest'
import { BoardDraft } from '../src/lib/games/board/draft.svelte'
import { CardDraft } from '../src/lib/games/cardgame/draft.svelte'
import { OutpostDraft } from '../src/lib/games/outpost/draft.svelte'
import type {
  BoardView,
  CardGameView,
  FromServer,
  Legal,
  OutpostView,
  Preview,
  ToServer,
} from '../src/lib/net/protocol'
import { Table } from '../src/lib/net/table.svelte'
import { speak } from '../src/texts/messages'

beforeAll(() => speak('en'))

/** A table at which this can be decided, and the answers to its previews. */
function sit<V>(legal: Legal[], view: object = {}) {
  const sent: ToServer[] = []
  let receive: (message: FromServer) => void = () => undefined
  const send = (message: ToServer) => sent.push(message) > 0
  const table = new Table('t', (onMessage) => {
    receive = onMessage
    return { send, ask: send, restart: () => undefined, close: () => undefined }
  })
  const shown = { names: ['Ann', 'Bob'], players: [{ seat: 0 }, { seat: 1 }], ...view }
  receive({
    ...{ type: 'state', table: { seats: [], status: 'running' }, seq: 1, you: 0, view: shown, legal },
    ...{ log_from: 0, log: [], setup: null, clocks: null, undo_to: null, max_bids: {} },
  } as never)
  const preview = (moves: string[], answer: object) => {
    table.askPreview(moves)
    const ref = sent.at(-1)!.ref
    receive({ type: 'preview', seq: 1, ref, view: shown, legal: [], cost: 0, looks: [], moves: [], ...answer } as never)
  }
  return { table: table as unknown as Table<V & never>, preview }
}
const REFUSED = { code: 'no_money', message: '', rule: null, values: {} }
/** What the server says of a plan with a move that does not go with the others. */
const refusing = (move: string) => ({ refused: { ...REFUSED, move } }) as never

describe('on a board', () => {
  class Draft extends BoardDraft {
    refuse = (move: string) => this.onPreview(refusing(move))
    see = (preview: object) => this.onPreview(preview as Preview<BoardView>)
  }
  const plan = (legal: Legal[], view: object = {}) => {
    const { table, preview } = sit<BoardView>(legal, view)
    return { table, preview, draft: new Draft(table) }
  }
  const BUILD = [
    { move: 'build ulm', cost: 12 },
    { move: 'build bonn', cost: 15 },
    { move: 'start kiel', cost: 10 },
    { move: 'build kiel', cost: 31 },
    { move: 'done' },
  ]
  const building = () => plan(BUILD, { phase: 'building', connect: { ulm: 1 } })

  it('builds in the order in which cities are pressed, and not where one is pressed again', () => {
    const { draft } = building()
    for (const city of ['bonn', 'ulm']) draft.toggleCity(city)
    expect([draft.planned, draft.cost]).toEqual([['build bonn', 'build ulm'], 27])
    draft.toggleCity('bonn')
    expect([draft.planned, draft.cost]).toEqual([['build ulm'], 12])
    draft.forgetPlan()
    expect([draft.planned, draft.cost]).toEqual([[], 0])
  })

  it('asks first where a city can be connected or start a network', () => {
    const { draft } = building()
    expect([draft.routesTo('ulm'), draft.routesTo('kiel')]).toEqual([{ build: 12 }, { build: 31, start: 10 }])
    draft.toggleCity('kiel')
    expect([draft.undecided, draft.planned]).toEqual(['kiel', []])
    draft.toggleCity('kiel')
    expect(draft.undecided).toBeNull()
    draft.toggleCity('kiel')
    draft.add('kiel', true)
    draft.add('ulm')
    expect([draft.undecided, draft.planned]).toEqual([null, ['start kiel', 'build ulm']])
    draft.toggleCity('kiel')
    draft.add('kiel')
    expect(draft.planned).toEqual(['build ulm', 'build kiel'])
  })

  it('costs what the server says, as soon as it does, and then offers what it offers', () => {
    const { draft, preview } = building()
    draft.add('ulm')
    preview(draft.planned, { cost: 14, legal: [{ move: 'build bonn', cost: 9 }] })
    expect([draft.cost, draft.further.build]).toEqual([14, { bonn: 9 }])
    draft.table.askPreview(['build bonn'])
    expect(draft.cost).toBe(12)
  })

  it('plans cities ahead as long as they can be reached', () => {
    const view = { phase: 'fuel', connect: { ulm: 1, bonn: 2 }, start: { kiel: 3, jena: 4 } }
    const { draft } = plan([{ move: 'done' }], view)
    expect([draft.isBuilding, draft.routesTo('kiel')]).toEqual([false, { start: 3 }])
    for (const city of ['ulm', 'bonn', 'ulm', 'rome']) draft.toggleCity(city)
    expect([draft.ahead, draft.plan]).toEqual([['bonn'], []])
    draft.toggleCity('kiel')
    draft.add('kiel', true)
    expect([draft.ahead, draft.routesTo('jena')]).toEqual([['bonn', 'kiel'], {}])
    draft.forgetPlan()
    expect(draft.ahead).toEqual(['bonn', 'kiel'])
    draft.forgetAhead()
    expect([draft.ahead, draft.newNetworks]).toEqual([[], []])
  })

  it('buys so many tokens, and no more at once than a turn allows', () => {
    const legal = [1, 2, 3].map((count) => ({ move: `buy coal ${count}`, cost: 2 * count }))
    const { draft } = plan(legal, { phase: 'fuel' })
    expect([draft.most('coal'), draft.most('oil'), draft.planned]).toEqual([3, 0, ['look']])
    draft.doubt = 'done'
    draft.fill('coal', 3)
    draft.fill('oil', -1)
    expect([draft.planned, draft.basket, draft.doubt, draft.cost]).toEqual([
      ...[['buy coal 3'], { coal: 3, oil: 0 }],
      ...[null, 6],
    ])
    expect(draft.most('coal')).toBe(6) // until the server has been asked
    const { draft: slow } = plan(legal, { phase: 'fuel', tokens_a_turn: 2 })
    slow.fill('coal', 3)
    expect(slow.planned).toEqual(['buy coal 2', 'buy coal 1'])
  })

  it('runs what is usual unless something else was chosen', () => {
    const { draft } = plan([{ move: 'run 4:coal' }, { move: 'run nothing' }], { phase: 'bureaucracy' })
    expect(draft.planned).toEqual(['usual run'])
    draft.run = draft.choices.run[1]!
    expect(draft.planned).toEqual(['run nothing'])
  })

  it('loses only what is refused, and says why', () => {
    const { draft, table } = plan([...BUILD, { move: 'buy coal 1' }], { phase: 'building', connect: {} })
    draft.see({ refused: null })
    expect(table.refusal).toBeNull()
    draft.add('kiel', true)
    for (const city of ['ulm', 'bonn']) draft.add(city)
    draft.fill('coal', 2)
    draft.refuse('build ulm')
    expect(table.refusal).toEqual({ ...REFUSED, move: 'build ulm', type: 'refused', ref: null })
    expect(draft.planned).toEqual(['buy coal 2', 'start kiel', 'build bonn'])
    draft.refuse('start kiel')
    draft.refuse('buy coal 2')
    expect(draft.planned).toEqual(['buy coal 1', 'build bonn'])
    draft.clear()
    expect([draft.planned, draft.basket]).toEqual([[], {}])
  })

  it('bids at least what a card costs', () => {
    const { draft } = plan([{ move: 'nominate 4 @5', to: 50 }], { phase: 'auction' })
    draft.chooseCard('4')
    expect([draft.card, draft.amount]).toEqual(['4', 5])
    draft.chooseCard('9')
    expect([draft.card, draft.amount]).toEqual(['9', 0])
    draft.clear()
    expect(draft.card).toBeNull()
  })
})

describe('in the Card Game', () => {
  class Draft extends CardDraft {
    refuse = (move: string) => this.onPreview(refusing(move))
  }
  const plan = (legal: Legal[], view: object = {}) => {
    const { table, preview } = sit<CardGameView>(legal, view)
    return { preview, draft: new Draft(table) }
  }
  const coal = { fuel: 'coal', units: 3, column: 2 }
  const oil = { fuel: 'oil', units: 1, column: 4 }
  const LEGAL = [{ move: 'buy coal 3 from 2', cost: 2 }, { move: 'done' }]

  it('buys the cards in the basket, of which some units may be left over', () => {
    const { draft, preview } = plan(LEGAL, { phase: 'fuel' })
    expect([draft.planned, draft.fits(coal), draft.fits(oil)]).toEqual([['look'], true, false])
    draft.doubt = 'done'
    draft.fill([coal, oil])
    expect([draft.planned, draft.doubt, draft.kept]).toEqual([['buy coal 3 from 2', 'buy oil 1 from 4'], null, [3, 1]])
    const surplus = { what: 'surplus', fuel: 'coal', count: 2 }
    preview(draft.planned, {
      moves: [{ move: 'buy coal 3 from 2', events: [surplus] }],
      legal: [{ move: 'buy oil 1 from 4' }],
    })
    expect([draft.kept, draft.fits(coal), draft.fits(oil)]).toEqual([[1, 1], false, true])
    draft.refuse('buy coal 3 from 2')
    expect(draft.basket).toEqual([oil])
    draft.clear()
    expect(draft.basket).toEqual([])
  })

  it('asks for nothing in other phases, and runs what is usual', () => {
    expect(plan(LEGAL, { phase: 'auction' }).draft.planned).toEqual([])
    const { draft } = plan([{ move: 'run 4' }, { move: 'run nothing' }], { phase: 'fuel' })
    expect(draft.planned).toEqual(['usual run'])
    draft.run = draft.runs[0]!
    expect(draft.planned).toEqual(['run 4'])
    draft.clear()
    expect(draft.planned).toEqual(['usual run'])
  })
})

describe('on the planet', () => {
  class Draft extends OutpostDraft {
    refuse = (move: string) => this.onPreview(refusing(move))
  }
  const plan = (view: object = {}, legal: Legal[] = [{ move: 'done' }]) => {
    const { table, preview } = sit<OutpostView>(legal, { phase: 'company', choices: [], outcome: null, ...view })
    return { preview, draft: new Draft(table) }
  }

  it.each<[string, object, Legal[] | undefined, boolean]>([
    ['my turn', {}, undefined, true],
    ['in another phase', { phase: 'auction' }, undefined, false],
    ['before a choice', { choices: ['c1'] }, undefined, false],
    ['at the end', { outcome: { ranking: [[0]] } }, undefined, false],
    ['while others decide', {}, [], false],
  ])('is planned in a turn of my company: %s', (_, view, legal, mine) => {
    const { draft } = plan(view, legal)
    expect([draft.isMine, draft.planned.length > 0, draft.turn]).toEqual([mine, mine, null])
  })

  it('builds, settles, places, hires and makes a robot', () => {
    const { draft, preview } = plan()
    draft.toggleBuilding({ piece: 'plant', city: 'c1' })
    draft.toggleBuilding({ piece: 'station', city: 'c2' })
    draft.toggleBuilding({ piece: 'plant', city: 'c1' })
    draft.toggleSettling({ piece: 'habitat', card: '31' })
    draft.swapping = '5'
    draft.place(['place 8'])
    draft.hire(2)
    draft.makeRobot(false)
    expect(draft.swapping).toBeNull()
    expect(draft.planned).toEqual([
      ...['build station c2', 'settle habitat 31', 'look', 'place 8', 'look', 'look', 'usual done'],
    ])
    preview(draft.planned, { looks: [[], [{ move: 'hire 2', cost: 5 }], []], cost: 9 })
    expect(draft.planned).toContain('hire 2')
    expect(draft.turn).toMatchObject({ cost: 9, hires: new Map([[2, 5]]), me: { seat: 0 } })
    draft.toggleSettling({ piece: 'habitat', card: '31' })
    draft.hire(3)
    draft.refuse('hire 2')
    expect(draft.turnPlan).toEqual({
      ...{ builds: ['build station c2'], settled: [], placed: ['place 8'], hired: 3, robot: false },
    })
    for (const move of ['build station c2', 'place 8', 'hire 3']) draft.refuse(move)
    expect(draft.turnPlan).toEqual({ builds: [], settled: [], placed: [], hired: null, robot: false })
    draft.city = 'c1'
    draft.powered = 2
    draft.clear()
    expect([draft.turnPlan.robot, draft.turnPlan.placed, draft.city, draft.powered]).toEqual([true, null, null, null])
    draft.refuse('place 8')
    expect(draft.turnPlan.placed).toBeNull()
  })
})
