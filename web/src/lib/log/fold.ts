/** The log with each sale as one line. It contains no rules: it only parses texts. */
import type { Narrator } from '../family/family'
import type { Of, Row, Seat } from '../net/protocol'
import { isNews } from '../stage/beats'
import { isNomination, saleIn } from '../stage/lots'
import { describeRow } from './describe'

/** One row of the log, or all rows about a card that was sold. */
export interface Entry {
  /** The number of rows before it. */
  from: number
  rows: Row[]
  sale: Of<'sold'> | null
}

export function fold(log: Row[]): Entry[] {
  const entries: Entry[] = []
  let opened = -1
  for (const [from, row] of log.entries()) {
    if (isNomination(row)) opened = entries.length
    else if (row.phase !== 'auction') opened = -1
    const sale = saleIn(row) ?? null
    if (sale && opened >= 0) {
      const calls = entries.splice(opened).flatMap(({ rows }) => rows)
      entries.push({ from: from - calls.length, rows: [...calls, row], sale })
    } else entries.push({ from, rows: [row], sale })
    if (sale) opened = -1
  }
  return entries
}

/** Who bought what for how much. */
export const saleWords = (sale: Of<'sold'>, row: Row, narrator: Narrator) =>
  describeRow({ ...row, events: [sale] }, narrator).at(-1)!.text

/** What has happened since the last decision of a seat, or else in the last phase: the turns in their order. */
export function happened(log: Row[], you: Seat | null, narrator: Narrator): { seat: Seat; texts: string[] }[] {
  const last = log.at(-1)
  if (!last) return []
  const mine = log.findLastIndex(({ seat }) => seat === you)
  const before = log.findLastIndex(({ round, phase }) => round !== last.round || phase !== last.phase)
  const since = mine >= 0 && mine < log.length - 1 ? mine : before
  const opened = log.slice(0, since + 1).findLastIndex(isNomination)
  const isOpen = opened >= 0 && !log.slice(opened, since + 1).some(saleIn) // it is told from its beginning
  const from = isOpen && log[since]!.phase === 'auction' ? opened : since + 1
  const turns: { seat: Seat; phase: string; texts: string[] }[] = []
  for (const { from: at, rows, sale } of fold(log.slice(from))) {
    const row = rows.at(-1)!
    const seat = sale?.seat ?? row.seat
    const before = turns.at(-1)
    const same = before?.seat === seat && before.phase === row.phase
    const news = row.events
      .filter(isNews)
      .flatMap((event) => describeRow({ ...row, events: [event] }, narrator).slice(1))
    const texts = news.map(({ text }) => text)
    if (sale) texts.unshift(saleWords(sale, row, narrator))
    else if (row.move !== 'done' || !same) texts.unshift(describeRow(row, narrator, log[from + at - 1])[0]!.text)
    if (same) before.texts.push(...texts)
    else turns.push({ seat, phase: row.phase, texts })
  }
  return turns
}
