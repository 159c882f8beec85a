/** The log in words: those that all rulebooks share. */
import { m } from '../../texts/messages'
import type { Narrator } from '../family/family'
import { pairs } from '../net/legal'
import type { Event, Of, Row } from '../net/protocol'
import { packageText } from '../ui/package_words.svelte'
import { fuelList, plantName, translate } from '../ui/words'

export interface Line {
  seat: number | null
  text: string
  /** An automatic consequence. */
  minor: boolean
}

export const nameOf = (narrator: Narrator, seat: number | null | undefined) =>
  seat === undefined || seat === null ? '' : (narrator.names[seat] ?? narrator.family.stranger())

/** The lines for a row that follows the row `before`: the decision first, then its consequences. */
export function describeRow(row: Row, narrator: Narrator, before?: Row): Line[] {
  const { family } = narrator
  const name = nameOf(narrator, row.seat)
  const text = family.decision(row, name, narrator) ?? decision(row, name, before)
  const lines: Line[] = [{ seat: row.seat, text, minor: false }]
  for (const event of family.mergeEvents?.(row.events) ?? row.events) {
    const seat = seatOf(event)
    const about = nameOf(narrator, seat)
    const text = family.eventWords(event, about, narrator) ?? eventWords(event, about, narrator)
    if (text) lines.push({ seat, text, minor: true })
  }
  return lines
}

/** The seat that an event is about. */
export const seatOf = (event: Event) => ('seat' in event ? (event.seat ?? null) : null)

/** The event of one kind that a move caused for its own player. */
export const ownOf = <What extends Event['what']>(row: Row, what: What) =>
  row.events.find((event): event is Of<What> => event.what === what && seatOf(event) === row.seat)

/** What a player paid for their own move. */
export const paidIn = (row: Row) => ownOf(row, 'paid')?.amount ?? 0

/** Whether nothing was bought or built in the turn that ends with this row. */
const isIdle = (row: Row, before: Row | undefined) =>
  before?.seat !== row.seat || before.phase !== row.phase || !/^(buy|build) /.test(before.move)

function decision(row: Row, name: string, before: Row | undefined): string {
  const [verb = '', ...words] = row.move.split(' ')
  const first = words[0] ?? ''
  switch (verb) {
    case 'nominate':
      return m.log_nominate({ name, card: first, bid: words[1]!.slice(1) })
    case 'bid':
      return m.log_bid({ name, bid: first })
    case 'pass':
      return m.log_pass({ name })
    case 'scrap':
      return words.length > 1
        ? m.log_scrap_returning({ name, card: first, fuel: fuelList(pairs(words.slice(2))) })
        : m.log_scrap({ name, card: first })
    case 'done':
      return (
        (isIdle(row, before) && translate(`log_nothing_${row.phase}`, '', { name })) ||
        translate(`log_done_${row.phase}`, m.log_done({ name }), { name })
      )
    default:
      return packageText(`log_${verb}`, { name, move: words.join(' ') }) ?? `${name}: ${row.move}`
  }
}

function eventWords(event: Event, name: string, narrator: Narrator): string {
  const card = 'card' in event ? plantName(event.card) : ''
  switch (event.what) {
    case 'sold':
      return m.log_sold({ name, card, amount: event.amount })
    case 'turned':
      return event.card === 'step3' ? m.log_step3_card() : m.log_turned({ card })
    case 'removed':
      return m.log_removed({ card })
    case 'slid':
      return m.log_slid({ card })
    case 'laid_by':
      return m.log_laid_by({ card })
    case 'stage':
      return event.stage === 2 ? m.log_stage_2() : m.log_stage_3()
    case 'step':
      return m.log_step({ step: event.step })
    case 'order':
      return m.log_order({ names: event.items.map((seat) => nameOf(narrator, Number(seat))).join(', ') })
    case 'cannot_buy':
      return m.log_cannot_buy({ name })
    case 'taken':
      return m.log_taken({ name, card })
    case 'demolished':
      return m.log_demolished({ name, amount: event.amount })
    default:
      return packageText(`log_${(event as Event).what}`, { ...(event as Event), name }) ?? ''
  }
}
