/** The words of Outpost: pieces, cards, and how the log and the hints describe its moves. */
import { m } from '../../../texts/messages'
import type { Family } from '../../family/family'
import type { Places } from '../../family/places.svelte'
import { ownOf, paidIn } from '../../log/describe'
import type { OutpostView } from '../../net/protocol'
import type { OutpostCardView as Card } from '../../net/schema'
import { plantName, translate } from '../../ui/words'

export const pieceName = (piece: string) => translate(`piece_${piece}`, piece)
export const areaName = (area: string) => translate(`area_${area}`, area)
export const technologyName = ({ technology, name }: Card) => translate(`technology_${technology}`, name)
export const technologyEffect = ({ technology }: Card) => translate(`technology_${technology}_effect`, '')

/** "Plant 12", "Robots": the name of a card in a sentence. */
export const cardName = (card: Card) =>
  card.technology
    ? technologyName(card)
    : card.kind === 'plant'
      ? m.card_plant({ card: card.card })
      : m.card_habitat({ card: card.card })

/** Everything that is on a card. */
export const cardWords = (card: Card) =>
  card.technology
    ? `${technologyName(card)} (${card.card}). ${technologyEffect(card)}`
    : card.kind === 'plant'
      ? m.card_plant_words({ number: card.card, workers: card.workers, energy: card.energy })
      : m.card_habitat_words({ number: card.card, places: card.places })

/** Names of cities and of all known cards, by their ids. */
export function namesIn(view: OutpostView, known: Record<string, string>): Record<string, string> {
  const companies = view.syndicate ? [...view.players, view.syndicate] : view.players
  const cards = [
    ...[...view.market.current, ...view.market.future].flatMap(({ card, below }) => [card, ...below]),
    ...companies.flatMap(({ plants, habitats, pool }) => [...plants, ...habitats, ...pool]),
  ]
  return {
    ...known,
    ...Object.fromEntries(Object.entries(view.cities).map(([id, { name }]) => [id, name])),
    ...Object.fromEntries(cards.map((card) => [`card ${card.card}`, cardName(card)])),
  }
}

const named = (card: string, places: Places) =>
  places.names[`card ${card}`] ?? (card === 'step3' ? plantName(card) : m.card_any({ card }))

export const decision: Family['decision'] = (row, name, { places }) => {
  const [verb = '', ...words] = row.move.split(' ')
  const [first = '', second = ''] = words
  switch (verb) {
    case 'nominate':
      return m.log_nominate_card({ name, card: named(first, places), bid: second.slice(1) })
    case 'build':
      return m.log_build_piece({ name, piece: pieceName(first), city: places.name(second), paid: paidIn(row) })
    case 'settle':
      return m.log_settle({ name, piece: pieceName(first), card: named(second, places) })
    case 'place':
      return m.log_place_card({ name, card: named(first, places) })
    case 'swap':
      return m.log_swap({ name, card: named(words[2] ?? '', places), old: named(first, places) })
    case 'hire': {
      const { hired = 0, free = 0 } = ownOf(row, 'hired') ?? {}
      return m.log_hire({ name, hired, free, paid: paidIn(row) })
    }
    case 'robot':
      return m.log_robot({ name })
    case 'power':
      return m.log_power({ name, count: Number(first), earned: ownOf(row, 'income')?.amount ?? 0 })
    case 'syndicate':
      return m.log_syndicate({ name })
    default:
      return undefined
  }
}

export const eventWords: Family['eventWords'] = (event, name, { places }) => {
  const card = 'card' in event ? named(event.card, places) : ''
  switch (event.what) {
    case 'sold':
      return m.log_sold_card({ name, card, amount: event.amount })
    case 'turned':
      return event.card === 'step3' ? m.log_step3_card() : m.log_turned_card({ card })
    case 'removed':
      return m.log_removed_card({ card })
    case 'slid':
      return m.log_slid_card({ card })
    case 'taken':
      return m.log_taken_card({ name, card })
    case 'cannot_buy':
      return m.log_cannot_buy_card({ name })
    case 'placed':
      return m.log_placed_piece({ name, piece: pieceName(event.piece ?? ''), city: places.name(event.city) })
    case 'hired': // for players the decision already says it
      return event.seat < 0 && event.hired ? m.log_hired({ name, count: event.hired }) : ''
    case 'labour':
      return m.log_labour({ count: event.workers })
    default:
      return undefined
  }
}

export const moveWords: Family['moveWords'] = (move, places) => {
  const [verb = '', ...words] = move.split(' ')
  const [first = '', second = ''] = words
  switch (verb) {
    case 'nominate':
      return m.hint_move_nominate({ card: named(first, places), amount: second.slice(1) })
    case 'build':
      return m.hint_move_build_piece({ piece: pieceName(first), city: places.name(second) })
    case 'settle':
      return m.hint_move_settle({ piece: pieceName(first) })
    case 'place':
      return m.hint_move_place({ card: named(first, places) })
    case 'swap':
      return m.hint_move_swap({ card: named(words[2] ?? '', places), old: named(first, places) })
    case 'hire':
      return m.hint_move_hire({ count: first })
    case 'robot':
      return m.hint_move_robot()
    case 'power':
      return m.hint_move_power({ count: first })
    case 'syndicate':
      return m.hint_move_syndicate({ piece: pieceName(first), city: places.name(second) })
    default:
      return undefined
  }
}
