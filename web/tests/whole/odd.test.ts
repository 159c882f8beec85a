/** What seldom happens: a network that comes and goes, a rulebook that the page does not know, another language. */

import { api } from '../../src/lib/net/api'
import { prefs } from '../../src/lib/ui/prefs.svelte'
import { doings } from './device'
import { type Page, tell } from './page'
import { record, resume } from './tape'

const classic = (moves: number) => resume(record('classic-3-players'), moves)
const happens = (page: Page, what: string) => page.after(what, () => window.dispatchEvent(new Event(what)))

/** The page comes to the front of a device that showed whose turn it was. */
async function seen(page: Page) {
  const shown = (tag: string) => [{ close: () => doings.push(`no more notification of ${tag}`) }]
  const getRegistration = async () => ({ getNotifications: async ({ tag }: { tag: string }) => shown(tag) })
  Object.defineProperty(navigator, 'serviceWorker', { value: { getRegistration }, configurable: true })
  Object.assign(window, { Notification: { permission: 'granted' } })
  await page.after('the page is seen', () => document.dispatchEvent(new Event('visibilitychange')))
  Reflect.deleteProperty(navigator, 'serviceWorker')
  Reflect.deleteProperty(window, 'Notification')
}

tell('odd', [
  [
    'the network comes and goes',
    async (page) => {
      await page.open(`/table/${await classic(125)}`)
      await happens(page, 'offline')
      await page.press('.card.offered')
      await page.press('[data-primary]')
      await page.pressAll('.bar', '')
      await happens(page, 'online')
      await page.wait(1)
      await happens(page, 'offline')
      await page.press('[data-primary]')
      await page.wait(1)
      await happens(page, 'online')
      await page.wait(3)
      await seen(page)
    },
  ],
  ...[
    ['cards', 'cardgame', 'cardgame-3-players', 53],
    ['boards', 'board', 'classic-3-players', 96],
  ].map(([name, family, played, moves]): Parameters<typeof tell>[1][number] => [
    `unknown family of ${name}`,
    async (page) => {
      page.tape.altered = (text) => text.replaceAll(`"family":"${family}"`, '"family":"from elsewhere"')
      await page.open(`/table/${await resume(record(String(played)), Number(moves))}`)
      await page.pressAll('main')
      await page.press('.bar .button')
    },
  ]),
  [
    'no such table',
    async (page) => {
      await page.open('/table/nothing')
      await page.open('/replay/nothing')
      await page.open('/puzzle/nothing')
      await page.open('/cup/nothing')
      await page.open('/club/nothing')
      await page.open('/u/nobody')
      await page.open('/rules/nothing')
    },
  ],
  [
    'a link that holds a game',
    async (page) => {
      const { packText } = await import('../../src/lib/replay/link')
      await page.open(`/#game=${await packText(record('cardgame-decided-by-points'))}&move=40`, '.bar')
      await page.pressAll('.bar')
      await page.open('/#game=broken', '[role=alert], .problem, main')
    },
  ],
  [
    'auf Deutsch',
    async (page) => {
      await page.open('/')
      await page.after('Deutsch', () => prefs.setLocale('de'))
      await page.open(`/table/${await resume(record('recharged-4-players'), 22)}`)
      await page.pressAll('.bar')
      await page.press('[data-primary]')
      await page.open('/rules/recharged')
      await page.open('/puzzles')
      await page.open('/leaderboard')
    },
  ],
  [
    'refused',
    async (page) => {
      const id = await classic(232)
      await page.open(`/table/${id}`)
      await page.after('a move that is none', () => undefined)
      await page.key('u', 'body')
      await page.key('h', 'body')
      await page.wait(2)
      await page.key('Escape', 'body')
      await api.end(id)
      await page.wait(1)
      await page.press('[data-primary]')
    },
  ],
])
