/** A drawn map and what follows from it: neighbours, routes, the wires of a player. */

export interface City {
  id: string
  name: string
  region: string
  x: number
  y: number
  /** Paid on entering the city, on top of the connection. */
  cost?: number
}

/** Placed labels in a compact form, in the order of the cities and the connections. */
export interface CompactLabels {
  names: [x: number, y: number, form: number][] // no form: no room
  costs: [x: number, y: number][]
}

export interface Chart {
  id: string
  name: string
  canvas: [number, number]
  land: string
  inner: string
  around: string
  borders: string
  regions: Record<string, string>
  /** By region and language, where the id is not the name. */
  region_names: Record<string, Record<string, string>>
  cities: City[]
  connections: [string, string, number][]
  /** Paid for each city passed on the way. */
  transit?: number
  /** The positions of names and costs at each level of detail, if they have been computed. */
  labels?: CompactLabels[]
}

/** A thumbnail of a map. */
export interface Stamp {
  canvas: [number, number]
  land: string
  wires: string
  dots: [number, number][]
}

/** The colours for regions, in the order of app.css. A map with more regions uses them again. */
export const PALETTE = ['green', 'purple', 'olive', 'blue', 'red', 'orange', 'teal']

/** The colour of each region: that of its name, or the next that is free. */
export function regionTints(regions: string[]): Map<string, string> {
  const free = PALETTE.filter((colour) => !regions.includes(colour))
  const others = regions.filter((id) => !PALETTE.includes(id))
  const next = free.length ? free : PALETTE
  const colourOf = (id: string) => (PALETTE.includes(id) ? id : next[others.indexOf(id) % next.length]!)
  return new Map(regions.map((id) => [id, `var(--region-${PALETTE.indexOf(colourOf(id))})`]))
}

export const wireId = (a: string, b: string) => (a < b ? `${a} ${b}` : `${b} ${a}`)

type Played = Pick<Chart, 'connections'> & { cities: Pick<City, 'id' | 'name' | 'cost'>[] }

/** The same drawing with the connection costs of a game; null if that has other cities or connections. */
export function withCosts(chart: Chart, { cities, connections: played }: Played): Chart | null {
  const known = new Map(chart.cities.map(({ id, name, cost }) => [id, `${name} ${cost ?? 0}`]))
  if (!cities.every(({ id, name, cost }) => known.get(id) === `${name} ${cost ?? 0}`)) return null
  const costs = new Map(played.map(([a, b, cost]) => [wireId(a, b), cost]))
  if (played.length !== chart.connections.length) return null
  if (!chart.connections.every(([a, b]) => costs.has(wireId(a, b)))) return null
  return { ...chart, connections: chart.connections.map(([a, b]) => [a, b, costs.get(wireId(a, b))!]) }
}

/** Cheapest routes within the regions in play; only for drawing: the server computes their costs. */
export class Routes {
  #next = new Map<string, Map<string, string>>() // from, to: the next city on the route
  #cost = new Map<string, Map<string, number>>() // as if the last city were passed too
  #transit: number

  /** No route costs more than `atMost`: for that price cities are connected without one. */
  constructor(
    chart: Chart,
    regions: string[],
    readonly atMost = Number.POSITIVE_INFINITY,
  ) {
    const cities = chart.cities.filter((city) => regions.includes(city.region)).map(({ id }) => id)
    this.#transit = chart.transit ?? 0
    const entry = new Map(chart.cities.map(({ id, cost }) => [id, cost ?? 0]))
    for (const city of cities) {
      this.#cost.set(city, new Map([[city, 0]]))
      this.#next.set(city, new Map())
    }
    for (const [a, b, cost] of chart.connections) {
      if (!this.#cost.has(a) || !this.#cost.has(b)) continue
      this.#learn(a, b, cost + this.#transit + entry.get(b)!, b)
      this.#learn(b, a, cost + this.#transit + entry.get(a)!, a)
    }
    for (const via of cities) {
      for (const from of cities) {
        const head = this.cost(from, via)
        if (head === Infinity) continue
        for (const [to, tail] of this.#cost.get(via)!) {
          this.#learn(from, to, head + tail, this.#next.get(from)!.get(via) ?? to)
        }
      }
    }
  }

  #learn(from: string, to: string, cost: number, next: string) {
    if (cost >= this.cost(from, to) || cost > this.atMost) return
    this.#cost.get(from)!.set(to, cost)
    this.#next.get(from)!.set(to, next)
  }

  cost(from: string, to: string): number {
    return this.#cost.get(from)?.get(to) ?? Infinity
  }

  /** What it costs to connect the nearest cities to a city, each from the nearest already reached. */
  around(city: string, taken: string[] = [], count = 4): number {
    const open = new Map([...this.#cost.get(city)!].filter(([to]) => to !== city && !taken.includes(to)))
    let total = 0
    for (let n = 0; n < count && open.size; n++) {
      const [nearest, cost] = [...open].reduce((best, each) => (each[1] < best[1] ? each : best))
      total += cost - this.#transit
      open.delete(nearest)
      for (const [to, distance] of open) open.set(to, Math.min(distance, this.cost(nearest, to)))
    }
    return total
  }

  /** The cities on the route from one to the other, both included. */
  path(from: string, to: string): string[] {
    const cities = [from]
    while (cities.at(-1) !== to) {
      const next = this.#next.get(cities.at(-1)!)?.get(to)
      if (next === undefined) return []
      cities.push(next)
    }
    return cities
  }

  /** The cheapest route from a network to a city. */
  reach(network: string[], to: string): string[] {
    let best: string | undefined
    for (const from of network) {
      if (best === undefined || this.cost(from, to) < this.cost(best, to)) best = from
    }
    return best === undefined ? [] : this.path(best, to)
  }

  /** The wires to cities connected in this order; none leads to the start of a network. */
  wires(cities: string[], network: string[] = [], starts: string[] = []): Set<string> {
    const wires = new Set<string>()
    cities.forEach((city, i) => {
      if (starts.includes(city)) return
      const route = this.reach([...network, ...cities.slice(0, i)], city)
      for (let j = 1; j < route.length; j++) wires.add(wireId(route[j - 1]!, route[j]!))
    })
    return wires
  }
}
