/** Where the names of cities and the costs of connections stand, so that nothing covers anything. */
import { lots } from '../ui/lots'
import type { Frame } from './camera.svelte'
import type { Chart, City } from './chart'

export interface Box {
  x: number // centre
  y: number
  w: number
  h: number
}

/** A name and where it stands; a long one may take two lines. */
export interface Name extends Box {
  lines: string[]
}

export interface Sizes {
  ring: number
  name: number // font size
  cost: number
}

type Line = [City, City]

const TURNS = 8_000

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

/** A name in one line, and in two where it has several words. */
function broken(name: string): string[][] {
  const words = name.split(' ')
  if (words.length < 2) return [[name]]
  const at = words.length > 2 && words[0]!.length < 4 ? 2 : 1
  return [[name], [words.slice(0, at).join(' '), words.slice(at).join(' ')]]
}

export const nameWidth = (name: string, size: number) => name.length * size * 0.57 + 4

/** All of these cities with their names, and a little around them. */
export function frameOf(cities: City[], names: Map<string, Name>, reach = 42): Frame {
  const boxes = cities.flatMap(({ id, x, y }) => {
    const { x: nx, y: ny, w, h } = names.get(id)!
    return [
      { x, y, w: 2 * reach, h: 2 * reach },
      { x: nx, y: ny, w: w + 12, h: h + 16 },
    ]
  })
  const x = Math.min(...boxes.map((box) => box.x - box.w / 2))
  const y = Math.min(...boxes.map((box) => box.y - box.h / 2))
  return {
    x,
    y,
    w: Math.max(...boxes.map((box) => box.x + box.w / 2)) - x,
    h: Math.max(...boxes.map((box) => box.y + box.h / 2)) - y,
  }
}

export interface Placed {
  names: Map<string, Name>
  costs: Spot[] // in the order of the connections
}

type Spot = { x: number; y: number }

/** Costs sit in the middle of a connection, and slide along it where something else is. */
function placeCosts(lines: Line[], sizes: Sizes, taken: Box[]): Spot[] {
  const placed: Spot[] = []
  const reach = sizes.cost * 1.9
  const free = sizes.ring + sizes.cost * 0.95 // from the middle of a city
  for (const [a, b] of lines) {
    const length = Math.hypot(b.x - a.x, b.y - a.y)
    const most = Math.max(0, Math.min(0.24, 0.5 - free / length))
    const spots = [0, -0.25, 0.25, -0.5, 0.5, -0.75, 0.75, -1, 1].map((slide) => {
      const t = 0.5 + slide * most
      return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t, slide: Math.abs(slide) }
    })
    const worth = (spot: Spot & { slide: number }) => {
      const box = disc(spot, sizes)
      let cost = spot.slide * 10
      for (const other of placed) cost += Math.max(0, reach - Math.hypot(spot.x - other.x, spot.y - other.y)) * 20
      for (const name of taken) cost += overlap(box, name) * 4
      return cost
    }
    const { x, y } = spots.reduce((best, spot) => (worth(spot) < worth(best) ? spot : best))
    placed.push({ x, y })
  }
  return placed
}

const disc = ({ x, y }: Spot, sizes: Sizes): Box => ({ x, y, w: sizes.cost * 1.8, h: sizes.cost * 1.6 })

/** Names keep clear of the rings of cities, and of whatever else stands there. */
export function placeLabels(chart: Chart, sizes: Sizes, others: Box[] = []): Placed {
  const cities = new Map(chart.cities.map((city) => [city.id, city]))
  const lines = chart.connections.map(([a, b]): Line => [cities.get(a)!, cities.get(b)!])
  let costs = placeCosts(lines, sizes, [])
  let discs = costs.map((spot) => disc(spot, sizes))
  const reach = sizes.ring + 2
  const rings = [...chart.cities.map((city): Box => ({ x: city.x, y: city.y, w: 2 * reach, h: 2 * reach })), ...others]

  const candidates = (city: City): Name[] =>
    broken(city.name).flatMap((words) => {
      const w = Math.max(...words.map((line) => nameWidth(line, sizes.name)))
      const h = sizes.name * 1.1 * words.length
      const found: Box[] = []
      for (const gap of [2, 9, 18]) {
        const far = reach + gap
        const [up, down] = [city.y - far - h / 2, city.y + far + h / 2]
        const [left, right] = [city.x - far - w / 2, city.x + far + w / 2]
        for (const y of [down, up])
          for (const shift of [0, 0.25, -0.25, 0.5, -0.5]) found.push({ x: city.x + shift * w, y, w, h })
        for (const y of [0, 0.45, -0.45]) for (const x of [right, left]) found.push({ x, y: city.y + y * reach, w, h })
        for (let angle = Math.PI / 12; angle < 2 * Math.PI; angle += Math.PI / 12) {
          const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
          found.push({ x: city.x + cos * (far + w / 2), y: city.y + sin * (far + h / 2), w, h })
        }
      }
      return found.map((box) => ({ ...box, lines: words }))
    })

  const [width, height] = chart.canvas
  const far = (box: Box, city: City) =>
    Math.hypot(Math.max(0, Math.abs(box.x - city.x) - box.w / 2), Math.max(0, Math.abs(box.y - city.y) - box.h / 2))
  const fixed = (box: Box, rank: number, own: City): number => {
    let cost = rank * 0.6
    const near = far(box, own)
    // A name that stands as near to another city could be taken for that one's.
    for (const city of chart.cities) if (city !== own) cost += Math.max(0, near + 8 - far(box, city)) * 4
    for (const each of discs) cost += overlap(box, each) * 12
    for (const ring of rings) cost += overlap(box, ring) * 24
    for (const line of lines) cost += inside(box, line) * 2
    const out = Math.max(0, box.w / 2 - box.x, box.x + box.w / 2 - width)
    return cost + out * 20 + Math.max(0, box.y + box.h / 2 - height) * 20
  }
  const wishes = chart.cities.map(candidates)
  let names: Name[] = []

  /**
   * Simulated annealing: a name drawn by lot tries another place, and takes it if that is better or,
   * at first, not much worse. The lots are always the same, so the map is too.
   */
  const settle = () => {
    const choices = wishes.map((boxes, i) =>
      boxes
        .map((box, rank) => ({ box, cost: fixed(box, rank, chart.cities[i]!) }))
        .sort((a, b) => a.cost - b.cost)
        .slice(0, 40),
    )
    const lot = lots(1)
    const chosen = choices.map(() => 0)
    const clash = (i: number, box: Box) => {
      let sum = 0
      for (const [j, at] of chosen.entries()) if (j !== i) sum += overlap(box, choices[j]![at]!.box) * 24
      return sum
    }
    let total = 0
    let least = Infinity
    let best = [...chosen]
    for (let turn = 0; turn < TURNS; turn++) {
      const i = Math.floor(lot() * chosen.length)
      const to = Math.floor(lot() ** 2 * choices[i]!.length)
      const [now, then] = [choices[i]![chosen[i]!]!, choices[i]![to]!]
      const worse = then.cost + clash(i, then.box) - now.cost - clash(i, now.box)
      const heat = 400 * (1 - turn / TURNS) ** 3
      if (worse > 0 && lot() >= Math.exp(-worse / (heat + 0.1))) continue
      chosen[i] = to
      total += worse
      if (total < least) [least, best] = [total, [...chosen]]
    }
    names = best.map((at, i) => choices[i]![at]!.box)
  }
  // Costs make room for names, and names take it.
  for (let turn = 0; turn < 2; turn++) {
    settle()
    costs = placeCosts(lines, sizes, names)
    discs = costs.map((spot) => disc(spot, sizes))
  }
  return { names: new Map(chart.cities.map(({ id }, i) => [id, names[i]!])), costs }
}
