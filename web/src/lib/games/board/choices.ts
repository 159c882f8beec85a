/** The legal moves of a board game, sorted by what they decide. */

import { type RunPlan, readRuns } from '../../actions/runs'
import { type Choices, readAuction } from '../../net/legal'
import type { Legal } from '../../net/protocol'

export interface BoardChoices extends Choices {
  buy: Record<string, number[]> // fuel: total price of 1, 2, 3 …
  build: Record<string, number>
  /** Cities where a new network may start instead of a connection. */
  start: Record<string, number>
  run: RunPlan[]
  region: string[]
  /** Fuel markets, of which one is chosen for this turn. */
  market: string[]
  /** Uranium may be sold from mines. */
  sell: boolean
  /** Cities to choose from before the first round, with the verb of the move. */
  city: { verb: string; cities: string[] } | null
}

export function readLegal(legal: Legal[]): BoardChoices {
  const found: BoardChoices = {
    ...readAuction(legal),
    buy: {},
    build: {},
    start: {},
    run: readRuns(legal),
    region: [],
    market: [],
    sell: false,
    city: null,
  }
  for (const { move, cost } of legal) {
    const [verb = '', first = '', count] = move.split(' ')
    if (verb === 'buy') {
      found.buy[first] ??= []
      found.buy[first][Number(count) - 1] = cost ?? 0
    } else if (verb === 'build') found.build[first] = cost ?? 0
    else if (verb === 'start') found.start[first] = cost ?? 0
    else if (verb === 'region') found.region.push(first)
    else if (verb === 'market') found.market.push(first)
    else if (verb === 'sell') found.sell = true
    else if (verb === 'place' || verb === 'mark') {
      found.city ??= { verb, cities: [] }
      found.city.cities.push(first)
    }
  }
  return found
}
