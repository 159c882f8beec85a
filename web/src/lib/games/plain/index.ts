/** A game of a kind that this page does not know: what its view holds, and its moves as buttons. */
import type { Family } from '../../family/family'
import PlainScene from './PlainScene.svelte'

export default {
  Scene: PlainScene,
  phases: [],
  stage: () => '',
  question: () => 'plain',
  stranger: () => '',
  decision: () => undefined,
  happening: () => undefined,
  moveWords: () => undefined,
  charts: () => [],
  lessons: () => [],
  aims: () => [],
  firstGame: () => null,
} satisfies Family
