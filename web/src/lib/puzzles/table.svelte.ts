/** A puzzle is a table at which nothing is final: an answer is only judged. */
import { api, Problem } from '../net/api'
import { problemWords } from '../net/problem'
import type { FromServer, Solution, ToServer } from '../net/protocol'
import { type Connection, Table } from '../net/table.svelte'
import { storeDay, storeMark } from './progress'

/** Sends questions about one position to the server. */
function judging(name: string, receive: (message: FromServer) => void, fail: (error: unknown) => void): Connection {
  const show = () => void api.puzzle(name).then(receive, fail)
  const send = (message: ToServer) => {
    if (message.type === 'preview') void api.puzzlePreview(name, message).then(receive, fail)
    return message.type === 'preview'
  }
  show()
  return { send, ask: send, restart: show, close: () => undefined }
}

export class PuzzleTable extends Table {
  /** Wrong attempts, the latest first. */
  wrong = $state.raw<string[][]>([])
  solution = $state.raw<Solution | null>(null)
  /** It was found, not revealed. */
  solved = $state(false)
  problem = $state('')
  missing = $state(false)

  constructor(name: string) {
    super(name, (receive, onLink) =>
      judging(
        name,
        (message) => {
          onLink('open')
          receive(message)
        },
        (error) => {
          this.missing = error instanceof Problem && error.code === 'not_found'
          this.problem = problemWords(error)
        },
      ),
    )
  }

  override play(...moves: string[]) {
    if (!this.waiting && moves.length) void this.#judge(moves)
  }

  /** A limit is submitted as a bid. */
  override maxBid = () => {
    if (this.choices.bid) this.play(`bid ${this.choices.bid.low}`)
  }

  async giveUp() {
    storeMark(this.id, 'shown')
    await this.#show()
  }

  async #judge(moves: string[]) {
    this.waiting = true
    this.problem = ''
    try {
      const { right } = await api.attempt(this.id, moves)
      if (right) {
        this.solved = !this.solution
        if (this.solved) this.#remember(moves)
        await this.#show()
      } else this.wrong = [moves, ...this.wrong]
    } catch (error) {
      this.problem = problemWords(error)
    } finally {
      this.waiting = false
    }
  }

  /** It counts for the day if it is the puzzle of the day. */
  #remember(moves: string[]) {
    if (storeMark(this.id, 'solved') === 'solved') void api.solvePuzzle(this.id, moves).catch(() => undefined)
    void api
      .puzzles()
      .then(({ daily }) => daily === this.id && storeDay())
      .catch(() => undefined) // the day is lost, the puzzle is not
  }

  async #show() {
    this.solution = await api.solution(this.id)
  }
}
