/** The words of the board games: how the log and the hints describe their own moves. */
import { m } from '../../../texts/messages'
import type { Family } from '../../family/family'
import { ownOf, paidIn } from '../../log/describe'
import type { Row } from '../../net/protocol'
import { FUELS } from '../../ui/fuels'
import { fuelAmount, fuelList, fuelName, marketName, regionName } from '../../ui/words'

export const decision: Family['decision'] = (row, name, { places }) => {
  const [verb = '', ...words] = row.move.split(' ')
  const first = words[0] ?? ''
  switch (verb) {
    case 'buy':
      return m.log_buy({ name, fuel: fuelAmount(Number(words[1]), first), paid: paidIn(row) })
    case 'build':
      return m.log_build({ name, city: places.name(first), paid: paidIn(row) })
    case 'start':
      return m.log_start({ name, city: places.name(first), paid: paidIn(row) })
    case 'run':
      return run(row, name, words)
    case 'sell':
      return m.log_sell({ name })
    case 'market':
      return m.log_market({ name, market: marketName(first) })
    case 'region':
      return m.log_region({ name, region: regionName(first) })
    case 'place':
      return m.log_place({ name, city: places.name(first) })
    case 'mark':
      return m.log_mark({ name, city: places.name(first) })
    default:
      return undefined
  }
}

function run(row: Row, name: string, words: string[]): string {
  const income = ownOf(row, 'income')
  const supplied = income?.supplied ?? 0
  const earned = income?.amount ?? 0
  if (words[0] === 'nothing') return m.log_run_nothing({ name, earned })
  const plants = words.map((word) => word.split(':')[0]).join(', ')
  return m.log_run({ name, plants, count: supplied, earned })
}

export const eventWords: Family['eventWords'] = (event, name, { places }) => {
  switch (event.what) {
    case 'refilled':
      return fuelOf(event.fuel, places.fuels) && m.log_refilled({ fuel: fuelOf(event.fuel, places.fuels) })
    case 'mined':
      return m.log_mined({ name, amount: event.amount })
    case 'uranium_used':
      return m.log_uranium_used({ count: event.count })
    case 'outage':
      return m.log_outage({ houses: event.houses, loss: event.loss })
    case 'placed':
      return m.log_placed({ name, city: places.name(event.city) })
    case 'stocked':
      return fuelOf(event.fuel, places.fuels) && m.log_stocked({ name, fuel: fuelOf(event.fuel, places.fuels) })
    default:
      return undefined
  }
}

const fuelOf = (counts: number[], kinds: string[]) =>
  fuelList(Object.fromEntries((kinds.length ? kinds : FUELS).map((kind, i) => [kind, counts[i] ?? 0])))

export const moveWords: Family['moveWords'] = (move, places) => {
  const [verb = '', ...words] = move.split(' ')
  const first = words[0] ?? ''
  switch (verb) {
    case 'buy':
      return m.hint_move_buy({ fuel: `${words[1]} ${fuelName(first)}` })
    case 'build':
      return m.hint_move_build({ city: places.name(first) })
    case 'start':
      return m.hint_move_start({ city: places.name(first) })
    case 'run':
      return first === 'nothing'
        ? m.hint_move_run_nothing()
        : m.hint_move_run({ plants: words.map((word) => word.split(':')[0]).join(', ') })
    case 'sell':
      return m.hint_move_sell()
    case 'market':
      return marketName(first)
    case 'region':
      return regionName(first)
    case 'place':
    case 'mark':
      return places.name(first)
    default:
      return undefined
  }
}
