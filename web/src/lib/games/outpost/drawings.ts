/** The pictures on the cards of Outpost, in a frame of 80 by 44. */
import type { Drawing } from '../../market/drawings'
import type { OutpostCardView as Card } from '../../net/schema'

const SOLAR: Drawing = {
  solid: 'M8 40 13 24H33L28 40ZM40 40 45 24H65L60 40ZM66 9a5 5 0 1 0 .1 0Z',
  line: 'M5 44H76M18 44V40M50 44V40M18 40 23 24M10 32H31M50 40 55 24M42 32H63',
  smoke: '',
}
const GEYSER: Drawing = {
  solid: 'M8 44 17 20H29L38 44ZM44 44V28H70V44Z',
  line: 'M5 44H76M48 34H66M48 39H66M50 28V21H54V28M60 28V21H64V28',
  smoke: 'M21 17C18 12 25 10 22 4M27 17C25 13 31 11 28 6M52 18C50 14 56 13 54 9M62 18C60 14 66 13 64 9',
}
const REACTOR: Drawing = {
  solid: 'M8 44V26A14 14 0 0 1 36 26V44ZM42 44V30H72V44ZM46 27V10H50V27ZM54 27V6H58V27ZM62 27V13H66V27Z',
  line: 'M5 44H76M13 34H31M13 39H31M22 26V18M48 36H68M48 40H68',
  smoke: 'M48 7C51 3 54 6 57 2M64 10C67 6 70 9 73 5',
}

const dome = (x: number, r: number) => `M${x - r} 44A${r} ${r * 1.15} 0 0 1 ${x + r} 44Z`

/** A dome for each bed. */
function domes(places: number): Drawing {
  const r = places > 3 ? 9 : places > 2 ? 11 : 13
  const xs = Array.from({ length: places }, (_, i) => 40 + (i - (places - 1) / 2) * r * 2.05)
  return {
    solid: xs.map((x) => dome(x, r)).join(''),
    line: `M5 44H76${xs.map((x) => `M${x} ${44 - r * 1.15}V${36 - r * 1.15}`).join('')}`,
    smoke: '',
  }
}

const TECHNOLOGIES: Record<string, Drawing> = {
  data_library: {
    solid: 'M16 44V8H27V44ZM30 44V14H40V44ZM43 44V6H53V44ZM56 44 53.500 17 62 16 66 44Z',
    line: 'M5 44H76M16 16H27M30 21H40M43 14H53',
    smoke: '',
  },
  ecoplants: {
    solid: 'M39 30C20 30 15 20 14 10 30 10 38 17 39 30ZM41 26C42 13 50 6 66 5 66 17 57 25 41 26Z',
    line: 'M5 44H76M40 44V24M20 14 38 29M60 9 42 25',
    smoke: '',
  },
  robots: {
    solid: 'M30 6H50V20H30ZM24 23H56V40H24ZM17 25H21V37H17ZM59 25H63V37H59Z',
    line: 'M5 44H76M40 6V1M30 40V44M50 40V44',
    smoke: '',
  },
  hub_module: {
    solid: 'M40 12A12 12 0 1 1 39.900 12ZM12 20A6 6 0 1 1 11.900 20ZM68 20A6 6 0 1 1 67.900 20Z',
    line: 'M5 44H76M18 26H28M52 26H62M40 12V3M40 36V44',
    smoke: '',
  },
  colony: {
    solid: 'M40 6A17 17 0 1 1 39.900 6Z',
    line: 'M12 31C4 38 22 37 42 27S78 9 68 13M40 6V-2L49 1 40 4',
    smoke: '',
  },
  laboratories: {
    solid: 'M30 44 20 44 33 20V6H47V20L60 44Z',
    line: 'M5 44H76M30 6H50',
    smoke: 'M38 2C36-2 42-2 40-5',
  },
  moon_base: {
    solid: 'M30 3A16 16 0 1 0 44 27 18 18 0 0 1 30 3ZM48 44A12 13 0 0 1 72 44Z',
    line: 'M5 44H76M60 31V25M64 14l1 3 3 1-3 1-1 3-1-3-3-1 3-1Z',
    smoke: '',
  },
}

export function drawingOf({ kind, energy, places, technology }: Card): Drawing {
  if (kind === 'technology') return TECHNOLOGIES[technology] ?? SOLAR
  if (kind === 'habitat') return domes(places)
  return energy < 3 ? SOLAR : energy < 5 ? GEYSER : REACTOR
}
