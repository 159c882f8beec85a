import { DRAWN } from '../games/family'
import type { Catalogue, GameInfo, NewSeat } from '../net/protocol'

/** The rulebooks that this page can lay out. */
export const playable = (catalogue: Catalogue): GameInfo[] =>
  catalogue.games.filter(({ family }) => DRAWN.includes(family))

export const botNames = (catalogue: Catalogue): string[] => [...catalogue.bots]

/** The strongest bot there is. */
export const bestBot = (catalogue: Catalogue) => botNames(catalogue).at(-1) ?? 'clerk'

export const againstBots = (bots: number, bot: string): NewSeat[] => [
  { kind: 'me' },
  ...Array.from({ length: bots }, (): NewSeat => ({ kind: 'bot', bot })),
]
