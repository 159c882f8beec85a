import type { Row, Seat } from '../net/protocol'

/** The log, and how much of it has been shown. */
export interface Playhead {
  rows: Row[]
  /** The number of rows that have been shown. */
  at: number
  /** Past events are being shown. */
  moving: boolean
  /** What the last shown row announces is in front, after its scene; undefined where both come at once. */
  announces?: boolean | undefined
  /** At the end of the game, the seat that is being honoured; then the winner's. */
  lit?: Seat | null
}
