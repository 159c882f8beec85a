/** The card game in plain words: what the log and the hints say of its own moves. */
import { m } from '../../../paraglide/messages.js'
import type { Event } from '../../net/protocol'
import { fuelList, fuelName } from '../../ui/words'
import type { Family } from '../family'
import { readLot, type Lot } from './basket'

/** "coal 3": a fuel card by what is on it. */
export const lotName = ({ fuel, units }: Pick<Lot, 'fuel' | 'units'>) => `${fuelName(fuel)} ${units}`
export const lotNames = (lots: Pick<Lot, 'fuel' | 'units'>[]) => lots.map(lotName).join(', ')

/** A fuel card as the server names it: "coal3", or "coal" for a single unit. */
const cardName = (item: string | number) => {
  const [, fuel = '', units] = /^([a-z]+)(\d*)$/.exec(String(item)) ?? []
  return lotName({ fuel, units: Number(units || 1) })
}

const plantsOf = (words: string[]) => words.map((word) => word.split(':')[0]).join(', ')

export const decision: Family['decision'] = (row, name) => {
  const lot = readLot(row.move)
  if (lot) return m.log_buy_card({ name, card: lotName(lot), column: lot.column })
  const [verb, ...words] = row.move.split(' ')
  if (verb !== 'run') return undefined
  const earned = row.events.find(({ what, seat }) => what === 'income' && seat === row.seat)?.amount ?? 0
  return words[0] === 'nothing'
    ? m.log_run_nothing({ name, earned })
    : m.log_run_income({ name, plants: plantsOf(words), earned })
}

const BANK = -1

export const happening: Family['happening'] = (event) => {
  const { what, seat, card, amount, items = [] } = event
  switch (what) {
    case 'taken':
      return card ? m.log_bank_plant({ card }) : m.log_bank_fuel({ cards: items.map(cardName).join(', ') })
    case 'removed':
      return seat === BANK ? m.log_bank_drops({ card: card! }) : undefined
    case 'turned':
      if (items[0] === 'end') return m.log_end_card()
      return card ? undefined : m.log_fuel_turned({ column: amount!, cards: items.map(cardName).join(', ') })
    case 'surplus':
      return m.log_surplus({ fuel: fuelList({ [String(items[0])]: amount ?? 0 }) })
    case 'shuffled':
      return items[0] === 'reshuffle' ? m.log_reshuffle() : ''
    case 'end_resolved':
      return m.log_end_resolved()
    default:
      return undefined
  }
}

/** Fuel cards that are turned up in one column, and all that the Bank takes, are told together. */
export function together(all: Event[]): Event[] {
  const events: Event[] = []
  for (const event of all) {
    const before = event.what === 'taken' ? events.findIndex(isFuelTaken) : events.length - 1
    const last = events[before]
    const joins = last && !event.card && (isFuelTaken(event) || (event.what === 'turned' && alike(event, last)))
    if (joins) events[before] = { ...last, items: [...(last.items ?? []), ...(event.items ?? [])] }
    else events.push(event)
  }
  return events
}

const isFuelTaken = ({ what, card }: Event) => what === 'taken' && !card
const alike = (a: Event, b: Event) => a.what === b.what && a.amount === b.amount && !b.card

export const moveWords: Family['moveWords'] = (move) => {
  const lot = readLot(move)
  if (lot) return m.hint_move_buy_card({ card: lotName(lot), column: lot.column })
  const [verb, ...words] = move.split(' ')
  if (verb !== 'run') return undefined
  return words[0] === 'nothing' ? m.hint_move_run_nothing() : m.hint_move_run({ plants: plantsOf(words) })
}

