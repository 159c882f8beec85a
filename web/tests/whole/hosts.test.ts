/** A lobby and the menu of a table: who comes, who goes, and who plays instead. */

import { expect } from 'vitest'
import { api } from '../../src/lib/net/api'
import type { NewTable } from '../../src/lib/net/protocol'
import { doings } from './device'
import { type Page, tell, words } from './page'
import { record, resume } from './tape'

const TABLE = { rulebook: 'classic', map: 'germany', seats: [{ kind: 'me' }, { kind: 'open' }, { kind: 'open' }] }
const make = async (more: object = {}) => (await api.newTable({ ...TABLE, ...more } as NewTable)).id

/** What Bob does at a table of mine. */
const bob = async <T>({ tape }: Page, act: () => Promise<T>) =>
  tape.as('Bob', async () => {
    await api.me()
    await api.rename('Bob')
    return act()
  })
/** What was asked of the server for this table. */
const asked = ({ tape }: Page, id: string) =>
  tape.sent.filter((each) => each.includes(id)).map((each) => each.replace(`/api/tables/${id}`, '').replace('?ref', ''))
const FREE = 'waiting for somebody'
const names = () => words('.lobby li .name')
const menu = async (page: Page) => page.click('The table')

tell('hosts', [
  [
    'a lobby of somebody else',
    async (page) => {
      const id = await bob(page, () => make({ public: true, pace: { kind: 'move', seconds: 600 } }))
      await api.me()
      await page.open(`/table/${id}`, '.lobby')
      expect(words('.lobby h1')).toEqual(['Bob invites you'])
      expect(words('.lobby .what')[0]).toContain('time for each move: 10 min')
      expect(names()).toEqual(['Bob', FREE, FREE])
      await page.fill('Your name', ' Zoë ')
      await page.click('Sit down')
      expect(page.tape.sent.slice(0, 2)).toEqual([
        'PATCH /api/me {"name":"Zoë"}',
        `POST /api/tables/${id}/join?ref {"seat":null}`,
      ])
      expect(names()).toEqual(['Bob', 'Zoë you', FREE])
      expect(words('.lobby .button').join()).not.toContain('Start now')
      await page.click('Stand up')
      expect(asked(page, id)).toEqual(['POST /leave {"seat":1}'])
      expect(names()).toEqual(['Bob', FREE, FREE])
    },
  ],
  [
    'a lobby of mine',
    async (page) => {
      await api.rename('Ann')
      const id = await make({ pace: { kind: 'bank', seconds: 1800, increment: 5 } })
      page.tape.altered = (text) => text.replace('"origin":null', '"origin":"http://page.test"')
      await page.open(`/table/${id}`, '.lobby')
      expect(words('.lobby .what')[0]).toContain('time for the whole game: 30 min')
      await bob(page, () => api.join(id, null))
      await page.wait(1)
      expect(names()).toEqual(['Ann you', 'Bob', FREE])
      await page.click('Remove')
      expect(asked(page, id)).toEqual(['POST /remove {"seat":1}'])
      expect(names()).toEqual(['Ann you', FREE, FREE])
      await page.click('Copy')
      const { value } = document.querySelector<HTMLInputElement>('[aria-label="Link for your friends"]')!
      expect([value, doings]).toEqual([`http://page.test/table/${id}`, [`copied ${value}`]])
      expect(words('.link .button')).toEqual(['Copied'])
      await page.click('Start now')
      expect(asked(page, id)).toEqual(['POST /start {"bot":"clerk"}'])
      await page.wait(1)
      expect(page.tape.view!.names[0]).toBe('Ann')
    },
  ],
  [
    'a bot plays for me',
    async (page) => {
      await api.rename('Ann')
      const id = await resume(record('classic-3-players'), 96)
      await page.open(`/table/${id}`)
      await menu(page)
      await page.click('Let a bot play for me')
      const [, seat] = /"seat":(\d)/.exec(page.tape.sent[0]!)!
      expect(asked(page, id)[0]).toBe(`POST /stand-in {"seat":${seat},"bot":"clerk"}`)
      expect(words('dialog section p').join()).toContain('Clerk')
      await page.click('I am back')
      expect(asked(page, id)[0]).toBe(`POST /stand-in {"seat":${seat},"bot":null}`)
      await page.click('Hand this seat over')
      expect(asked(page, id)).toEqual([`POST /key {"seat":${seat}}`])
      expect(doings.join()).toMatch(new RegExp(`^copied http://[^/]*/table/${id}#key=\\w`))
      expect(words('dialog .button')).toContain('Copied')
      await page.click('Download the record')
      await page.click('Leave the game')
      expect(words('dialog').join()).toContain('for you the game counts as last place')
      await page.click('Leave the game')
      expect(asked(page, id)).toContain(`POST /leave {"seat":${seat}}`)
    },
  ],
  [
    'a table is deleted',
    async (page) => {
      const id = await resume(record('cardgame-3-players'), 53)
      await page.open(`/table/${id}`)
      await menu(page)
      await page.click('Delete the table')
      await page.click('Delete the table')
      expect(page.tape.sent).toContain(`DELETE /api/tables/${id}?ref`)
      expect(page.went).toBe('/')
    },
  ],
  [
    'bots at my table',
    async (page) => {
      const id = await make({ seats: [{ kind: 'me' }, { kind: 'bot', bot: 'clerk' }, { kind: 'bot', bot: 'clerk' }] })
      await page.open(`/table/${id}`)
      await page.wait(2)
      await menu(page)
      await page.click('Remarks of the bots')
      await page.click('Coach')
      await page.click("Copy a link for somebody who takes this bot's seat")
      expect(asked(page, id)).toEqual(['POST /key {"seat":1}'])
      expect(doings.join()).toContain(`/table/${id}#key=`)
      await page.press('dialog header button')
      await page.wait(2)
      await menu(page)
      await page.click('End the game')
      await page.click('End the game')
      expect(asked(page, id)).toEqual(['POST /end {}'])
      await page.wait(1)
    },
  ],
  [
    'somebody is sent away',
    async (page) => {
      await api.rename('Ann')
      const id = await make()
      await bob(page, () => api.join(id, null))
      await api.start(id, 'clerk')
      await page.open(`/table/${id}`)
      await page.wait(2)
      await menu(page)
      await page.click('End the game')
      await page.click('End the game')
      expect(words('dialog p').join()).toContain('Bob')
      await page.click('Play on')
      expect(asked(page, id)).toEqual(['POST /play-on {}'])
      await page.tape.as('Bob', () => api.end(id))
      await page.wait(1)
      await page.press('dialog header button')
      expect(words('.notice, .stripe, [role=status]').join()).toContain('Bob')
      await menu(page)
      await page.click('Remove')
      expect(words('dialog p')).toContain('Remove Bob for good?')
      await page.click('Remove')
      expect(asked(page, id)).toEqual(['POST /remove {"seat":1}'])
    },
  ],
  [
    'lines of a chat',
    async (page) => {
      await api.rename('Ann')
      const id = await make({ seats: [{ kind: 'me' }, { kind: 'bot', bot: 'clerk' }, { kind: 'bot', bot: 'clerk' }] })
      page.tape.altered = (text) => text.replace(/"seat":0(,"name":"Ann","text":"From)/g, '"seat":1$1')
      await page.open(`/table/${id}`)
      await page.wait(1)
      await page.click('Chat')
      for (const text of ['Mine', 'From Bob']) {
        await page.fill('Say something', text)
        await page.click('Send')
      }
      const lines = () => words('.chat .line > span')
      const line = async (nth: number) =>
        page.after(`line ${nth}`, () => document.querySelectorAll<HTMLElement>('.chat .more')[nth]!.click())
      expect(lines()).toEqual(['Mine', 'From Bob'])
      await line(0)
      expect(words('.about button')).toEqual(['Remove this message'])
      await line(0)
      expect(words('.about button')).toEqual([])
      await line(1)
      expect(words('.about button')).toEqual(['Mute Ann', 'Report this message', 'Remove this message'])
      await page.click('Mute Ann')
      expect(lines()).toEqual(['Mine', '…'])
      await line(1)
      await page.click('Unmute Ann')
      expect(lines()).toEqual(['Mine', 'From Bob'])
      await line(1)
      await page.click('Report this message')
      expect(asked(page, id)).toEqual(['POST /chat/report {"n":2}'])
      await line(0)
      await page.click('Remove this message')
      expect(asked(page, id)).toEqual(['POST /chat/remove {"n":1}'])
      expect(lines()).toEqual(['(removed)', 'From Bob'])
    },
  ],
])
