import type { Chart, Family } from '../family/family'
import { familyOf } from '../games'
import { api, Problem } from '../net/api'
import { problemWords } from '../net/problem'
import type { AnalysisInfo, Event, GameView, JudgedDecision, Position, Row, TableInfo } from '../net/protocol'
import { withDefaults } from '../net/view'
import { withSeatNames } from '../ui/words'

/** A game to be viewed move by move. Positions are fetched when they are needed. */
export class Replay {
  info = $state.raw<TableInfo | null>(null)
  rows = $state.raw<Row[]>([])
  setup = $state.raw<Event[]>([])
  at = $state(0)
  family = $state.raw<Family | null>(null)
  view = $state.raw<GameView | null>(null)
  playing = $state(false)
  speed = $state(1)
  problem = $state('')
  /** There is no such game. */
  missing = $state(false)
  charts = $state.raw<Chart[]>([])
  rounds = $state.raw<number[]>([])
  analysis = $state.raw<AnalysisInfo>({ status: 'none', done: 0, found: null })
  /** Why not all of the game can be shown, in the server's words. */
  unread = $state('')
  /** Why the game was not analysed. */
  refusal = $state('')
  /** Decisions for which something better was found, the largest difference first. */
  readonly mistakes: JudgedDecision[] = $derived(
    this.analysis.found?.decisions.filter((each) => each.best !== each.played) ?? [],
  )
  /** The seats of the current user, and what was decided there. */
  readonly mine: Set<number> = $derived(
    new Set(this.info?.seats.filter((seat) => seat.mine).map(({ seat }) => seat) ?? []),
  )
  readonly myMistakes: JudgedDecision[] = $derived(this.mistakes.filter(({ seat }) => this.mine.has(seat)))
  /** What would have been better than the latest move. */
  readonly mistake: JudgedDecision | undefined = $derived(this.mistakes.find(({ move }) => move === this.at))

  #loaded: Promise<void>
  #known = new Map<number, Promise<Position>>()
  #left = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    readonly id: string,
    start: number | null,
  ) {
    this.#loaded = this.#load(start)
  }

  async #load(start: number | null) {
    try {
      const [state, log] = await Promise.all([api.table(this.id), api.log(this.id)])
      this.family = await familyOf(state.table.family)
      this.info = withSeatNames(state.table)
      this.rows = log.rows
      this.setup = log.setup
      this.unread = log.unread
      await this.go(start ?? this.rows.length)
      if (this.over) await this.#study(api.analysis)
    } catch (error) {
      this.missing = error instanceof Problem && error.code === 'not_found'
      this.problem = problemWords(error)
    }
  }

  /** It is over. */
  get over(): boolean {
    return this.info?.status === 'finished' || this.info?.status === 'broken'
  }

  /** Has the server analyse every decision, and waits for the results. */
  async analyse() {
    this.refusal = ''
    await this.#loaded // or the results of an earlier analysis would be added
    try {
      await this.#study(api.analyse)
    } catch (error) {
      this.refusal = problemWords(error)
    }
  }

  async #study(ask: (id: string) => Promise<AnalysisInfo>) {
    this.analysis = await ask(this.id)
    while (this.analysis.status === 'running' && !this.#left) {
      await new Promise((wake) => setTimeout(wake, 1000))
      this.analysis = await api.analysis(this.id)
    }
  }

  #position(n: number): Promise<Position> {
    let found = this.#known.get(n)
    if (!found) {
      found = api.at(this.id, n).then((position) => ({ ...position, view: withDefaults(position.view) }))
      this.#known.set(n, found)
      found.catch(() => this.#known.delete(n))
    }
    return found
  }

  async go(n: number) {
    this.at = Math.max(0, Math.min(this.rows.length, n))
    const wanted = this.at
    try {
      const position = await this.#position(wanted)
      if (wanted === this.at) this.view = position.view
      for (const near of [wanted + 1, wanted + 2, wanted - 1])
        if (near >= 0 && near <= this.rows.length) void this.#position(near).catch(() => undefined)
    } catch (error) {
      this.problem = problemWords(error)
    }
  }

  /** To the first move of the next or the previous round. */
  round(step: 1 | -1) {
    const round = this.rows[Math.min(this.at, this.rows.length - 1)]?.round ?? 1
    const start = this.#first(round)
    const to = step > 0 ? this.#first(round + 1) : this.at > start ? start : this.#first(round - 1)
    void this.go(to < 0 ? (step > 0 ? this.rows.length : 0) : to)
  }

  toRound(round: number) {
    void this.go(Math.max(0, this.#first(round)))
  }

  #first(round: number): number {
    return this.rows.findIndex((row) => row.round === round)
  }

  toggle() {
    this.playing = !this.playing
    if (this.playing && this.at >= this.rows.length) this.at = 0
    if (this.playing) this.#tick()
  }

  #tick() {
    clearTimeout(this.#timer) // one may have begun while a position was on its way
    this.#timer = setTimeout(async () => {
      if (!this.playing) return
      await this.go(this.at + 1)
      if (this.at >= this.rows.length) this.playing = false
      else this.#tick()
    }, 900 / this.speed)
  }

  stop = () => {
    this.playing = false
    this.#left = true
    clearTimeout(this.#timer)
  }

  /** Fetches the end of every round, once, for the charts. */
  async draw() {
    if (this.charts.length || !this.rows.length || !this.family) return
    const last = new Map<number, number>()
    for (const [i, row] of this.rows.entries()) last.set(row.round, i + 1)
    const ends = [...last.values()]
    const views: GameView[] = []
    for (const end of ends) views.push((await this.#position(end)).view)
    this.rounds = [...last.keys()]
    this.charts = this.family.charts(views, this.rows)
  }
}
