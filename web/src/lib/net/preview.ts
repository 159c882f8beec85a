/** Asks what moves would come to, one question at a time: of those that wait only the last counts. */
import type { Preview, ToServer } from './protocol'

type Question = Extract<ToServer, { type: 'preview' }>

let refs = 0 // of all lines: an answer belongs to one question
const AGAIN = 100 // milliseconds, where the server was asked too fast

export class PreviewQueue {
  #asked: Question | null = null
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
    if (!this.#asked) this.#go()
  }

  hear(preview: Preview) {
    if (preview.ref !== this.#asked?.ref) return
    this.#asked = null
    if (this.#next) return this.#go()
    this.onAnswer(preview)
    this.#rest()
  }

  /** True if it was a question that the server refused: there is a new position to ask about. */
  refused(ref: number | null): boolean {
    if (ref === null) return false // only questions carry one
    if (ref === this.#asked?.ref) {
      this.#asked = null
      if (this.#next) this.#go()
      else this.#rest()
    }
    return true
  }

  /** True if a question came too fast: it is asked again. */
  tooFast(): boolean {
    const again = this.#next ?? this.#asked
    if (!again) return false
    this.#asked = null
    this.#next = again
    setTimeout(() => this.#next === again && !this.#asked && this.#go(), AGAIN)
    return true
  }

  /** The line is new, or there is nothing to be asked any more. */
  forget() {
    this.#asked = this.#next = null
    this.#rest()
  }

  /** When there is an answer to all that was asked. */
  settled(): Promise<void> {
    return this.#asked || this.#next ? new Promise((go) => this.#waiting.push(go)) : Promise.resolve()
  }

  #go() {
    const question = this.#next!
    this.#next = null
    this.#asked = question
    if (!this.send(question)) this.forget()
  }

  #rest() {
    this.onBusy(false)
    for (const go of this.#waiting.splice(0)) go()
  }
}
