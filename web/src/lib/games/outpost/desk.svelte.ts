import { Desk } from '../../actions/desk.svelte'
import type { OutpostView } from '../../net/protocol'
import {
  asked,
  type Building,
  buildMove,
  hiresIn,
  NOTHING,
  type Settling,
  settleMove,
  type Turn,
  turnOf,
  type Wish,
} from './plan'

const toggled = (moves: string[], move: string) =>
  moves.includes(move) ? moves.filter((each) => each !== move) : [...moves, move]

/** What has been chosen in a turn of Outpost and not been played. */
export class OutpostDesk extends Desk<OutpostView> {
  wish = $state.raw<Wish>(NOTHING)
  /** A city of the Syndicate. */
  city = $state<string | null>(null)
  /** A card of the pool that is to take the place of another. */
  swapping = $state<string | null>(null)
  powered = $state<number | null>(null)

  /** It is my company's turn. */
  isMine: boolean = $derived.by(() => {
    const { view, myTurn } = this.table
    return !!view && myTurn && view.phase === 'company' && !view.choices.length && !view.outcome
  })
  /** My turn as it is planned. */
  turn: Turn | null = $derived.by(() => {
    const { foreseen, you } = this.table
    return this.isMine && foreseen && you !== null ? turnOf(foreseen, you) : null
  })

  override clear() {
    super.clear()
    this.wish = NOTHING
    this.city = null
    this.swapping = null
    this.powered = null
  }

  toggleBuilding(building: Building) {
    this.wish = { ...this.wish, builds: toggled(this.wish.builds, buildMove(building)) }
  }

  toggleSettling(settling: Settling) {
    this.wish = { ...this.wish, settled: toggled(this.wish.settled, settleMove(settling)) }
  }

  /** From now on cards are placed by hand. */
  place(placed: string[]) {
    this.swapping = null
    this.wish = { ...this.wish, placed }
  }

  hire(hired: number) {
    this.wish = { ...this.wish, hired }
  }

  makeRobot(robot: boolean) {
    this.wish = { ...this.wish, robot }
  }

  override get planned(): string[] {
    return this.isMine ? asked(this.wish, hiresIn(this.table.foreseen?.looks[1])) : []
  }

  protected override retract(refused: string) {
    const others = (moves: string[]) => moves.filter((move) => move !== refused)
    const { builds, settled, placed, hired, robot } = this.wish
    this.wish = {
      builds: others(builds),
      settled: others(settled),
      placed: placed && others(placed),
      hired: refused === `hire ${hired}` ? null : hired,
      robot,
    }
  }
}
