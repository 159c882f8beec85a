/** The first game of Outpost: a remark for every decision that is new, and what to look at. */
import { m } from '../../../paraglide/messages.js'
import { sharedAims } from '../../family/aims'
import type { Lesson } from '../../family/family'
import type { NewTable, OutpostView } from '../../net/protocol'

const always = () => true
const whenAsked =
  (wanted: string, test: (view: OutpostView) => boolean = always) =>
  (view: OutpostView, question: string | null, mine: boolean) =>
    mine && question === wanted && test(view)
const inRound = (round: number) => (view: OutpostView) => view.round === round

const MARKET = ['.market', '#tab-cards']

export const lessons = (): Lesson<OutpostView>[] => [
  { id: 'outpost_welcome', when: always },
  { id: 'outpost_map', at: ['.map'], when: always },
  { id: 'outpost_cards', at: MARKET, when: (view) => view.phase === 'auction' },
  {
    id: 'outpost_nominate',
    when: (_, question, mine) => mine && !!question?.startsWith('nominate'),
    decision: true,
  },
  { id: 'outpost_bid', when: whenAsked('bid_card'), decision: true, aside: true },
  { id: 'outpost_board', at: ['.company', '#tab-company'], when: whenAsked('company') },
  { id: 'outpost_labour', at: ['.labour', '#tab-company'], when: whenAsked('company') },
  { id: 'outpost_turn', when: whenAsked('company', inRound(1)), decision: true },
  { id: 'outpost_power', when: whenAsked('bureaucracy'), decision: true, aside: true },
  { id: 'outpost_order', at: ['.track'], when: inRound(2) },
  { id: 'outpost_tokens', at: MARKET, when: (view) => view.round === 2 && view.phase === 'auction' },
  { id: 'outpost_workers', when: whenAsked('company', inRound(2)), decision: true },
  { id: 'outpost_steps', at: ['.track'], when: inRound(3) },
  { id: 'outpost_technologies', at: MARKET, when: (view) => view.round === 3 && view.phase === 'auction' },
  { id: 'hints', at: ['.bar .tools'], when: inRound(3) },
  { id: 'alone', when: inRound(3) },
  { id: 'on_your_own', when: (view) => view.round >= 4 },
]

/** A turn of a company is planned as a whole: slots for waiting cards, a station, then the turn. */
const TURN = ['build', 'settle', 'place', 'swap', 'hire', 'robot']
const isTurn = (move: string) => TURN.includes(move.split(' ')[0]!)

export const aims = (move: string): string[] =>
  isTurn(move)
    ? [
        '.suggestion[data-piece="plant"]',
        '.suggestion[data-piece="habitat"]',
        '.bar:has([data-stations="0"]) .suggestion[data-piece="station"]',
        '.bar [data-key="d"]',
      ]
    : sharedAims(move, 'cards')

export const adviceWords = (move: string) => (isTurn(move) ? m.lesson_outpost_now() : undefined)

/** The same deal for everybody: a plant to nominate, a habitat for its workers, and cities nearby. */
export const firstGame = (rulebook: string): NewTable => ({
  rulebook,
  seats: [{ kind: 'me' }, { kind: 'bot', bot: 'clerk' }, { kind: 'bot', bot: 'clerk' }],
  seed: 13,
})
