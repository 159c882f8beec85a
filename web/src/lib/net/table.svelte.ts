import { readAuction, type Choices } from './legal'
import { Live, type Link } from './live'
import type {
  ChatLine,
  Clocks,
  Event,
  FromServer,
  GameView,
  Hint,
  Refused,
  Row,
  Seat,
  State,
  TableInfo,
  ToServer,
} from './protocol'

/** One table as this browser knows it: what the server sent last, and how to answer. */
export class Table<V extends GameView = GameView> {
  link = $state<Link>('connecting')
  info = $state.raw<TableInfo | null>(null)
  view = $state.raw<V | null>(null)
  you = $state<Seat | null>(null)
  log = $state.raw<Row[]>([])
  setup = $state.raw<Event[]>([])
  chat = $state.raw<ChatLine[]>([])
  clocks = $state.raw<(Clocks & { at: number }) | null>(null)
  undoTo = $state<number | null>(null)
  wishes = $state.raw<Record<string, number>>({})
  refusal = $state.raw<Refused | null>(null)
  hint = $state.raw<Hint | null>(null)
  /** Something was sent and not answered yet. */
  waiting = $state(false)
  missing = $state(false)

  seq = $state(0)
  legal = $state.raw<State['legal']>([])
  choices: Choices = $derived(readAuction(this.legal))
  myTurn = $derived(this.legal.length > 0)
  #queue: string[] = []
  /** The position for which a decision was sent that has not come back yet. */
  #decided: number | null = null
  #live: Live

  constructor(readonly id: string) {
    this.#live = new Live(
      `/tables/${id}/live`,
      (message) => this.#hear(message),
      (link) => {
        this.link = link
        if (link !== 'open') this.#forget()
      },
    )
  }

  close = () => this.#live.close()
  /** A new connection, with whatever this browser now is. */
  reconnect = () => this.#live.restart()

  /** Plays moves one after the other, as long as none is refused. */
  play(...moves: string[]) {
    if (this.waiting || !moves.length) return
    this.refusal = null
    this.hint = null
    this.#queue = moves.slice(1)
    this.#ask({ type: 'move', seq: this.seq, move: moves[0]! })
  }

  undo(to?: number) {
    if (this.undoTo === null || this.waiting) return
    this.refusal = null
    this.hint = null
    this.#ask({ type: 'undo', seq: this.seq, ...(to === undefined ? {} : { to }) })
  }

  maxBid = (card: string, limit: number | null) => this.#ask({ type: 'max_bid', card, limit })
  passOn = (card: string) => this.#ask({ type: 'pass_on', card })
  say = (text: string) => this.#live.send({ type: 'chat', text })
  askHint = () => this.#live.send({ type: 'hint' })
  dismiss() {
    this.refusal = null
    this.hint = null
  }

  #ask(message: ToServer) {
    this.waiting = this.#live.send(message)
    this.#decided = 'seq' in message ? message.seq : null
  }

  #forget() {
    this.waiting = false
    this.#decided = null
    this.#queue = []
  }

  #hear(message: FromServer) {
    switch (message.type) {
      case 'state':
        this.#show(message)
        break
      case 'refused':
        this.refusal = message
        this.#forget()
        break
      case 'chat':
        this.chat = [...this.chat, ...message.lines.filter((line) => line.n > (this.chat.at(-1)?.n ?? -1))]
        break
      case 'hint':
        this.hint = message
        break
      case 'error':
        this.#forget()
        this.refusal = { ...message, type: 'refused', rule: null, values: {}, ref: null }
        break
      case 'pong':
        break
    }
  }

  #show(state: State) {
    const moved = state.seq !== this.seq
    const mine = state.you === this.you // a plan is for one seat
    this.info = state.table
    this.view = state.view as V | null // the rulebook of a table does not change
    this.you = state.you
    this.legal = state.legal
    this.seq = state.seq
    this.log = [...this.log.slice(0, state.log_from), ...state.log]
    if (state.setup) this.setup = state.setup
    this.clocks = state.clocks && { ...state.clocks, at: performance.now() }
    this.undoTo = state.undo_to
    this.wishes = state.wishes
    if (moved) this.hint = null
    if (state.seq === this.#decided) return // something else was told meanwhile
    this.waiting = false
    this.#decided = null
    const next = this.#queue.shift()
    const due = next !== 'done' || this.choices.done // the server may have ended the turn by itself
    if (next && this.myTurn && mine && due) this.#ask({ type: 'move', seq: this.seq, move: next })
    else this.#queue = []
  }
}
