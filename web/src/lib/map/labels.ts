/** Places the names of cities and the costs of connections so that they do not overlap. */
import { seededRandom } from '../ui/random.ts'
import type { Frame } from './camera.svelte'
import type { Chart, City, CompactLabels } from './chart'

export interface Box {
  x: number // centre
  y: number
  w: number
  h: number
}

/**
 * A name and its position; a long name may take two lines, and one in a crowd fewer letters. Without
 * lines there is no room for it at this size.
 */
export interface Name extends Box {
  lines: string[]
  size: number // of the letters
}

export interface Sizes {
  ring: number
  name: number // font size
  cost: number // 0: none are shown
}

/** Levels of detail, in pixels per unit. */
export const LEVELS = [0.2, 0.25, 0.31, 0.38, 0.44, 0.52, 0.63, 0.8]
const FROM = 0.97 // of a level: its labels are drawn from that scale on
export const levelOf = (k: number) => LEVELS.findLast((each) => k >= each * FROM) ?? LEVELS[0]!

const between = (low: number, value: number, high: number) => Math.max(low, Math.min(high, value))

/** Nothing that is played with is written smaller than this, in pixels: what has no room appears when one zooms in. */
export const READABLE = 11
/** From this level on there is room for the costs of connections. */
const COSTS_FROM = 0.38

/** Marks keep a readable size on a small screen, as far as the cities leave room. */
export const sizesAt = (level: number): Sizes => {
  const letters = READABLE / FROM / level
  return { ring: between(25, 17 / level, 29), name: letters, cost: level < COSTS_FROM ? 0 : letters }
}

/** The largest letters that a slot has room for, by the size of a city. */
export const SLOT_LETTERS = 0.53
/** Whether letters of this size can be read at this scale. */
export const isReadable = (size: number, k: number) => size * k >= READABLE - 0.1
/** A city is large enough for the prices of all its slots. */
export const isNear = (ring: number, k: number) => isReadable(ring * SLOT_LETTERS, k)

/** The parts of a map that its labels depend on. */
export type Plan = Pick<Chart, 'cities' | 'connections' | 'canvas' | 'labels'>

type Line = [City, City]

const TURNS = 40_000
const HARD = 40 // weight of hard constraints against soft ones
const NO_ROOM = 600 // what it costs to show no name
const TOUCH = 1.5 // units by which two labels may overlap

/** The distance of a point from a box; 0 inside. */
export function away(box: Box, x: number, y: number): number {
  const dx = Math.max(0, Math.abs(box.x - x) - box.w / 2)
  const dy = Math.max(0, Math.abs(box.y - y) - box.h / 2)
  return Math.sqrt(dx * dx + dy * dy)
}

const overlap = (a: Box, b: Box): number => {
  const w = (a.w + b.w) / 2 - Math.abs(a.x - b.x)
  const h = (a.h + b.h) / 2 - Math.abs(a.y - b.y)
  return w > 0 && h > 0 ? Math.min(w, h) : 0
}

/** The length of a line inside a box (Liang and Barsky). */
function inside({ x, y, w, h }: Box, line: Line): number {
  const a = line[0] // no destructuring: this is called a million times
  const b = line[1]
  const left = x - w / 2
  const right = x + w / 2
  if ((a.x < left && b.x < left) || (a.x > right && b.x > right)) return 0
  const top = y - h / 2
  const foot = y + h / 2
  if ((a.y < top && b.y < top) || (a.y > foot && b.y > foot)) return 0
  const dx = b.x - a.x
  const dy = b.y - a.y
  const [x1, x2] = [(left - a.x) / dx, (right - a.x) / dx]
  const [y1, y2] = [(top - a.y) / dy, (foot - a.y) / dy]
  const enter = Math.max(0, dx ? Math.min(x1, x2) : 0, dy ? Math.min(y1, y2) : 0)
  const leave = Math.min(1, dx ? Math.max(x1, x2) : 1, dy ? Math.max(y1, y2) : 1)
  return leave > enter ? (leave - enter) * Math.hypot(dx, dy) : 0
}

/** The forms of a city's name with what entering it costs, the best first. */
const forms = ({ name, cost }: City): string[][] =>
  nameForms(name).map((lines) => (cost ? [...lines.slice(0, -1), `${lines.at(-1)} ${cost}`] : lines))

/** The forms of a name: in one line, in two if it has several words, abbreviated. */
function nameForms(name: string): string[][] {
  const words = name.split(' ')
  const at = words.length > 2 && words[0]!.length < 4 ? 2 : 1
  const two = words.length > 1 ? [[words.slice(0, at).join(' '), words.slice(at).join(' ')]] : []
  return [
    [name],
    ...two,
    ...[6, 4, 3].filter((count) => name.length > count + 2).map((count) => [inShort(words, count)]),
  ]
}

/** The cost of a form of a name: the shorter, the higher. */
const shortening = ([first = '', second]: string[]) =>
  second === undefined && /\.( \d+)?$/.test(first) ? 300 - 10 * first.length : 0

/** So many letters of the first word, and the first of a second: Fran. O. */
function inShort([first = '', ...rest]: string[], count: number): string {
  const start = first.length > count + 1 ? `${first.slice(0, count)}.` : first
  const last = rest.at(-1)?.match(/\p{L}/u)?.[0]
  return last ? `${start} ${last}.` : start
}

export const nameWidth = (name: string, size: number) => name.length * size * 0.57 + 4

const extent = (lines: string[], size: number) => ({
  w: Math.max(0, ...lines.map((line) => nameWidth(line, size))),
  h: size * 1.1 * lines.length,
})

/** The bounding box of boxes. */
function around(boxes: Box[]): Box {
  const [left, right] = [Math.min(...boxes.map((b) => b.x - b.w / 2)), Math.max(...boxes.map((b) => b.x + b.w / 2))]
  const [top, foot] = [Math.min(...boxes.map((b) => b.y - b.h / 2)), Math.max(...boxes.map((b) => b.y + b.h / 2))]
  return { x: (left + right) / 2, y: (top + foot) / 2, w: right - left, h: foot - top }
}

/** All of these cities with their names, and a margin. */
export function frameOf(cities: City[], names: Record<string, Box>, reach = 42): Frame {
  const boxes = cities.flatMap(({ id, x, y }) => {
    const { x: nx, y: ny, w, h } = names[id]!
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
  names: Record<string, Name>
  costs: Spot[] // in the order of the connections; none where they have no room
}

type Spot = { x: number; y: number }

/** A possible position of a label; `round` for the disc of a cost. */
interface Option extends Name {
  cost: number // of the position itself, without the others
  round: boolean
}

/** The cost of an overlap of this depth. */
const harm = (depth: number) => (depth > 0 ? HARD * depth + (depth > TOUCH ? 1.2 * NO_ROOM : 0) : 0)

/** By how much two labels overlap. */
function clash(a: Option, b: Option): number {
  if (!a.w || !b.w) return 0
  if (a.round && b.round) return Math.max(0, (a.w + b.w) / 2 + 2 - Math.hypot(a.x - b.x, a.y - b.y))
  if (a.round) return Math.max(0, a.w / 2 - away(b, a.x, a.y))
  if (b.round) return Math.max(0, b.w / 2 - away(a, b.x, b.y))
  return overlap(a, b)
}

/** The cost of two labels that overlap: two names on each other are both lost. */
const burden = (a: Option, b: Option) => harm(clash(a, b)) * (a.round || b.round ? 1 : 3)

/** A cost is in the middle of its connection, and moves along it to avoid obstacles. */
function costOptions([a, b]: Line, sizes: Sizes, cities: City[], taken: Box[]): Option[] {
  const w = sizes.cost * 1.76
  const length = Math.hypot(b.x - a.x, b.y - a.y)
  const most = Math.max(0, Math.min(0.36, 0.5 - (sizes.ring + w / 2) / length))
  return [0, -0.15, 0.15, -0.3, 0.3, -0.5, 0.5, -0.7, 0.7, -0.85, 0.85, -1, 1].map((slide) => {
    const t = 0.5 + slide * most
    const [x, y] = [a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t]
    const option = { x, y, w, h: w, lines: [], size: sizes.cost, round: true, cost: slide * slide * 14 }
    for (const city of cities)
      if (city !== a && city !== b) option.cost += harm(sizes.ring + w / 2 - Math.hypot(city.x - x, city.y - y))
    for (const box of taken) option.cost += harm(w / 2 - away(box, x, y))
    return option
  })
}

/** A name is near its city, outside all rings, and preferably not across a line or near another city. */
function nameOptions(city: City, chart: Plan, sizes: Sizes, lines: Line[], taken: Box[]): Option[] {
  const reach = sizes.ring + 1
  const [width, height] = chart.canvas
  const none: Option = { x: city.x, y: city.y, w: 0, h: 0, lines: [], size: 0, round: false, cost: NO_ROOM }
  const size = sizes.name
  // Everything near enough to matter.
  const span = Math.max(...forms(city).map((lines) => extent(lines, size).w)) + sizes.ring + 40
  const near: Box = { x: city.x, y: city.y, w: 2 * span, h: 2 * span }
  const cities = chart.cities.filter(({ x, y }) => away(near, x, y) < sizes.ring)
  const nearLines = lines.filter((line) => inside(near, line) > 0)
  const options = forms(city).flatMap((words, form) => {
    const dear = form * 4 + shortening(words)
    const { w, h } = extent(words, size)
    const found: Spot[] = []
    for (const gap of [1, 8, 17]) {
      const far = reach + gap
      for (const y of [city.y + far + h / 2, city.y - far - h / 2])
        for (const shift of [0, 0.2, -0.2, 0.4, -0.4, 0.5, -0.5]) found.push({ x: city.x + shift * w, y })
      for (const x of [city.x + far + w / 2, city.x - far - w / 2])
        for (const y of [0, 0.3, -0.3, 0.6, -0.6, 0.9, -0.9]) found.push({ x, y: city.y + y * reach })
      for (let angle = Math.PI / 6; angle < 2 * Math.PI; angle += Math.PI / 6) {
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
        found.push({ x: city.x + cos * (far + w / 2), y: city.y + sin * (far + h / 2) })
      }
    }
    return found.flatMap(({ x, y }, rank): Option[] => {
      const box = { x, y, w, h }
      const apart = away(box, city.x, city.y)
      if (apart > reach + 19) return []
      let cost = rank * 0.3 + dear + Math.max(0, apart - reach - 4)
      for (const other of cities) {
        const gap = away(box, other.x, other.y)
        cost += harm(reach - gap)
        // A name as near to another city could be mistaken for that city's.
        if (other !== city) cost += Math.max(0, apart + 8 - gap) * 3
      }
      for (const each of taken) cost += harm(overlap(box, each))
      for (const line of nearLines) cost += inside(box, line) * 0.5
      cost += HARD * Math.max(0, w / 2 - x, x + w / 2 - width, h / 2 - y, y + h / 2 - height)
      return [{ ...box, lines: words, size, round: false, cost }]
    })
  })
  const sorted = options.sort((a, b) => a.cost - b.cost)
  const [short, whole] = [true, false].map((is) => sorted.filter(({ lines }) => shortening(lines) > 0 === is))
  return [...[...whole!.slice(0, 60), ...short!.slice(0, 40)].sort((a, b) => a.cost - b.cost), none]
}

/** The labels of a map at every level of detail, avoiding obstacles around its rings, to be stored with it. */
export const compactLabels = (
  chart: Plan,
  levels = LEVELS,
  others: (ring: number) => Box[] = () => [],
): CompactLabels[] =>
  levels.map((level) => {
    const sizes = sizesAt(level)
    const { names, costs } = placeLabels(chart, sizes, others(sizes.ring))
    return {
      names: chart.cities.map((city) => {
        const { x, y, lines } = names[city.id]!
        return [Math.round(x), Math.round(y), forms(city).findIndex((each) => each.join() === lines.join())]
      }),
      costs: costs.map(({ x, y }) => [Math.round(x), Math.round(y)]),
    }
  })

const unfold = (chart: Plan, { names, costs }: CompactLabels, size: number): Placed => ({
  names: Object.fromEntries(
    chart.cities.map((city, i) => {
      const [x, y, form] = names[i]!
      const lines = forms(city)[form] ?? []
      return [city.id, { x, y, lines, size, ...extent(lines, size) }]
    }),
  ),
  costs: costs.map(([x, y]) => ({ x, y })),
})

const known = new WeakMap<Plan, Map<number, Placed>>()

/** The labels of a map at a level of detail, avoiding obstacles: those stored with it, or computed once. */
export function labelsAt(chart: Plan, level: number, others: Box[] = []): Placed {
  const levels = known.get(chart) ?? new Map<number, Placed>()
  known.set(chart, levels)
  const stored = chart.labels?.[LEVELS.indexOf(level)]
  const placed =
    levels.get(level) ??
    (stored ? unfold(chart, stored, sizesAt(level).name) : placeLabels(chart, sizesAt(level), others))
  levels.set(level, placed)
  return placed
}

/** The labels of a map without the cities that are out of play: names that had no room may have it now, and costs give way to them. */
export function inPlay(chart: Plan, level: number, isOpen: (city: string) => boolean, others: Box[] = []): Placed {
  const { names, costs } = labelsAt(chart, level, others)
  const sizes = sizesAt(level)
  const open: Plan = { ...chart, cities: chart.cities.filter(({ id }) => isOpen(id)) }
  const at = new Map(open.cities.map((city) => [city.id, city]))
  const segments = chart.connections.map(([a, b]): Line | null =>
    at.has(a) && at.has(b) ? [at.get(a)!, at.get(b)!] : null,
  )
  const lines = segments.filter((line) => line !== null)
  const w = sizes.cost * 1.76
  const stand = new Map<City | Line, Option>()
  for (const city of open.cities)
    if (names[city.id]!.lines.length) stand.set(city, { ...names[city.id]!, round: false, cost: 0 })
  const priced = sizes.cost ? lines : []
  segments.forEach((line, i) => {
    if (line && sizes.cost) stand.set(line, { ...costs[i]!, w, h: w, lines: [], size: w, round: true, cost: 0 })
  })
  const settle = (who: City | Line, options: Option[]) => {
    const span = around(options)
    const near = ({ x, y, w, h }: Box) => overlap(span, { x, y, w: w + 4, h: h + 4 }) > 0
    const others = [...stand].flatMap(([each, option]) => (each !== who && near(option) ? [option] : []))
    const strain = (option: Option) => others.reduce((sum, each) => sum + burden(option, each), option.cost)
    const strains = options.map(strain)
    stand.set(who, options[strains.indexOf(Math.min(...strains))]!)
  }
  const crowd = new Set(open.cities.filter((city) => !stand.has(city)))
  const places = new Map<City | Line, Option[]>()
  const isOn = (one: City, other: City) => clash(stand.get(one)!, stand.get(other)!) > TOUCH
  for (let sweep = 0; sweep < 3 && crowd.size; sweep++) {
    for (const city of crowd) {
      if (!places.has(city)) places.set(city, nameOptions(city, open, sizes, lines, others))
      settle(city, places.get(city)!)
    }
    // A city covered by one of them is added.
    for (const city of open.cities) if ([...crowd].some((each) => each !== city && isOn(each, city))) crowd.add(city)
    for (const line of priced) {
      if (!places.has(line)) places.set(line, costOptions(line, sizes, open.cities, others))
      settle(line, places.get(line)!)
    }
  }
  return {
    names: Object.fromEntries(open.cities.map((city) => [city.id, stand.get(city)!])),
    costs: sizes.cost ? segments.map((line, i) => (line ? stand.get(line)! : costs[i]!)) : [],
  }
}

/** Labels by level of detail, each computed on first use. */
export function memoized(place: (level: number) => Placed): (level: number) => Placed {
  const known = new Map<number, Placed>()
  return (level) => {
    const placed = known.get(level) ?? place(level)
    known.set(level, placed)
    return placed
  }
}

/**
 * Names and costs by simulated annealing: a random label tries another position, and takes it if that
 * is better or, at first, not much worse. The random numbers are always the same, and so is the map.
 */
export function placeLabels(chart: Plan, sizes: Sizes, others: Box[] = []): Placed {
  const cities = new Map(chart.cities.map((city) => [city.id, city]))
  const lines = chart.connections.map(([a, b]): Line => [cities.get(a)!, cities.get(b)!])
  const labels = [
    ...chart.cities.map((city) => nameOptions(city, chart, sizes, lines, others)),
    ...(sizes.cost ? lines : []).map((line) => costOptions(line, sizes, chart.cities, others)),
  ]
  const spans = labels.map(around)
  const near = spans.map((span, i) => spans.flatMap((other, j) => (i !== j && overlap(span, other) > 0 ? [j] : [])))

  const random = seededRandom(1)
  const chosen = labels.map(() => 0)
  const strain = (i: number, option: Option) => {
    let sum = option.cost
    for (const j of near[i]!) sum += harm(clash(option, labels[j]![chosen[j]!]!))
    return sum
  }
  let total = 0
  let least = Infinity
  let best = [...chosen]
  let isBest = false // whether `chosen` is; it is copied when that ends
  for (let turn = 0; turn < TURNS; turn++) {
    const i = Math.floor(random() * chosen.length)
    const to = Math.floor(random() ** 2 * labels[i]!.length)
    const worse = strain(i, labels[i]![to]!) - strain(i, labels[i]![chosen[i]!]!)
    const heat = 300 * (1 - turn / TURNS) ** 3
    if (worse > 0 && random() >= Math.exp(-worse / (heat + 0.1))) continue
    if (isBest && worse >= 0) {
      best = [...chosen]
      isBest = false
    }
    chosen[i] = to
    total += worse
    if (total < least) {
      least = total
      isBest = true
    }
  }
  // Finally each in turn takes the best position that the others leave.
  if (!isBest) chosen.splice(0, chosen.length, ...best)
  for (let sweep = 0; sweep < 3; sweep++)
    for (const [i, options] of labels.entries()) {
      const strains = options.map((option) => strain(i, option))
      chosen[i] = strains.indexOf(Math.min(...strains))
    }
  const placed = chosen.map((at, i) => labels[i]![at]!)
  return {
    names: Object.fromEntries(chart.cities.map(({ id }, i) => [id, placed[i]!])),
    costs: placed.slice(chart.cities.length).map(({ x, y }) => ({ x, y })),
  }
}

/** What a city costs, connected or, after a slash, as the start of a new network. */
export const bothCosts = (cost: number, start: number | undefined) =>
  start === undefined || start === cost ? String(cost) : `${cost} / ${start}`
