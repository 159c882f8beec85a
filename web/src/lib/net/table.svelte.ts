import { withSeatNames } from '../ui/words'
import { type Choices, readAuction } from './legal'
import { PreviewQueue } from './preview'
import type {
  ChatLine,
  Clocks,
  Event,
  FromServer,
  GameView,
  Hint,
  Preview,
  Refused,
  Row,
  Seat,
  State,
  TableInfo,
  ToServer,
} from './protocol'
import { Seen } from './seen'
import { type ConnectionState, ReconnectingSocket } from './socket'
import { sharing, withDefaults } from './view'

type Decision = Extract<ToServer, { type: 'move' | 'undo' | 'max_bid' | 'pass_on' }>

/** What a table talks to: a server that keeps the game, or one that only judges a position. */
export type Connection = Pick<ReconnectingSocket, 'send' | 'ask' | 'restart' | 'close'>
type Opened = (hear: (message: FromServer) => void, onLink: (link: ConnectionState) => void) => Connection

const LAPSED: Refused = { type: 'refused', code: 'lapsed', message: '', rule: null, values: {}, ref: null }

/** A line that is told again has changed: its words were taken out. */
function merged(known: ChatLine[], told: ChatLine[]): ChatLine[] {
  const anew = new Map(told.map((line) => [line.n, line]))
  const last = known.at(-1)?.n ?? 0
  return [...known.map((line) => anew.get(line.n) ?? line), ...told.filter((line) => line.n > last)]
}

/** One table as this browser knows it: what the server sent last, and how to answer. */
export class Table<V extends GameView = GameView> {
  link = $state<ConnectionState>('connecting')
  info = $state.raw<TableInfo | null>(null)
  view = $state.raw<V | null>(null)
  #seen = new Seen<V>()
  you = $state<Seat | null>(null)
  log = $state.raw<Row[]>([])
  setup = $state.raw<Event[]>([])
  chat = $state.raw<ChatLine[]>([])
  clocks = $state.raw<(Clocks & { at: number }) | null>(null)
  undoTo = $state<number | null>(null)
  maxBids = $state.raw<Record<string, number>>({})
  refusal = $state.raw<Refused | null>(null)
  hint = $state.raw<Hint | null>(null)
  /** A hint that the one who teaches has asked for, in this position. */
  advice = $state.raw<Hint | null>(null)
  /** The position that advice was asked for, while it has not come. */
  advising = $state<number | null>(null)
  /** What the moves that are planned would come to, as the server told last for this position. */
  previewed = $state.raw<Preview<V> | null>(null)
  previewing = $state(false)
  /** What the cities that are planned ahead would come to if it were time to build. */
  previewedAhead = $state.raw<Preview<V> | null>(null)
  /** Something was decided and not answered yet. */
  waiting = $state(false)
  /** What was decided while the line was down: it is sent when the line is back, if it still fits. */
  kept = $state.raw<Decision | null>(null)

  seq = $state(0)
  legal = $state.raw<State['legal']>([])
  choices: Choices = $derived(readAuction(this.legal))
  myTurn = $derived(this.legal.length > 0)
  #queue: string[] = []
  /** What was sent and has not been answered yet. */
  #sent: Decision | null = null
  /** The line is new: the next state shows what has come through. */
  #back = false
  #live: Connection
  #previews = new PreviewQueue(
    (question) => this.#live.send(question),
    (preview) => {
      if (preview.seq === this.seq) this.previewed = { ...preview, view: withDefaults(preview.view as V) }
    },
    (busy) => {
      this.previewing = busy
    },
  )

  #previewsAhead = new PreviewQueue(
    (question) => this.#live.send(question),
    (preview) => {
      if (preview.seq === this.seq) this.previewedAhead = { ...preview, view: withDefaults(preview.view as V) }
    },
    () => undefined,
    true,
  )

  constructor(
    readonly id: string,
    open: Opened = (hear, onLink) => new ReconnectingSocket(`/tables/${id}/live`, hear, onLink),
  ) {
    this.#live = open(
      (message) => this.#hear(message),
      (link) => {
        this.link = link
        this.#back = true
        this.advising = null
        this.#previews.forget()
        this.#previewsAhead.forget()
      },
    )
  }

  /** What lay there after so many rows of the log, as far as that was seen. */
  viewAt(rows: number): V | null {
    const { view } = this // asked again with every new one
    return this.#seen.at(rows) ?? view
  }

  close = () => this.#live.close()
  /** A new connection, with whatever this browser now is. */
  reconnect = () => this.#live.restart()

  /** Asks what these moves would come to; with none there is nothing to be foreseen. */
  askPreview(moves: string[]) {
    if (moves.length) return this.#previews.ask(this.seq, moves)
    this.#previews.forget()
    this.previewed = null
  }

  /** Asks what these moves would come to if it were time to build. */
  askPreviewAhead(moves: string[]) {
    if (moves.length) return this.#previewsAhead.ask(this.seq, moves)
    this.#previewsAhead.forget()
    this.previewedAhead = null
  }

  /** When `foreseen` is for what was asked last. */
  settled = () => this.#previews.settled()

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
  /** Of the bot that says what things are worth, for whoever learns. */
  askAdvice() {
    this.advising = this.seq
    this.#live.send({ type: 'hint', bot: 'engineer' })
  }
  dismiss() {
    this.refusal = null
    this.hint = null
  }

  /** What is kept is not sent after all. */
  drop = () => this.#forget()

  #ask(message: Decision) {
    this.waiting = true
    const said = this.#live.ask(message)
    this.#sent = said ? message : null
    this.kept = said ? null : message
  }

  #forget() {
    this.waiting = false
    this.#sent = null
    this.kept = null
    this.#queue = []
  }

  /** Whether a decision can be sent for this position, as it could for the one it was made in. */
  #fits(message: Decision): boolean {
    return 'seq' in message ? message.seq === this.seq : message.card === this.view?.auction.card
  }

  /** After a break: says again what the server has not heard. True if something was said. */
  #resume(mine: boolean): boolean {
    this.#back = false
    const unheard = this.kept ?? this.#sent
    if (!unheard) return false
    if (mine && this.#fits(unheard)) {
      this.#ask(unheard)
      return true
    }
    if (this.kept) {
      this.#forget()
      this.refusal = LAPSED
    }
    return false
  }

  #hear(message: FromServer) {
    switch (message.type) {
      case 'state':
        this.#show(message)
        break
      case 'preview':
        this.#previews.hear(message)
        this.#previewsAhead.hear(message)
        break
      case 'refused':
        this.#previewsAhead.refused(message.ref)
        if (this.#previews.refused(message.ref)) break
        this.refusal = message
        this.#forget()
        break
      case 'chat':
        this.chat = merged(this.chat, message.lines)
        break
      case 'hint':
        if (this.advising === null) this.hint = message.seq === this.seq ? message : null
        else if (this.advising === message.seq) this.advice = message
        this.advising = null
        break
      case 'error':
        if (message.code === 'too_fast' && this.#askAgain()) break
        this.#forget()
        this.refusal = { ...message, type: 'refused', rule: null, values: {}, ref: null }
        break
      case 'pong':
        break
    }
  }

  /** True if what came too fast may have been a question. */
  #askAgain(): boolean {
    const again = this.#previewsAhead.tooFast()
    return this.#previews.tooFast() || again
  }

  #show(state: State) {
    const moved = state.seq !== this.seq
    const mine = state.you === this.you // a plan is for one seat
    this.info = sharing(this.info, withSeatNames(state.table))
    this.view = state.view && sharing(this.view, withDefaults(state.view as V)) // the rulebook of a table does not change
    this.you = state.you
    this.legal = sharing(this.legal, state.legal)
    this.seq = state.seq
    this.log = [...this.log.slice(0, state.log_from), ...state.log]
    if (this.view) this.#seen.keep(this.log.length, this.view)
    if (state.setup) this.setup = state.setup
    this.clocks = state.clocks && { ...state.clocks, at: performance.now() }
    this.undoTo = state.undo_to
    this.maxBids = sharing(this.maxBids, state.max_bids)
    if (moved) this.hint = this.advice = this.previewed = null
    if (this.#back && this.#resume(mine)) return
    const sent = this.#sent
    if (sent && 'seq' in sent && sent.seq === state.seq) return // something else was told meanwhile
    this.waiting = false
    this.#sent = null
    const next = this.#queue.shift()
    const due = next !== 'done' || this.choices.done // the server may have ended the turn by itself
    if (next && this.myTurn && mine && due) this.#ask({ type: 'move', seq: this.seq, move: next })
    else this.#queue = []
  }
}
