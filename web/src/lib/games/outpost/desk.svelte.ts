import { Desk } from '../../actions/desk.svelte'
import type { OutpostView } from '../../net/protocol'
import { type Building, NOTHING, type Placing, type Settling, type Wish } from './plan'

/** What has been chosen in a turn of Outpost and not been played. */
export class OutpostDesk extends Desk<OutpostView> {
  wish = $state.raw<Wish>(NOTHING)
  /** A city of the Syndicate. */
  city = $state<string | null>(null)
  /** A card of the pool that is to take the place of another. */
  swapping = $state<string | null>(null)
  powered = $state<number | null>(null)

  override clear() {
    super.clear()
    this.wish = NOTHING
    this.city = null
    this.swapping = null
    this.powered = null
  }

  toggleBuilding({ piece, city }: Building) {
    const { builds } = this.wish
    const others = builds.filter((each) => each.piece !== piece || each.city !== city)
    this.wish = { ...this.wish, builds: others.length < builds.length ? others : [...builds, { piece, city }] }
  }

  toggleSettling({ piece, card }: Settling) {
    const { settled } = this.wish
    const others = settled.filter((each) => each.piece !== piece || each.card !== card)
    this.wish = { ...this.wish, settled: others.length < settled.length ? others : [...settled, { piece, card }] }
  }

  /** From now on cards are placed by hand. */
  place(placed: Placing[]) {
    this.swapping = null
    this.wish = { ...this.wish, placed }
  }

  hire(hired: number) {
    this.wish = { ...this.wish, hired }
  }

  makeRobot(robot: boolean) {
    this.wish = { ...this.wish, robot }
  }
}
