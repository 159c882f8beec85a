/** Requests previews of moves, one at a time: of those that wait only the last is sent. */
import type { Preview, ToServer } from './protocol'

type Question = Extract<ToServer, { type: 'preview' }>

let refs = 0 // unique over all connections: an answer belongs to one question

export class PreviewQueue {
  #pending: Question | null = null
  #next: Question | null = null
  #waiting: (() => void)[] = []

  constructor(
    private readonly send: (question: Question) => boolean,
    private readonly onAnswer: (preview: Preview) => void,
    private readonly onBusy: (busy: boolean) => void,
    private readonly ahead = false,
  ) {}

  ask(seq: number, moves: string[]) {
    this.#next = { type: 'preview', seq, moves, ahead: this.ahead, ref: ++refs }
    this.onBusy(true)
    if (!this.#pending) this.#go()
  }

  receive(preview: Preview) {
    if (preview.ref !== this.#pending?.ref) return
    this.#pending = null
    if (this.#next) return this.#go()
    this.onAnswer(preview)
    this.#rest()
  }

  /** True if it was a preview that the server refused: there is a new position to ask about. */
  refused(ref: number | string | null): boolean {
    if (typeof ref !== 'number') return false // decisions have names
    if (ref === this.#pending?.ref) {
      this.#pending = null
      if (this.#next) this.#go()
      else this.#rest()
    }
    return true
  }

  /** True if a preview was sent too fast: it is sent again when the server says. */
  tooFast(seconds: number): boolean {
    const again = this.#next ?? this.#pending
    if (!again) return false
    this.#pending = null
    this.#next = again
    setTimeout(() => this.#next === again && !this.#pending && this.#go(), 1000 * seconds)
    return true
  }

  /** The connection is new, or nothing is to be previewed any more. */
  forget() {
    this.#pending = this.#next = null
    this.#rest()
  }

  /** Resolves when everything requested has been answered. */
  settled(): Promise<void> {
    return this.#pending || this.#next ? new Promise((go) => this.#waiting.push(go)) : Promise.resolve()
  }

  #go() {
    const question = this.#next!
    this.#next = null
    this.#pending = question
    if (!this.send(question)) this.forget()
  }

  #rest() {
    this.onBusy(false)
    for (const go of this.#waiting.splice(0)) go()
  }
}
