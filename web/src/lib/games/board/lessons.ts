/** The first game: a remark for every decision that is new, and what to look at. */

import type { Lesson } from '../../family/family'
import type { BoardView, NewTable } from '../../net/protocol'

const always = () => true
const asks =
  (wanted: string, test: (view: BoardView) => boolean = always) =>
  (view: BoardView, asked: string | null, mine: boolean) =>
    mine && asked === wanted && test(view)
const started = (view: BoardView) => (view.players[view.seat ?? 0]?.cities.length ?? 0) > 0

export const lessons: Lesson<BoardView>[] = [
  { id: 'welcome', at: '', when: always },
  { id: 'map', at: '.map', when: always },
  { id: 'players', at: '[role=tablist]', when: always },
  { id: 'plants', at: '.market', when: (view) => view.phase === 'auction' },
  { id: 'nominate', at: '.market', when: asks('nominate'), decision: true },
  { id: 'bid', at: '.bar', when: asks('bid'), decision: true },
  { id: 'fuel_market', at: '.fuel', when: (view) => view.phase === 'fuel' },
  { id: 'fuel', at: '.fuel', when: asks('fuel'), decision: true },
  { id: 'start', at: '.map', when: asks('building', (view) => !started(view)), decision: true },
  { id: 'connect', at: '.map', when: asks('building', started), decision: true },
  { id: 'run', at: '.bar', when: asks('bureaucracy'), decision: true },
  { id: 'round', at: '.track', when: (view) => view.round === 2 },
  { id: 'order', at: '[role=tablist]', when: (view) => view.round === 2 },
  { id: 'future', at: '.market', when: (view) => view.round === 2 && view.phase === 'auction' },
  { id: 'scrap', at: '.bar', when: asks('scrap'), decision: true },
  { id: 'steps', at: '.track', when: (view) => view.round === 3 },
  { id: 'hints', at: '.bar', when: (view) => view.round === 3 },
  { id: 'on_your_own', at: '', when: (view) => view.round >= 4 },
]

/** The same deal for everybody, a friendly one. */
export const firstGame: NewTable = {
  rulebook: 'classic',
  map: 'germany',
  options: { regions: ['northwest', 'west', 'east'] },
  seats: [{ kind: 'me' }, { kind: 'bot', bot: 'clerk' }, { kind: 'bot', bot: 'clerk' }],
  seed: 8,
}
