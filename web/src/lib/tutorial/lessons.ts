/** The lessons and their texts, loaded when they are needed. */
import { isAnswer, type Lesson, type Step } from './lesson'

type Shared = { steps: Step[] }
const FILES = import.meta.glob<Lesson | Shared>('./lessons/**/*.json', { import: 'default' })

export const FIRST_GAMES = ['classic', 'recharged', 'cardgame', 'outpost']
/** All lessons, in the order in which they are offered. */
export const LESSONS = [...FIRST_GAMES, 'auction', 'fuel', 'network', 'steps', 'end', 'cartel', 'demolition']

export async function lessonCalled(name: string): Promise<Lesson> {
  const lesson = (await (FILES[`./lessons/${name}.json`] ?? FILES['./lessons/plain.json']!)()) as Lesson
  if (!lesson.with) return lesson
  const shared = (await FILES[`./lessons/shared/${lesson.with}.json`]!()) as Shared
  const answers = shared.steps.filter(isAnswer) // what was just done comes first
  return { ...lesson, steps: [...answers, ...lesson.steps, ...shared.steps.filter((step) => !isAnswer(step))] }
}

type Texts = Record<string, string>
const TEXTS = import.meta.glob<Texts>('../../../../src/highvoltage/words/lessons/*.json', { import: 'default' })

export const textsIn = (locale: string) => TEXTS[`../../../../src/highvoltage/words/lessons/${locale}.json`]!()
