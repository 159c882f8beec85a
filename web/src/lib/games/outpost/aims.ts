/** What to press for a move, as selectors, and what the coach says of it. */
import { m } from '../../../texts/messages'
import { sharedAims } from '../../family/aims'

/** A turn of a company is planned as a whole: slots for waiting cards, a station, then the turn. */
const TURN = ['build', 'settle', 'place', 'swap', 'hire', 'robot']
const isTurn = (move: string) => TURN.includes(move.split(' ')[0]!)

export const aims = (move: string): string[] =>
  isTurn(move)
    ? [
        '.suggestion[data-piece="plant"]',
        '.suggestion[data-piece="habitat"]',
        '.bar:has([data-stations="0"]) .suggestion[data-piece="station"]',
        '.bar [data-key="d"]',
      ]
    : sharedAims(move, 'cards')

export const adviceWords = (move: string) => (isTurn(move) ? m.lesson_outpost_now() : undefined)
