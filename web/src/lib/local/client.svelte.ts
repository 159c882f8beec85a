/** The room in this browser, as the page uses it: requests and sockets, as to a server. */
import { folder } from '../ui/route.svelte'
import { Deferred } from './deferred'
import { type Answer, type Ask, type Keeping, type Setup, tabLock } from './messages'

/** What a socket of the page needs of a WebSocket. */
export type Socket = Pick<WebSocket, 'readyState' | 'onopen' | 'onmessage' | 'onclose' | 'send' | 'close'>

const LOST = 1006
const NO_CONTENT = 204
/** Written into the page when it is built (scripts/seal.py); a page in development has no engine. */
const engine = document.querySelector<HTMLMetaElement>('meta[name=engine]')?.dataset
const place = new URL(folder).pathname

type Request = Extract<Ask, { type: 'request' }>

class LocalRoom {
  /** Whether the page comes with an engine. */
  readonly exists = !!engine
  /** How much of the engine is loaded, from 0 to 1; null if nobody has asked for it. */
  loaded = $state<number | null>(null)
  ready = $state(false)
  /** Why the engine cannot be loaded. */
  failure = $state('')
  keeping = $state<Keeping>('stored')

  readonly #opened = new Deferred<void>()
  readonly #tab = crypto.getRandomValues(new Uint32Array(2)).join('-')
  #channel: BroadcastChannel | undefined
  #leader = ''
  #next = 1
  #waiting = new Map<number, { ask: Request; done: (answer: Response) => void; fail: (why: Error) => void }>()
  #sockets = new Map<number, LocalSocket>()

  /** Resolves when the room can be asked, now or later. */
  opened = () => this.#opened.promise

  /** Loads the engine, unless another tab has it. */
  start() {
    if (this.loaded !== null || !engine) return
    this.loaded = 0
    void this.#start(engine)
  }

  async #start(from: DOMStringMap) {
    const name = `highvoltage ${place}`
    // On insecure addresses, and where nothing may be stored, tabs cannot agree on one that leads.
    const alone = !(await holdLock(tabLock(name, this.#tab)))
    const setup: Setup = {
      tab: this.#tab,
      channel: alone ? `${name} ${this.#tab}` : name,
      name,
      alone,
      python: new URL(from.python!, folder).href,
      wheel: new URL(from.wheel!, folder).href,
      bytes: Number(from.bytes),
      cache: `${name} ${from.version}`,
    }
    this.#channel = new BroadcastChannel(setup.channel)
    this.#channel.onmessage = ({ data }: MessageEvent<Answer>) => this.#receive(data)
    const worker = new Worker(new URL('./room_worker.ts', import.meta.url), { type: 'module' })
    worker.onerror = ({ message }) => this.#fail(message || 'The worker could not be started.')
    worker.postMessage(setup)
    this.#post({ tab: this.#tab, type: 'hello' })
  }

  request(method: string, path: string, body: string | null): Promise<Response> {
    this.start()
    if (method === 'POST') void navigator.storage?.persist?.().catch(() => undefined) // games are not to be cleared away
    return new Promise((done, fail) => {
      if (this.failure) return fail(new Error(this.failure))
      const id = this.#next++
      const ask: Request = { tab: this.#tab, type: 'request', id, method, path, body }
      this.#waiting.set(id, { ask, done, fail })
      if (this.ready) this.#post(ask)
    })
  }

  connect(path: string): Socket {
    this.start()
    const connection = this.#next++
    const address = { tab: this.#tab, connection }
    const socket = new LocalSocket(
      (text) => this.#post({ ...address, type: 'receive', text: String(text) }),
      () => {
        this.#sockets.delete(connection)
        this.#post({ ...address, type: 'disconnect' })
      },
      () => this.#post({ ...address, type: 'connect', path }),
    )
    this.#sockets.set(connection, socket)
    if (this.ready) socket.begin()
    return socket
  }

  #post(ask: Ask) {
    this.#channel?.postMessage(ask)
  }

  #receive(answer: Answer) {
    if ('tab' in answer && answer.tab !== this.#tab) return
    switch (answer.type) {
      case 'loading':
        if (this.ready) this.#lose()
        this.loaded = answer.loaded
        break
      case 'failed':
        this.#fail(answer.why)
        break
      case 'leads':
        this.keeping = answer.keeping
        if (answer.leader !== this.#leader) this.#follow(answer.leader)
        break
      case 'response': {
        const { status, kind, text, id } = answer
        const body = status === NO_CONTENT ? null : text
        this.#waiting.get(id)?.done(new Response(body, { status, headers: { 'content-type': kind } }))
        this.#waiting.delete(id)
        break
      }
      case 'opened':
        this.#sockets.get(answer.connection)?.opened()
        break
      case 'message':
        this.#sockets.get(answer.connection)?.received(answer.text)
        break
      case 'closed':
        this.#close(answer.connection, answer.code)
    }
  }

  /** A new worker leads: it knows nothing of what the old one was asked and has not answered. */
  #follow(leader: string) {
    this.#leader = leader
    this.ready = true
    this.#opened.resolve()
    this.loaded = 1
    this.failure = ''
    for (const { ask } of this.#waiting.values()) this.#post(ask)
    for (const [connection, socket] of [...this.#sockets]) {
      if (socket.begun) this.#close(connection, LOST)
      else socket.begin()
    }
  }

  /** The tab that led is gone, and another one loads the engine. */
  #lose() {
    this.ready = false
    for (const connection of [...this.#sockets.keys()]) this.#close(connection, LOST)
  }

  #close(connection: number, code: number) {
    const socket = this.#sockets.get(connection)
    this.#sockets.delete(connection)
    socket?.closed(code)
  }

  #fail(why: string) {
    if (this.ready) return
    this.failure = why
    for (const { fail } of this.#waiting.values()) fail(new Error(why))
    this.#waiting.clear()
    this.#lose()
  }
}

class LocalSocket implements Socket {
  /** Whether a room was asked to open it. */
  begun = false
  readyState: number = WebSocket.CONNECTING
  onopen: Socket['onopen'] = null
  onmessage: Socket['onmessage'] = null
  onclose: Socket['onclose'] = null

  constructor(
    readonly send: (text: Parameters<WebSocket['send']>[0]) => void,
    private readonly end: () => void,
    private readonly open: () => void,
  ) {}

  begin() {
    this.begun = true
    this.open()
  }

  close() {
    if (this.readyState === WebSocket.CLOSED) return
    this.end()
    this.closed(LOST)
  }

  opened() {
    this.readyState = WebSocket.OPEN
    this.onopen?.call(this as unknown as WebSocket, new Event('open'))
  }

  received(data: string) {
    this.onmessage?.call(this as unknown as WebSocket, new MessageEvent('message', { data }))
  }

  closed(code: number) {
    this.readyState = WebSocket.CLOSED
    this.onclose?.call(this as unknown as WebSocket, new CloseEvent('close', { code }))
  }
}

/** Holds a lock as long as the page lives; whether the browser has any for it. */
function holdLock(name: string): Promise<boolean> {
  return new Promise((done) => {
    const held = () => {
      done(true)
      return new Promise(() => undefined)
    }
    const asked = navigator.locks?.request(name, held)
    if (asked) asked.catch(() => done(false))
    else done(false)
  })
}

export const localRoom = new LocalRoom()
