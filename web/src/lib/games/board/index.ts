import { m } from '../../../texts/messages'
import { question } from '../../actions/sentence'
import type { Family } from '../../family/family'
import type { BoardView } from '../../net/protocol'
import { aims } from './aims'
import BoardScene from './BoardScene.svelte'
import { charts } from './charts'
import { decision, eventWords, moveWords } from './words'

export default {
  Scene: BoardScene,
  phases: ['order', 'auction', 'fuel', 'building', 'bureaucracy'],
  stage: ({ step, market }) => (market.stage ? '' : m.step({ step })),
  isLast: ({ players, end_cities }) => players.some(({ cities }) => cities.length >= end_cities),
  question: (view) => (view.mines?.selling ? 'sell' : question(view)),
  stranger: () => m.cartel(),
  decision,
  eventWords,
  moveWords,
  charts,
  aims,
} satisfies Family<BoardView>
