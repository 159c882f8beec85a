/** The exact rules: what is found in them, and the open points of a board. */

import { expect } from 'vitest'
import russia from '../../../src/highvoltage/maps/russia.json'
import { doings } from './device'
import { tell, words } from './page'

tell('rules', [
  [
    'exact rules of the boards',
    async (page) => {
      await page.open('/rules/atlas/A-RUS', '[data-testid=doubts]')
      const table = [...document.querySelectorAll('[data-testid=doubts]')].find((each) =>
        each.textContent.includes('A-RUS-1'),
      )!
      expect(table.querySelector('summary')!.textContent).toBe(`Open points: ${russia.doubts.length}`)
      const rows = [...table.querySelectorAll('tbody tr')].map((row) =>
        [...row.querySelectorAll('td')].slice(0, 3).map(({ textContent }) => textContent),
      )
      expect(rows).toEqual(russia.doubts.map(({ rule, sources, confidence }) => [rule, sources.join(', '), confidence]))
      await page.after('a rule', () => table.querySelector<HTMLElement>('.link')!.click())
      expect([...document.querySelectorAll<HTMLElement>('.here')].map(({ dataset }) => dataset.ids)).toEqual([
        'A-RUS-1',
      ])
      await page.after('the board', () => table.querySelector<HTMLElement>('p button')!.click())
      expect(await Promise.all(doings)).toEqual([expect.stringMatching(/^saved russia\.json: \{"id":"russia"/)])
    },
  ],
  [
    'from how to play to the exact rules and back',
    async (page) => {
      await page.open('/rules/cardgame')
      await page.click('The exact rules')
      expect(page.went).toBe('/rules/cardgame/exact')
      await page.open('/rules/cardgame/exact')
      await page.click('How to play')
      expect(page.went).toBe('/rules/cardgame')
    },
  ],
  [
    'words in the rules',
    async (page) => {
      await page.open('/rules/outpost/exact')
      const all = words('main p[data-ids], main table, main pre')
      await page.fill('Search the rules', ' Robots  HIRE ')
      const found = words('main p[data-ids], main table, main pre')
      expect(found.length).toBeGreaterThan(0)
      expect(found.length).toBeLessThan(all.length)
      for (const each of found) expect(each.toLowerCase()).toMatch(/robots.*hire|hire.*robots/)
      expect(words('.count')[0]).toMatch(new RegExp(`\\b${found.length}\\b`))
      await page.fill('Search the rules', 'no such words')
      expect(words('main p[data-ids]')).toEqual([])
    },
  ],
])
