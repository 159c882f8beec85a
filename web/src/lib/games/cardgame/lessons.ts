/** The first card game: a remark for every decision that is new, and what to look at. */

import type { Lesson } from '../../family/family'
import type { CardGameView, NewTable } from '../../net/protocol'

const always = () => true
const asks =
  (wanted: string) =>
  (_view: CardGameView, asked: string | null, mine: boolean): boolean =>
    mine && asked === wanted

export const lessons: Lesson<CardGameView>[] = [
  { id: 'cards_welcome', at: '', when: always },
  { id: 'cards_directors', at: '.directors', when: always },
  { id: 'cards_plants', at: '.market', when: ({ phase }) => phase === 'auction' },
  { id: 'cards_nominate', at: '.market', when: asks('nominate'), decision: true },
  { id: 'bid', at: '.bar', when: asks('bid'), decision: true },
  { id: 'cards_columns', at: '.fuel', when: ({ phase }) => phase === 'fuel' },
  { id: 'cards_fuel', at: '.fuel', when: asks('fuel_cards'), decision: true },
  { id: 'cards_run', at: '.bar', when: asks('run'), decision: true },
  { id: 'cards_order', at: '.directors', when: ({ round }) => round === 2 },
  { id: 'cards_market', at: '.market', when: ({ round, phase }) => round === 2 && phase === 'auction' },
  { id: 'cards_hints', at: '.bar', when: ({ round }) => round === 3 },
  { id: 'cards_scrap', at: '.bar', when: asks('scrap'), decision: true },
  { id: 'cards_end', at: '.market', when: ({ round }) => round >= 4 },
  { id: 'cards_on_your_own', at: '', when: ({ round }) => round >= 4 },
]

/** The same deal for everybody, a friendly one. */
export const firstGame: NewTable = {
  rulebook: 'cardgame',
  seats: [{ kind: 'me' }, { kind: 'bot', bot: 'clerk' }, { kind: 'bot', bot: 'clerk' }],
  seed: 8,
}
