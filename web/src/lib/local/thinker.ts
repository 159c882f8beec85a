/** The thinking worker, as the room uses it: one task at a time. */
import { Deferred } from './deferred'
import type { Setup } from './messages'
import type { Think, Thought } from './thinking_worker'

export class Thinker {
  #worker: Worker | undefined
  #ready!: Deferred<void>
  #failed = false
  #thought: Deferred<string> | undefined

  constructor(private readonly setup: Setup) {
    this.#start()
  }

  /** Waits until the worker can think. One that could not be started is started again. */
  ready = () => {
    if (this.#failed) this.#start()
    return this.#ready.promise
  }

  think = (task: string): Promise<string> => {
    this.#thought = new Deferred()
    this.#post({ type: 'think', task })
    return this.#thought.promise
  }

  /** Gives up what is being thought about. */
  restart = () => {
    this.#end((thought) => thought.reject(new Error('It took too long.')))
    this.#start()
  }

  #start() {
    this.#worker?.terminate()
    const worker = new Worker(new URL('./thinking_worker.ts', import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<Thought>) => {
      if (data.type === 'ready') this.#ready.resolve()
      else if (data.type === 'thought') this.#end((thought) => thought.resolve(data.text))
      else this.#fail(data.why)
    }
    worker.onerror = ({ message }) => this.#fail(message)
    this.#failed = false
    this.#ready = new Deferred()
    this.#ready.promise.catch(() => undefined) // nobody may be waiting for it
    this.#worker = worker
    this.#post({ type: 'setup', setup: this.setup })
  }

  #fail(why: string) {
    if (this.#thought) return this.#end((thought) => thought.reject(new Error(why)))
    this.#failed = true
    this.#ready.reject(new Error(why))
  }

  #end(settle: (thought: Deferred<string>) => void) {
    if (this.#thought) settle(this.#thought)
    this.#thought = undefined
  }

  #post(message: Think) {
    this.#worker?.postMessage(message)
  }
}
