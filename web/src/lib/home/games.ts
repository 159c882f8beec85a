import type { Catalogue, NewSeat } from '../net/protocol'

export const botNames = (catalogue: Catalogue): string[] => [...catalogue.bots]

export const againstBots = (bots: number, bot: string): NewSeat[] => [
  { kind: 'me' },
  ...Array.from({ length: bots }, (): NewSeat => ({ kind: 'bot', bot })),
]
