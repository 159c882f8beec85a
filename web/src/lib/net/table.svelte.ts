import { afterRow, duringRow } from '../stage/during'
import { Playback } from '../stage/playback.svelte'
import { withSeatNames } from '../ui/words'
import { type Choices, readAuction } from './legal'
import { PreviewQueue } from './preview'
import type {
  ChatLine,
  Clocks,
  Coach,
  Event,
  Failure,
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
import { newRef } from './ref'
import { type ConnectionState, ReconnectingSocket } from './socket'
import { sharing, withDefaults } from './view'
import { ViewHistory } from './view_history'

type Decision = Extract<ToServer, { type: 'move' | 'undo' | 'max_bid' | 'pass_on' }>
type Said = Extract<ToServer, { type: 'chat' }>

/** What a table talks to: a server that runs the game, or one that only judges a position. */
export type Connection = Pick<ReconnectingSocket, 'send' | 'ask' | 'restart' | 'close'>
type Opener = (receive: (message: FromServer) => void, onLink: (link: ConnectionState) => void) => Connection

const LAPSED: Refused = { type: 'refused', code: 'lapsed', message: '', rule: null, values: {}, ref: null }

/** Nothing is known yet of what was sent: it is repeated after so many milliseconds. */
const REPEAT = 2_000
const UNSETTLED = ['not_known', 'too_fast']

/** A line that is sent again has changed: its text was removed. */
function merged(known: ChatLine[], received: ChatLine[]): ChatLine[] {
  const changed = new Map(received.map((line) => [line.n, line]))
  const last = known.at(-1)?.n ?? 0
  return [...known.map((line) => changed.get(line.n) ?? line), ...received.filter((line) => line.n > last)]
}

/** One table as this browser knows it: the latest state from the server, and how to answer. */
export class Table<V extends GameView = GameView> {
  link = $state<ConnectionState>('connecting')
  /** The connection is down, or an answer has not come for too long. */
  isCutOff = $state(false)
  info = $state.raw<TableInfo | null>(null)
  view = $state.raw<V | null>(null)
  #history = new ViewHistory<V>()
  you = $state<Seat | null>(null)
  log = $state.raw<Row[]>([])
  setup = $state.raw<Event[]>([])
  chat = $state.raw<ChatLine[]>([])
  clocks = $state.raw<(Clocks & { at: number }) | null>(null)
  undoTo = $state<number | null>(null)
  maxBids = $state.raw<Record<string, number>>({})
  refusal = $state.raw<Refused | null>(null)
  hint = $state.raw<Hint | null>(null)
  /** What the coach says in this position. */
  coached = $state.raw<Coach | null>(null)
  /** A hint for the coach, in this position. */
  advice = $state.raw<Hint | null>(null)
  /** The position for which advice was requested, until it arrives. */
  advising = $state<number | null>(null)
  /** The result of the planned moves, by the server's latest preview for this position. */
  previewed = $state.raw<Preview<V> | null>(null)
  previewing = $state(false)
  /** The result of the cities planned ahead, as if it were the building phase. */
  previewedAhead = $state.raw<Preview<V> | null>(null)
  /** A decision has been made and not been answered yet. */
  waiting = $state(false)
  /** A decision made while the connection was down: it is sent after reconnecting, if it still fits. */
  unsent = $state.raw<Decision | null>(null)

  /** How much of what has happened is shown. */
  readonly playhead = new Playback(this)

  seq = $state(0)
  #hintFor = $state<number | null>(null)
  /** A hint in this position was asked for, and is being thought about. */
  isHinting = $derived(this.#hintFor === this.seq)
  #legal = $state.raw<State['legal']>([])
  /** A decision of mine is due. */
  isDue = $derived(this.#legal.length > 0)
  /** Nothing happens before I decide, or the game is over. */
  isStill = $derived(this.isDue || !!this.view?.outcome)
  /** All seats by their place, once the game is over; those who share one are together. */
  ranking = $derived(this.view?.outcome?.ranking ?? [])
  /** My clock is running. */
  isTimed = $derived(this.isDue && this.clocks !== null)
  /** What I may do; nothing while past events are shown. */
  legal = $derived(this.playhead.moving ? [] : this.#legal)
  choices: Choices = $derived(readAuction(this.legal))
  myTurn = $derived(this.legal.length > 0)
  /** The table as it is shown: the present, or the past on the way there. */
  shown = $derived(this.#shown())
  #queue: string[] = []
  /** What was sent and has not been answered yet. */
  #sent: Decision | null = null
  /** The server has said of it that nothing is known yet. */
  #unknown = false
  /** What was said to the others, and has not been answered yet. */
  #said: Said[] = []
  /** The connection is new: the next state shows what has arrived. */
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
    open: Opener = (receive, onLink) =>
      new ReconnectingSocket(
        `/tables/${id}/live`,
        receive,
        onLink,
        (isDoubtful) => {
          this.isCutOff = isDoubtful || this.link === 'lost'
        },
        () => this.isDue && !document.hidden,
      ),
  ) {
    this.#live = open(
      (message) => this.#receive(message),
      (link) => {
        this.link = link
        if (link === 'lost' || link === 'open') this.isCutOff = link === 'lost'
        this.#back = true
        if (link === 'open') for (const said of this.#said) this.#live.send(said)
        this.advising = this.#hintFor = null
        this.#previews.forget()
        this.#previewsAhead.forget()
      },
    )
  }

  #shown(): V | null {
    const { view, log } = this // makes this depend on every new view
    const { at, moving, announces } = this.playhead
    const row = moving ? log[at - 1] : undefined
    const after = this.#history.at(at) ?? view
    if (!row || !after) return view
    return announces ? afterRow(row, after) : duringRow(row, this.#history.at(at - 1) ?? after, after)
  }

  close = () => {
    this.playhead.close()
    this.#live.close()
  }
  /** Reconnects, with the present identity of this browser. */
  reconnect = () => this.#live.restart()

  /** Requests a preview of these moves; with none there is nothing to preview. */
  askPreview(moves: string[]) {
    if (moves.length) return this.#previews.ask(this.seq, moves)
    this.#previews.forget()
    this.previewed = null
  }

  /** Requests a preview of these moves as if it were the building phase. */
  askPreviewAhead(moves: string[]) {
    if (moves.length) return this.#previewsAhead.ask(this.seq, moves)
    this.#previewsAhead.forget()
    this.previewedAhead = null
  }

  /** Resolves when `previewed` is up to date. */
  settled = () => this.#previews.settled()

  /** Plays moves one after the other, until one is refused. */
  play(...moves: string[]) {
    if (this.waiting || !moves.length) return
    this.refusal = null
    this.hint = null
    this.#queue = moves.slice(1)
    this.#ask({ type: 'move', seq: this.seq, move: moves[0]!, ref: newRef() })
  }

  undo(to?: number) {
    if (this.undoTo === null || this.waiting) return
    this.refusal = null
    this.hint = null
    this.#ask({ type: 'undo', seq: this.seq, ...(to === undefined ? {} : { to }), ref: newRef() })
  }

  maxBid = (card: string, limit: number | null) => this.#ask({ type: 'max_bid', card, limit, ref: newRef() })
  passOn = (card: string) => this.#ask({ type: 'pass_on', card, ref: newRef() })
  /** False where the connection is known to be down. */
  say(text: string): boolean {
    const said: Said = { type: 'chat', text, ref: newRef() }
    if (!this.#live.send(said)) return false
    this.#said.push(said)
    return true
  }
  askHint() {
    if (this.#live.send({ type: 'hint' })) this.#hintFor = this.seq
  }
  askCoach = () => this.#live.send({ type: 'coach' })
  /** Requests advice for learners, from the bot that explains what things are worth. */
  askAdvice() {
    this.advising = this.seq
    this.#live.send({ type: 'hint', bot: 'engineer' })
  }
  dismiss() {
    this.refusal = null
    this.hint = null
    this.#hintFor = null
    this.coached = null
  }

  /** Discards the stored decision. */
  drop = () => this.#forget()

  #ask(message: Decision) {
    this.waiting = true
    const sent = this.#live.ask(message)
    this.#sent = sent ? message : null
    this.unsent = sent ? null : message
  }

  #forget() {
    this.waiting = false
    this.#unknown = false
    this.#sent = null
    this.unsent = null
    this.#queue = []
  }

  /** Whether a decision can be sent for this position, as it could for the one it was made in. */
  #fits(message: Decision): boolean {
    return 'seq' in message ? message.seq === this.seq : message.card === this.view?.auction.card
  }

  /** After a reconnect: sends again what the server has not answered. True if something was sent. */
  #resume(mine: boolean): boolean {
    this.#back = false
    const unanswered = this.#sent // the server knows it by its name if it has received it
    const undecided = unanswered ?? this.unsent
    if (!undecided) return false
    if (unanswered || (mine && this.#fits(undecided))) {
      this.#ask(undecided)
      return true
    }
    this.#forget()
    this.refusal = LAPSED
    return false
  }

  /** What this page has sent under this name was done. */
  #done(ref: string | number | null) {
    this.#said = this.#said.filter((said) => said.ref !== ref)
    const sent = this.#sent
    if (!sent || sent.ref !== ref) return
    if (this.#unknown && this.refusal?.code === 'not_known') this.refusal = null
    this.#unknown = false
    if ('seq' in sent && sent.seq === this.seq) return // a state follows that shows it
    this.#goOn(true)
  }

  /** Whether only an answer shows what became of it: no state of the game does, or none has. */
  #awaits(sent: Decision): boolean {
    return this.#unknown || !('seq' in sent) || sent.seq === this.seq
  }

  /** True if the same is to be sent again, since it is not known what became of it. */
  #repeat({ code, ref }: { code: string; ref: string | number | null }): boolean {
    if (ref === null || !UNSETTLED.includes(code)) return false
    const message = ref === this.#sent?.ref ? this.#sent : this.#said.find((said) => said.ref === ref)
    if (!message) return false
    if (message === this.#sent) this.#unknown = code === 'not_known'
    setTimeout(() => {
      if (message === this.#sent) this.#live.ask(message)
      else if (this.#said.includes(message as Said)) this.#live.send(message)
    }, REPEAT)
    return true
  }

  #receive(message: FromServer) {
    switch (message.type) {
      case 'state':
        this.#show(message)
        break
      case 'preview':
        this.#previews.receive(message)
        this.#previewsAhead.receive(message)
        break
      case 'refused':
        this.#previewsAhead.refused(message.ref)
        if (this.#previews.refused(message.ref)) break
        this.refusal = message
        this.#forget()
        break
      case 'done':
        this.#done(message.ref)
        break
      case 'chat':
        this.chat = merged(this.chat, message.lines)
        break
      case 'hint':
        if (this.advising !== null) {
          if (this.advising === message.seq) this.advice = message
          this.advising = null
        } else if (this.isHinting && message.seq === this.seq) {
          this.hint = message
          if (!message.thinking) this.#hintFor = null
        }
        break
      case 'coach':
        if (message.seq === this.seq) this.coached = message
        break
      case 'error':
        this.#hintFor = null
        if (this.#repeat(message)) {
          if (message.code === 'not_known') this.#notice(message)
          break
        }
        if (message.code === 'too_fast' && this.#askAgain(Number(message.values.retry_after))) break
        if (this.#said.some((said) => said.ref === message.ref))
          this.#done(message.ref) // it is settled
        else this.#forget()
        this.#notice(message)
        break
      case 'pong':
        break
    }
  }

  #notice({ code, message, values, ref }: Failure) {
    this.refusal = { type: 'refused', code, message, rule: null, values, ref }
  }

  /** True if what came too fast may have been a preview. */
  #askAgain(seconds: number): boolean {
    const again = this.#previewsAhead.tooFast(seconds)
    return this.#previews.tooFast(seconds) || again
  }

  #show(state: State) {
    const moved = state.seq !== this.seq
    const mine = state.you === this.you // a plan is for one seat
    this.info = sharing(this.info, withSeatNames(state.table))
    this.view = state.view && sharing(this.view, withDefaults(state.view as V)) // the rulebook of a table does not change
    this.you = state.you
    this.#legal = sharing(this.#legal, state.legal)
    this.seq = state.seq
    this.log = [...this.log.slice(0, state.log_from), ...state.log]
    if (this.view) this.#history.add(this.log.length, this.view)
    if (state.setup) this.setup = state.setup
    this.clocks = state.clocks && { ...state.clocks, at: performance.now() }
    this.undoTo = state.undo_to
    this.maxBids = sharing(this.maxBids, state.max_bids)
    this.playhead.follow()
    if (moved) this.hint = this.coached = this.advice = this.previewed = null
    if (this.#back && this.#resume(mine)) return
    const sent = this.#sent
    if (sent && this.#awaits(sent)) return // an update about something else
    this.#goOn(mine)
  }

  /** What was decided is answered: what was to follow it is sent, as long as it still fits. */
  #goOn(mine: boolean) {
    this.waiting = false
    this.#sent = null
    const next = this.#queue.shift()
    const due = next !== 'done' || readAuction(this.#legal).done // the server may have ended the turn already
    if (next && this.isDue && mine && due) this.#ask({ type: 'move', seq: this.seq, move: next, ref: newRef() })
    else this.#queue = []
  }
}
