/** Lessons with their coach, and puzzles. */

import { api } from '../../src/lib/net/api'
import { LESSONS } from '../../src/lib/tutorial/lessons'
import { type Page, tell } from './page'

/** Goes on as the coach says, or takes the decision that is offered. */
async function follow(page: Page, steps: number) {
  for (let step = 0; step < steps; step++) {
    if (document.querySelector('.coach button.primary')) await page.press('.coach button.primary')
    else if (document.querySelector('[data-pointed]')) await page.press('[data-pointed]')
    if (document.querySelector('.bar [data-primary]')) await page.press('.bar [data-primary]')
    await page.wait(1)
  }
}

/** The steps that are taken in a lesson; a few in others. */
const DEEP: Record<string, number> = { classic: 14, cardgame: 8, outpost: 8, cartel: 6, demolition: 6 }

tell('learning', [
  ...LESSONS.map((lesson): Parameters<typeof tell>[1][number] => [
    `lesson ${lesson}`,
    async (page) => {
      await page.open(`/tutorial/${lesson}`)
      await page.wait(1)
      await follow(page, DEEP[lesson] ?? 3)
      await page.pressAll('.coach')
    },
  ]),
  [
    'a lesson that is not there',
    async (page) => {
      await page.open('/tutorial/nothing')
    },
  ],
  ...['classic', 'cardgame', 'outpost', 'recharged'].map((rulebook): Parameters<typeof tell>[1][number] => [
    `puzzle of ${rulebook}`,
    async (page) => {
      const { puzzles } = await api.puzzles()
      const { name } = puzzles.find((each) => each.rulebook === rulebook)!
      await page.open(`/puzzle/${name}`)
      await page.pressAll('.bar')
      await page.press('.card.offered, .suggestion, .city.offered, .fuel .more')
      await page.press('.bar [data-primary], .bar [data-key=d], .bar [data-key=p]')
      await page.wait(1)
      await page.press('[data-key=s]')
      await page.pressAll('dialog', '')
      await page.pressAll('header', '.language')
      await page.press('dialog .button.primary')
    },
  ]),
])
