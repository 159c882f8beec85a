/** How long each event is shown. */
import type { Event, Row, Seat } from '../net/protocol'
import { isNomination } from './lots'
import { incomeIn } from './payday'

const isSale = ({ events }: Row) => events.some(({ what }) => what === 'sold')
/** An auction is opened, called ever faster, and closed: within three seconds, however long it was. */
const OPENING = 550
const HAMMER = 1000
const FIRST_CALL = 350
const QUICKER = 0.72
/** What would be shown for less is not shown: nobody could read it. */
const SHORTEST = 60
const NEWS = 1000
/** A new order takes its places before anybody acts in it. */
const SETTLE = 600
const INCOME = 450

/** What is announced large: a Step, a card that leaves. */
export const isNews = ({ what }: Event) => what === 'step' || what === 'removed' || what === 'end_resolved'

/** How long each row after the first `from` is shown to `you`, in milliseconds; rows that are not staged take no time. */
export function beats(rows: Row[], from: number, you: Seat | null): number[] {
  const first = Math.max(0, rows.slice(0, from).findLastIndex(isNomination)) // a call is shown faster the later it comes
  let calls = 0
  const times = rows.slice(first).map((row) => {
    if (isNomination(row)) calls = 0
    const time = beat(row, calls, you)
    if (row.phase === 'auction' && !isNomination(row)) calls++
    return time + aftermath(row, time)
  })
  return times.slice(from - first)
}

/** The part of a row's time in which it is announced what follows from it, after its scene. */
export function newsShare(row: Row): number {
  const scene = beat(row, 0, null)
  const news = aftermath(row, scene)
  return news && news / (news + scene)
}

function aftermath({ events }: Row, scene: number): number {
  if (events.some(isNews)) return NEWS
  return scene && events.some(({ what }) => what === 'order') ? SETTLE : 0
}

function beat(row: Row, calls: number, you: Seat | null): number {
  if (isSale(row)) return HAMMER
  const income = incomeIn(row)
  if (income) return INCOME + Math.min(450, 30 * (income.supplied ?? 0))
  if (row.phase !== 'auction' || row.seat === you) return 0 // I know what I have called
  if (isNomination(row)) return OPENING
  const time = FIRST_CALL * QUICKER ** calls
  return /^(bid|pass)\b/.test(row.move) && time >= SHORTEST ? time : 0
}

/** The same within a limit: without the calls of what is sold, then faster, then without what is oldest. */
export function within(limit: number, times: number[], rows: Row[]): number[] {
  const total = (all: number[]) => all.reduce((sum, each) => sum + each, 0)
  if (total(times) <= limit) return times
  const lastSale = rows.findLastIndex(isSale)
  const kept = times.map((time, i) => (i < lastSale && rows[i]!.phase === 'auction' && !isSale(rows[i]!) ? 0 : time))
  const pace = Math.max(0.5, Math.min(1, limit / total(kept)))
  const fitted = kept.map((time) => time * pace)
  let left = total(fitted)
  return fitted.map((time) => {
    const shown = left <= limit + 1
    left -= time
    return shown ? time : 0
  })
}
