/** Where the names of cities and the costs of connections stand, so that nothing covers anything. */
import type { Chart, City } from './chart'

export interface Box {
  x: number // centre
  y: number
  w: number
  h: number
}

export interface Sizes {
  ring: number
  name: number // font size
  cost: number
}

type Line = [City, City]

const overlap = (a: Box, b: Box): number => {
  const w = (a.w + b.w) / 2 - Math.abs(a.x - b.x)
  const h = (a.h + b.h) / 2 - Math.abs(a.y - b.y)
  return w > 0 && h > 0 ? w * h : 0
}

/** How much of a line lies in a box (Liang and Barsky). */
function inside(box: Box, [a, b]: Line): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y]
  let [enter, leave] = [0, 1]
  const edges: [number, number][] = [
    [-dx, a.x - (box.x - box.w / 2)],
    [dx, box.x + box.w / 2 - a.x],
    [-dy, a.y - (box.y - box.h / 2)],
    [dy, box.y + box.h / 2 - a.y],
  ]
  for (const [step, room] of edges) {
    if (step === 0) {
      if (room < 0) return 0
    } else if (step < 0) enter = Math.max(enter, room / step)
    else leave = Math.min(leave, room / step)
  }
  return leave > enter ? (leave - enter) * Math.hypot(dx, dy) : 0
}

export const nameWidth = (name: string, size: number) => name.length * size * 0.57 + 4

export interface Placed {
  names: Map<string, Box>
  costs: { x: number; y: number }[] // in the order of the connections
}

/** Costs sit in the middle of the visible part of a connection, and slide if they meet another. */
function placeCosts(chart: Chart, cities: Map<string, City>, sizes: Sizes) {
  const placed: { x: number; y: number }[] = []
  const reach = sizes.cost * 2.1
  for (const [from, to] of chart.connections) {
    const [a, b] = [cities.get(from)!, cities.get(to)!]
    const free = [0.5, 0.44, 0.56, 0.38, 0.62].map((t) => ({
      x: a.x + (b.x - a.x) * t,
      y: a.y + (b.y - a.y) * t,
    }))
    const clear = free.find((spot) =>
      placed.every((other) => Math.hypot(spot.x - other.x, spot.y - other.y) > reach),
    )
    placed.push(clear ?? free[0]!)
  }
  return placed
}

export function placeLabels(chart: Chart, sizes: Sizes): Placed {
  const cities = new Map(chart.cities.map((city) => [city.id, city]))
  const lines = chart.connections.map(([a, b]): Line => [cities.get(a)!, cities.get(b)!])
  const spots = placeCosts(chart, cities, sizes)
  const discs = spots.map((spot): Box => ({ ...spot, w: sizes.cost * 1.9, h: sizes.cost * 1.7 }))
  const reach = sizes.ring + 2
  const rings = chart.cities.map((city): Box => ({ x: city.x, y: city.y, w: 2 * reach, h: 2 * reach }))

  const candidates = (city: City): Box[] => {
    const w = nameWidth(city.name, sizes.name)
    const h = sizes.name * 1.1
    const found: Box[] = []
    for (const gap of [2, 9, 18]) {
      const far = reach + gap
      const [up, down] = [city.y - far - h / 2, city.y + far + h / 2]
      const [left, right] = [city.x - far - w / 2, city.x + far + w / 2]
      for (const y of [down, up])
        for (const shift of [0, 0.25, -0.25, 0.5, -0.5]) found.push({ x: city.x + shift * w, y, w, h })
      for (const y of [0, 0.45, -0.45])
        for (const x of [right, left]) found.push({ x, y: city.y + y * reach, w, h })
      for (const y of [city.y + reach * 0.85, city.y - reach * 0.85])
        for (const x of [right, left]) found.push({ x, y, w, h })
    }
    return found
  }

  const [width, height] = chart.canvas
  const far = (box: Box, city: City) =>
    Math.hypot(
      Math.max(0, Math.abs(box.x - city.x) - box.w / 2),
      Math.max(0, Math.abs(box.y - city.y) - box.h / 2),
    )
  const fixed = (box: Box, rank: number, own: City): number => {
    let cost = rank * 1.5
    const near = far(box, own)
    // A name that stands as near to another city could be taken for that one's.
    for (const city of chart.cities)
      if (city !== own) cost += Math.max(0, near + 8 - far(box, city)) * 8
    for (const disc of discs) cost += overlap(box, disc) * 5
    for (const ring of rings) cost += overlap(box, ring) * 4
    for (const line of lines) cost += inside(box, line) * 6
    const out = Math.max(0, box.w / 2 - box.x, box.x + box.w / 2 - width)
    return cost + out * 20 + Math.max(0, box.y + box.h / 2 - height) * 20
  }
  const choices = new Map(
    chart.cities.map((city) => [
      city.id,
      candidates(city).map((box, rank) => ({ box, cost: fixed(box, rank, city) })),
    ]),
  )
  const names = new Map<string, Box>()
  // A few passes: every name takes its best place, the others staying where they are.
  for (let pass = 0; pass < 4; pass++) {
    for (const city of chart.cities) {
      let best = Infinity
      for (const { box, cost } of choices.get(city.id)!) {
        if (cost >= best) continue
        let total = cost
        for (const [other, taken] of names) if (other !== city.id) total += overlap(box, taken) * 8
        if (total < best) {
          best = total
          names.set(city.id, box)
        }
      }
    }
  }
  return { names, costs: spots }
}
