/** A move in words: "Build in Essen". */
import { m } from '../../texts/messages'
import type { Narrator } from '../family/family'

export function moveWords(move: string, { family, places }: Narrator): string {
  const own = family.moveWords(move, places)
  if (own !== undefined) return own
  const [verb = '', first = '', bid = ''] = move.split(' ')
  switch (verb) {
    case 'nominate':
      return m.hint_move_nominate({ card: first, amount: bid.slice(1) })
    case 'bid':
      return m.hint_move_bid({ amount: first })
    case 'pass':
      return m.hint_move_pass()
    case 'scrap':
      return m.hint_move_scrap({ card: first })
    case 'done':
      return m.hint_move_done()
    default:
      return move
  }
}

/** The same within a sentence or a table. */
export const moveName = (move: string, narrator: Narrator) => moveWords(move, narrator).replace(/\.$/, '')
