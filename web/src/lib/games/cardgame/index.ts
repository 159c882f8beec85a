import { m } from '../../../texts/messages'
import { question } from '../../actions/sentence'
import type { Family } from '../../family/family'
import type { CardGameView } from '../../net/protocol'
import { aims } from './aims'
import CardScene from './CardScene.svelte'
import { charts } from './charts'
import Portrait from './Portrait.svelte'
import ScoreSheet from './ScoreSheet.svelte'
import { decision, eventWords, mergeEvents, missed, moveWords } from './words'

/** Decisions of this game that have their own question. */
const OWN: Record<string, string> = { fuel: 'fuel_cards', bureaucracy: 'run' }

export default {
  Scene: CardScene,
  Portrait,
  Score: ScoreSheet,
  cardsNote: ({ reconstructed }) => (reconstructed ? { note: m.cards_note(), rule: 'A-4' } : null),
  phases: ['auction', 'fuel', 'bureaucracy'],
  stage: ({ last }) => (last ? m.last_round() : ''),
  isLast: ({ last }) => last,
  question: (view) => OWN[view.phase] ?? question(view),
  stranger: () => m.bank(),
  missed,
  decision,
  eventWords,
  mergeEvents,
  moveWords,
  charts,
  aims,
} satisfies Family<CardGameView>
