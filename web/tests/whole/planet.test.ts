/** Turns on the planet: what is pressed is what is sent, in the order of the rules. */

import { expect } from 'vitest'
import type { OutpostView } from '../../src/lib/net/protocol'
import { use } from './device'
import { type Page, tell, words } from './page'
import { record, resume } from './tape'

const TWO = 'outpost-with-planet-2-players-version-3'
const sit = async (page: Page, played: string, moves: number) =>
  page.open(`/table/${await resume(record(played), moves)}`)
const viewOf = ({ tape }: Page) => tape.view as unknown as OutpostView
const pool = (card: string) => `.pool [data-card="${card}"]`
const onBoards = () =>
  [...document.querySelectorAll<HTMLElement>('.kind [data-card]')].map(({ dataset }) => dataset.card)

tell('planet', [
  [
    'the Syndicate begins',
    async (page) => {
      await sit(page, TWO, 0)
      await page.key('h', 'body')
      const hinted = document.querySelector('.city.hinted')!.getAttribute('aria-label')!.split('.')[0]
      expect(words('.notice b')).toEqual([`For the Syndicate in ${hinted}: station.`])
      await page.point('pointerover', '.cards [data-card="2"]', 0, 0)
      expect(words('.cards .words')).toEqual(['Plant 2. Workers: 2, powers 1 · lowest bid 2'])
      await page.press('.city[data-city=c23]')
      await page.press('.bar [data-primary]')
      expect(page.moves).toEqual(['syndicate station c23'])
      expect(document.body.textContent).toContain('Ann chooses for the Syndicate')
      expect(viewOf(page).cities.c23!.stations).toEqual([-1])
      await page.click('Company of Syndicate')
      expect(words('.company .name')).toEqual(['Syndicate'])
      expect(words('.company .figures span')[0]).toBe(String(viewOf(page).syndicate!.stations))
      await page.click('Company of Bob')
      expect(words('.company .name')).toEqual(['Bob'])
    },
  ],
  [
    'a card from the pool',
    async (page) => {
      await sit(page, TWO, 29) // Bob has Plant 3b and Habitat 15 in his pool
      expect(onBoards()).toEqual(['15']) // as usual, it is placed
      await page.press('.kind [data-card="15"]')
      expect(onBoards()).toEqual([])
      await page.press(pool('15'))
      expect(onBoards()).toEqual(['15'])
      await page.press('.special.plant[data-city*=c10]')
      await page.press('.special.plant[data-city*=c17]')
      await page.press('.special.plant[data-city*=c17]')
      await page.key(' ', pool('3b'))
      await page.press('.bar [data-primary]')
      expect(page.moves.slice(0, 3)).toEqual(['build plant c10', 'place 15', 'place 3b'])
      expect(document.body.textContent).toMatch(/Bob places plant 15/)
    },
  ],
  [
    'a card instead of another',
    async (page) => {
      await sit(page, TWO, 120) // Bob has no space for Habitat 26c; a usual swap is planned
      expect(onBoards()).toContain('26c')
      await page.press('.kind [data-card="26c"]')
      expect(onBoards()).not.toContain('26c')
      await page.press(pool('26c'))
      expect(words('.pool h3')).toEqual(['Which card makes room for 26c?'])
      await page.press(pool('26c'))
      expect(words('.pool h3')).toEqual(['Pool'])
      await page.press(pool('26c'))
      await page.press('.kind [data-card="17c"]')
      expect(onBoards()).not.toContain('17c')
      expect(onBoards()).toContain('26c')
      await page.press('.kind [data-card="26c"]')
      expect(onBoards()).not.toContain('26c')
      await page.press(pool('26c'))
      await page.press('.kind [data-card="5c"]')
      await page.press('.bar [data-key=d]')
      expect(page.moves[0]).toBe('swap 5c for 26c')
      expect(document.body.textContent).toContain('Bob replaces habitat 5c by habitat 26c')
    },
  ],
  [
    'the only card that can make room',
    async (page) => {
      await sit(page, 'outpost-decided-by-powered', 108) // Bob: Plant 2 makes room for 3b, 16 or 25b
      await page.press(pool('16'))
      expect(onBoards()).not.toContain('2')
      await page.press(pool('10'))
      await page.press('.bar [data-primary]')
      expect(page.moves).toContain('swap 2 for 16')
    },
  ],
  [
    'the Colony is settled',
    async (page) => {
      await sit(page, 'outpost-decided-by-powered', 110)
      await page.click('Colony: station')
      await page.click('Colony: plant')
      await page.click('Colony: station')
      await page.press('.bar [data-primary]')
      expect(page.moves[0]).toBe('settle plant 31b')
      expect(document.body.textContent).toMatch(/Ann settles Colony: plant/i)
    },
  ],
  [
    'a robot is made',
    async (page) => {
      await sit(page, 'outpost-last-card-with-step-2-company', 153)
      const plan = () => words('.company li, .sheet li').filter((each) => each === 'A robot is made')
      expect(plan()).toHaveLength(1)
      await page.click('Make a robot')
      expect(plan()).toEqual([])
      await page.click('Make a robot')
      await page.press('.bar [data-primary]')
      expect(page.moves[0]).toBe('robot human')
    },
  ],
  [
    'the planet on a phone',
    async (page) => {
      use({ width: 390, height: 800, coarse: true })
      await sit(page, TWO, 29)
      await page.pressAll('[role=tablist]', '')
      await page.press('.tabs [role=tab]:nth-child(2), [role=tab]:nth-child(2)')
      await page.press(pool('15'))
      await page.press('.bar [data-primary]')
      expect(page.moves).toContain('place 15')
    },
  ],
])
