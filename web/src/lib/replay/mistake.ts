/** What was wrong with a decision, from what was played and what would have been better. */
import type { JudgedDecision } from '../net/protocol'

export type MistakeKind =
  | 'passed'
  | 'bought'
  | 'card'
  | 'fuel_less'
  | 'fuel_more'
  | 'fuel_other'
  | 'stopped'
  | 'built'
  | 'city'
  | 'other'

const wants = (verb: string) => verb === 'bid' || verb === 'nominate'
const builds = (verb: string) => verb === 'build' || verb === 'start'
const number = (text: string | undefined) => Number(text) || 0

export function mistakeKind({ played, best }: Pick<JudgedDecision, 'played' | 'best'>): MistakeKind {
  const [did = '', what, count] = played.split(' ')
  const [should = '', other, more] = best.split(' ')
  if (wants(should) && did === 'pass') return 'passed'
  if (wants(did) && should === 'pass') return 'bought'
  if (did === 'bid' && should === 'bid') return number(other) > number(what) ? 'passed' : 'bought'
  if (did === 'nominate' && should === 'nominate') return 'card'
  if (should === 'buy' && did !== 'buy') return 'fuel_less'
  if (did === 'buy' && should !== 'buy') return 'fuel_more'
  if (did === 'buy') {
    if (what !== other || number(count) === number(more)) return 'fuel_other'
    return number(count) < number(more) ? 'fuel_less' : 'fuel_more'
  }
  if (builds(should)) return builds(did) ? 'city' : 'stopped'
  return builds(did) ? 'built' : 'other'
}

const MARGIN_SIGMA = 2 // standard errors, as in the terminal

/** What a decision cost in chance of winning, at least and at most, in percent. */
export function costOf({ chance, best_chance, error }: JudgedDecision): { low: number; high: number } {
  const [loss, margin] = [best_chance - chance, MARGIN_SIGMA * error]
  const [low, high] = [Math.max(0, loss - margin), Math.min(best_chance, loss + margin)]
  return { low: Math.round(100 * low), high: Math.round(100 * high) }
}

export type Field = 'auction' | 'fuel' | 'building' | 'other'
const FIELDS: Record<MistakeKind, Field> = {
  passed: 'auction',
  bought: 'auction',
  card: 'auction',
  fuel_less: 'fuel',
  fuel_more: 'fuel',
  fuel_other: 'fuel',
  stopped: 'building',
  built: 'building',
  city: 'building',
  other: 'other',
}

/** Where most was lost; null if nothing was. */
export function weakest(mistakes: JudgedDecision[]): Field | null {
  const lost = new Map<Field, number>()
  for (const judged of mistakes) {
    const field = FIELDS[mistakeKind(judged)]
    lost.set(field, (lost.get(field) ?? 0) + judged.best_chance - judged.chance)
  }
  return [...lost].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null
}
