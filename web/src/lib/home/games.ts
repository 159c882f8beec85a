import type { Catalogue, NewSeat } from '../net/protocol'

export const botNames = (catalogue: Catalogue): string[] => [...catalogue.bots]

/** The strongest bot there is. */
export const bestBot = (catalogue: Catalogue) => botNames(catalogue).at(-1) ?? 'clerk'

export const againstBots = (bots: number, bot: string): NewSeat[] => [
  { kind: 'me' },
  ...Array.from({ length: bots }, (): NewSeat => ({ kind: 'bot', bot })),
]
