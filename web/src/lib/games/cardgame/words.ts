/** The words of the card game: how the log and the hints describe its own moves. */
import { m } from '../../../texts/messages'
import type { Family } from '../../family/family'
import { ownOf } from '../../log/describe'
import type { CardGameView, Event, Of } from '../../net/protocol'
import { fuelList, fuelName } from '../../ui/words'
import { type FuelPick, readFuelPick } from './basket'

/** "coal 3": a fuel card by what is on it. */
export const fuelPickName = ({ fuel, units }: Pick<FuelPick, 'fuel' | 'units'>) => `${fuelName(fuel)} ${units}`
export const fuelPickNames = (fuelPicks: Pick<FuelPick, 'fuel' | 'units'>[]) => fuelPicks.map(fuelPickName).join(', ')

/** A fuel card as the server writes it: "coal3", or "coal" for a single unit. */
const cardName = (card: string) => {
  const [, fuel = '', units] = /^([a-z]+)(\d*)$/.exec(card) ?? []
  return fuelPickName({ fuel, units: Number(units || 1) })
}

/** The plants of a player that did not run in the end, and what they would have brought. */
export function missed({ players, outcome }: CardGameView, seat: number): string {
  const { plants, ready } = players[seat]!
  const idle = plants.filter(({ card }) => !ready.includes(card))
  const amount = outcome?.unfuelled?.[seat] ?? 0
  return amount ? m.result_idle_cardgame({ cards: idle.map(({ card }) => card).join(', '), amount }) : ''
}

const plantsOf = (words: string[]) => words.map((word) => word.split(':')[0]).join(', ')

export const decision: Family['decision'] = (row, name) => {
  const fuelPick = readFuelPick(row.move)
  if (fuelPick) return m.log_buy_card({ name, card: fuelPickName(fuelPick), column: fuelPick.column })
  const [verb, ...words] = row.move.split(' ')
  if (verb !== 'run') return undefined
  const earned = ownOf(row, 'income')?.amount ?? 0
  return words[0] === 'nothing'
    ? m.log_run_nothing({ name, earned })
    : m.log_run_income({ name, plants: plantsOf(words), earned })
}

const BANK = -1

export const eventWords: Family['eventWords'] = (event) => {
  switch (event.what) {
    case 'taken':
      return isFuel(event) ? m.log_bank_fuel({ cards: cardNames(event) }) : m.log_bank_plant({ card: event.card })
    case 'removed':
      return event.seat === BANK ? m.log_bank_drops({ card: event.card }) : undefined
    case 'turned':
      if (event.card === 'end') return m.log_end_card()
      return isFuel(event) ? m.log_fuel_turned({ column: event.column, cards: cardNames(event) }) : undefined
    case 'surplus':
      return m.log_surplus({ fuel: fuelList({ [event.fuel]: event.count }) })
    case 'shuffled':
      return event.by === 'reshuffle' ? m.log_reshuffle() : ''
    case 'end_resolved':
      return m.log_end_resolved()
    default:
      return undefined
  }
}

/** Fuel cards turned up in one column are merged, and so is everything the Bank takes. */
export function mergeEvents(all: Event[]): Event[] {
  const events: Event[] = []
  for (const event of all) {
    const before = event.what === 'taken' ? events.findIndex(isFuelTaken) : events.length - 1
    const last = events[before]
    if (last && isFuel(event) && isFuel(last) && (isFuelTaken(event) || alike(event, last)))
      events[before] = { ...last, card: `${last.card} ${event.card}` }
    else events.push(event)
  }
  return events
}

/** A fuel card, or several that are merged: it has a column. */
type Fuel = Of<'turned' | 'taken'> & { column: number }
const isFuel = (event: Event): event is Fuel => 'column' in event && typeof event.column === 'number'
const cardNames = ({ card }: Fuel) => card.split(' ').map(cardName).join(', ')
const isFuelTaken = (event: Event) => event.what === 'taken' && isFuel(event)
const alike = (a: Fuel, b: Fuel) => a.what === b.what && a.column === b.column

export const moveWords: Family['moveWords'] = (move) => {
  const fuelPick = readFuelPick(move)
  if (fuelPick) return m.hint_move_buy_card({ card: fuelPickName(fuelPick), column: fuelPick.column })
  const [verb, ...words] = move.split(' ')
  if (verb !== 'run') return undefined
  return words[0] === 'nothing' ? m.hint_move_run_nothing() : m.hint_move_run({ plants: plantsOf(words) })
}
