import type { Socket } from '../local/client.svelte'
import type { FromServer, ToServer } from './protocol'
import { isRemote, openSocket } from './transport'

export type ConnectionState = 'connecting' | 'open' | 'lost' | 'gone' | 'closed'

const PATIENCE = 25_000 // a connection silent for so long is pinged
const DOUBT = 2_000 // so soon if somebody waits for it; an answer that takes longer is in doubt
const FIRST_WAIT = 300
const LONGEST_WAIT = 10_000
const ANSWER = 6_000 // a decision is answered within this time, or the connection is dead
const GONE = [4404, 4409] // no such table, or one that cannot be shown here

/** A WebSocket that reconnects by itself. The sender has to repeat what was lost with a dead connection. */
export class ReconnectingSocket {
  #socket: Socket | undefined
  #wait = FIRST_WAIT
  #retry: ReturnType<typeof setTimeout> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  #doubt: ReturnType<typeof setTimeout> | undefined
  #heard = 0
  #ended = false

  constructor(
    private readonly path: string,
    private readonly onMessage: (message: FromServer) => void,
    private readonly onLink: (link: ConnectionState) => void,
    /** An answer is missing, or has come after all. */
    private readonly onDoubt: (isDoubtful: boolean) => void,
    /** Whether somebody looks at the page and is to decide. */
    private readonly isWatched: () => boolean,
  ) {
    this.#connect()
    addEventListener('online', this.#now)
    addEventListener('offline', this.#onOffline)
    document.addEventListener('visibilitychange', this.#now)
  }

  /** False if the connection is known to be down. */
  send(message: ToServer): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false
    this.#socket.send(JSON.stringify(message))
    return true
  }

  /** Sends a message that is answered at once; without an answer, the connection is dead and a new one is opened. */
  ask(message: ToServer): boolean {
    const sent = this.send(message)
    if (!sent) return false
    this.#after(ANSWER, () => this.restart())
    clearTimeout(this.#doubt)
    this.#doubt = setTimeout(() => this.onDoubt(true), DOUBT)
    return true
  }

  /** Reconnects at once. */
  restart() {
    const old = this.#socket
    clearTimeout(this.#retry)
    this.#connect()
    old?.close()
  }

  close() {
    this.#end('closed')
  }

  #end(link: ConnectionState) {
    this.#ended = true
    clearTimeout(this.#retry)
    clearTimeout(this.#silence)
    clearTimeout(this.#doubt)
    removeEventListener('online', this.#now)
    removeEventListener('offline', this.#onOffline)
    document.removeEventListener('visibilitychange', this.#now)
    this.#socket?.close()
    this.onLink(link)
  }

  /** The browser knows at once that there is no network. */
  #onOffline = () => {
    if (this.#ended || !isRemote(this.path)) return
    const old = this.#socket
    this.#socket = undefined // what it still says is not heard
    old?.close()
    this.#lose()
  }

  #now = () => {
    if (document.visibilityState === 'hidden' || this.#ended) return
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return
    this.#wait = FIRST_WAIT
    clearTimeout(this.#retry)
    this.#connect()
  }

  #connect() {
    const socket = openSocket(this.path)
    this.#socket = socket
    this.onLink('connecting')
    socket.onopen = () => {
      if (socket !== this.#socket) return
      this.#wait = FIRST_WAIT
      this.onLink('open')
      this.#onTraffic()
    }
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket !== this.#socket) return
      this.#onTraffic()
      this.onMessage(JSON.parse(event.data) as FromServer)
    }
    socket.onclose = ({ code }) => {
      if (socket !== this.#socket || this.#ended) return
      if (GONE.includes(code)) return this.#end('gone')
      this.#lose()
    }
  }

  #lose() {
    clearTimeout(this.#silence)
    clearTimeout(this.#retry)
    this.#settle()
    this.onLink('lost')
    this.#retry = setTimeout(() => this.#connect(), this.#wait * (0.75 + Math.random() / 2))
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT)
  }

  #settle() {
    clearTimeout(this.#doubt)
    this.onDoubt(false)
  }

  #onTraffic() {
    this.#settle()
    this.#heard = performance.now()
    this.#listen()
  }

  #listen = () => {
    this.#after(DOUBT, () => {
      const silence = performance.now() - this.#heard
      if (this.isWatched() || silence >= PATIENCE) this.ask({ type: 'ping' })
      else this.#listen()
    })
  }

  #after(silence: number, then: () => void) {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(then, silence)
  }
}
