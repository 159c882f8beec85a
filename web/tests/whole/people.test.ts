/** What people have and do together: accounts, finished games, friends, clubs and cups. */

import { expect } from 'vitest'
import { clubApi, cupApi } from '../../src/lib/cups/api'
import { friendsApi } from '../../src/lib/friends/api'
import { api } from '../../src/lib/net/api'
import type { NewCup, NewTable } from '../../src/lib/net/protocol'
import { type Page, tell, words } from './page'
import { record, resume } from './tape'

const CUP = { title: 'Winter cup', rulebook: 'classic', boards: ['germany', 'usa'], seats: 3, rounds: 2 } as NewCup
const TABLE = { rulebook: 'classic', map: 'germany', seats: [{ kind: 'me' }, { kind: 'open' }, { kind: 'open' }] }

const called = async (name: string) => {
  await api.me()
  await api.rename(name)
}
const together = async ({ tape }: Page, act: () => Promise<unknown>, who = ['Bob', 'Cyd']) => {
  for (const name of who)
    await tape.as(name, async () => {
      await called(name)
      await act()
    })
}

/** Two games that I have just finished. */
async function finish(page: Page) {
  for (const [played, moves, last] of [
    ['classic-3-players', 409, 0],
    ['cardgame-3-players', 147, 1],
  ] as const) {
    await page.open(`/table/${await resume(record(played), moves - 1, [last])}`)
    await page.press('.bar [data-key=d]')
  }
}

tell('people', [
  [
    'cup of three',
    async (page) => {
      await called('Ann')
      const { id } = await cupApi.make(CUP)
      await cupApi.join(id)
      await page.open(`/cup/${id}`)
      await together(page, () => cupApi.join(id))
      await page.wait(5)
      await page.pressNamed('Begin the cup')
      await page.wait(5)
      await page.pressAll('main')
      await page.pressNamed('End the cup')
      await page.wait(5)
    },
  ],
  [
    'club of three',
    async (page) => {
      await called('Ann')
      const { id } = await clubApi.make('Volt')
      await together(page, () => clubApi.join(id).then(() => clubApi.chat(id, 'Hello')))
      await clubApi.chat(id, 'Hello, both')
      await page.open(`/club/${id}`)
      await page.pressAll('main')
      await page.wait(5)
      await page.pressNamed('Delete the club')
      await page.pressNamed('Delete the club')
    },
  ],
  [
    'club of somebody else',
    async (page) => {
      await called('Ann')
      const id = await page.tape.as('Bob', async () => {
        await called('Bob')
        return (await clubApi.make('Volt')).id
      })
      await page.open(`/club/${id}`)
      await page.click('Join the club')
      expect(page.tape.sent).toContain(`POST /api/clubs/${id}/join?ref {}`)
      expect(words('main ol .name')).toEqual([expect.stringContaining('Bob'), expect.stringContaining('Ann (you)')])
    },
  ],
  [
    'friends',
    async (page) => {
      await called('Ann')
      await api.chooseProfile('ann', true)
      await together(page, () => api.chooseProfile('bob', true), ['Bob'])
      await page.open('/u/bob')
      await page.pressNamed('Follow')
      await page.pressNamed('Block')
      await page.pressNamed('Stop blocking')
      await page.pressNamed('Follow')
      await page.tape.as('Bob', async () => {
        await friendsApi.choose('ann', 'followed')
        for (let again = 0; again < 2; again++)
          await friendsApi.invite((await api.newTable(TABLE as unknown as NewTable)).id, 'ann')
      })
      await page.open('/')
      await page.wait(5)
      await page.pressNamed('Decline')
      await page.pressNamed('Take a seat')
      await page.open('/u')
      await page.pressAll('main')
    },
  ],
  [
    'finished games of mine',
    async (page) => {
      await finish(page)
      await page.open('/games')
      await page.wait(3)
      await page.pressAll('main')
      await page.enter('input[type=search]', 'An')
      await page.open('/games?won=true')
      await page.open('/games?rulebook=classic&players=3')
    },
  ],
  [
    'profile of a player',
    async (page) => {
      await finish(page)
      await page.open('/u')
      await page.wait(3)
      await page.open('/u')
      await page.pressNamed('Show income')
      await page.pressAll('main')
    },
  ],
  [
    'home of a player',
    async (page) => {
      await api.newTable(TABLE as unknown as NewTable)
      await resume(record('outpost-4-players'), 8)
      await page.open('/')
      await page.pressAll('main', '.button.primary')
      await page.pressNamed('Options')
      await page.pressAll('dialog', '')
      await page.pressNamed('Map')
      await page.pressAll('dialog', '')
    },
  ],
  ...['recharged', 'cardgame', 'outpost'].map((rulebook): Parameters<typeof tell>[1][number] => [
    `new table of ${rulebook}`,
    async (page) => {
      await page.open(`/new?rulebook=${rulebook}`)
      for (const part of ['Options', 'Map', 'Opponents']) {
        await page.pressNamed(part)
        await page.pressAll('dialog', '')
      }
      await page.pressNamed('Make the table')
    },
  ]),
  [
    'account',
    async (page) => {
      await page.open('/puzzles')
      await page.press('[aria-label=Account]')
      await page.enter('dialog input[autocomplete=username]', 'ann_of_ulm')
      await page.enter('dialog input[type=password]', 'a long password')
      await page.pressNamed('Create an account', 'dialog')
      await page.wait(1)
      await page.open('/puzzles')
      await page.press('[aria-label=Account]')
      await page.pressAll('dialog', '')
    },
  ],
  [
    'another device',
    async (page) => {
      const link = await page.tape.as('Bob', async () => {
        await called('Bob')
        return api.linkDevice()
      })
      await page.open(new URL(link).pathname + new URL(link).hash)
      await page.pressAll('main')
      await page.pressNamed('Play here')
    },
  ],
])
