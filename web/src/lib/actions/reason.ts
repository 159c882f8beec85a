/** Values that the server identifies by id, and reasons made of them, in the reader's language. */
import type { Narrator } from '../family/family'
import type { Reason, Values } from '../net/protocol'
import { fuelName, marketName, regionName, translate, translateIn } from '../ui/words'
import { moveName } from './move_words'

export const readableValues = (values: Values, narrator: Narrator): Values =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, readable(key, value, narrator)]))

const pieceName = (piece: string) => translate(`piece_${piece}`, piece)

function readable(key: string, value: string | number, narrator: Narrator): string | number {
  if (typeof value !== 'string') return value
  const { places } = narrator
  if (['city', 'elsewhere', 'built'].includes(key)) return places.name(value)
  if (key === 'cities') return value.split(', ').map(places.name).join(', ')
  if (['card', 'other', 'runner_up', 'new', 'old'].includes(key)) return places.card(value)
  if (key === 'region') return regionName(value)
  if (key === 'regions') return value.split(', ').map(regionName).join(', ')
  if (key === 'fuel') return fuelName(value)
  if (key === 'fuels') return value.split(', ').map(fuelName).join(', ')
  if (['kind', 'piece'].includes(key)) return pieceName(value)
  if (key === 'pieces') return value.split(', ').map(pieceName).join(', ')
  if (key === 'market') return marketName(value)
  if (key === 'markets') return value.split(', ').map(marketName).join(', ')
  if (['than', 'advised', 'second', 'third'].includes(key)) return moveName(value, narrator)
  return value
}

/** Why a bot would do this; for a choice among cards, also the runner-up; in an analysis, what happened. */
export function reasonWords(why: Reason, rulebook: string, narrator: Narrator): string {
  const values = readableValues(why.values, narrator)
  const more = (code: string) => (code in values ? [translate(`hint_${code}`, '', values)] : [])
  const text = translateIn(rulebook, `hint_${why.code}`, why.text ?? '', values)
  const after = ['runner_up', 'sees_chances', 'ends_soon', 'fuel_short', 'sold_to', 'built_by']
  const numbers = ['to_win', 'too_close', 'win_alone'].filter((code) => code !== why.code)
  return [...['untaught', 'no_network'].flatMap(more), text, ...[...after, ...numbers].flatMap(more)].join(' ')
}
