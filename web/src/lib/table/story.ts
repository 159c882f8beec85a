/** The story of a game in a few lines, from its log. */

import { m } from '../../paraglide/messages.js'
import type { Narrator } from '../family/family'
import { describeRow, nameOf } from '../log/describe'
import { fold, saleWords } from '../log/fold'
import type { Row, Seat, TurningPoint } from '../net/protocol'
import { incomeIn } from '../stage/payday'

export interface StoryLine {
  what: 'led' | 'dearest' | 'war' | 'payday' | 'step' | 'turn'
  /** The round it happened in, unless it is about all of them. */
  round: number | null
  text: string
}

/** An auction of so many calls is worth mentioning. */
const LONG = 6

const most = <T>(all: T[], by: (each: T) => number): T | undefined =>
  all.reduce<T | undefined>((best, each) => (best === undefined || by(each) > by(best) ? each : best), undefined)

/** Who earned the most, from one round to another; where two earned the same, who did before. */
export function leaders(rows: Row[]): { seat: Seat; from: number; to: number }[] {
  const rounds = new Map<number, Map<Seat, number>>()
  for (const row of rows) {
    const amount = incomeIn(row)?.amount
    if (amount === undefined) continue
    const earned = rounds.get(row.round) ?? new Map<Seat, number>()
    rounds.set(row.round, earned.set(row.seat, (earned.get(row.seat) ?? 0) + amount))
  }
  const found: { seat: Seat; from: number; to: number }[] = []
  for (const [round, earned] of rounds) {
    const best = Math.max(...earned.values())
    const last = found.at(-1)
    if (last && earned.get(last.seat) === best) last.to = round
    else found.push({ seat: [...earned].find(([, amount]) => amount === best)![0], from: round, to: round })
  }
  return found
}

/** The turns are known once the game has been analysed. */
export function story(rows: Row[], narrator: Narrator, turns: TurningPoint[] = []): StoryLine[] {
  const sales = fold(rows).flatMap(({ rows, sale }) => (sale ? [{ rows, sale, row: rows.at(-1)! }] : []))
  const dearest = most(sales, ({ sale }) => sale.amount)
  const war = most(sales, (each) => each.rows.length)
  const payday = most(rows, (row) => incomeIn(row)?.amount ?? 0)
  const step = rows.findLast(({ events }) => events.some(({ what }) => what === 'step'))
  const led = leaders(rows).map(
    ({ seat, from, to }) => `${from === to ? from : `${from}–${to}`} ${nameOf(narrator, seat)}`,
  )
  const lines: StoryLine[] = []
  if (led.length) lines.push({ what: 'led', round: null, text: led.join(', ') })
  if (dearest)
    lines.push({ what: 'dearest', round: dearest.row.round, text: saleWords(dearest.sale, dearest.row, narrator) })
  if (war && war !== dearest && war.rows.length >= LONG)
    lines.push({ what: 'war', round: war.row.round, text: saleWords(war.sale, war.row, narrator) })
  if (step) {
    const begun = step.events.filter(({ what }) => what === 'step')
    lines.push({
      what: 'step',
      round: step.round,
      text: describeRow({ ...step, events: begun }, narrator).at(-1)!.text,
    })
  }
  if (payday && incomeIn(payday))
    lines.push({ what: 'payday', round: payday.round, text: describeRow(payday, narrator)[0]!.text })
  const turn = most(turns, ({ before, after }) => Math.abs(after - before))
  if (turn) {
    const [before, after] = [turn.before, turn.after].map((chance) => Math.round(100 * chance)) as [number, number]
    const name = nameOf(narrator, turn.seat)
    lines.push({ what: 'turn', round: null, text: m.analysis_turn({ round: turn.round, name, before, after }) })
  }
  return lines
}
