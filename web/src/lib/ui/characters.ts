/** The bots that are somebody, and how they look: a clerk or an engineer with a temper, the tycoon. */

interface Look {
  /** Of their clothes. */
  tint: string
  /** What one knows them by from afar: a hat, a beard, a bun. */
  mark: string
  /** It is drawn in lines, as glasses are. */
  line?: boolean
}

const LOOKS: Record<string, Look> = {
  // a feather in her hat
  'clerk:bold': {
    tint: '#d9534f',
    mark: 'M13 16.5H35M17 16.5C17 9 31 9 31 16.5ZM30 10C33 3 39 3 41 5C38 6 35 9 31.5 13',
  },
  // a full beard
  'clerk:hoarder': {
    tint: '#8a6d3b',
    mark: 'M14.5 20C13.5 33 19 37 24 37S34.5 33 33.5 20C31 27 28 25 24 25S17 27 14.5 20Z',
  },
  // round glasses
  'clerk:miser': {
    tint: '#5f8f6b',
    mark: 'M15.5 20.5A3.6 3.6 0 1 0 22.7 20.5A3.6 3.6 0 1 0 15.5 20.5M25.3 20.5A3.6 3.6 0 1 0 32.5 20.5A3.6 3.6 0 1 0 25.3 20.5M22.7 20.5H25.3',
    line: true,
  },
  // a hard hat
  'clerk:builder': { tint: '#e09f3e', mark: 'M12.5 17.5H35.5M15.5 17.5C15.5 7 32.5 7 32.5 17.5ZM22 8V4.5H26V8' },
  // a moustache and a flat cap
  'clerk:blocker': {
    tint: '#4f7cac',
    mark: 'M14 17.5C14 11 20 9.5 25 9.5S34.500 12 34.500 16.500L38 18.500H14ZM18 26.500C20 23.500 23 24 24 25.500C25 24 28 23.500 30 26.500C27 28.500 21 28.500 18 26.500Z',
  },
  // a bun and a fringe
  'engineer:bold': {
    tint: '#a4508b',
    mark: 'M15 20C13 11 19 9.5 24 9.5S35 11 33 20C31 14 27 13.5 24 13.500S17 14 15 20ZM20.5 8.5A3.6 3.6 0 1 1 27.7 8.5A3.6 3.6 0 1 1 20.5 8.5Z',
  },
  // a pince-nez on its chain
  'engineer:miser': {
    tint: '#6b6ecf',
    mark: 'M25.5 20.5A4 4 0 1 0 33.500 20.5A4 4 0 1 0 25.5 20.5M33.500 21.500C36 27 34 31 32 35',
    line: true,
  },
  // dark glasses
  tycoon: {
    tint: '#2f9e8f',
    mark: 'M14.5 18.500H33.500L32.500 22.500C31.500 25 27 25 25.500 22L24 20.500L22.500 22C21 25 16.500 25 15.500 22.500Z',
  },
}

const PLAIN: Look = { tint: '#7d8794', mark: '' }

export const isCharacter = (bot: string) => bot in LOOKS
export const lookOf = (bot: string): Look => LOOKS[bot] ?? PLAIN
/** The characters that a bot can be. */
export const charactersOf = (bot: string) => Object.keys(LOOKS).filter((name) => name.startsWith(`${bot}:`))
