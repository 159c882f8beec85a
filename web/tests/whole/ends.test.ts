/** Games come to their end at the table, and are looked back at. */

import { api } from '../../src/lib/net/api'
import { type Page, tell } from './page'
import { record, resume } from './tape'

/** Each with its moves, and who makes the last one. */
const ENDS: [name: string, played: string, moves: number, last: number][] = [
  ['classic', 'classic-3-players', 409, 0],
  ['shared victory', 'classic-victory-shared', 507, 4],
  ['hidden money', 'classic-money-hidden', 283, 1],
  ['card game', 'cardgame-3-players', 147, 1],
  ['outpost', 'outpost-4-players', 434, 0],
]

async function end(page: Page, played: string, moves: number, last: number) {
  const table = await resume(record(played), moves - 1, [last])
  await page.open(`/table/${table}`)
  await page.press('.bar [data-key=d]')
  await page.wait(1)
  return table
}

tell('ends', [
  ...ENDS.map(([name, played, moves, last]): Parameters<typeof tell>[1][number] => [
    `end of ${name}`,
    async (page) => {
      await end(page, played, moves, last)
      await page.press('dialog footer [aria-label]')
      await page.pressAll('dialog', '.primary')
      await page.pressAll('.bar')
    },
  ]),
  ...ENDS.filter(([name]) => name !== 'shared victory').map(
    ([name, played, moves, last]): Parameters<typeof tell>[1][number] => [
      `looking back at ${name}`,
      async (page) => {
        const table = await end(page, played, moves, last)
        await page.open(`/replay/${table}`)
        await page.pressNamed('Charts')
        await page.pressNamed('Analysis')
        await page.wait(2)
        await page.pressNamed('Share', 'body', 'dialog .link input')
        await page.pressAll('dialog')
      },
    ],
  ),
  [
    'a game is analysed',
    async (page) => {
      const { id } = await api.importRecord(record('cardgame-decided-by-points'))
      await page.open(`/replay/${id}?move=1`)
      await page.pressNamed('Analysis')
      await page.pressNamed('Analyse')
      for (let again = 0; again < 3; again++) await page.wait(10)
      await page.pressAll('.analysis')
      await page.press('.analysis ol button')
      await page.pressNamed('Play on')
      await page.pressAll('dialog')
      for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'End', ' ']) await page.key(key, 'body')
      await page.wait(2)
      await page.key('ArrowLeft', 'body', { shiftKey: true })
      await page.key('ArrowRight', 'body', { shiftKey: true })
    },
  ],
])
