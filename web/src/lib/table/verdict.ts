/** How a game was won, from its scores: their measures are listed in the order in which they count. */
import { m } from '../../texts/messages'
import type { GameView, Outcome, Seat } from '../net/protocol'
import { sentenceCase, translateIn } from '../ui/words'

export interface Verdict {
  winners: Seat[]
  /** The measure that separated the winners from a rival; null without a rival, and if the rival has won too. */
  decided: { measure: string; first: number; second: number; level: string[] } | null
}

/** Compared with the runner-up, or with another rival. */
export function verdictOf({ ranking, scores }: Outcome, rival = ranking[1]?.[0]): Verdict {
  const [winners = []] = ranking
  const best = scores[winners[0] ?? -1]
  const other = scores[rival ?? -1]
  if (!best || !other) return { winners, decided: null }
  const measures = Object.keys(best)
  const at = measures.findIndex((measure) => best[measure] !== other[measure])
  const measure = measures[at]
  if (measure === undefined) return { winners, decided: null }
  return {
    winners,
    decided: { measure, first: best[measure]!, second: other[measure] ?? 0, level: measures.slice(0, at) },
  }
}

/** The place of a seat, counted from 1. */
export const placeOf = ({ ranking }: Outcome, seat: Seat) => ranking.findIndex((seats) => seats.includes(seat)) + 1

export const measureName = (rulebook: string, measure: string) =>
  translateIn(rulebook, `score_${measure}`, sentenceCase(measure))

/** What is counted at the end, by the measure that counts first. */
export function countWords({ scores }: Outcome): string {
  const [measure] = Object.keys(scores[0] ?? {})
  if (measure === 'supplied' || measure === 'powered') return m.stage_count_cities()
  return measure === 'points' ? m.stage_count_points() : m.stage_ending()
}

/** The measure that separates a seat from another one with the same first score; null if there is none. */
export function tieBreakOf(outcome: Outcome, seat: Seat): string | null {
  const { ranking, scores } = outcome
  const own = scores[seat] ?? {}
  const measures = Object.keys(own)
  const place = placeOf(outcome, seat)
  const isLevel = (other: Seat) => measures.length > 0 && scores[other]?.[measures[0]!] === own[measures[0]!]
  const rival = ranking.flat().find((other) => placeOf(outcome, other) !== place && isLevel(other))
  return measures.find((measure) => rival !== undefined && scores[rival]![measure] !== own[measure]) ?? null
}

/** The first score of a seat, in words. */
export function scoreWords({ outcome, names, rulebook }: Won, seat: Seat): string {
  const [measure, score] = Object.entries(outcome.scores[seat] ?? {})[0] ?? []
  return measure === undefined ? '' : `${names[seat]}: ${measureName(rulebook, measure)} ${score}`
}

type Won = GameView & { outcome: Outcome }

/** What decided the game, in a sentence: for the one player who asks, or for anybody. */
export function whyWords(view: Won, asker: Seat | null): string {
  const { outcome, names, rulebook } = view
  const [winners = [], next = []] = outcome.ranking
  const isWinner = asker !== null && winners.includes(asker)
  const nameOf = (measure: string) => measureName(rulebook, measure)
  const all = Object.keys(outcome.scores[0] ?? {})
  if (winners.length > 1 && (isWinner || asker === null)) return m.result_level({ level: all.map(nameOf).join(', ') })
  const rival = asker === null || isWinner ? next[0] : asker
  const { decided } = verdictOf(outcome, rival)
  if (!decided || rival === undefined) return ''
  const called = (seat: Seat) => (seat === asker ? m.you() : names[seat]!)
  const { measure, first, second, level } = decided
  const values = { name: called(winners[0]!), other: called(rival), first, second }
  if (measure === 'supplied' || measure === 'powered')
    return isWinner ? m.result_you_powered(values) : m.result_powered(values)
  if (measure === 'points') return isWinner ? m.result_you_points(values) : m.result_points(values)
  return `${m.result_level({ level: level.map(nameOf).join(', ') })} ${m.result_decides({ ...values, measure: nameOf(measure) })}`
}

/** Whose network, or which card, ended the game; nothing if it ended otherwise. */
export function endWords({ outcome, names, round, ...view }: Won): string {
  if (outcome.reason === 'last_round') return m.result_ended_last_round({ round })
  const { end_cities: count } = view as { end_cities?: number }
  const enders = names.filter((_, seat) => count !== undefined && (outcome.scores[seat]?.cities ?? 0) >= count)
  return enders.length ? m.result_ended_cities({ count: count!, names: enders.join(', ') }) : ''
}

/** Why a player has not powered more cities; nothing if that was enough. */
export function darkWords({ ranking, scores, unfuelled }: Outcome, seat: Seat): string {
  const { cities = 0, supplied, powered = supplied } = scores[seat] ?? {}
  if (powered === undefined) return ''
  const best = scores[ranking[0]?.[0] ?? seat]!
  const isBeaten = (best.supplied ?? best.powered ?? 0) > powered
  if (powered >= cities)
    return isBeaten ? m.result_all_lit({ cities, money: m.money({ amount: scores[seat]!.money ?? 0 }) }) : ''
  const values = { powered, cities }
  if (!unfuelled) return m.result_dark(values)
  return unfuelled[seat] ? m.result_dark_fuel(values) : m.result_dark_plants(values)
}
