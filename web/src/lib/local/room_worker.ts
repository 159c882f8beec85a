/**
 * The room, in a worker: the same Python code as on a server. Every tab has such a worker; the one that
 * holds the lock leads, and answers all tabs. When its tab is closed, the next one takes over.
 */
import type { PyProxy } from 'pyodide/ffi'
import { type Answer, type Ask, type Setup, tabLock } from './messages'
import { loadPython, type Python } from './python'
import { type Change, openStorage, type Storage } from './storage'
import { Thinker } from './thinker'

/** `highvoltage.browser.App` */
interface App {
  request(method: string, path: string, body: string | null): Promise<PyProxy>
  connect(connection: number, path: string): Promise<number>
  receive(connection: number, text: string): void
  disconnect(connection: number): void
}

interface Connection {
  tab: string
  /** As the tab calls it. */
  number: number
}

const UNEXPECTED = 1011
const CLOSED = 1000

self.onmessage = ({ data: setup }: MessageEvent<Setup>) => {
  const lead = async () => {
    const channel = new BroadcastChannel(setup.channel)
    try {
      await new Room(setup, channel).open()
    } catch (error) {
      const why = String(error).trim().split('\n').at(-1)! // Python's own words are the last line
      return channel.postMessage({ type: 'failed', why } satisfies Answer)
    }
    await new Promise(() => undefined) // leads until the tab is closed
  }
  void (setup.alone ? lead() : navigator.locks.request(setup.name, lead))
}

class Room {
  readonly #leader = crypto.getRandomValues(new Uint32Array(2)).join('-')
  readonly #connections = new Map<number, Connection>()
  readonly #tabs = new Set<string>()
  #next = 1
  #app!: App
  #storage!: Storage

  constructor(
    private readonly setup: Setup,
    private readonly channel: BroadcastChannel,
  ) {}

  async open() {
    const opening = openStorage(this.setup.name, this.#leader)
    let shown = 0
    const python = await loadPython(this.setup, (loaded) => {
      if (loaded - shown < 0.01) return
      shown = loaded
      this.#post({ type: 'loading', loaded })
    })
    this.#storage = await opening
    const thinker = new Thinker(this.setup)
    const openApp = python.runPython('from highvoltage.browser import open_app\nopen_app') as (
      storage: unknown,
      thinker: Thinker,
      send: (connection: number, text: string | null) => void,
    ) => Promise<App>
    this.#app = await openApp(forPython(this.#storage, python), thinker, this.#send)
    this.channel.onmessage = ({ data }: MessageEvent<Ask>) => void this.#receive(data)
    this.#announce()
  }

  #post(answer: Answer) {
    this.channel.postMessage(answer)
  }

  #announce() {
    this.#post({ type: 'leads', leader: this.#leader, keeping: this.#storage.keeping })
  }

  async #receive(ask: Ask) {
    this.#watch(ask.tab)
    switch (ask.type) {
      case 'hello':
        return this.#announce()
      case 'request':
        return this.#request(ask)
      case 'connect':
        return this.#connect(ask)
      case 'receive': {
        const number = this.#find(ask)
        if (number) this.#app.receive(number, ask.text)
        return
      }
      case 'disconnect': {
        const number = this.#find(ask)
        if (number) this.#drop(number)
      }
    }
  }

  async #request({ tab, id, method, path, body }: Extract<Ask, { type: 'request' }>) {
    try {
      const found = await this.#app.request(method, path, body)
      const [status, kind, text] = found.toJs() as [number, string, string]
      found.destroy()
      this.#post({ type: 'response', tab, id, status, kind, text })
    } catch (error) {
      const text = JSON.stringify({ code: 'internal_error', message: String(error) })
      this.#post({ type: 'response', tab, id, status: 500, kind: 'application/json', text })
    }
  }

  async #connect({ tab, connection, path }: Extract<Ask, { type: 'connect' }>) {
    const number = this.#next++
    this.#connections.set(number, { tab, number: connection })
    this.#post({ type: 'opened', tab, connection })
    const code = await this.#app.connect(number, path).catch(() => UNEXPECTED)
    if (!code) return
    this.#connections.delete(number)
    this.#post({ type: 'closed', tab, connection, code })
  }

  #send = (number: number, text: string | null | undefined) => {
    const to = this.#connections.get(number)
    if (!to) return
    if (text != null) return this.#post({ type: 'message', tab: to.tab, connection: to.number, text })
    this.#connections.delete(number)
    this.#post({ type: 'closed', tab: to.tab, connection: to.number, code: CLOSED })
  }

  #find({ tab, connection }: { tab: string; connection: number }): number | undefined {
    for (const [number, known] of this.#connections) {
      if (known.tab === tab && known.number === connection) return number
    }
    return undefined
  }

  #drop(number: number) {
    this.#connections.delete(number)
    this.#app.disconnect(number)
  }

  /** The lock of a tab is free when the tab is gone: nobody listens there any more. */
  #watch(tab: string) {
    if (this.#tabs.has(tab) || this.setup.alone) return
    this.#tabs.add(tab)
    void navigator.locks.request(tabLock(this.setup.name, tab), () => {
      this.#tabs.delete(tab)
      for (const [number, known] of this.#connections) if (known.tab === tab) this.#drop(number)
    })
  }
}

/** Lists go to Python, and come from there, as values of their own. */
const forPython = (storage: Storage, python: Python) => ({
  load: async () => python.toPy(await storage.load().catch(raiseError)) as unknown,
  write: (batch: PyProxy) =>
    storage.write((batch.toJs() as [string, string | null | undefined][]).map(asChange)).catch(raiseError),
})

/** As an `Error`: Python cannot raise a `DOMException`, and would wait for ever. */
function raiseError({ name, message }: Error): never {
  throw Object.assign(new Error(message), { name })
}

const asChange = ([key, text]: [string, string | null | undefined]): Change => [key, text ?? null]
