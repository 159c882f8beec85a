/** The first game of Outpost: a remark for every decision that is new, and what to look at. */

import type { Lesson } from '../../family/family'
import type { NewTable, OutpostView } from '../../net/protocol'

const always = () => true
const asks =
  (wanted: string, test: (view: OutpostView) => boolean = always) =>
  (view: OutpostView, asked: string | null, mine: boolean) =>
    mine && asked === wanted && test(view)
const isFirst = (view: OutpostView) => view.round === 1

export const lessons: Lesson<OutpostView>[] = [
  { id: 'outpost_welcome', at: '', when: always },
  { id: 'outpost_map', at: '.map', when: always },
  { id: 'outpost_cards', at: '.market', when: (view) => view.phase === 'auction' },
  {
    id: 'outpost_nominate',
    at: '.market',
    when: (_, asked, mine) => mine && !!asked?.startsWith('nominate'),
    decision: true,
  },
  { id: 'outpost_bid', at: '.bar', when: asks('bid_card'), decision: true },
  { id: 'outpost_board', at: '.company', when: asks('company') },
  { id: 'outpost_labour', at: '.labour', when: asks('company') },
  { id: 'outpost_turn', at: '.map', when: asks('company', isFirst), decision: true },
  { id: 'outpost_power', at: '.bar', when: asks('bureaucracy'), decision: true },
  { id: 'outpost_order', at: '.track', when: (view) => view.round === 2 },
  { id: 'outpost_tokens', at: '.market', when: (view) => view.round === 2 && view.phase === 'auction' },
  { id: 'outpost_workers', at: '.company', when: asks('company', (view) => view.round === 2), decision: true },
  { id: 'outpost_steps', at: '.track', when: (view) => view.round === 3 },
  { id: 'outpost_technologies', at: '.market', when: (view) => view.round === 3 },
  { id: 'hints', at: '.bar', when: (view) => view.round === 3 },
  { id: 'on_your_own', at: '', when: (view) => view.round >= 4 },
]

/** The same deal for everybody, a friendly one. */
export const firstGame: NewTable = {
  rulebook: 'outpost',
  seats: [{ kind: 'me' }, { kind: 'bot', bot: 'clerk' }, { kind: 'bot', bot: 'clerk' }],
  seed: 8,
}
