/** What a plant looks like, by what it burns: strokes and solids in a frame of 80 by 44. */

export interface Drawing {
  solid: string
  line: string
  smoke: string
}

export const DRAWINGS: Record<string, Drawing> = {
  coal: {
    solid: 'M8 44V24H34V44ZM38 44V8L40 8 41 44ZM46 44V8H48L49 44ZM52 44V30L64 24V30L74 25V44Z',
    line: 'M5 44H76',
    smoke: 'M40 6C44 1 49 5 53 1M48 6C54 2 58 6 64 2',
  },
  gas: {
    solid:
      'M8 44V27H26V44ZM30 44V14H33.5L34.5 44ZM39 34A10 10 0 0 1 59 34 10 10 0 0 1 39 34ZM64 38A6.5 6.5 0 0 1 77 38 6.5 6.5 0 0 1 64 38Z',
    line: 'M5 44H78M43 42 41 44M55 42 57 44M59 36H64M26 33H30M12 27V22H22V27',
    smoke: 'M32 12C29 8 34 6 31.5 2.5',
  },
  oil: {
    solid: 'M10 44V26Q10 22 20 22T30 26V44ZM34 44V30Q34 27 42 27T50 30V44Z',
    line: 'M5 44H76M56 44 63 8 70 44M58 34H68M60 24H66M61.5 16H64.5M57 44 67 34M69 44 59 34M50 36H56',
    smoke: 'M63 7C66 3 69 6 73 2',
  },
  hybrid: {
    solid: 'M8 44V26H30V44ZM34 44V10H37L38 44ZM44 44V29Q44 25 56 25T68 29V44Z',
    line: 'M5 44H76M38 34H44M44 33H68',
    smoke: 'M36 8C40 3 45 7 50 3',
  },
  garbage: {
    solid: 'M8 44V30L18 24V30L28 24V30L38 24V44ZM42 44V12H45L46 44ZM52 44 50 30H72L70 44Z',
    line: 'M5 44H76M54 30 58 20 66 24 69 30M57 34V41M61 34V41M65 34V41',
    smoke: 'M44 10C48 5 53 9 58 5',
  },
  uranium: {
    solid:
      'M8 44C13 34 14 24 12 12H32C30 24 31 34 36 44ZM40 44C44 36 45 28 43 18H59C57 28 58 36 62 44ZM64 44V34Q64 30 69 30T74 34V44Z',
    line: 'M5 44H76M12 12H32M43 18H59',
    smoke: 'M17 9C21 4 26 8 31 3M48 15C51 11 55 14 59 10',
  },
  eco: {
    solid: 'M26 44 27.4 18H28.6L30 44ZM56 44 57.1 24H58L59 44Z',
    line: 'M5 44H76M28 17 28 2M28 17 15 25M28 17 41 25M57.5 23V11M57.5 23 47.5 29M57.5 23 67.5 29',
    smoke: '',
  },
}

export const drawingOf = (fuels: string[]): Drawing =>
  DRAWINGS[fuels.length > 1 ? 'hybrid' : (fuels[0] ?? 'eco')] ?? DRAWINGS.eco!
