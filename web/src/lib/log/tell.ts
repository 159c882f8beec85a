/** The log in plain words. */
import { m } from '../../paraglide/messages.js'
import type { Event, Row } from '../net/protocol'
import { fuelAmount, fuelList, plantName, regionName, say } from '../ui/words'

const KINDS = ['coal', 'oil', 'garbage', 'uranium']

export interface Teller {
  names: string[]
  city: (id: string) => string
}

export interface Line {
  seat: number | null
  text: string
  /** What happened by itself. */
  minor: boolean
}

const nameOf = (teller: Teller, seat: number | null | undefined) =>
  seat === undefined || seat === null ? '' : (teller.names[seat] ?? m.cartel())

/** What a row says: the decision first, then what it brought about. */
export function tell(row: Row, teller: Teller): Line[] {
  const lines: Line[] = [{ seat: row.seat, text: decision(row, teller), minor: false }]
  for (const event of row.events) {
    const text = happening(event, teller)
    if (text) lines.push({ seat: event.seat ?? null, text, minor: true })
  }
  return lines
}

function decision(row: Row, teller: Teller): string {
  const name = nameOf(teller, row.seat)
  const [verb = '', ...words] = row.move.split(' ')
  const first = words[0] ?? ''
  const paid = row.events.find(({ what, seat }) => what === 'paid' && seat === row.seat)?.amount ?? 0
  switch (verb) {
    case 'nominate':
      return m.log_nominate({ name, card: first, bid: words[1]!.slice(1) })
    case 'bid':
      return m.log_bid({ name, bid: first })
    case 'pass':
      return m.log_pass({ name })
    case 'scrap': {
      const returned = Object.fromEntries(
        words.slice(2).flatMap((word, i, all) => (i % 2 ? [] : [[word, Number(all[i + 1])]])),
      )
      return words.length > 1
        ? m.log_scrap_returning({ name, card: first, fuel: fuelList(returned) })
        : m.log_scrap({ name, card: first })
    }
    case 'buy':
      return m.log_buy({ name, fuel: fuelAmount(Number(words[1]), first), paid })
    case 'build':
      return m.log_build({ name, city: teller.city(first), paid })
    case 'run':
      return run(row, name, words)
    case 'done':
      return say(`log_done_${row.phase}`, m.log_done({ name }), { name })
    case 'region':
      return m.log_region({ name, region: regionName(first) })
    case 'place':
      return m.log_place({ name, city: teller.city(first) })
    case 'mark':
      return m.log_mark({ name, city: teller.city(first) })
    default:
      return `${name}: ${row.move}`
  }
}

function run(row: Row, name: string, words: string[]): string {
  const income = row.events.find(({ what, seat }) => what === 'income' && seat === row.seat)
  const supplied = Number(income?.items?.[0] ?? 0)
  const earned = income?.amount ?? 0
  if (words[0] === 'nothing') return m.log_run_nothing({ name, earned })
  const plants = words.map((word) => word.split(':')[0]).join(', ')
  return m.log_run({ name, plants, count: supplied, earned })
}

function happening(event: Event, teller: Teller): string {
  const name = nameOf(teller, event.seat)
  const card = !event.card ? '' : plantName(event.card)
  switch (event.what) {
    case 'sold':
      return m.log_sold({ name, card, amount: event.amount ?? 0 })
    case 'turned':
      return event.card === 'step3' ? m.log_step3_card() : card ? m.log_turned({ card }) : ''
    case 'removed':
      return m.log_removed({ card })
    case 'slid':
      return m.log_slid({ card })
    case 'step':
      return m.log_step({ step: event.amount ?? 0 })
    case 'order':
      return m.log_order({ names: (event.items ?? []).map((seat) => nameOf(teller, Number(seat))).join(', ') })
    case 'cannot_buy':
      return m.log_cannot_buy({ name })
    case 'refilled': {
      const came = Object.fromEntries(KINDS.map((kind, i) => [kind, Number(event.items?.[i] ?? 0)]))
      return Object.values(came).some(Boolean) ? m.log_refilled({ fuel: fuelList(came) }) : ''
    }
    case 'taken':
      return m.log_taken({ name, card })
    case 'placed':
      return m.log_placed({ name, city: teller.city(String(event.items?.[0] ?? '')) })
    case 'stocked': {
      const took = Object.fromEntries(KINDS.map((kind, i) => [kind, Number(event.items?.[i] ?? 0)]))
      return Object.values(took).some(Boolean) ? m.log_stocked({ name, fuel: fuelList(took) }) : ''
    }
    case 'demolished':
      return m.log_demolished({ name, amount: event.amount ?? 0 })
    default:
      return ''
  }
}
