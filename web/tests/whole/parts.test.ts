/** Parts of pages by themselves, before and after an answer that is made by hand. */

import { type Component, createRawSnippet, flushSync, mount, unmount } from 'svelte'
import { afterEach, expect, it, vi } from 'vitest'
import AccountDialog from '../../src/lib/account/AccountDialog.svelte'
import { accountApi } from '../../src/lib/account/api'
import MailPage from '../../src/lib/account/MailPage.svelte'
import Notice from '../../src/lib/actions/Notice.svelte'
import Stepper from '../../src/lib/actions/Stepper.svelte'
import ChatPanel from '../../src/lib/log/ChatPanel.svelte'
import { MapDraft } from '../../src/lib/maker/draft.svelte'
import Inspector from '../../src/lib/maker/Inspector.svelte'
import MakerPage from '../../src/lib/maker/MakerPage.svelte'
import PublishPanel from '../../src/lib/maker/PublishPanel.svelte'
import { loadWords as mapWords } from '../../src/lib/maker/words'
import { api, Problem } from '../../src/lib/net/api'
import type { FromServer, LibraryMap, Me, TableInfo, ToServer } from '../../src/lib/net/protocol'
import { Table } from '../../src/lib/net/table.svelte'
import GameLine from '../../src/lib/replay/GameLine.svelte'
import Failed from '../../src/lib/table/Failed.svelte'
import Lobby from '../../src/lib/table/Lobby.svelte'
import Share from '../../src/lib/table/Share.svelte'
import TutorialPage from '../../src/lib/tutorial/TutorialPage.svelte'
import Dialog from '../../src/lib/ui/Dialog.svelte'
import Money from '../../src/lib/ui/Money.svelte'
import { words } from './page'

let shown: ReturnType<typeof mount> | undefined

afterEach(async () => {
  if (shown) await unmount(shown)
  shown = undefined
  vi.useRealTimers()
  vi.restoreAllMocks()
  localStorage.clear()
})

/** Shows one part, until the end of the test. */
const show = <Props extends object>(part: Component<Props>, props: Props) => {
  shown = mount(part as Component, { target: document.body, props })
  flushSync()
}
const OFFLINE = 'The server does not answer.'
/** Presses the first of these. */
const press = (what: string) => {
  document.querySelector<HTMLElement>(what)!.click()
  flushSync()
}
const pass = async (milliseconds: number) => {
  await vi.advanceTimersByTimeAsync(milliseconds)
  flushSync()
}

it('draws the line of a game once its first round has been judged', async () => {
  vi.useFakeTimers()
  const answers = [[], [[0.6], [0.4]]]
  vi.spyOn(api, 'line').mockImplementation(async () => {
    const curves = answers.shift()!
    return { names: ['Ann', 'Bob'], curves, turns: [], complete: !answers.length, over: false }
  })
  show(GameLine, { id: 'table' })
  await pass(299)
  expect([answers.length, words('div.line')]).toEqual([1, []])
  await pass(1)
  expect([answers.length, words('div.line')]).toEqual([0, [expect.stringMatching(/^Ann Bob .*Ann: 60Bob: 40$/)]])
})

it('says that a lesson is on its way, and why it does not come', async () => {
  let fail: (problem: Problem) => void = () => undefined
  vi.spyOn(api, 'me').mockRejectedValue(new Problem('offline', ''))
  vi.spyOn(api, 'games').mockReturnValue(new Promise((_, reject) => (fail = reject)))
  show(TutorialPage, { lesson: 'classic' })
  expect(words('p[role=status]')).toEqual(['Connecting…'])
  fail(new Problem('offline', ''))
  await vi.waitFor(() => expect(words('p[role=status]')).toEqual([OFFLINE]))
})

it('refuses to end a game that cannot go on, in words, until that succeeds', async () => {
  const end = vi
    .spyOn(api, 'end')
    .mockRejectedValueOnce(new Problem('offline', ''))
    .mockResolvedValue({} as TableInfo)
  const table = { id: 'broken', info: { host: true }, myTurn: true } as Table
  show(Failed, { table })
  expect(words('[role=alert]')).toEqual([])
  press('button')
  await vi.waitFor(() => expect(words('[role=alert]')).toEqual([OFFLINE]))
  press('button')
  expect(words('[role=alert]')).toEqual([])
  expect(end.mock.calls).toEqual([['broken'], ['broken']])
})

it('publishes a map, says which version it is, and why that failed before', async () => {
  await mapWords('en')
  vi.spyOn(api, 'library').mockResolvedValue({ maps: [] } as never)
  const draft = new MapDraft()
  draft.addCity([100, 100], 'green', 'Ulm')
  vi.spyOn(api, 'publish')
    .mockRejectedValueOnce(new Problem('offline', ''))
    .mockResolvedValue({ id: 'ulm', name: 'Ulm', version: 7 } as LibraryMap)
  show(PublishPanel, { draft })
  expect(words('[role=alert]')).toEqual([])
  press('button')
  await vi.waitFor(() => expect(words('[role=alert]')).toEqual([OFFLINE]))
  press('button')
  await vi.waitFor(() => expect(words('[role=status]')).toEqual([expect.stringContaining('7')]))
  expect(words('[role=alert]')).toEqual([])
  draft.rename('Another')
  flushSync()
  expect(words('[role=status]')).toEqual([])
})

it.each([
  ['confirm', 'Get e-mail when it is your turn?'],
  ['end', 'Get no more e-mail?'],
] as const)('does what the link in a mail is for: %s', async (kind, title) => {
  const confirm = vi.spyOn(accountApi, 'confirmMail').mockResolvedValue(undefined as never)
  const end = vi.spyOn(accountApi, 'endMailByKey').mockResolvedValue(undefined as never)
  const asked = kind === 'confirm' ? confirm : end
  vi.spyOn(api, 'me').mockReturnValue(new Promise(() => undefined))
  asked.mockRejectedValueOnce(new Problem('offline', ''))
  show(MailPage, { hash: `#${kind}=k3y` })
  await vi.waitFor(() => expect(words('h1')).toContain(title))
  press('.panel button')
  await vi.waitFor(() => expect(words('[role=alert]')).toEqual([OFFLINE]))
  press('.panel button')
  await vi.waitFor(() => expect(words('.panel [role=status]')).toHaveLength(1))
  expect(words('[role=alert]')).toEqual([])
  expect([confirm.mock.calls, end.mock.calls]).toEqual(
    kind === 'confirm' ? [Array(2).fill(['k3y']), []] : [[], Array(2).fill(['k3y'])],
  )
})

it('leaves a city its name where none is given', async () => {
  await mapWords('en')
  const draft = new MapDraft()
  const id = draft.addCity([100, 100], 'green', 'Ulm')
  show(Inspector, { draft, selected: { kind: 'city' as const, id }, onselect: () => undefined })
  const rename = (name: string) => {
    const field = document.querySelector('input')!
    field.value = name
    field.dispatchEvent(new Event('change', { bubbles: true }))
    return draft.map.cities.map(({ name }) => name)
  }
  expect([rename('  '), rename(' Bonn ')]).toEqual([['Ulm'], ['Bonn']])
})

it.each([
  [5, '+5'],
  [0, '0'],
  [-5, '-5'],
])('shows what %d comes to', (amount, text) => {
  show(Money, { amount, sign: true })
  expect(words('.money')).toEqual([`${text}Ɇ Elektro`])
})

it('lets the local network in and shuts it out, and says why that failed before', async () => {
  const origin = 'http://192.168.1.7:8104'
  const address = (lan: boolean) => ({ origin: lan ? origin : null, lan_command: '', lan })
  const here = vi.spyOn(api, 'here').mockResolvedValue(address(false))
  const asked = vi.fn()
  vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
    asked(path, body)
    const { open } = JSON.parse(body)
    here.mockResolvedValue(address(open))
    return asked.mock.calls.length > 1
      ? Response.json(address(open))
      : Response.json({ code: 'offline', message: '' }, { status: 500 })
  })
  show(Share, { path: '/table/t', host: true })
  const shown = (text: string) => vi.waitFor(() => expect(words('button')).toContain(text))
  await shown('Let this network in')
  press('.primary')
  await vi.waitFor(() => expect(words('[role=alert]')).toEqual([OFFLINE]))
  press('.primary')
  await shown('Shut this network out')
  expect(words('[role=alert]')).toEqual([])
  expect(document.querySelector<HTMLInputElement>('.link input')!.value).toBe(`${origin}/table/t`)
  press('body > button')
  await shown('Let this network in')
  expect(asked.mock.calls.map(([path, body]) => `${path} ${body}`)).toEqual([
    ...['/api/here/lan {"open":true}', '/api/here/lan {"open":true}', '/api/here/lan {"open":false}'],
  ])
  vi.unstubAllGlobals()
})

/** What is entered into the first of these. */
const enter = (what: string, value: string, how = 'input') => {
  const field = document.querySelector<HTMLInputElement>(what)!
  field.value = value
  field.dispatchEvent(new Event(how, { bubbles: true }))
  flushSync()
}
/** A table in this state, what it sends, and what it is made to receive. */
function sit(info: object) {
  const sent: ToServer[] = []
  let isOpen = true
  let receive: (message: FromServer) => void = () => undefined
  const send = (message: ToServer) => isOpen && sent.push(message) > 0
  const table = new Table('t', (onMessage) => {
    receive = onMessage
    return { send, ask: send, restart: () => undefined, close: () => undefined }
  })
  const tell = (message: object) => {
    receive(message as FromServer)
    flushSync()
  }
  tell({
    ...{ type: 'state', table: { id: 't', status: 'running', seats: [], ...info }, seq: 1, you: 0, view: null },
    ...{ legal: [], log_from: 0, log: [], setup: null, clocks: null, undo_to: null, max_bids: {} },
  })
  const cut = () => (isOpen = false)
  return { table, sent, tell, cut }
}

it('keeps the keyboard in a dialog, and closes the topmost', async () => {
  const closed: string[] = []
  const content = (html: string) => createRawSnippet(() => ({ render: () => `<p>${html}</p>` }))
  const link = (id: string) => `<a id="${id}" href="/">${id}</a>` // the document here does not know which buttons can be pressed
  const children = content(['one', 'two', 'three'].map(link).join(''))
  show(Dialog, { title: 'Below', onclose: () => closed.push('below'), children })
  const key = (name: string, more: KeyboardEventInit = {}) => {
    const event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true, ...more })
    document.activeElement!.dispatchEvent(event)
    return [document.activeElement!.id, event.defaultPrevented]
  }
  const focus = (id: string) => document.getElementById(id)!.focus()
  const back = { shiftKey: true }
  expect(document.activeElement!.localName).toBe('dialog')
  expect(key('Tab')).toEqual(['one', true])
  expect(key('Tab', back)).toEqual(['three', true])
  expect(key('Tab')).toEqual(['one', true])
  focus('two')
  expect([key('Tab'), key('Tab', back), key('a')]).toEqual(Array(3).fill(['two', false]))
  document.querySelector('dialog')!.focus()
  expect(key('Tab', back)).toEqual(['three', true])
  document.querySelector('dialog')!.before(document.createElement('button'))
  document.querySelector('button')!.focus()
  expect(key('Tab')).toEqual(['one', true]) // also from outside
  const above = mount(Dialog, {
    target: document.body,
    props: { title: 'Above', onclose: () => closed.push('above'), children: content('') },
  })
  flushSync()
  key('Escape')
  expect(closed).toEqual(['above'])
  await unmount(above)
  press('.inside')
  expect(closed).toEqual(['above'])
  press('.shade')
  expect(closed).toEqual(['above', 'below'])
})

it('lets a voice be muted in this browser, with a seat or without, and lines be reported and removed', async () => {
  const seats = [
    { seat: 0, name: 'Ann', mine: true },
    { seat: 1, name: 'Bob', mine: false },
  ]
  const { table, tell } = sit({ seats })
  show(ChatPanel, { table })
  const said = [
    [0, 'Ann', 'mine'],
    [1, 'Bob', 'rude'],
    [1, 'Bob', ''],
    [-1, 'Cid', 'one'],
    [-1, 'Dan', 'two'],
  ] as const
  tell({ type: 'chat', lines: said.map(([seat, name, text], n) => ({ n: n + 1, seat, name, text })) })
  const texts = () => words('.line > span')
  const menu = (n: number) => document.querySelectorAll<HTMLElement>('.more')[n]!.click()
  const offered = (n: number) => {
    menu(n)
    flushSync()
    const found = words('.about button')
    menu(n)
    flushSync()
    return found
  }
  expect(texts()).toEqual(['mine', 'rude', '(removed)', 'one', 'two'])
  expect([0, 1, 2, 3].map(offered)).toEqual([
    ...[
      ['Remove this message'],
      ['Mute Bob', 'Report this message'],
      ['Mute Bob'],
      ['Mute Cid', 'Report this message'],
    ],
  ])
  const mute = (n: number) => {
    menu(n)
    flushSync()
    press('.about button')
  }
  mute(3)
  expect([texts(), localStorage.getItem('muted t')]).toEqual([['mine', 'rude', '(removed)', '…', 'two'], '["Cid"]'])
  mute(1)
  expect(texts()).toEqual(['mine', '…', '…', '…', 'two'])
  mute(3)
  expect([texts(), localStorage.getItem('muted t')]).toEqual([['mine', '…', '…', 'one', 'two'], '[1]'])
  const report = vi
    .spyOn(api, 'reportLine')
    .mockRejectedValueOnce(new Problem('offline', ''))
    .mockResolvedValue({} as TableInfo)
  for (const shown of [[OFFLINE], []]) {
    menu(4)
    flushSync()
    press('.about button:nth-child(2)')
    await vi.waitFor(() => expect(words('[role=alert]')).toEqual(shown))
  }
  await vi.waitFor(() => expect(words('small[role=status]')).toHaveLength(1))
  expect(report.mock.calls).toEqual([
    ['t', 5],
    ['t', 5],
  ])
})

it('sends a line without the blanks around it, and keeps it where it cannot be sent', () => {
  const { table, sent, cut } = sit({})
  show(ChatPanel, { table })
  const send = (text: string) => {
    enter('input', text)
    document.querySelector('form')!.dispatchEvent(new Event('submit', { cancelable: true }))
    flushSync()
    return document.querySelector('input')!.value
  }
  expect([send('  '), send(' hello ')]).toEqual(['  ', ''])
  cut()
  expect(send('more')).toBe('more')
  expect(sent.map((each) => 'text' in each && each.text)).toEqual(['hello'])
})

it('says when a game ends because nobody moves, until that has been read', () => {
  const { table } = sit({ closes: Date.UTC(2026, 11, 24, 12) / 1000 })
  show(Notice, { table, narrator: {} as never, onrule: () => undefined })
  expect(words('.notice p')).toEqual([expect.stringContaining('December 24, 2026')])
  press('.notice .close')
  expect(words('.notice')).toEqual([])
})

it('takes numbers within their limits only', () => {
  const chosen: number[] = []
  show(Stepper, { value: 5, low: 3, high: 6, label: 'Bid', onchange: (value) => chosen.push(value) })
  for (const typed of ['4', '2', '9', '4.6', '']) enter('input', typed)
  press('button')
  press('button:last-child')
  expect(chosen).toEqual([4, 3, 6, 5, 3, 4, 6])
})

it.each([
  [3, true, false],
  [6, false, true],
])('takes no less than the least and no more than the most: %d', (value, less, more) => {
  show(Stepper, { value, low: 3, high: 6, label: 'Bid', onchange: () => undefined })
  expect([...document.querySelectorAll('button')].map(({ disabled }) => disabled)).toEqual([less, more])
})

it('makes an account with a login of two letters and a password of eight, or with a passkey', async () => {
  vi.stubGlobal('PublicKeyCredential', class {})
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('cut')))
  const me = { account: null, registration: true } as Me
  show(AccountDialog, { me, onchange: () => undefined, onclose: () => undefined })
  const able = () =>
    [...document.querySelectorAll<HTMLButtonElement>('form:first-of-type button')].map(({ disabled }) => !disabled)
  await vi.waitFor(() => expect(words('form:first-of-type button')).toHaveLength(4))
  const after = (login: string, password: string) => {
    enter('[autocomplete=username]', login)
    enter('[autocomplete=current-password]', password)
    return able()
  }
  expect(words('form:first-of-type button')).toEqual([
    ...['Sign in', 'Create an account', 'Sign in with a passkey', 'Create an account with a passkey'],
  ])
  expect(after('a', '12345678')).toEqual([true, false, true, false])
  expect(after('an', '1234567')).toEqual([true, false, true, true])
  expect(after('an', '12345678')).toEqual([true, true, true, true])
  const made = vi.spyOn(accountApi, 'passkeyAccount').mockRejectedValue(new Problem('offline', ''))
  press('form:first-of-type > div:last-of-type button:last-child')
  await vi.waitFor(() => expect(words('[role=alert]')).toContain(OFFLINE))
  expect(made.mock.calls).toEqual([['an', 'My device']])
  vi.unstubAllGlobals()
})

it('says who takes the free seats of a table, and when', async () => {
  vi.useFakeTimers({ now: 1_000_000_000 })
  vi.spyOn(api, 'me').mockResolvedValue({ name: 'Ann' } as Me)
  vi.spyOn(api, 'here').mockResolvedValue({ origin: null, lan_command: '', lan: null })
  const start = vi.spyOn(api, 'start').mockResolvedValue({} as TableInfo)
  const seats = [
    { seat: 0, kind: 'person', name: 'Ann', mine: true },
    { seat: 1, kind: 'open', name: '' },
  ]
  const info = {
    id: 'here-1',
    rulebook: 'classic',
    map: 'germany',
    title: '',
    host: true,
    host_seat: 0,
    pace: {},
    seats,
  }
  const fill = { bot: 'engineer', after: 600 }
  const { table, tell } = sit({ ...info, status: 'open', created: 999_940, fill })
  show(Lobby, { table })
  expect(words('[role=timer]')).toEqual(['Open seats go to bots in 9:00: Engineer'])
  await pass(1_500)
  expect(words('[role=timer]')).toEqual(['Open seats go to bots in 8:58: Engineer'])
  press('.panel > .primary:last-of-type')
  expect(start.mock.calls).toEqual([['here-1', 'engineer']])
  const without = (more: object) =>
    tell({
      ...{
        type: 'state',
        table: { ...info, status: 'open', created: 999_940, fill, ...more },
        seq: 1,
        you: 0,
        view: null,
      },
      ...{ legal: [], log_from: 0, log: [], setup: null, clocks: null, undo_to: null, max_bids: {} },
    })
  for (const more of [{ fill: null }, { status: 'running' }]) {
    without(more)
    expect(words('[role=timer]')).toEqual([])
  }
})

it('offers the regions of a map by their names where a rule wants one', async () => {
  const never = new Promise<never>(() => undefined)
  vi.spyOn(api, 'me').mockReturnValue(never)
  vi.spyOn(api, 'checkMap').mockReturnValue(never)
  const fields = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { type: 'integer' }]))
  const board = { properties: fields('regions_in_play', 'islands', 'loose_regions', 'transit_cost') }
  const MapRules = { properties: { no_start: { items: { place: 'region' } } } }
  vi.spyOn(api, 'mapForm').mockResolvedValue({ schema: { $defs: { Map: board, MapRules } }, rules: {} } as never)
  const draft = new MapDraft()
  draft.addCity([100, 100], 'green', 'Ulm')
  draft.addCity([300, 100], 'purple', 'Bonn')
  draft.nameRegion('green', 'The South')
  draft.setField('rules', { no_start: ['green'] })
  show(MakerPage, { code: null })
  await vi.waitFor(() => press('[role=tab]:nth-child(2)'))
  await vi.waitFor(() => expect(words('section select option')).toEqual(['The South', 'Purple']))
})
