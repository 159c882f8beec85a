import { m } from '../../texts/messages'
import { getLocale } from '../ui/locale'

const figure = (value: number) =>
  value.toLocaleString(getLocale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** A rating with half of its 95 % interval. */
export const ratingWords = ({ rating, error }: { rating: number; error: number }) =>
  m.rating_value({ rating: figure(rating), error: figure(error) })
