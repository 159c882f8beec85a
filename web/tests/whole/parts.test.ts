/** Parts of pages by themselves, before and after an answer that is made by hand. */

import { type Component, flushSync, mount, unmount } from 'svelte'
import { afterEach, expect, it, vi } from 'vitest'
import { accountApi } from '../../src/lib/account/api'
import MailPage from '../../src/lib/account/MailPage.svelte'
import { MapDraft } from '../../src/lib/maker/draft.svelte'
import Inspector from '../../src/lib/maker/Inspector.svelte'
import PublishPanel from '../../src/lib/maker/PublishPanel.svelte'
import { loadWords as mapWords } from '../../src/lib/maker/words'
import { api, Problem } from '../../src/lib/net/api'
import type { LibraryMap, TableInfo } from '../../src/lib/net/protocol'
import type { Table } from '../../src/lib/net/table.svelte'
import GameLine from '../../src/lib/replay/GameLine.svelte'
import Failed from '../../src/lib/table/Failed.svelte'
import Share from '../../src/lib/table/Share.svelte'
import TutorialPage from '../../src/lib/tutorial/TutorialPage.svelte'
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
const show = <Props extends Record<string, unknown>>(part: Component<Props>, props: Props) => {
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
