/** The legal moves of a position, sorted by what they decide. No rule: only the texts, read. */
import type { Legal } from './protocol'

export interface Span {
  card: string
  low: number
  high: number
}

export interface RunPlan {
  move: string
  plants: { card: string; mix: string[] }[]
}

export interface Choices {
  nominate: Span[]
  bid: { low: number; high: number } | null
  pass: boolean
  done: boolean
  scrap: { card: string; returned: Record<string, number>; move: string }[]
  buy: Record<string, number[]> // fuel: what 1, 2, 3 … cost together
  build: Record<string, number>
  run: RunPlan[]
  region: string[]
  /** Cities to be named before the first round, with the verb that names them. */
  city: { verb: string; cities: string[] } | null
}

export function readLegal(legal: Legal[]): Choices {
  const found: Choices = {
    nominate: [],
    bid: null,
    pass: false,
    done: false,
    scrap: [],
    buy: {},
    build: {},
    run: [],
    region: [],
    city: null,
  }
  for (const { move, cost: price, to } of legal) {
    const cost = price ?? 0
    const [verb = '', ...words] = move.split(' ')
    const first = words[0] ?? ''
    switch (verb) {
      case 'nominate': {
        const low = Number(words[1]!.slice(1))
        found.nominate.push({ card: first, low, high: to ?? low })
        break
      }
      case 'bid':
        found.bid = { low: Number(first), high: to ?? Number(first) }
        break
      case 'pass':
      case 'done':
        found[verb] = true
        break
      case 'scrap':
        found.scrap.push({ card: first, returned: pairs(words.slice(2)), move })
        break
      case 'buy':
        ;(found.buy[first] ??= [])[Number(words[1]) - 1] = cost
        break
      case 'build':
        found.build[first] = cost
        break
      case 'run':
        found.run.push({ move, plants: first === 'nothing' ? [] : words.map(running) })
        break
      case 'region':
        found.region.push(first)
        break
      default:
        found.city ??= { verb, cities: [] }
        found.city.cities.push(first)
    }
  }
  return found
}

const pairs = (words: string[]): Record<string, number> =>
  Object.fromEntries(words.flatMap((word, i) => (i % 2 ? [] : [[word, Number(words[i + 1])]])))

const running = (word: string) => {
  const [card = '', mix] = word.split(':')
  return { card, mix: mix ? mix.split(',') : [] }
}
