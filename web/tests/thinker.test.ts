import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Setup } from '../src/lib/local/messages'
import { Thinker } from '../src/lib/local/thinker'
import type { Think, Thought } from '../src/lib/local/thinking_worker'

class FakeWorker {
  onmessage!: (event: { data: Thought }) => void
  onerror!: (event: { message: string }) => void
  readonly received: Think[] = []
  ended = false
  postMessage = (message: Think) => this.received.push(message)
  terminate = () => (this.ended = true)
  say = (data: Thought) => this.onmessage({ data })
  constructor() {
    workers.push(this)
  }
}

let workers: FakeWorker[] = []
beforeEach(() => {
  workers = []
  vi.stubGlobal('Worker', FakeWorker)
})
afterEach(() => vi.unstubAllGlobals())

it('starts a worker again that could not be started', async () => {
  const thinker = new Thinker({} as Setup)
  const first = thinker.ready()
  workers[0]!.say({ type: 'failed', why: 'no memory' })
  await expect(first).rejects.toThrow('no memory')
  const second = thinker.ready()
  expect(workers[0]!.ended).toBe(true)
  workers[1]!.say({ type: 'ready' })
  await second
  const thought = thinker.think('task')
  workers[1]!.say({ type: 'thought', text: 'pass' })
  expect(await thought).toBe('pass')
})

it('says of a restarted worker, too, that it could not be started', async () => {
  const thinker = new Thinker({} as Setup)
  workers[0]!.say({ type: 'ready' })
  const thought = thinker.think('task')
  thinker.restart()
  await expect(thought).rejects.toThrow('too long')
  const again = thinker.ready()
  workers[1]!.say({ type: 'failed', why: 'no network' })
  await expect(again).rejects.toThrow('no network')
})
