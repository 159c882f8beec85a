import { expect, it } from 'vitest'
import { PreviewQueue } from '../src/lib/net/preview'
import type { Preview } from '../src/lib/net/protocol'

function line() {
  const sent: { moves: string[]; ref?: number | null }[] = []
  const heard: string[] = []
  const busy: boolean[] = []
  const foresight = new PreviewQueue(
    (question) => sent.push(question) > 0,
    (preview) => heard.push(preview.moves[0]!.move),
    (is) => busy.push(is),
  )
  const answer = (at: number) =>
    foresight.hear({ ref: sent[at]!.ref, moves: sent[at]!.moves.map((move) => ({ move })) } as unknown as Preview)
  return { foresight, sent, heard, busy, answer }
}

it('asks one thing at a time, and of those that wait the last', async () => {
  const { foresight, sent, heard, busy, answer } = line()
  for (const move of ['a', 'b', 'c']) foresight.ask(1, [move])
  expect(sent.map(({ moves }) => moves[0])).toEqual(['a'])
  const settled = foresight.settled()
  answer(0)
  answer(1)
  await settled
  expect(sent.map(({ moves }) => moves[0])).toEqual(['a', 'c'])
  expect(heard).toEqual(['c']) // what has been overtaken is not shown
  expect(busy.at(-1)).toBe(false)
})

it('takes a refusal for its own only if it is', () => {
  const { foresight, sent } = line()
  foresight.ask(1, ['a'])
  expect(foresight.refused(null)).toBe(false)
  const { ref } = sent[0]!
  foresight.forget() // the position has changed, and the refusal is still on its way
  expect(foresight.refused(ref!)).toBe(true)
})
