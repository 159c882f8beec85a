import type { FromServer, ToServer } from './protocol'

export type ConnectionState = 'connecting' | 'open' | 'lost' | 'gone' | 'closed'

const PATIENCE = 25_000 // a connection that says nothing for so long is asked whether it lives
const FIRST_WAIT = 300
const LONGEST_WAIT = 10_000
const ANSWER = 6_000 // a decision is answered at once, or the line is dead
const GONE = [4404, 4409] // there is no such table, or none that can be shown here

/** A WebSocket that comes back by itself. What was said into a dead line is kept by whoever said it. */
export class ReconnectingSocket {
  #socket: WebSocket | undefined
  #wait = FIRST_WAIT
  #retry: ReturnType<typeof setTimeout> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  #ended = false

  constructor(
    private readonly path: string,
    private readonly onMessage: (message: FromServer) => void,
    private readonly onLink: (link: ConnectionState) => void,
  ) {
    this.#connect()
    addEventListener('online', this.#now)
    document.addEventListener('visibilitychange', this.#now)
  }

  /** False where the line is known to be down. */
  send(message: ToServer): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false
    this.#socket.send(JSON.stringify(message))
    return true
  }

  /** Says what is answered at once; where no answer comes, the line is dead and a new one is tried. */
  ask(message: ToServer): boolean {
    const said = this.send(message)
    if (said) this.#after(ANSWER, () => this.restart())
    return said
  }

  /** A new connection, at once. */
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
    removeEventListener('online', this.#now)
    document.removeEventListener('visibilitychange', this.#now)
    this.#socket?.close()
    this.onLink(link)
  }

  #now = () => {
    if (document.visibilityState === 'hidden' || this.#ended) return
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return
    this.#wait = FIRST_WAIT
    clearTimeout(this.#retry)
    this.#connect()
  }

  #connect() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
    const socket = new WebSocket(`${scheme}://${location.host}/api${this.path}`)
    this.#socket = socket
    this.onLink('connecting')
    socket.onopen = () => {
      if (socket !== this.#socket) return
      this.#wait = FIRST_WAIT
      this.onLink('open')
      this.#heard()
    }
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket !== this.#socket) return
      this.#heard()
      this.onMessage(JSON.parse(event.data) as FromServer)
    }
    socket.onclose = ({ code }) => {
      if (socket !== this.#socket || this.#ended) return
      clearTimeout(this.#silence)
      if (GONE.includes(code)) return this.#end('gone')
      this.onLink('lost')
      this.#retry = setTimeout(() => this.#connect(), this.#wait * (0.75 + Math.random() / 2))
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT)
    }
  }

  #heard() {
    this.#after(PATIENCE, () => this.ask({ type: 'ping' }))
  }

  #after(silence: number, then: () => void) {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(then, silence)
  }
}
