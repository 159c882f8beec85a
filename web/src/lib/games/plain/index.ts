/** A game of a family unknown to this page: the content of its view, and its moves as buttons. */
import type { Family } from '../../family/family'
import PlainScene from './PlainScene.svelte'

export default {
  Scene: PlainScene,
  phases: [],
  stage: () => '',
  question: () => 'plain',
  stranger: () => '',
  decision: () => undefined,
  eventWords: () => undefined,
  moveWords: () => undefined,
  charts: () => [],
  aims: () => [],
} satisfies Family
