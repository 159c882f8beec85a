import { getLocale } from '../ui/locale'
import { partWords, type Texts } from '../ui/part_words'

/** The words of cups. */
export const { loadWords, say } = partWords(
  import.meta.glob<Texts>('../../../../src/highvoltage/words/cups/*.json', { import: 'default' }),
)

/** A moment, in seconds, as people say it: the time of today, or with the day. */
export function moment(at: number): string {
  const date = new Date(at * 1000)
  const isToday = date.toDateString() === new Date().toDateString()
  return date.toLocaleString(
    getLocale(),
    isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' },
  )
}

/** Points: whole, or with what a tie leaves. */
export const pointsText = (points: number) => points.toLocaleString(getLocale(), { maximumFractionDigits: 2 })

/** Seconds as minutes or hours. */
export const spanText = (seconds: number) =>
  seconds >= 7200 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 60)} min`
