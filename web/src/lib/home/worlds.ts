/** The parts of the pictures of the four games, in a frame of 320 by 130. */
import { seededRandom } from '../ui/random'

export const WIDE = 320
export const HIGH = 130

const spot = (value: number) => Math.round(value * 10) / 10

/** Houses side by side along a line, and their lit windows. */
export function town(seed: number, ground: number, from: number, to: number, most: number) {
  const chance = seededRandom(seed)
  let [walls, lights] = ['', '']
  for (let x = from; x < to; ) {
    const [width, height] = [7 + chance() * 10, most * (0.35 + chance() * 0.65)]
    const top = ground - height
    walls += `M${spot(x)} ${ground}V${spot(top)}h${spot(width)}V${ground}Z`
    for (let wy = top + 3; wy < ground - 4; wy += 5)
      for (let wx = x + 2; wx < x + width - 3; wx += 4)
        if (chance() < 0.38) lights += `M${spot(wx)} ${spot(wy)}h1.800v2.400h-1.800Z`
    x += width + (chance() < 0.3 ? 3 : 0.5)
  }
  return { walls, lights }
}

/** A row of pylons, each with its two arms, and the wires between them. */
export function line(ground: number, feet: number[], height: number) {
  const pylons = feet.map(
    (x) =>
      `M${x - 4} ${ground}L${x} ${ground - height}L${x + 4} ${ground}M${x - 8} ${ground - height * 0.8}h16` +
      `M${x - 6} ${ground - height * 0.6}h12M${x - 3} ${ground - height * 0.3}h6`,
  )
  const wires = feet.slice(1).flatMap((to, i) =>
    [-8, 8].map((arm) => {
      const [from, y] = [feet[i]! + arm, ground - height * 0.8]
      return `M${from} ${y}Q${(from + to + arm) / 2} ${y + 9} ${to + arm} ${y}`
    }),
  )
  return { pylons: pylons.join(''), wires: wires.join('') }
}

/** Points of light in the sky. */
export function stars(seed: number, count: number, low: number): [number, number, number][] {
  const chance = seededRandom(seed)
  return Array.from({ length: count }, () => [spot(chance() * WIDE), spot(chance() * low), spot(0.4 + chance() * 0.7)])
}
