/** Boards with rules of their own: what only they show, and the decisions that only they have. */

import { expect } from 'vitest'
import { api } from '../../src/lib/net/api'
import type { BoardView } from '../../src/lib/net/protocol'
import { type Page, tell, words } from './page'
import { record, resume } from './tape'

const sit = async (page: Page, played: string, moves: number) =>
  page.open(`/table/${await resume(record(played), moves)}`)
const viewOf = ({ tape }: Page) => tape.view as unknown as BoardView
/** Every shelf shows the lowest price that the server asks, what is refilled, and what I have. */
function checkMarket(page: Page, fuels = viewOf(page).fuel) {
  for (const shelf of document.querySelectorAll<HTMLElement>('.fuel .shelf[data-fuel]')) {
    const { prices, stock, refill } = fuels[shelf.dataset.fuel!]!
    const price = shelf.querySelector('.next')!.textContent.replace(/\s+/g, ' ').trim()
    const lowest = prices[0] === undefined ? (stock ? 'too dear' : 'sold out') : `${prices[0]}Ɇ Elektro`
    expect(price).toBe(`${lowest} +${refill}`)
  }
}

tell('boards', [
  [
    'a second network on Japan',
    async (page) => {
      await sit(page, 'classic-move-start', 64) // Bob in Tokyo, with 20 Elektro
      const ways = ['Yokohama', 'Connect 10 Ɇ', 'New network 10 Ɇ']
      const city = '[data-city=yokohama]'
      const asked = () => words('.routes strong, .routes .button:not(.quiet)')
      await page.press(city)
      expect(asked()).toEqual(ways)
      await page.press('.routes .quiet')
      expect(asked()).toEqual([])
      await page.press(city)
      await page.press(city)
      expect(asked()).toEqual([])
      await page.press(city)
      await page.click('Connect')
      expect(asked()).toEqual([])
      await page.press(city)
      await page.press('[data-city=osaka]')
      expect(asked()).toEqual(['Ōsaka', 'New network 10 Ɇ'])
      await page.click('New network')
      expect(words('.bar').join()).toContain('Start a new network in Ōsaka for 10 Ɇ')
      await page.press(city)
      expect(asked()).toEqual([]) // one new network is enough
      expect(words('.bar').join()).toContain('with a new network in Ōsaka')
      await page.click('Clear')
      expect(words('.bar').join()).toContain('Build nothing')
      await page.press(city)
      await page.click('New network')
      await page.press('.bar [data-primary]')
      expect(page.moves).toEqual(['start yokohama'])
      expect(viewOf(page).houses.yokohama).toContain(1)
      expect(document.body.textContent).toContain('Bob starts a new network in Yokohama for 10 Ɇ')
    },
  ],
  [
    'a network that is planned ahead on Japan',
    async (page) => {
      const id = await resume(record('classic-move-start'), 62) // Cyd buys fuel
      for (const seat of [0, 2]) {
        const { key } = await api.key(id, seat)
        await page.tape.as('Cyd', async () => {
          await api.me()
          await api.claim(id, key)
        })
      }
      await page.open(`/table/${id}`)
      await page.press('[data-city=osaka]')
      expect(words('.routes .button:not(.quiet)')).toEqual(['Connect 42 Ɇ', 'New network 10 Ɇ'])
      await page.click('New network')
      expect(words('.ahead')).toEqual(['Planned: Ōsaka, at most 10 Ɇ'])
      await page.press('[data-city=yokohama]')
      expect(words('.ahead')).toEqual(['Planned: Ōsaka, Yokohama, at most 20 Ɇ'])
      await page.press('[data-city=osaka]')
      expect(words('.ahead')).toEqual(['Planned: Yokohama, at most 10 Ɇ'])
      await page.click('Clear')
      expect(words('.ahead')).toEqual([])
    },
  ],
  [
    'two markets on Korea',
    async (page) => {
      await sit(page, 'classic-move-market', 14)
      expect(words('.fuel h3')).toEqual(['North', 'South'])
      for (const market of ['north', 'south'])
        expect(document.querySelectorAll(`[data-market=${market}]`)).toHaveLength(
          Object.values(viewOf(page).markets![market]!).filter(({ ladder }) => ladder.length).length,
        )
      expect(words('.bar .prompt').join()).toMatch(/market/)
      await page.click('North')
      expect(page.moves).toEqual(['market north'])
      expect(words('.market.mine')).toEqual(['North'])
      expect(document.body.textContent).toContain('Bob buys in the market North')
      await page.press('[data-market=north] .more:not([disabled])')
      await page.press('.bar [data-primary]')
      expect(page.moves[0]).toMatch(/^buy \w+ 1$/)
    },
  ],
  [
    'mines of Australia',
    async (page) => {
      await sit(page, 'classic-with-australia-3-players-version-3', 158)
      const { mines, players } = viewOf(page)
      const { money } = players[2]!
      expect(words('.mines .note')).toEqual([
        `uranium is sold at ${mines!.price}; tokens that leave each round: ${mines!.used}`,
      ])
      expect(words('.bar .button').slice(0, 2)).toEqual([`Sell uranium for ${mines!.pays} Ɇ`, 'Sell nothing'])
      await page.press('.bar [data-primary]')
      expect(page.moves).toEqual(['sell'])
      expect(document.body.textContent).toContain('Cyd sells uranium')
      expect(document.body.textContent).toContain(`Cyd gets ${mines!.pays} Ɇ for uranium`)
      expect(viewOf(page).players[2]!.money).toBe(money! + mines!.pays)
      await sit(page, 'classic-with-australia-3-players-version-3', 158)
      await page.press('.bar [data-key=d]')
      expect(page.moves).toEqual(['done'])
      await sit(page, 'classic-with-australia-3-players-version-3', 114)
      checkMarket(page)
      await page.pressAll('.fuel')
    },
  ],
  [
    'limits and outages of India',
    async (page) => {
      await sit(page, 'classic-with-india-3-players-version-3', 127)
      const { max_price, step, tokens_a_turn, outage } = viewOf(page)
      expect(words('.fuel > .note')).toContain(
        `In Step ${step} up to ${max_price} only · Tokens in a turn: ${tokens_a_turn}`,
      )
      checkMarket(page)
      await page.pressAll('.fuel')
      await sit(page, 'classic-with-india-3-players-version-3', 142)
      const { built, most, loss } = viewOf(page).outage!
      expect([outage!.most, outage!.loss]).toEqual([most, loss])
      expect(words('.outage')).toEqual([`Outage ${built}/${most}`])
      expect(document.querySelector<HTMLElement>('.outage')!.title).toBe(
        `houses built in this round: ${built}; beyond ${most}, every own city costs ${loss} of the income`,
      )
      await page.pressAll('.bar')
    },
  ],
  [
    'storage in South Africa',
    async (page) => {
      await sit(page, 'classic-with-south_africa-2-players-version-2', 62)
      checkMarket(page)
      await page.pressAll('.fuel')
      await page.press('.bar [data-primary]')
    },
  ],
  [
    'regions are drafted',
    async (page) => {
      await sit(page, 'recharged-with-usa_recharged-2-players-regions-draft', 0)
      const names = words('.bar .button')
      expect(names).toContain('North-east')
      await page.click('North-east', '.bar')
      expect(page.moves).toEqual(['region northeast'])
      expect(viewOf(page).regions).toEqual(['northeast'])
      expect(document.body.textContent).toContain('chooses the region North-east')
      const region = () => document.querySelector('.region[role=button], [role=button][aria-label]:not([data-city])')!
      const name = region().getAttribute('aria-label')!
      await page.key('a', `[aria-label="${name}"]`)
      expect(page.moves).toEqual([])
      await page.key('Enter', `[aria-label="${name}"]`)
      expect(page.moves).toEqual([`region ${viewOf(page).regions.at(-1)}`])
      expect(document.body.textContent).toContain(`chooses the region ${name}`)
      await page.press('path[role=button], .land [role=button]')
      expect(page.moves).toEqual(['region northwest'])
    },
  ],
  ...(
    [
      [
        'starting cities are marked',
        'recharged-with-germany_recharged-3-players-standard_starting_cities-true',
        'mark',
      ],
      ['a cartel is placed', 'recharged-with-germany_recharged-2-players-money-hidden-version-2', 'place'],
    ] as const
  ).map(([name, played, verb]): Parameters<typeof tell>[1][number] => [
    name,
    async (page) => {
      await sit(page, played, 0)
      expect(words('.bar .prompt')).toHaveLength(1)
      await page.press('.city.offered')
      const { city } = document.querySelector<SVGElement>('.city.offered')!.dataset
      const [label] = words('.bar [data-primary]')
      await page.press('.bar [data-primary]')
      expect(page.moves).toEqual([`${verb} ${city}`])
      expect(document.body.textContent).toMatch(new RegExp(`${verb}s? .*${label}`))
    },
  ]),
])
