import { m } from '../../../texts/messages'
import { question } from '../../actions/sentence'
import type { Family } from '../../family/family'
import type { OutpostView } from '../../net/protocol'
import { adviceWords, aims } from './aims'
import { charts } from './charts'
import OutpostScene from './OutpostScene.svelte'
import { decision, eventWords, moveWords } from './words'

/** Cards are not plants here, the first auction is forced, and the Syndicate may need decisions. */
function outpostQuestion(view: OutpostView): string {
  if (view.phase === 'company') return view.choices.length ? 'syndicate_slot' : 'company'
  if (view.phase !== 'auction') return view.phase
  const key = `${question(view)}_card`
  return key === 'nominate_card' && view.forced ? 'nominate_forced' : key
}

export default {
  Scene: OutpostScene,
  cardsNote: ({ reconstructed }) => (reconstructed ? { note: m.reconstructed_note(), rule: 'O-13' } : null),
  phases: ['order', 'auction', 'company', 'bureaucracy'],
  stage: ({ step }) => m.step({ step }),
  isLast: ({ players, end_cities }) => players.some(({ network }) => network >= end_cities),
  question: outpostQuestion,
  stranger: () => m.syndicate(),
  decision,
  eventWords,
  moveWords,
  charts,
  aims,
  adviceWords,
} satisfies Family<OutpostView>
