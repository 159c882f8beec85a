import { TurnDraft } from '../../actions/draft.svelte'
import type { OutpostView } from '../../net/protocol'
import {
  type Building,
  buildMove,
  EMPTY_PLAN,
  hiresIn,
  movesToPreview,
  type Settling,
  settleMove,
  type Turn,
  type TurnPlan,
  turnOf,
} from './plan'

const toggled = (moves: string[], move: string) =>
  moves.includes(move) ? moves.filter((each) => each !== move) : [...moves, move]

/** What has been chosen in a turn of Outpost but not played. */
export class OutpostDraft extends TurnDraft<OutpostView> {
  turnPlan = $state.raw<TurnPlan>(EMPTY_PLAN)
  /** A city for the Syndicate. */
  city = $state<string | null>(null)
  /** A card of the pool that is to replace another. */
  swapping = $state<string | null>(null)
  powered = $state<number | null>(null)

  /** Whether it is my company's turn. */
  isMine: boolean = $derived.by(() => {
    const { view, myTurn } = this.table
    return !!view && myTurn && view.phase === 'company' && !view.choices.length && !view.outcome
  })
  /** My planned turn. */
  turn: Turn | null = $derived.by(() => {
    const { previewed, you } = this.table
    return this.isMine && previewed && you !== null ? turnOf(previewed, you) : null
  })

  override clear() {
    super.clear()
    this.turnPlan = EMPTY_PLAN
    this.city = null
    this.swapping = null
    this.powered = null
  }

  toggleBuilding(building: Building) {
    this.turnPlan = { ...this.turnPlan, builds: toggled(this.turnPlan.builds, buildMove(building)) }
  }

  toggleSettling(settling: Settling) {
    this.turnPlan = { ...this.turnPlan, settled: toggled(this.turnPlan.settled, settleMove(settling)) }
  }

  /** From now on cards are placed by hand. */
  place(placed: string[]) {
    this.swapping = null
    this.turnPlan = { ...this.turnPlan, placed }
  }

  hire(hired: number) {
    this.turnPlan = { ...this.turnPlan, hired }
  }

  makeRobot(robot: boolean) {
    this.turnPlan = { ...this.turnPlan, robot }
  }

  override get planned(): string[] {
    return this.isMine ? movesToPreview(this.turnPlan, hiresIn(this.table.previewed?.looks[1])) : []
  }

  protected override retract(refused: string) {
    const others = (moves: string[]) => moves.filter((move) => move !== refused)
    const { builds, settled, placed, hired, robot } = this.turnPlan
    this.turnPlan = {
      builds: others(builds),
      settled: others(settled),
      placed: placed && others(placed),
      hired: refused === `hire ${hired}` ? null : hired,
      robot,
    }
  }
}
