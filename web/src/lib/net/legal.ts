/** The legal moves of an auction, sorted by what they decide. It contains no rules: it only parses texts. */
import type { Legal } from './protocol'

export interface Span {
  card: string
  low: number
  high: number
}

export interface Scrap {
  card: string
  returned: Record<string, number>
  move: string
}

/** The moves that all rulebooks share; each parses the rest by itself. */
export interface Choices {
  nominate: Span[]
  bid: { low: number; high: number } | null
  pass: boolean
  done: boolean
  scrap: Scrap[]
}

export function readAuction(legal: Legal[]): Choices {
  const found: Choices = { nominate: [], bid: null, pass: false, done: false, scrap: [] }
  for (const { move, to } of legal) {
    const [verb = '', ...words] = move.split(' ')
    const first = words[0] ?? ''
    if (verb === 'nominate') {
      const low = Number(words[1]!.slice(1))
      found.nominate.push({ card: first, low, high: to ?? low })
    } else if (verb === 'bid') found.bid = { low: Number(first), high: to ?? Number(first) }
    else if (verb === 'scrap') found.scrap.push({ card: first, returned: pairs(words.slice(2)), move })
    else if (verb === 'pass' || verb === 'done') found[verb] = true
  }
  return found
}

/** "coal 2 oil 1" */
export const pairs = (words: string[]): Record<string, number> =>
  Object.fromEntries(words.flatMap((word, i) => (i % 2 ? [] : [[word, Number(words[i + 1])]])))
