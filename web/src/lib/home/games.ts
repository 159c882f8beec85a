import type { Catalogue, NewSeat } from '../net/protocol'

export const botNames = (catalogue: Catalogue): string[] => [...catalogue.bots]

/** The bot that a newcomer meets. */
export const firstOpponent = (catalogue: Catalogue, rulebook: string) => catalogue.first_opponents[rulebook] ?? 'clerk'

export const againstBots = (bots: number, bot: string): NewSeat[] => [
  { kind: 'me' },
  ...Array.from({ length: bots }, (): NewSeat => ({ kind: 'bot', bot })),
]
