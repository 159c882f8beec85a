/** Bots, hints and analyses, in a worker of their own: the room goes on while they think. */
import type { Setup } from './messages'
import { Networks } from './networks'
import { loadPython } from './python'

export type Think = { type: 'setup'; setup: Setup } | { type: 'think'; task: string }
export type Thought = { type: 'ready' } | { type: 'thought'; text: string } | { type: 'failed'; why: string }

const post = (message: Thought) => postMessage(message)
let answer: ((task: string) => string) | undefined
let networks: Networks | undefined

self.onmessage = async ({ data }: MessageEvent<Think>) => {
  try {
    if (data.type === 'setup') {
      const python = await loadPython(data.setup, () => undefined)
      answer = python.runPython('from highvoltage.browser.thinking import answer\nanswer') as (task: string) => string
      networks = new Networks(python, data.setup.wheel)
      post({ type: 'ready' })
    } else {
      await networks!.provide(data.task)
      post({ type: 'thought', text: answer!(data.task) })
    }
  } catch (error) {
    post({ type: 'failed', why: String(error) })
  }
}
