/**
 * Positions for the cities of a map without a layout: as on a globe, then pushed apart until none
 * covers another or a line between others. `highvoltage map layout` takes longer and does better.
 */
import { geoAzimuthalEqualArea, geoCentroid, geoPath } from 'd3-geo'
import type { Layout, MapFile, Point } from './file'

const GROUND = 28_000 // area per city
const FLAT = 4 // the highest ratio of the longer side to the shorter one
const MARGIN = 60
const APART = 105
const CLEAR = 42
const ROUNDS = 240
const DRAWN = 150 // rounds in which cities are pulled to their true positions

export function computeLayout(map: MapFile): Layout {
  const homes = { type: 'MultiPoint' as const, coordinates: map.cities.map(({ lon, lat }) => [lon, lat]) }
  const [lon, lat] = geoCentroid(homes).map((degrees) => Math.round(degrees * 100) / 100) as Point
  const globe = geoAzimuthalEqualArea().rotate([-lon, -lat]).translate([0, 0]).scale(1000)
  const [[left, top], [right, foot]] = geoPath(globe).bounds(homes)
  const long = Math.max(right - left, foot - top, 1)
  const wide = Math.max(right - left, long / FLAT)
  const high = Math.max(foot - top, long / FLAT)
  globe.scale(1000 * Math.sqrt((GROUND * map.cities.length) / (wide * high)))

  const index = new Map(map.cities.map(({ id }, i) => [id, i]))
  const lines = map.connections.map(([a, b]): [number, number] => [index.get(a)!, index.get(b)!])
  const at = spread(
    map.cities.map((city) => globe([city.lon, city.lat]) as Point),
    lines,
  )
  const x = MARGIN - Math.min(...at.map((point) => point[0]))
  const y = MARGIN - Math.min(...at.map((point) => point[1]))
  const placed = at.map((point): Point => [Math.round(point[0] + x), Math.round(point[1] + y)])
  return {
    canvas: [
      MARGIN + Math.max(...placed.map((point) => point[0])),
      MARGIN + Math.max(...placed.map((point) => point[1])),
    ],
    projection: `azimuthal equal area, centre ${lon} ${lat}, scale ${globe.scale()}, origin ${x} ${y}; spread`,
    cities: Object.fromEntries(map.cities.map(({ id }, i) => [id, placed[i]!])),
  }
}

/** Points pushed apart from each other and from the lines between others. */
function spread(homes: Point[], lines: [number, number][]): Point[] {
  const at = homes.map((home): Point => [...home])
  const push = (i: number, x: number, y: number) => {
    at[i]![0] += x
    at[i]![1] += y
  }
  for (let round = 0; round < ROUNDS; round++) {
    if (round < DRAWN)
      for (const [i, [x, y]] of homes.entries()) push(i, (x - at[i]![0]) * 0.02, (y - at[i]![1]) * 0.02)
    for (let i = 0; i < at.length; i++)
      for (let j = i + 1; j < at.length; j++) {
        if (Math.abs(at[i]![0] - at[j]![0]) >= APART || Math.abs(at[i]![1] - at[j]![1]) >= APART) continue
        const [x, y, far] = between(at[i]!, at[j]!, i)
        const half = Math.max(0, APART - far) / 2
        push(i, -x * half, -y * half)
        push(j, x * half, y * half)
      }
    for (const [a, b] of lines)
      for (let i = 0; i < at.length; i++) {
        if (i === a || i === b || isClear(at[a]!, at[b]!, at[i]!)) continue
        const [x, y, far] = between(nearestOn(at[a]!, at[b]!, at[i]!), at[i]!, i)
        const part = Math.max(0, CLEAR - far) / 3
        push(i, x * part, y * part)
        push(a, -x * part * 0.5, -y * part * 0.5)
        push(b, -x * part * 0.5, -y * part * 0.5)
      }
  }
  return at
}

/** A quick check whether a point is clear of a line. */
const isClear = (a: Point, b: Point, p: Point) =>
  p[0] < Math.min(a[0], b[0]) - CLEAR ||
  p[0] > Math.max(a[0], b[0]) + CLEAR ||
  p[1] < Math.min(a[1], b[1]) - CLEAR ||
  p[1] > Math.max(a[1], b[1]) + CLEAR

/** The direction and distance from a point to another. Points in one place are parted at random. */
function between(from: Point, to: Point, random: number): [number, number, number] {
  const [x, y] = [to[0] - from[0], to[1] - from[1]]
  const far = Math.hypot(x, y)
  return far > 0.01 ? [x / far, y / far, far] : [Math.cos(random), Math.sin(random), 0]
}

function nearestOn(a: Point, b: Point, p: Point): Point {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
  const t = Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy || 1)))
  return [a[0] + t * dx, a[1] + t * dy]
}
