/** A player has a colour and a shape; either is enough to identify them. */

const CARTEL = -1
const MARK = -2

type Corner = [number, number]

const regular = (corners: number, r: number, turn: number, inner = r): Corner[] => {
  const steps = inner === r ? corners : corners * 2
  return Array.from({ length: steps }, (_, i) => {
    const angle = turn + (i * 2 * Math.PI) / steps
    const far = inner === r || i % 2 === 0 ? r : inner
    return [Math.cos(angle) * far, Math.sin(angle) * far]
  })
}

export const disc = (r: number, x = 0, y = 0) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`

const UP = -Math.PI / 2

/** The shape of a seat around a point, about as large as a circle of radius `r`. */
export const shape = (seat: number, r: number, x = 0, y = 0): string =>
  seat === 0
    ? disc(r, x, y)
    : `M${corners(seat, r)
        .map(([dx, dy]) => `${(x + dx).toFixed(2)} ${(y + dy).toFixed(2)}`)
        .join('L')}Z`

function corners(seat: number, r: number): Corner[] {
  switch (seat) {
    case 1:
      return [
        [-r * 0.9, -r * 0.9],
        [r * 0.9, -r * 0.9],
        [r * 0.9, r * 0.9],
        [-r * 0.9, r * 0.9],
      ]
    case 2:
      return [
        [0, -r * 1.12],
        [r * 1.15, r * 0.88],
        [-r * 1.15, r * 0.88],
      ]
    case 3:
      return regular(4, r * 1.22, UP)
    case 4:
      return regular(5, r * 1.3, UP, r * 0.58)
    case 5:
      return regular(6, r * 1.08, UP)
    case CARTEL: {
      const [a, b] = [r * 0.34, r]
      return [
        [-a, -b],
        [a, -b],
        [a, -a],
        [b, -a],
        [b, a],
        [a, a],
        [a, b],
        [-a, b],
        [-a, a],
        [-b, a],
        [-b, -a],
        [-a, -a],
      ]
    }
    case MARK:
      return regular(3, r * 1.1, -UP)
    default:
      return regular(8, r, UP)
  }
}

export const colour = (seat: number | null | undefined) =>
  `var(--player-${seat === null || seat === undefined || seat < 0 ? 'none' : seat % 6})`
