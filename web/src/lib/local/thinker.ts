/** The thinking worker, as the room uses it: one task at a time. */
import { Deferred } from './deferred'
import type { Setup } from './messages'
import type { Think, Thought } from './thinking_worker'

export class Thinker {
  #worker: Worker
  #ready: Deferred<void>
  #thought: Deferred<string> | undefined

  constructor(private readonly setup: Setup) {
    this.#ready = new Deferred()
    this.#worker = this.#start()
  }

  ready = () => this.#ready.promise

  think = (task: string): Promise<string> => {
    this.#thought = new Deferred()
    this.#post({ type: 'think', task })
    return this.#thought.promise
  }

  /** Gives up what is being thought about. */
  restart = () => {
    this.#worker.terminate()
    this.#thought?.reject(new Error('It took too long.'))
    this.#ready = new Deferred()
    this.#worker = this.#start()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./thinking_worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<Thought>) => {
      if (data.type === 'ready') this.#ready.resolve()
      else if (data.type === 'thought') this.#thought?.resolve(data.text)
      else if (this.#thought) this.#thought.reject(new Error(data.why))
      else this.#ready.reject(new Error(data.why))
    }
    worker.onerror = ({ message }) => this.#ready.reject(new Error(message))
    worker.postMessage({ type: 'setup', setup: this.setup } satisfies Think)
    return worker
  }

  #post(message: Think) {
    this.#worker.postMessage(message)
  }
}
