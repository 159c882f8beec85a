/** Icons of fuels, each in a square of 16, the origin in the middle; `hole` is cut out. */

export interface Glyph {
  body: string
  mark: string // drawn over the body, in the colour of the ground
}

export const GLYPHS: Record<string, Glyph> = {
  coal: {
    body: 'M-6.5 1.5-4-4.5 1-6.5 5.5-3.5 6.5 2 3 6-3.5 6Z',
    mark: 'M-4-4.5-.5-1.5 1-6.5M-.5-1.5 6.5 2M-.5-1.5-1.5 6',
  },
  oil: {
    body: 'M-4.5-6.5H4.5Q5.8-6.5 5.5-5.2L5-3.2 5.3-.6V.6L5 3.2 5.5 5.2Q5.8 6.5 4.5 6.5H-4.5Q-5.8 6.5-5.5 5.2L-5 3.2-5.3.6V-.6L-5-3.2-5.5-5.2Q-5.8-6.5-4.5-6.5Z',
    mark: 'M-5-3.2H5M-5 3.2H5M0-1.9C1.1-.5 1.4 0 1.4.7A1.4 1.4 0 0 1-1.4.7C-1.4 0-1.1-.5 0-1.9Z',
  },
  gas: {
    body: 'M.6-7.2C1.2-4.2 5.6-2.4 5.6 2.3A5.6 4.9 0 0 1-5.6 2.3C-5.6-.6-4-2-2.9-3.3-2.6-2-2-1.4-1.3-1.2-1.6-3.6-.9-5.6.6-7.2Z',
    mark: 'M.2.2C1.8 1.6 2.5 2.6 2.5 4A2.5 2.4 0 0 1-2.5 4C-2.5 2.7-1.3 1.9.2.2Z',
  },
  garbage: {
    body: 'M-1.8-6.8H1.8V-5.4H6V-3.6H-6V-5.4H-1.8ZM-5.2-2.8H5.2L4.4 6.8H-4.4Z',
    mark: 'M-2.3-1 -2 5M0-1V5M2.3-1 2 5',
  },
  uranium: {
    body: 'M-6.8 0A6.8 6.8 0 1 1 6.8 0A6.8 6.8 0 1 1-6.8 0Z',
    mark: 'M0 0M-1-1.7-2.9-5A5.8 5.8 0 0 1 2.9-5L1-1.7A2 2 0 0 0-1-1.7ZM2 0H5.8A5.8 5.8 0 0 1 2.9 5L1 1.7A2 2 0 0 0 2 0ZM-1 1.7-2.9 5A5.8 5.8 0 0 1-5.8 0H-2A2 2 0 0 0-1 1.7Z',
  },
  eco: {
    body: 'M-5.8 6C-6.5-2.5-2-6.5 6.3-6.3 6.6 1.8 2.6 5.8-3.2 4.6Z',
    mark: 'M-6.4 6.8C-4 1.5-1.5-.8 2.6-2.8',
  },
}

export const FUELS = ['coal', 'oil', 'garbage', 'uranium'] as const

/** The colour of a plant: that of its fuel, or of eco plants. */
export const fuelColour = (fuel: string | undefined) => `var(--${fuel ?? 'eco'})`
