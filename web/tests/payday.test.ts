/** Sums on the stage are true and whole from the first frame. */
import { render } from 'svelte/server'
import { beforeAll, expect, it } from 'vitest'
import type { GameView, Row } from '../src/lib/net/protocol'
import auctionStage from '../src/lib/stage/AuctionStage.svelte?raw'
import Payday from '../src/lib/stage/Payday.svelte'
import payday from '../src/lib/stage/Payday.svelte?raw'
import { speak } from '../src/texts/messages'

beforeAll(() => speak('en'))

const rows = [82, 73].map((amount, seat) => ({
  round: 1,
  phase: 'bureaucracy',
  seat,
  move: 'run 8',
  events: [{ what: 'income', seat, amount, supplied: 2 }],
  by: 'bot',
})) as Row[]
const view = { names: ['Ann', 'Bea', 'Cid'], order: [0, 1, 2], players: [{}, {}, {}], round: 1, phase: 'bureaucracy' }

it('has no digits but those of the income', () => {
  const playhead = { rows, at: 2, moving: true }
  const { body } = render(Payday, { props: { playhead, view: view as unknown as GameView & { players: [] } } })
  const sums = [...body.matchAll(/<b\b[^>]*>(.*?)<\/b>/gs)].map(([, sum]) => sum!.replace(/<[^>]*>|[^+\d]/g, ''))
  expect(sums).toEqual(['+82', '+73'])
})

it.each([
  ['the bid', auctionStage, 'fall'],
  ['the income', payday, 'pop'],
])('%s is never blank while it moves', (_, source, name) => {
  expect(source).toContain(`animation: ${name} `)
  const [, frames] = source.split(`@keyframes ${name} {`)
  expect(frames!.split('\n  }')[0]).not.toContain('opacity')
})
