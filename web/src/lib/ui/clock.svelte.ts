import { onDestroy } from 'svelte'
import { m } from '../../texts/messages'
import type { Clocks, Seat, SeatInfo } from '../net/protocol'
import { getLocale } from './locale'

/** The time, for components that show it. */
export class Ticker {
  now = $state(performance.now())

  constructor() {
    const timer = setInterval(() => (this.now = performance.now()), 500)
    onDestroy(() => clearInterval(timer))
  }
}

/** The time left for a seat, as 1:05 or 2:03:00; a running clock is counted down here. */
export function clockText(clocks: Clocks & { at: number }, seat: Seat, now: number): string {
  const spent = clocks.running === seat ? (now - clocks.at) / 1000 : 0
  return timeText((clocks.left[seat] ?? 0) - spent)
}

/** Seconds that are left, as 1:05 or 2:03:00. */
export function timeText(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds))
  const pad = (n: number) => String(n).padStart(2, '0')
  const minutes = Math.floor(left / 60)
  return minutes < 60
    ? `${minutes}:${pad(left % 60)}`
    : `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(left % 60)}`
}

/** The last day of somebody's holiday; null if they are on none. */
export function awayText(seat: SeatInfo | undefined): string | null {
  if (!seat?.away_until) return null
  const last = new Date((seat.away_until - 1) * 1000)
  return m.away_until({ date: last.toLocaleDateString(getLocale(), { dateStyle: 'medium', timeZone: 'UTC' }) })
}
