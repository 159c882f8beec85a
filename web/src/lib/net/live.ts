import type { FromServer, ToServer } from './protocol'

export type Link = 'connecting' | 'open' | 'lost' | 'closed'

const PATIENCE = 25_000 // a connection that says nothing for so long is asked whether it lives
const FIRST_WAIT = 300
const LONGEST_WAIT = 10_000

/** A WebSocket that comes back by itself. Nothing is kept for later: the server knows the state. */
export class Live {
  #socket: WebSocket | undefined
  #wait = FIRST_WAIT
  #retry: ReturnType<typeof setTimeout> | undefined
  #silence: ReturnType<typeof setTimeout> | undefined
  #ended = false

  constructor(
    private readonly path: string,
    private readonly onMessage: (message: FromServer) => void,
    private readonly onLink: (link: Link) => void,
  ) {
    this.#connect()
    addEventListener('online', this.#now)
    document.addEventListener('visibilitychange', this.#now)
  }

  send(message: ToServer): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false
    this.#socket.send(JSON.stringify(message))
    return true
  }

  restart() {
    this.#socket?.close()
  }

  close() {
    this.#ended = true
    clearTimeout(this.#retry)
    clearTimeout(this.#silence)
    removeEventListener('online', this.#now)
    document.removeEventListener('visibilitychange', this.#now)
    this.#socket?.close()
    this.onLink('closed')
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
      this.#wait = FIRST_WAIT
      this.onLink('open')
      this.#heard()
    }
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket !== this.#socket) return
      this.#heard()
      this.onMessage(JSON.parse(event.data) as FromServer)
    }
    socket.onclose = () => {
      if (socket !== this.#socket || this.#ended) return
      clearTimeout(this.#silence)
      this.onLink('lost')
      this.#retry = setTimeout(() => this.#connect(), this.#wait * (0.75 + Math.random() / 2))
      this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT)
    }
  }

  #heard() {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => {
      this.send({ type: 'ping' })
      this.#silence = setTimeout(() => this.#socket?.close(), PATIENCE / 2)
    }, PATIENCE)
  }
}
