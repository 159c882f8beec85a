/** Parts of pages by themselves, before and after an answer that is made by hand. */

import { flushSync, mount, unmount } from 'svelte'
import { afterEach, expect, it, vi } from 'vitest'
import { api, Problem } from '../../src/lib/net/api'
import GameLine from '../../src/lib/replay/GameLine.svelte'
import TutorialPage from '../../src/lib/tutorial/TutorialPage.svelte'
import { words } from './page'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const target = document.body
const pass = async (milliseconds: number) => {
  await vi.advanceTimersByTimeAsync(milliseconds)
  flushSync()
}

it('draws the line of a game once its first round has been judged', async () => {
  vi.useFakeTimers()
  const answers = [[], [[0.6], [0.4]]]
  vi.spyOn(api, 'line').mockImplementation(async () => {
    const curves = answers.shift()!
    return { names: ['Ann', 'Bob'], curves, turns: [], complete: !answers.length, over: false }
  })
  const app = mount(GameLine, { target, props: { id: 'table' } })
  await pass(299)
  expect([answers.length, words('div.line')]).toEqual([1, []])
  await pass(1)
  expect([answers.length, words('div.line')]).toEqual([0, [expect.stringMatching(/^Ann Bob .*Ann: 60Bob: 40$/)]])
  await unmount(app)
})

it('says that a lesson is on its way, and why it does not come', async () => {
  let fail: (problem: Problem) => void = () => undefined
  vi.spyOn(api, 'me').mockRejectedValue(new Problem('offline', ''))
  vi.spyOn(api, 'games').mockReturnValue(new Promise((_, reject) => (fail = reject)))
  const app = mount(TutorialPage, { target, props: { lesson: 'classic' } })
  flushSync()
  expect(words('p[role=status]')).toEqual(['Connecting…'])
  fail(new Problem('offline', ''))
  await vi.waitFor(() => expect(words('p[role=status]')).toEqual(['The server does not answer.']))
  await unmount(app)
})
