/** The first card game: a remark for every decision that is new, and what to look at. */

import { after, sharedAims } from '../../family/aims'
import type { Lesson } from '../../family/family'
import type { CardGameView, NewTable } from '../../net/protocol'

const always = () => true
const whenAsked =
  (wanted: string) =>
  (_view: CardGameView, question: string | null, mine: boolean): boolean =>
    mine && question === wanted

const MARKET = ['.market', '#tab-plants']
const FUEL = ['.fuel', '#tab-fuel']

export const lessons = (): Lesson<CardGameView>[] => [
  { id: 'cards_welcome', when: always },
  { id: 'cards_directors', at: ['.directors'], when: always },
  { id: 'cards_plants', at: MARKET, when: ({ phase }) => phase === 'auction' },
  { id: 'cards_nominate', when: whenAsked('nominate'), decision: true },
  { id: 'bid', when: whenAsked('bid'), decision: true, aside: true },
  { id: 'cards_columns', at: FUEL, when: whenAsked('fuel_cards') },
  { id: 'cards_fuel', when: whenAsked('fuel_cards'), decision: true },
  { id: 'cards_run', when: whenAsked('run'), decision: true },
  { id: 'cards_order', at: ['.directors'], when: ({ round }) => round === 2 },
  { id: 'cards_market', at: MARKET, when: ({ round, phase }) => round === 2 && phase === 'auction' },
  { id: 'cards_scrap', when: whenAsked('scrap'), decision: true, aside: true },
  { id: 'cards_end', at: MARKET, when: ({ round }) => round === 3 },
  { id: 'hints', at: ['.bar .tools'], when: ({ round }) => round === 3 },
  { id: 'alone', when: ({ round }) => round === 3 },
  { id: 'on_your_own', when: ({ round }) => round >= 4 },
]

export function aims(move: string): string[] {
  const [verb = '', ...fuelPick] = move.split(' ')
  if (verb !== 'buy') return sharedAims(move, 'plants')
  const card = `.fuelcard[data-fuel-pick="${fuelPick.join(' ')}"]`
  return after(`${card}.chosen`, `${card}.offered`, '#tab-fuel')
}

/** The same deal for everybody: a plant to nominate, one to bid for, and fuel for two kinds. */
export const firstGame = (rulebook: string): NewTable => ({
  rulebook,
  seats: [{ kind: 'me' }, { kind: 'bot', bot: 'clerk' }, { kind: 'bot', bot: 'clerk' }],
  seed: 8,
})
