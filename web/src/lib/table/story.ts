/** The story of a game in a few lines, from its log. */

import { m } from '../../texts/messages'
import type { Narrator } from '../family/family'
import { describeRow, nameOf } from '../log/describe'
import { fold, saleWords } from '../log/fold'
import type { Row, Seat, TurningPoint } from '../net/protocol'
import { total } from '../replay/charts'
import { incomeIn } from '../stage/payday'

export interface StoryLine {
  what: 'dearest' | 'war' | 'payday' | 'step' | 'turn'
  /** The round it happened in, unless it is about all of them. */
  round: number | null
  text: string
}

/** An auction of so many calls is worth mentioning. */
const LONG = 6

const most = <T>(all: T[], by: (each: T) => number): T | undefined =>
  all.reduce<T | undefined>((best, each) => (best === undefined || by(each) > by(best) ? each : best), undefined)

/** What everybody earned in each round that had a payday. */
export function earnings(rows: Row[], seats: Seat[]): { rounds: number[]; lines: number[][] } {
  const paid = rows.filter(incomeIn)
  const rounds = [...new Set(paid.map(({ round }) => round))]
  const earned = (seat: Seat, round: number) =>
    total(paid, 'income', seat, (row) => row.round === round && row.seat === seat)
  return { rounds, lines: seats.map((seat) => rounds.map((round) => earned(seat, round))) }
}

/** The turns are known once the game has been judged: the one that counts is the winner's. */
export function story(rows: Row[], narrator: Narrator, turns: TurningPoint[] = [], winners: Seat[] = []): StoryLine[] {
  const sales = fold(rows).flatMap(({ rows, sale }) => (sale ? [{ rows, sale, row: rows.at(-1)! }] : []))
  const dearest = most(sales, ({ sale }) => sale.amount)
  const war = most(sales, (each) => each.rows.length)
  const payday = most(rows, (row) => incomeIn(row)?.amount ?? 0)
  const step = rows.findLast(({ events }) => events.some(({ what }) => what === 'step'))
  const lines: StoryLine[] = []
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
  const rises = turns.filter(({ seat, before, after }) => winners.includes(seat) && after > before)
  const turn = most(rises, ({ before, after }) => after - before)
  if (turn) {
    const [before, after] = [turn.before, turn.after].map((chance) => Math.round(100 * chance)) as [number, number]
    const name = nameOf(narrator, turn.seat)
    lines.push({ what: 'turn', round: null, text: m.analysis_turn({ round: turn.round, name, before, after }) })
  }
  return lines
}
