import { prefersReducedMotion } from 'svelte/motion'
import type { Row, Seat } from '../net/protocol'
import { prefs } from '../ui/prefs.svelte'
import { beats, newsShare, within } from './beats'
import type { Playhead } from './playhead'

/** Nobody waits longer for their turn than this, counted from the first thing that is shown. */
const PATIENCE = 4_000
/** What came last is shown even if the others took all that time, but no longer than this. */
const LAST = 1_200
/** At the end the players are honoured one after the other, the winner last and longest. */
const HONOUR = 550
const VICTORY = 1_600

/** What a playhead has to know of its table. */
interface Source {
  readonly log: Row[]
  readonly you: Seat | null
  /** Nothing happens before I decide, or the game is over. */
  readonly isStill: boolean
  /** All seats by their place, once the game is over; those who share one are together. */
  readonly ranking: Seat[][]
  /** My clock is running. */
  readonly isTimed: boolean
}

/** Shows what has happened at a pace that can be followed. What is asked of me waits until it has arrived. */
export class Playback implements Playhead {
  at = $state(0)
  moving = $state(false)
  announces = $state(true)
  lit = $state<Seat | null>(null)
  #toHonour: Seat[] = []
  /** How many rows there were last. */
  #known: number | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #since = 0
  #until = Infinity

  constructor(private readonly table: Source) {
    document.addEventListener('visibilitychange', this.#onVisibility)
  }

  get rows(): Row[] {
    return this.table.log
  }

  /** Called when the table has changed. */
  follow() {
    const { length } = this.rows
    const isUndone = this.#known !== undefined && length < this.#known
    if (this.#known === undefined || isUndone || !this.#canMove()) this.skip()
    else if (length > this.at) this.#start()
    else if (!this.moving) this.skip()
    this.#known = length
  }

  /** Jumps to the present. */
  skip = () => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.moving = false
    this.announces = true
    this.lit = this.table.ranking[0]?.[0] ?? null
    this.at = this.rows.length
  }

  close() {
    clearTimeout(this.#timer)
    document.removeEventListener('visibilitychange', this.#onVisibility)
  }

  /** In a hidden tab nothing moves, and nothing while time is taken from me. */
  #onVisibility = () => document.hidden && this.skip()
  #canMove = () => prefs.stage && !prefersReducedMotion.current && !document.hidden && !this.table.isTimed

  #start() {
    const now = performance.now()
    const rests = this.#timer === undefined
    if (rests) {
      this.#since = now
      this.lit = null
    }
    this.#toHonour = this.table.ranking.flat().reverse()
    if (!this.table.isStill) this.#until = Infinity
    else if (rests || this.#until === Infinity) this.#until = Math.max(this.#since + PATIENCE, now + LAST)
    if (rests) this.#next()
  }

  /** What a row announces follows its scene, if it has one. */
  #show(at: number, time: number, news = 0) {
    this.at = at
    this.moving = true
    this.announces = news === time
    const announce = () => this.#show(at, news, news)
    this.#timer = setTimeout(news && news < time ? announce : this.#next, time - news || time)
  }

  #next = () => {
    this.#timer = undefined
    const { log, you } = this.table
    const left = Math.min(PATIENCE, this.#until - performance.now())
    const times = within(left, beats(log, this.at, you), log.slice(this.at))
    const next = times.findIndex((time) => time > 0)
    if (next >= 0) return this.#show(this.at + next + 1, times[next]!, times[next]! * newsShare(log[this.at + next]!))
    this.lit = this.#toHonour.shift() ?? null
    if (this.lit === null) return this.skip()
    this.#show(log.length, this.#toHonour.length ? HONOUR : VICTORY)
  }
}
