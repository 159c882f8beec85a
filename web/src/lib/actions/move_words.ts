/** A move as one would say it: "Build in Essen". */
import { m } from '../../paraglide/messages.js'
import { fuelName } from '../ui/words'

export function moveWords(move: string, cityName: (id: string) => string): string {
  const [verb = '', ...words] = move.split(' ')
  const first = words[0] ?? ''
  switch (verb) {
    case 'nominate':
      return m.hint_move_nominate({ card: first, amount: words[1]?.slice(1) ?? '' })
    case 'bid':
      return m.hint_move_bid({ amount: first })
    case 'pass':
      return m.hint_move_pass()
    case 'scrap':
      return m.hint_move_scrap({ card: first })
    case 'buy':
      return m.hint_move_buy({ fuel: `${words[1]} ${fuelName(first)}` })
    case 'build':
      return m.hint_move_build({ city: cityName(first) })
    case 'run':
      return first === 'nothing'
        ? m.hint_move_run_nothing()
        : m.hint_move_run({ plants: words.map((word) => word.split(':')[0]).join(', ') })
    case 'done':
      return m.hint_move_done()
    default:
      return words.map(cityName).join(' ')
  }
}
