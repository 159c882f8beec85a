/**
 * What a server answered once, for pages that are tested without one. `tests/web/taping.py` starts a server and
 * runs these tests with its address in SERVER: they ask it, and keep what it answers beside their file.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createRequire } from 'node:module'
import { gunzipSync, gzipSync } from 'node:zlib'
import { vi } from 'vitest'
import type { WebSocket as SocketThere } from 'ws'
import { api } from '../../src/lib/net/api'
import type { FromServer, GameView, ResumedTable } from '../../src/lib/net/protocol'

interface Answer {
  status: number
  kind: string
  text: string
}
/** What followed each question, by the words of the question; texts that came often are kept once. */
interface Kept {
  now: number
  texts: string[]
  asked: Record<string, number[][]>
}

const { SERVER } = process.env
const ADDRESS = SERVER ?? 'http://page.test'
const NOTHING_MORE = 150 // milliseconds without an answer: there will be none
const LONGEST = 8_000 // nothing else is waited for longer

const TIMERS = ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] as const

/** A question without the names that a page gives to what it sends. */
const plain = (text: string) => text.replace(/([?&"])ref("?[=:]"?)\w+"?/g, '$1ref')

/** The same numbers for the same word. */
function numbers(word: string): () => number {
  let at = [...word].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 7)
  return () => {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) | 0
    return (at ^ (at >>> 15)) >>> 0
  }
}

export class Tape {
  readonly #kept: Kept
  readonly #came = new Map<string, number>()
  readonly #sockets = new Set<TapedSocket>()
  #cookie = ''
  readonly #cookies = new Map<string, string>()
  #open = 0
  #last = 0
  /** What the page has sent, by hand. */
  readonly sent: string[] = []
  /** Questions that nobody had asked when the tape was made. */
  readonly unknown: string[] = []
  /** What the last state said of the game. */
  view: GameView | null = null
  scope = ''
  /** What reaches the page instead of what was answered. */
  altered = (text: string) => text

  constructor(private readonly file: string) {
    this.#kept =
      !SERVER && existsSync(file)
        ? (JSON.parse(gunzipSync(readFileSync(file)).toString()) as Kept)
        : { now: Date.now(), texts: [], asked: {} }
  }

  get cookie() {
    return this.#cookie
  }

  /** From now on questions belong to this test, at the time at which they were asked. */
  begin(scope: string) {
    this.scope = scope
    this.altered = (text) => text
    this.#came.clear()
    const tape = this
    vi.stubGlobal('fetch', (path: string, options: RequestInit = {}) => this.#fetch(path, options))
    vi.stubGlobal(
      'WebSocket',
      class extends TapedSocket {
        constructor(url: string) {
          super(tape, new URL(url).pathname)
          tape.#sockets.add(this)
        }
      },
    )
    vi.useFakeTimers({ toFake: SERVER ? ['Date'] : [...TIMERS], now: this.#kept.now })
    const drawn = numbers(scope)
    vi.spyOn(Math, 'random').mockImplementation(() => drawn() / 2 ** 32)
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((into) => {
      const list = into as unknown as Uint32Array
      for (let at = 0; at < list.length; at++) list[at] = drawn()
      return into
    })
    this.sent.length = this.unknown.length = 0
  }

  end() {
    for (const socket of this.#sockets) socket.close()
    this.#sockets.clear()
  }

  save() {
    if (SERVER) writeFileSync(this.file, gzipSync(JSON.stringify(this.#kept), { level: 9 }))
  }

  #key = (question: string) => `${this.scope}: ${plain(question)}`

  /** Whether this was asked when the tape was made. */
  knows(question: string): boolean {
    return this.#key(question) in this.#kept.asked
  }

  /** What follows a question; undefined if it was never asked. */
  next(question: string): string[] | undefined {
    const key = this.#key(question)
    const nth = this.#came.get(key) ?? 0
    this.#came.set(key, nth + 1)
    const found = this.#kept.asked[key]
    const answers = found?.[Math.min(nth, found.length - 1)]
    if (!answers) this.unknown.push(question)
    return answers?.map((at) => this.#kept.texts[at]!)
  }

  /** The place for what follows a question that is asked now. */
  place(question: string): number[] {
    const answers: number[] = []
    const key = this.#key(question)
    this.#kept.asked[key] = [...(this.#kept.asked[key] ?? []), answers]
    return answers
  }

  keep(place: number[], text: string) {
    this.#last = performance.now()
    const at = this.#kept.texts.indexOf(text)
    place.push(at >= 0 ? at : this.#kept.texts.push(text) - 1)
  }

  async #fetch(path: string, { method = 'GET', body, headers }: RequestInit): Promise<Response> {
    const { pathname, search } = new URL(path, 'http://page.test')
    if (!pathname.startsWith('/api/')) throw new TypeError('Only the server is asked, for no outlines of countries.')
    const question = `${method} ${pathname}${search} ${body ?? ''}`.trim()
    if (method !== 'GET') {
      this.sent.push(plain(question))
      for (const socket of this.#sockets) socket.after(question)
    }
    this.#open += 1
    try {
      const { status, kind, text } = await (SERVER
        ? this.#ask(question, pathname + search, method, body, headers)
        : this.#answer(question))
      return new Response(status === 204 ? null : this.altered(text), { status, headers: { 'content-type': kind } })
    } finally {
      this.#open -= 1
      this.#last = performance.now()
    }
  }

  #answer(question: string): Answer | Promise<Answer> {
    const [text] = this.next(question) ?? []
    return text === undefined ? new Promise<Answer>(() => undefined) : (JSON.parse(text) as Answer)
  }

  async #ask(question: string, path: string, method: string, body: unknown, headers: unknown): Promise<Answer> {
    const place = this.place(question)
    const sent = { ...(headers as Record<string, string>), ...(this.#cookie && { cookie: this.#cookie }) }
    const found = await new Promise<Answer>((resolve, reject) => {
      const asking = request(ADDRESS + path, { method, headers: sent, agent: false }, (answer) => {
        const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0]
        if (cookie) this.#cookie = cookie
        let text = ''
        answer.setEncoding('utf-8').on('data', (part: string) => {
          text += part
        })
        answer.on('end', () =>
          resolve({ status: answer.statusCode!, kind: answer.headers['content-type'] ?? '', text }),
        )
      })
      asking.on('error', reject).end(body as string)
    })
    this.keep(place, JSON.stringify(found))
    return found
  }

  /** Until this is there: what is compressed takes a moment here, too. */
  async shows(what: string) {
    for (let again = 0; again < 5_000 && !document.querySelector(what); again++)
      await new Promise((go) => (SERVER ? setTimeout(go, 5) : setImmediate(go)))
  }

  /** Until some time has passed. */
  async wait(seconds: number) {
    if (SERVER) return new Promise<void>((go) => setTimeout(go, seconds * 1_000))
    for (let left = seconds; left > 0; left--) {
      await vi.advanceTimersByTimeAsync(Math.min(left, 1) * 1_000)
      await new Promise(setImmediate) // what was asked meanwhile is answered
    }
  }

  /** What somebody else does meanwhile, on a device of their own. */
  async as<T>(who: string, act: () => Promise<T>): Promise<T> {
    const mine = this.#cookie
    this.#cookie = this.#cookies.get(who) ?? ''
    try {
      return await act()
    } finally {
      this.#cookies.set(who, this.#cookie)
      this.#cookie = mine
    }
  }

  /** Until everything that was asked is answered; here, that takes no time. */
  async settled() {
    this.#last = performance.now()
    if (!SERVER) {
      for (let part = 0; part < 3; part++) {
        await vi.advanceTimersByTimeAsync(NOTHING_MORE / 3)
        await new Promise(setImmediate)
      }
      return
    }
    const end = performance.now() + LONGEST
    const busy = () => this.#open || document.querySelector('[data-previewing], [aria-busy=true]')
    while ((busy() && performance.now() < end) || performance.now() - this.#last < NOTHING_MORE)
      await new Promise((go) => setTimeout(go, 5))
  }
}

class TapedSocket {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSED = 3
  readyState = 0
  onopen: (() => void) | undefined
  onmessage: ((event: { data: string }) => void) | undefined
  onclose: ((event: { code: number }) => void) | undefined
  #there: SocketThere | undefined
  /** What comes now belongs to this question. */
  #place: number[] | undefined

  constructor(
    private readonly tape: Tape,
    private readonly path: string,
  ) {
    if (SERVER) this.#connect()
    else this.#follow(`open ${path}`, () => this.#open())
  }

  #connect() {
    this.#place = this.tape.place(`open ${this.path}`)
    const { WebSocket } = createRequire(import.meta.url)('ws') as { WebSocket: typeof SocketThere } // not a browser's
    this.#there = new WebSocket(ADDRESS.replace('http', 'ws') + this.path, {
      headers: { cookie: this.tape.cookie, origin: ADDRESS },
    })
    this.#there.on('error', () => undefined) // it was closed too soon
    this.#there.onopen = () => this.#open()
    this.#there.onmessage = ({ data }) => {
      this.tape.keep(this.#place!, String(data))
      this.#receive(String(data))
    }
  }

  #open() {
    this.readyState = 1
    this.onopen?.()
  }

  /** The page receives a message. */
  #receive(data: string) {
    const text = this.tape.altered(data)
    const message = JSON.parse(text) as FromServer
    if (message.type === 'state') this.tape.view = message.view as GameView | null
    this.onmessage?.({ data: text })
  }

  #follow(question: string, first: () => void = () => undefined) {
    const answers = this.tape.next(question) ?? []
    setTimeout(() => {
      if (this.readyState === 3) return
      first()
      for (const data of answers) this.#receive(data)
    })
  }

  send(text: string) {
    const question = `send ${this.path} ${text}`
    if (!/"type":"(preview|ping|look)/.test(text)) this.tape.sent.push(plain(text))
    if (!SERVER) return this.#follow(question)
    this.#place = this.tape.place(question)
    this.#there?.send(text)
  }

  /** What comes from now on follows what was asked beside this socket. */
  after(asked: string) {
    const question = `after ${asked} on ${this.path}`
    if (SERVER) this.#place = this.tape.place(question)
    else if (this.tape.knows(question)) this.#follow(question)
  }

  close() {
    this.readyState = 3
    this.#there?.close()
  }
}

export const record = (name: string) =>
  readFileSync(`${import.meta.dirname}/../../../tests/corpus/${name}.txt`, 'utf-8')

/** A table that goes on with a game: all seats are mine, or those named; bots have the others. */
export async function resume(played: string, moves: number, mine?: number[]): Promise<string> {
  const names = [...played.matchAll(/^player: /gm)]
  const seats = names.map((_, seat) => (!mine || mine.includes(seat) ? { kind: 'me' } : { kind: 'bot', bot: 'clerk' }))
  return (await api.resume({ record: played, seats, moves } as ResumedTable)).id
}
