/** What a table has beside its decisions: the head, the menu, the chat, others who come and go, staging, a phone. */

import { api } from '../../src/lib/net/api'
import type { NewTable } from '../../src/lib/net/protocol'
import { use } from './device'
import { type Page, tell } from './page'
import { record, resume } from './tape'

const KEYS = ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', '+', '-', '0']
const TABLE = { rulebook: 'classic', map: 'germany', seats: [{ kind: 'me' }, { kind: 'open' }, { kind: 'open' }] }

/** A table at which Bob and Cyd have sat down, too. */
async function together({ tape }: Page, table: object = TABLE): Promise<string> {
  await api.rename('Ann')
  const { id } = await api.newTable(table as NewTable)
  for (const who of ['Bob', 'Cyd'])
    await tape.as(who, async () => {
      await api.me()
      await api.rename(who)
      await api.join(id, null)
    })
  return id
}

const heads = (name: string, played: string, moves: number): Parameters<typeof tell>[1][number] => [
  `head of ${name}`,
  async (page) => {
    await page.open(`/table/${await resume(record(played), moves)}`)
    await page.pressAll('header', '.language')
    await page.pressAll('dialog', '')
    await page.key('?', 'body')
    await page.pressNamed('The table')
    await page.pressAll('dialog', '.primary')
    for (const key of KEYS) await page.key(key, '[role=application]')
    for (const key of ['ArrowLeft', 'ArrowDown']) await page.key(key, '[role=application]', { shiftKey: true })
    await page.point('wheel', '.sheet', 300, 200, { deltaY: -100 })
    await page.point('pointerdown', '.sheet', 300, 200)
    await page.point('pointermove', '.sheet', 340, 260)
    await page.point('pointerdown', '.sheet', 400, 200, { pointerId: 2 })
    await page.point('pointermove', '.sheet', 500, 300, { pointerId: 2 })
    await page.point('pointerup', '.sheet', 500, 300, { pointerId: 2 })
    await page.point('pointerup', '.sheet', 340, 260)
    await page.point('click', '[role=application]', 200, 200)
  },
]

const staged = (
  name: string,
  played: string,
  moves: number,
  device: object = {},
): Parameters<typeof tell>[1][number] => [
  `staged ${name}`,
  async (page) => {
    use({ moves: true, ...device })
    await page.open(`/table/${await resume(record(played), moves)}`)
    await page.press('.bar [data-primary], .bar [data-key=d]')
    for (let again = 0; again < 8; again++) await page.wait(0.7)
    await page.key('Enter', 'body')
  },
]
const PHONE = { width: 390, height: 800, coarse: true }

tell('tables', [
  heads('classic', 'classic-3-players', 125),
  heads('cards', 'cardgame-3-players', 53),
  heads('outpost', 'outpost-4-players', 8),
  staged('auction', 'classic-3-players', 96),
  staged('payday', 'classic-3-players', 283),
  staged('end', 'cardgame-3-players', 146),
  staged('card game', 'cardgame-3-players', 53),
  staged('outpost', 'outpost-4-players', 127),
  staged('phone', 'classic-3-players', 96, PHONE),
  [
    'phone',
    async (page) => {
      use(PHONE)
      await page.open(`/table/${await resume(record('classic-3-players'), 283)}`)
      await page.pressAll('#app')
    },
  ],
  [
    'phone with cards',
    async (page) => {
      use(PHONE)
      await page.open(`/table/${await resume(record('cardgame-3-players'), 75)}`)
      await page.pressAll('#app')
    },
  ],
  [
    'hot seat',
    async (page) => {
      await page.open(`/table/${await resume(record('classic-money-hidden'), 125)}`)
      await page.pressAll('dialog, .handover', '')
      await page.press('[data-primary]')
      await page.pressAll('#app')
    },
  ],
  [
    'chat',
    async (page) => {
      const id = await together(page)
      await page.open(`/table/${id}`)
      await page.pressNamed('Start now')
      await page.pressNamed('Chat')
      await page.enter('.chat textarea, .chat input', 'Hello')
      await page.pressNamed('Send')
      await page.key('Enter', '.chat input')
      await page.pressAll('.chat', '')
      await page.pressNamed('The table')
      await page.pressAll('dialog', '.primary')
    },
  ],
  [
    'others at the table',
    async (page) => {
      const id = await together(page)
      await page.open(`/table/${id}`)
      await page.pressAll('#app')
      await page.pressNamed('Start now')
      await page.tape.as('Bob', () => api.leave(id, 1))
      await page.wait(1)
      await page.pressNamed('The table')
      await page.pressNamed('End', 'dialog')
      await page.pressAll('dialog', '')
    },
  ],
  [
    'a clock runs',
    async (page) => {
      const pace = { kind: 'bank', seconds: 60, increment: 5 }
      const id = await together(page, { ...TABLE, pace })
      await page.open(`/table/${id}`)
      await page.pressNamed('Start now')
      for (let again = 0; again < 3; again++) await page.wait(2)
      await page.pressNamed('The table')
    },
  ],
])
