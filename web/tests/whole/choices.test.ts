/** Tables of every kind are made: what is sent is what was chosen, word for word. */

import { expect } from 'vitest'
import { api } from '../../src/lib/net/api'
import { type Page, tell, words } from './page'

const PLAIN = { title: '', public: false, pace: { kind: 'none' }, timeout: 'bot', rated: false }
const bots = (...names: string[]) => names.map((bot) => ({ kind: 'bot', bot }))
const ME = { kind: 'me' }

/** The table that was asked for. */
const made = ({ tape }: Page) => JSON.parse(/^POST \/api\/tables\S* (.*)$/.exec(tape.sent.at(-1)!)![1]!) as unknown

const field = (name: string) =>
  [...document.querySelectorAll('label')]
    .find((label) => label.textContent.trim().startsWith(name))!
    .querySelector('input, select') as HTMLInputElement
const options = () => words('.part:last-child b')[0]
const file = (name: string, content: string) => new File([content], name)

tell('choices', [
  [
    'variants of a board',
    async (page) => {
      await page.open('/')
      await page.click('Map')
      await page.press('[value=europe]')
      expect(words('[data-testid=board-note] .facts')[0]).toBe('2 to 6 players medium Rules')
      expect(document.querySelector('[data-testid=board-note] a')!.getAttribute('href')).toBe('/rules/atlas/A-EUR')
      expect(words('.uncertain')[0]).toBe('Some numbers of this board are uncertain: A-EUR-6.')
      await page.click('Nine connections')
      await page.click('Deluxe')
      await page.click('Map')
      await page.click('Opponents')
      await page.click('2')
      await page.click('Map')
      expect([field('Deluxe').checked, field('Deluxe').disabled, field('Nine').checked]).toEqual([false, true, true])
      expect(words('fieldset label')[0]).toBe('Deluxe: its own plants, natural gas for garbage (3 to 6 players) A-DLX')
      await page.click('Play')
      const table = { rulebook: 'classic', map: 'europe', options: { variants: ['deluxe_connections'] } }
      expect(made(page)).toEqual({ ...table, ...PLAIN, seats: [ME, ...bots('apprentice')] })
      await page.open('/')
      await page.click('Opponents')
      await page.click('3')
      await page.click('Map')
      expect([field('Deluxe').checked, field('Deluxe').disabled, field('Nine').checked]).toEqual([false, false, true])
      await page.click('Deluxe')
      await page.click('Nine connections')
      await page.click('Play')
      expect(made(page)).toEqual({
        ...{ ...table, ...PLAIN, options: { variants: ['deluxe'] } },
        seats: [ME, ...bots('apprentice', 'clerk:bold')],
      })
    },
  ],
  [
    'options of a board',
    async (page) => {
      await page.open('/')
      await page.click('Opponents')
      await page.click('3')
      await page.fill('Seat 2', 'me')
      await page.fill('Name, Seat 2', ' Bea ')
      await page.click('Map')
      await page.press('[value=random]')
      expect(words('.choosing > p')[0]).toBe('Drawn by chance for this game; nobody has played on it.')
      await page.click('Options')
      expect(options()).toBe('as in the rulebook')
      await page.fill('Money', 'hidden')
      await page.fill('Demolition', 'true')
      await page.fill('Regions', 'draft')
      await page.fill('Regions', 'random')
      expect(options()).toBe('Money, Demolition expansion')
      await page.key('Enter', 'body')
      expect(made(page)).toEqual({
        ...{ ...PLAIN, rulebook: 'classic', map: 'random', options: { money: 'hidden', demolition: true } },
        seats: [ME, { kind: 'me', name: 'Bea' }, ...bots('clerk:bold')],
      })
    },
  ],
  [
    'clocks and ratings',
    async (page) => {
      await page.open('/')
      await page.click('Opponents')
      await page.fill('Bots', 'engineer:bold')
      await page.fill('Seat 2', 'random')
      await page.click('Options')
      await page.fill('Table name', ' Tuesday ')
      await page.click('Show it')
      expect(document.querySelector('[type=number]')).toBeNull()
      await page.click('Rated')
      expect([field('Clock').value, options()]).toEqual(['move', 'Clock, Rated'])
      expect([...document.querySelectorAll('[type=number]')]).toHaveLength(1)
      await page.fill('Clock', 'bank')
      await page.fill('Minutes', '25')
      await page.fill('Seconds added', '7')
      await page.fill('When time runs out', 'minimal')
      await page.click('Play')
      const clock = { pace: { kind: 'bank', seconds: 1500, increment: 7 }, timeout: 'minimal' }
      const rated = { ...clock, title: 'Tuesday', public: true, rated: true }
      const table = { rulebook: 'classic', map: 'germany', options: {} }
      expect(made(page)).toEqual({ ...table, ...rated, seats: [ME, ...bots('clerk', 'engineer', 'engineer')] })
      await page.open('/')
      await page.click('Rulebook')
      await page.press('[value=cardgame]')
      await page.click('Options')
      await page.click('Rated')
      await page.click('Rated')
      await page.fill('Clock', 'move')
      await page.fill('Minutes', '1')
      await page.click('Play')
      const minute = { pace: { kind: 'move', seconds: 60 }, timeout: 'minimal' }
      expect(made(page)).toEqual({
        ...{ ...PLAIN, ...minute, rulebook: 'cardgame', map: null, options: {} },
        seats: [ME, ...bots('clerk', 'engineer', 'engineer')],
      })
    },
  ],
  [
    'friends are awaited',
    async (page) => {
      await page.open('/new')
      expect(words('.go')[0]).toBe('Make the table')
      await page.fill('Seat 3', 'open')
      await page.click('Make the table')
      expect(made(page)).toEqual({
        ...{ ...PLAIN, rulebook: 'classic', map: 'germany', options: {} },
        seats: [ME, { kind: 'open' }, { kind: 'open' }, ...bots('apprentice')],
      })
      await page.open('/')
      expect(words('.go')[0]).toBe('Play')
      await page.click('Rulebook')
      await page.press('[value=outpost]')
      await page.click('Play')
      expect(made(page)).toEqual({
        ...{ ...PLAIN, rulebook: 'outpost', map: 'planet', options: {} },
        seats: [ME, ...bots('clerk', 'clerk:bold', 'clerk')],
      })
    },
  ],
  [
    'a board of their own',
    async (page) => {
      await page.open('/')
      await page.click('Map')
      await page.click('Download the file of this board')
      await page.fill('Choose a file', file('notes.txt', 'a note'))
      expect(words('[role=alert]')[0]).toBe('notes.txt is not a JSON file.')
      await page.fill('Choose a file', file('broken.json', '{"id": "broken"}'))
      expect(document.querySelector('[role=alert]')).toBeNull()
      await page.click('Play')
      expect(document.querySelectorAll('[role=alert] li').length).toBeGreaterThan(0)
      const content = { ...(await api.map('germany')), id: 'ours' }
      await page.fill('broken.json', file('ours.json', JSON.stringify(content)))
      await page.click('Options')
      await page.click('Map')
      await page.click('Play')
      const table = { rulebook: 'classic', options: {}, seats: [ME, ...bots('apprentice', 'clerk:bold', 'apprentice')] }
      expect(made(page)).toEqual({ ...PLAIN, ...table, map: content })
    },
  ],
  [
    'cards of their own',
    async (page) => {
      const content = JSON.parse(await api.shippedCards('cardgame')) as object
      await page.open('/new')
      await page.click('Rulebook')
      await page.press('[value=cardgame]')
      await page.click('Options')
      await page.click('Download the included cards')
      await page.fill('Choose a file', file('ours.json', '{"plants": 1}'))
      await page.click('Make the table')
      expect(document.querySelectorAll('[role=alert] li').length).toBeGreaterThan(0)
      await page.click('Play with the included cards')
      expect(document.querySelector('[role=alert]')).toBeNull()
      await page.fill('Choose a file', file('ours.json', JSON.stringify(content)))
      await page.click('Make the table')
      expect(made(page)).toMatchObject({ rulebook: 'cardgame', options: { cards: content } })
    },
  ],
])
