/** The first game: a remark for every decision that is new, and what to look at. */

import { after, PLAY, sharedAims } from '../../family/aims'
import type { Lesson } from '../../family/family'
import type { BoardView, NewTable } from '../../net/protocol'

const always = () => true
const whenAsked =
  (wanted: string, test: (view: BoardView) => boolean = always) =>
  (view: BoardView, question: string | null, mine: boolean) =>
    mine && question === wanted && test(view)
const started = (view: BoardView) => (view.players[view.seat ?? 0]?.cities.length ?? 0) > 0
const inRound = (round: number) => (view: BoardView) => view.round === round
const auction = (view: BoardView) => view.phase === 'auction'

const MARKET = ['.market', '#tab-plants']
const FUEL = ['.fuel', '#tab-fuel']
const PLAYERS = ['.play .players', '#tab-players']

export const lessons = (rulebook: string): Lesson<BoardView>[] => [
  { id: 'welcome', when: always },
  { id: 'map', at: ['.map'], when: always },
  { id: 'plants', at: MARKET, when: auction },
  ...(rulebook === 'recharged' ? [{ id: 'discount', at: MARKET, when: auction }] : []),
  { id: 'nominate', when: whenAsked('nominate'), decision: true },
  { id: 'bid', when: whenAsked('bid'), decision: true, aside: true },
  { id: 'fuel_market', at: FUEL, when: whenAsked('fuel') },
  { id: 'fuel', when: whenAsked('fuel'), decision: true },
  { id: 'start', when: whenAsked('building', (view) => !started(view)), decision: true },
  { id: 'connect', when: whenAsked('building', started), decision: true, aside: true },
  { id: 'run', when: whenAsked('bureaucracy'), decision: true },
  { id: 'round', at: ['.track'], when: inRound(2) },
  { id: 'order', at: PLAYERS, when: inRound(2) },
  { id: 'future', at: MARKET, when: (view) => view.round === 2 && auction(view) },
  { id: 'scrap', when: whenAsked('scrap'), decision: true, aside: true },
  { id: 'steps', at: ['.track'], when: inRound(3) },
  { id: 'hints', at: ['.bar .tools'], when: inRound(3) },
  { id: 'alone', when: inRound(3) },
  { id: 'on_your_own', when: (view) => view.round >= 4 },
]

export function aims(move: string): string[] {
  const [verb = '', what = '', count = ''] = move.split(' ')
  if (verb === 'build' || verb === 'start')
    return after(`.city[data-city="${what}"] .ghost`, `.city[data-city="${what}"]`)
  if (verb !== 'buy') return sharedAims(move, 'plants')
  const shelf = `.shelf[data-fuel="${what}"]`
  const fewer = Array.from({ length: Number(count) }, (_, n) => `${shelf}[data-basket="${n}"] .more:not(:disabled)`)
  return [...fewer, `body:has(${shelf}) ${PLAY}`, '#tab-fuel']
}

/** The same deal for everybody: a plant to nominate and one to bid for, and two cities to start with. */
export const firstGame = (rulebook: string): NewTable => ({
  rulebook,
  map: 'germany',
  seats: [{ kind: 'me' }, { kind: 'bot', bot: 'clerk' }, { kind: 'bot', bot: 'clerk' }],
  ...(rulebook === 'recharged' ? { seed: 23 } : { seed: 8, options: { regions: ['northwest', 'west', 'east'] } }),
})
