/** What is mine: my account, those whom I follow, a cup, the installed page, maps that I have published. */

import { expect, vi } from 'vitest'
import { cupApi } from '../../src/lib/cups/api'
import { friendsApi } from '../../src/lib/friends/api'
import { api } from '../../src/lib/net/api'
import type { NewCup } from '../../src/lib/net/protocol'
import { type Page, tell, words } from './page'

const CUP = { title: 'Ours', rulebook: 'classic', boards: ['germany'], seats: 3, rounds: 1 } as NewCup
const sent = ({ tape }: Page) => tape.sent.filter((each) => !each.includes('/me {"name"'))
const account = async (page: Page) => page.press('[aria-label=Account]')

async function register(page: Page, login: string) {
  await page.open('/puzzles')
  await account(page)
  await page.fill('Login', login)
  await page.fill('Password', 'a long password')
  await page.click('Create an account')
  await account(page)
  expect(words('dialog p')[0]).toBe(`You are signed in as ${login}.`)
}

/** A walk of somebody who was not here before. */
const as = (who: string, walk: (page: Page) => Promise<void>) => (page: Page) =>
  page.tape.as(who, async () => {
    await api.me()
    await walk(page)
  })

tell('mine', [
  [
    'in and out of an account',
    async (page) => {
      await register(page, 'ann_of_ulm')
      await page.click('Sign out')
      expect(sent(page)).toContain('POST /api/logout {}')
      await account(page)
      await page.fill('Login', 'ann_of_ulm')
      await page.fill('Password', 'a wrong password')
      await page.click('Sign in')
      expect(sent(page)).toEqual(['POST /api/login {"login":"ann_of_ulm","password":"a wrong password"}'])
      expect(words('[role=alert]')).toEqual(['The login or the password is wrong.'])
      await page.fill('Password', 'a long password')
      await page.click('Sign in')
      expect(document.querySelector('dialog')).toBeNull()
      await account(page)
      await page.fill('Your current password', 'a long password')
      await page.fill('New password', 'a longer password')
      await page.click('Change the password', 'form')
      expect(sent(page)).toEqual(['POST /api/password {"old":"a long password","new":"a longer password"}'])
      await account(page)
      await page.click('Make a link')
      expect(document.querySelector<HTMLInputElement>('dialog [readonly]')!.value).toMatch(/\/link#\w+/)
      await page.click('Sign out everywhere')
      expect(sent(page)).toContain('POST /api/logout-everywhere {}')
    },
  ],
  [
    'an account is deleted',
    as('Bea', async (page) => {
      await register(page, 'bea_of_ulm')
      await page.fill('Your current password', 'a wrong password', 'details:has(.about) form:not(:has([minlength]))')
      await page.press('dialog details form:not(:has([type=email])) div .button:not(.primary)')
      expect(sent(page)).toEqual(['POST /api/account/delete {"password":"a wrong password"}'])
      expect(words('[role=alert]')).toEqual(['The login or the password is wrong.'])
    }),
  ],
  [
    'everything about me is deleted',
    as('Dan', async (page) => {
      await api.rename('Ann')
      await page.open('/puzzles')
      await account(page)
      await page.click('Delete everything about me', 'details button')
      expect(sent(page)).toContain('POST /api/me/delete {}')
    }),
  ],
  [
    'passkeys and mail',
    as('Cyd', async (page) => {
      const key = { id: 'k1', name: 'Phone', made: 1_700_000_000, used: 1_700_100_000 }
      page.tape.altered = (text) =>
        text
          .replace(
            '"passkeys":[]',
            `"passkeys":[${JSON.stringify(key)},${JSON.stringify({ ...key, id: 'k2', used: null })}]`,
          )
          .replace('"offered":false', '"offered":true')
      await register(page, 'cyd_of_ulm')
      expect(words('li small')).toEqual(['Added 11/14/2023, last used 11/16/2023', 'Added 11/14/2023'])
      await page.fill('Name of this passkey', ' ')
      expect(sent(page)).toEqual([])
      await page.fill('Name of this passkey', ' Laptop ')
      expect(sent(page)).toEqual(['POST /api/passkeys/rename {"id":"k1","name":"Laptop"}'])
      expect(words('[role=alert]')).toHaveLength(1)
      await page.click('Remove', 'li')
      expect(sent(page)).toEqual(['POST /api/passkeys/remove {"id":"k1"}'])
      await page.fill('Your e-mail address', ' ann@ulm.example ')
      await page.click('At most once a day')
      await page.click('Save', 'form')
      expect(sent(page)[0]).toBe('POST /api/mail?ref {"address":"ann@ulm.example","language":"en","digest":true}')
    }),
  ],
  [
    'people whom I follow',
    async (page) => {
      await api.chooseProfile('ann', true)
      for (const name of ['bob', 'cyd'])
        await page.tape.as(name, async () => {
          await api.me()
          await api.chooseProfile(name, true)
        })
      await page.open('/u')
      await page.fill('Follow', 'bob')
      await page.click('Follow', 'form')
      expect(words('[aria-labelledby=following-title] a')).toEqual(['bob'])
      await page.fill('Follow', 'nobody_here', 'form')
      await page.click('Follow', 'form')
      expect(words('[aria-labelledby=following-title] [role=alert]')).toHaveLength(1)
      await friendsApi.choose('cyd', 'blocked')
      await page.wait(10)
      expect(words('[aria-labelledby=following-title] a')).toEqual(['bob', 'cyd'])
      await page.click('Stop blocking')
      expect(words('[aria-labelledby=following-title] a')).toEqual(['bob'])
      await page.click('Stop following')
      expect(words('[aria-labelledby=following-title] li')).toEqual(['You follow nobody yet.'])
      await page.fill('Handle', 'ann_of_ulm', 'form')
      await page.click('Save', 'form')
      expect(sent(page).join()).toContain('"handle":"ann_of_ulm"')
      await page.click('Make an address')
      expect(document.querySelector<HTMLInputElement>('[readonly][aria-label=Calendar]')!.value).toMatch(/\?lang=en$/)
      await page.click('End the address')
      expect(document.querySelector('[readonly][aria-label=Calendar]')).toBeNull()
    },
  ],
  [
    'a cup of mine without Eve',
    as('Ann', async (page) => {
      await api.rename('Ann')
      const { id } = await cupApi.make(CUP)
      await cupApi.join(id)
      await page.tape.as('Eve', async () => {
        await api.me()
        await api.rename('Eve')
        await cupApi.join(id)
      })
      const { lines } = await cupApi.find(id)
      const eve = lines.find(({ name }) => name === 'Eve')!
      expect([eve.status, eve.mine]).toEqual(['in', false])
      await page.open(`/cup/${id}`)
      await page.click('Remove: Eve')
      expect(words('.sure')[0]).toMatch(/^Remove Eve from the cup for good\?/)
      await page.click('Remove', '.sure')
      expect(sent(page)).toEqual([`POST /api/cups/${id}/remove?ref {"player":${eve.player}}`])
      expect(words('[role=alert]')).toEqual([])
      expect((await cupApi.find(id)).lines.find(({ name }) => name === 'Eve')?.status).toBe('removed')
    }),
  ],
  [
    'the page becomes an app',
    async (page) => {
      await page.open('/puzzles')
      const install = () => document.querySelectorAll('[aria-label="Install the app"]').length
      const prompt = vi.fn(async () => undefined)
      expect(install()).toBe(0)
      const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt })
      await page.after('it can be installed', () => window.dispatchEvent(offer))
      expect([install(), offer.defaultPrevented, prompt.mock.calls.length]).toEqual([1, true, 0])
      await page.click('Install the app')
      expect([install(), prompt.mock.calls.length]).toEqual([0, 1])
      await page.after('it can be installed', () => window.dispatchEvent(offer))
      await page.after('it is installed', () => window.dispatchEvent(new Event('appinstalled')))
      expect([install(), prompt.mock.calls.length]).toEqual([0, 1])
    },
  ],
  [
    'maps of the library',
    async (page) => {
      const usa = { ...(await api.map('usa')), id: 'ours', name: 'Ours' }
      await page.tape.as('Bob', async () => {
        await api.me()
        await api.rename('Bob')
        await api.publish(usa, 'CC-BY-4.0', null)
      })
      await api.me()
      const own = await api.publish({ ...usa, id: 'mine', name: 'Mine' }, 'CC-BY-4.0', null)
      await page.open('/library')
      await page.wait(1)
      expect(words('h2')).toEqual(['Mine', 'Ours'])
      expect(words('main [role=status]')).toEqual(['Maps found: 2'])
      await page.fill('Name, author', 'Ours')
      await page.wait(1)
      expect(words('h2')).toEqual(['Ours'])
      await page.click('Report', 'li')
      await page.click('Report', 'li')
      await page.click('Report', 'li')
      await page.fill('What is wrong', 'Copied')
      await page.click('Send to the operator')
      expect(page.tape.sent.at(-1)).toMatch(/^POST \/api\/library\/\w+\/report \{"reason":"Copied"\}$/)
      expect(words('li [role=status]')).toEqual(['The operator will look at it.'])
      await page.click('Play', 'li')
      expect(words('li > p')).toContain('Finish a game on it, then you can like it.')
      await page.fill('Name, author', '')
      await page.wait(1)
      await page.click('Withdraw')
      expect(page.tape.sent).toEqual([`DELETE /api/library/${own.id}`])
      expect(words('h2')).toEqual(['Ours'])
      expect(words('main [role=status]')[0]).toBe('Maps found: 1')
      await page.fill('Size', 'small')
      await page.wait(1)
      expect(words('main [role=status]')).toEqual(['No map was found.'])
      await page.fill('Size', 'medium')
      await page.wait(1)
      await page.pressNamed('Open in the map maker', 'body', '[data-city]') // packing a map takes its time
      expect(page.went).toBe('/maker')
    },
  ],
])
