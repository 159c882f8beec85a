/** All pages but the tables, as they are shown to somebody who has played, and what every control there does. */

import { clubApi, cupApi } from '../../src/lib/cups/api'
import { api } from '../../src/lib/net/api'
import type { NewCup, NewTable } from '../../src/lib/net/protocol'
import { tell } from './page'
import { record } from './tape'

const CUP = { title: 'Winter cup', rulebook: 'classic', boards: ['germany', 'usa'], seats: 3, rounds: 2 } as NewCup
const LOBBY = {
  rulebook: 'classic',
  map: 'germany',
  seats: [{ kind: 'me' }, { kind: 'open' }, { kind: 'bot', bot: 'clerk' }],
}
const imported = async (name: string) => (await api.importRecord(record(name))).id

type Place = string | (() => Promise<string>)
const PLACES: [string, Place][] = [
  ['home', '/'],
  ['new table', '/new'],
  ['lobby', async () => `/table/${(await api.newTable(LOBBY as unknown as NewTable)).id}`],
  ['replay of classic', async () => `/replay/${await imported('classic-3-players')}?move=150`],
  ['replay of cards', async () => `/replay/${await imported('cardgame-3-players')}?move=147`],
  ['replay of outpost', async () => `/replay/${await imported('outpost-4-players')}?move=300`],
  ['rules', '/rules/classic'],
  ['exact rules', '/rules/outpost/exact'],
  ['lessons', '/tutorial'],
  ['puzzles', '/puzzles'],
  ['finished games', async () => `/games${(await imported('classic-4-players')) && ''}`],
  ['public games', '/games/public'],
  ['profile', async () => `/u${(await api.chooseProfile('ann', true)) && ''}`],
  ['leaderboard', '/leaderboard'],
  ['cups', async () => `/cups${(await cupApi.make(CUP)) && ''}`],
  ['cup', async () => `/cup/${(await cupApi.make(CUP)).id}`],
  ['club', async () => `/club/${(await clubApi.make('Night shift')).id}`],
  ['tonight', '/tonight'],
  ['map maker', '/maker'],
  ['map library', '/library'],
  ['link', '/link#nothing'],
  ['mail', '/mail#nothing'],
  ['nowhere', '/nowhere'],
]

tell('places', [
  ...PLACES.map(([name, place]): Parameters<typeof tell>[1][number] => [
    name,
    async (page) => {
      await page.open(typeof place === 'string' ? place : await place())
      if (!name.includes('rules')) await page.pressAll('#app', 'header *')
    },
  ]),
  [
    'the head of every page',
    async (page) => {
      await page.open('/puzzles')
      await page.pressAll('header', '')
      await page.press('[aria-label=Account]')
      await page.pressAll('dialog', '')
    },
  ],
])
