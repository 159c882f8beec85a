/** The bots that are somebody, and how they look: those with a temper or a level, and the tycoon. */

interface Look {
  /** Of their clothes. */
  tint: string
  /** What one knows them by from afar: a hat, a beard, a bun. */
  mark: string
  /** It is drawn in lines, as glasses are. */
  line?: boolean
}

/** What one knows the tycoon by. */
const DARK_GLASSES = 'M14.5 18.5H33.5L32.5 22.5C31.5 25 27 25 25.5 22L24 20.5L22.5 22C21 25 16.5 25 15.5 22.5Z'

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
    mark: 'M14 17.5C14 11 20 9.5 25 9.5S34.5 12 34.5 16.5L38 18.5H14ZM18 26.5C20 23.5 23 24 24 25.5C25 24 28 23.5 30 26.5C27 28.5 21 28.5 18 26.5Z',
  },
  // a bun and a fringe
  'engineer:bold': {
    tint: '#a4508b',
    mark: 'M15 20C13 11 19 9.5 24 9.5S35 11 33 20C31 14 27 13.5 24 13.5S17 14 15 20ZM20.5 8.5A3.6 3.6 0 1 1 27.7 8.5A3.6 3.6 0 1 1 20.5 8.5Z',
  },
  // a pince-nez on its chain
  'engineer:miser': {
    tint: '#6b6ecf',
    mark: 'M25.5 20.5A4 4 0 1 0 33.5 20.5A4 4 0 1 0 25.5 20.5M33.5 21.5C36 27 34 31 32 35',
    line: true,
  },
  tycoon: { tint: '#2f9e8f', mark: DARK_GLASSES },
  // a woollen hat with a bobble
  'tycoon:easy': {
    tint: '#b5894e',
    mark: 'M14 17.5C14 8 34 8 34 17.5ZM24 9.5A2.6 2.6 0 1 1 24 4.3A2.6 2.6 0 1 1 24 9.5Z',
  },
  // a bow in her hair
  'tycoon:medium': { tint: '#3d8bb5', mark: 'M24 10.5L14 5.5V15.5ZM24 10.5L34 5.5V15.5Z' },
  // a top hat
  'tycoon:hard': { tint: '#5c5f6b', mark: 'M11 13.5H37V17H11ZM16 14V3.5H32V14Z' },
  // a bow tie
  'tycoon:bold': { tint: '#c2543f', mark: `${DARK_GLASSES}M24 38.5L19 35.5V41.5ZM24 38.5L29 35.5V41.5Z` },
  // a beret
  'tycoon:hoarder': { tint: '#7a5ea8', mark: `${DARK_GLASSES}M13 15.5C11 7 32 5 37 13C36 16.5 18 16 13 15.5Z` },
  // a bowler hat
  'tycoon:miser': { tint: '#4f7a4a', mark: `${DARK_GLASSES}M11.5 16.5H36.5V14H32.5C32.5 5 15.5 5 15.5 14H11.5Z` },
  // a hard hat
  'tycoon:builder': {
    tint: '#d08a2e',
    mark: `${DARK_GLASSES}M12.5 17.5H35.5M15.5 17.5C15.5 7 32.5 7 32.5 17.5ZM22 8V4.5H26V8`,
  },
}

const PLAIN: Look = { tint: '#7d8794', mark: '' }

export const isCharacter = (bot: string) => bot in LOOKS
export const lookOf = (bot: string): Look => LOOKS[bot] ?? PLAIN
/** The characters that a bot can be. */
export const charactersOf = (bot: string) => Object.keys(LOOKS).filter((name) => name.startsWith(`${bot}:`))
