import { untrack } from 'svelte'
import { prefersReducedMotion } from 'svelte/motion'
import type { Playhead } from '../family/family'
import type { Row } from '../net/protocol'
import { prefs } from '../ui/prefs.svelte'
import { beats } from './beats'

/** A backlog is shown within this time, and faster when I have to bid. */
const PATIENCE = 18_000
const HURRY = 3_500

/** Shows what has happened at a pace that can be followed. Nothing waits for it. */
export class Playback implements Playhead {
  at = $state(0)
  moving = $state(false)
  #timer: ReturnType<typeof setTimeout> | undefined
  #until = 0

  /** Create it while a component is set up. */
  constructor(
    private readonly log: () => Row[] | null,
    private readonly isBidding: () => boolean,
  ) {
    let known = false
    $effect(() => {
      const rows = this.log()
      if (!rows) return
      untrack(() => (known && this.#canMove() && rows.length > this.at ? this.#start() : this.skip()))
      known = true
    })
    $effect(() => {
      document.addEventListener('visibilitychange', this.#onVisibility)
      return () => {
        document.removeEventListener('visibilitychange', this.#onVisibility)
        clearTimeout(this.#timer)
      }
    })
  }

  get rows(): Row[] {
    return this.log() ?? []
  }

  skip = () => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.moving = false
    this.at = this.rows.length
  }

  /** In a hidden tab nothing moves. */
  #onVisibility = () => document.hidden && this.skip()
  #canMove = () => prefs.stage && !prefersReducedMotion.current && !document.hidden

  #start() {
    this.#until = performance.now() + (this.isBidding() ? HURRY : PATIENCE)
    if (this.#timer === undefined) this.#next()
  }

  #next = () => {
    this.#timer = undefined
    const ahead = beats(this.rows, this.at)
    for (const [i, time] of ahead.entries()) {
      this.at++
      if (!time) continue
      const left = ahead.slice(i).reduce((sum, each) => sum + each)
      const pace = Math.max(0.1, Math.min(1, (this.#until - performance.now()) / left))
      this.moving = true
      this.#timer = setTimeout(this.#next, time * pace)
      return
    }
    this.moving = false
  }
}
