import { expect, it, vi } from 'vitest'
import { PreviewQueue } from '../src/lib/net/preview'
import type { Preview } from '../src/lib/net/protocol'

function line() {
  const sent: { moves: string[]; ref?: string | number | null }[] = []
  const received: string[] = []
  const busy: boolean[] = []
  const previews = new PreviewQueue(
    (question) => sent.push(question) > 0,
    (preview) => received.push(preview.moves[0]!.move),
    (is) => busy.push(is),
  )
  const answer = (at: number) =>
    previews.receive({ ref: sent[at]!.ref, moves: sent[at]!.moves.map((move) => ({ move })) } as unknown as Preview)
  return { previews, sent, received, busy, answer }
}

it('asks one question at a time, and of those that wait only the last', async () => {
  const { previews, sent, received, busy, answer } = line()
  for (const move of ['a', 'b', 'c']) previews.ask(1, [move])
  expect(sent.map(({ moves }) => moves[0])).toEqual(['a'])
  const settled = previews.settled()
  answer(0)
  answer(1)
  await settled
  expect(sent.map(({ moves }) => moves[0])).toEqual(['a', 'c'])
  expect(received).toEqual(['c']) // an outdated answer is not shown
  expect(busy.at(-1)).toBe(false)
})

it('only accepts a refusal of its own question', () => {
  const { previews, sent } = line()
  previews.ask(1, ['a'])
  expect(previews.refused(null)).toBe(false)
  expect(previews.refused('a-decision')).toBe(false)
  const { ref } = sent[0]!
  previews.forget() // the position has changed, and the refusal is still on its way
  expect(previews.refused(ref!)).toBe(true)
})

it('asks again when the server says that it may', () => {
  vi.useFakeTimers()
  const { previews, sent, received, answer } = line()
  previews.ask(1, ['a'])
  expect(previews.tooFast(3)).toBe(true)
  vi.advanceTimersByTime(2900)
  expect(sent).toHaveLength(1)
  vi.advanceTimersByTime(200)
  expect(sent).toHaveLength(2)
  answer(1)
  expect(received).toEqual(['a'])
  vi.useRealTimers()
})
