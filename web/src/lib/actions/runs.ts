/** Possible runs of plants, parsed from the legal moves: "run 5:coal,oil 13". */
import type { Legal } from '../net/protocol'

export interface RunPlan {
  move: string
  plants: { card: string; mix: string[] }[]
}

export const readRuns = (legal: Legal[]): RunPlan[] =>
  legal
    .filter(({ move }) => move.startsWith('run '))
    .map(({ move }) => ({ move, plants: move === 'run nothing' ? [] : move.split(' ').slice(1).map(running) }))

const running = (word: string) => {
  const [card = '', mix] = word.split(':')
  return { card, mix: mix ? mix.split(',') : [] }
}
