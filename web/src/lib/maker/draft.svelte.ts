/** A map that is being drawn: its content, every change to it, and the way back. */

import { PALETTE, wireId } from '../map/chart'
import type { Layout, MapFile, Point } from '../map/file'
import { readStored, store } from '../ui/stored'
import { type Rules, referring } from './references'
import { say } from './words'

const KEPT = 'hv-maker'
/** The map that was drawn before another one was opened. */
const BEFORE = 'hv-maker-before'
const SIDES: Point = [1400, 1000]
/** As a screen is held when a map is begun. */
const newCanvas = (): Point => (innerWidth < innerHeight ? [SIDES[1], SIDES[0]] : SIDES)
const MARGIN = 30 // pixels between a city and the edge of the canvas
const MAX_UNDO = 200

export interface DraftMap extends MapFile {
  layout: Layout
  rules?: Rules
  [field: string]: unknown
}

/** What a connection costs: a part for each, and a part for each 100 pixels of its length. */
export interface CostLaw {
  base: number
  per100: number
}

/** Everything that is drawn; never changed, always replaced. */
interface Sheet {
  map: DraftMap
  law: CostLaw
  /** Connections whose cost does not follow the law, by their ids. */
  byHand: string[]
}

const emptySheet = (): Sheet => ({
  map: {
    id: 'my_map',
    name: '',
    regions: PALETTE,
    cities: [],
    connections: [],
    layout: { canvas: newCanvas(), cities: {} },
  },
  law: { base: 0, per100: 7 },
  byHand: [],
})

/** A name as an id: `Nový Jičín` is `novy_jicin`. */
export function slug(name: string): string {
  const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const known = plain.replaceAll('ł', 'l').replaceAll('đ', 'd').replaceAll('ß', 'ss')
  return known.replaceAll(/[^a-z0-9]+/g, '_').replaceAll(/^_+|_+$/g, '')
}

const unused = (wanted: string, taken: string[]): string => {
  let found = wanted
  for (let n = 2; taken.includes(found); n += 1) found = `${wanted}_${n}`
  return found
}

export class MapDraft {
  #sheet = $state.raw<Sheet>(readStored<Sheet>(KEPT) ?? emptySheet())
  #past = $state.raw<Sheet[]>([])
  #future = $state.raw<Sheet[]>([])
  /** What the last change was; one that goes on, such as a drag, is undone in one step. */
  #going: string | null = null
  #before = $state.raw(readStored<Sheet>(BEFORE))

  readonly map = $derived(this.#sheet.map)
  readonly law = $derived(this.#sheet.law)
  readonly byHand = $derived(new Set(this.#sheet.byHand))
  readonly canUndo = $derived(this.#past.length > 0)
  readonly canRedo = $derived(this.#future.length > 0)
  readonly before = $derived(this.#before?.map.name ?? null)

  #change(next: Partial<Sheet>, going: string | null = null) {
    if (going === null || going !== this.#going) this.#past = [...this.#past, this.#sheet].slice(-MAX_UNDO)
    this.#going = going
    this.#future = []
    this.#keep({ ...this.#sheet, ...next })
  }

  #keep(sheet: Sheet) {
    this.#sheet = sheet
    store(KEPT, sheet)
  }

  #changeMap(fields: Partial<DraftMap>, going: string | null = null, rest: Partial<Sheet> = {}) {
    this.#change({ ...rest, map: { ...this.map, ...fields } }, going)
  }

  /** The next change is another one: a drag has ended. */
  settle() {
    this.#going = null
  }

  undo() {
    const before = this.#past.at(-1)
    if (!before) return
    this.#past = this.#past.slice(0, -1)
    this.#future = [...this.#future, this.#sheet]
    this.settle()
    this.#keep(before)
  }

  redo() {
    const after = this.#future.at(-1)
    if (!after) return
    this.#future = this.#future.slice(0, -1)
    this.#past = [...this.#past, this.#sheet]
    this.settle()
    this.#keep(after)
  }

  // The whole map

  clear() {
    this.#replace(emptySheet())
  }

  /** The map that was drawn before this one. */
  swap() {
    if (this.#before) this.#replace(this.#before)
  }

  /** Another map; this one is kept, if there is something on it. */
  #replace(sheet: Sheet) {
    if (this.map.cities.length) {
      this.#before = this.#sheet
      store(BEFORE, this.#sheet)
    }
    this.#change(sheet)
  }

  /** The land below the cities, as a path; empty: none. */
  setOutline(outline: string) {
    const { outline: _, ...layout } = this.map.layout
    this.#changeMap({ layout: outline ? { ...layout, outline } : layout })
  }

  /** Takes over the content of a map file. */
  load(file: MapFile, layout: Layout) {
    const count = file.regions.length
    const regions = [...file.regions, ...PALETTE.slice(count).filter((each) => !file.regions.includes(each))]
    const byHand = file.connections.map(([a, b]) => wireId(a, b))
    const map = { ...file, regions, layout }
    this.#replace({ ...this.#sheet, map, byHand })
  }

  /** The content of the map file: regions without a city are left out, and it has a name. */
  file(): DraftMap {
    const { map } = this
    const regions = map.regions.filter((region) => map.cities.some((city) => city.region === region))
    const used = <T>(named: Record<string, T> = {}) =>
      Object.fromEntries(Object.entries(named).filter(([region]) => regions.includes(region)))
    const file: DraftMap = { ...map, id: slug(map.name) || map.id, name: map.name || say('nameless'), regions }
    if (map.region_names) file.region_names = used(map.region_names)
    if (map.region_colours) file.region_colours = used(map.region_colours as Record<string, string>)
    return file
  }

  rename(name: string) {
    this.#changeMap({ name }, 'name')
  }

  /** A field of the map or, in `rules`, of its rules; undefined removes it. */
  setField(field: string, value: unknown) {
    const { [field]: _, ...rest } = this.map
    const map = (value === undefined ? rest : { ...rest, [field]: value }) as DraftMap
    this.#change({ map }, `field ${field}`)
  }

  // Regions

  nameRegion(region: string, name: string) {
    const { [region]: _, ...others } = this.map.region_names ?? {}
    this.#changeMap({ region_names: name ? { ...others, [region]: { en: name } } : others }, `region ${region}`)
  }

  paint(id: string, region: string) {
    if (this.city(id)?.region === region) return
    this.#changeMap({ cities: this.map.cities.map((city) => (city.id === id ? { ...city, region } : city)) }, 'paint')
  }

  // Cities

  city = (id: string) => this.map.cities.find((city) => city.id === id)
  place = (id: string): Point => this.map.layout.cities[id]!

  /** A new city, whose id is returned. */
  addCity(at: Point, region: string, name: string): string {
    const { map } = this
    const id = unused(slug(name) || 'city', [...map.cities.map((city) => city.id), ...map.regions])
    const spot = this.#within(at)
    const city = { id, name, region, ...this.#degrees(spot) }
    this.#changeMap({ cities: [...map.cities, city], layout: this.#placed({ ...map.layout.cities, [id]: spot }) })
    return id
  }

  moveCity(id: string, at: Point) {
    const spot = this.#within(at)
    const layout = this.#placed({ ...this.map.layout.cities, [id]: spot })
    const known = this.map.layout.projection
    const cities = known
      ? this.map.cities // the land below stays where it is
      : this.map.cities.map((city) => (city.id === id ? { ...city, ...this.#degrees(spot) } : city))
    const connections = this.#byLaw(this.map.connections, layout, (a, b) => a === id || b === id)
    this.#changeMap({ cities, layout, connections }, `move ${id}`)
  }

  /** Gives a city another name, and an id like it, which is returned. */
  nameCity(id: string, name: string): string {
    const others = this.map.cities.map((city) => city.id).filter((each) => each !== id)
    const fresh = unused(slug(name) || 'city', [...others, ...this.map.regions])
    const { [id]: spot, ...spots } = this.map.layout.cities
    const map = referring(this.map, id, fresh) as DraftMap
    const cities = map.cities.map((city) => (city.id === id ? { ...city, id: fresh, name } : city))
    const byHand = this.#sheet.byHand.map((wire) => {
      const ends = wire.split(' ').map((end) => (end === id ? fresh : end))
      return wireId(ends[0]!, ends[1]!)
    })
    this.#change({ map: { ...map, cities, layout: this.#placed({ ...spots, [fresh]: spot! }) }, byHand })
    return fresh
  }

  /** What one pays to enter a city, on top of its connection. */
  setEntry(id: string, cost: number) {
    const cities = this.map.cities.map((city) => (city.id === id ? { ...city, cost } : city))
    this.#changeMap({ cities }, `entry ${id}`)
  }

  removeCity(id: string) {
    const { [id]: _, ...spots } = this.map.layout.cities
    const map = referring(this.map, id, null) as DraftMap
    const cities = map.cities.filter((city) => city.id !== id)
    this.#change({ map: { ...map, cities, layout: this.#placed(spots) } })
  }

  // Connections

  connection = (wire: string) => this.map.connections.find(([a, b]) => wireId(a, b) === wire)

  connect(a: string, b: string) {
    if (a === b || this.connection(wireId(a, b))) return
    const made: [string, string, number] = [a, b, this.#lawful(a, b, this.map.layout, this.law)]
    const byHand = this.#sheet.byHand.filter((wire) => wire !== wireId(a, b))
    this.#changeMap({ connections: [...this.map.connections, made] }, null, { byHand })
  }

  setCost(wire: string, cost: number) {
    const connections = this.map.connections.map(([a, b, old]): [string, string, number] => [
      a,
      b,
      wireId(a, b) === wire ? cost : old,
    ])
    this.#changeMap({ connections }, `cost ${wire}`, { byHand: [...new Set([...this.#sheet.byHand, wire])] })
  }

  /** The costs in a file of this map; several such changes in a row are undone in one step. */
  takeCosts({ connections }: MapFile) {
    const changed = connections.filter(([a, b, cost]) => this.connection(wireId(a, b))?.[2] !== cost)
    const byHand = [...new Set([...this.#sheet.byHand, ...changed.map(([a, b]) => wireId(a, b))])]
    this.#changeMap({ connections }, 'costs', { byHand })
  }

  disconnect(wire: string) {
    this.#changeMap({ connections: this.map.connections.filter(([a, b]) => wireId(a, b) !== wire) })
  }

  /** Another law for the costs of all connections that were not set by hand. */
  setLaw(law: CostLaw) {
    const connections = this.#byLaw(this.map.connections, this.map.layout, () => true, this.#sheet.byHand, law)
    this.#changeMap({ connections }, 'law', { law })
  }

  /** All connections follow the law. */
  applyLaw() {
    const connections = this.#byLaw(this.map.connections, this.map.layout, () => true, [])
    this.#changeMap({ connections }, null, { byHand: [] })
  }

  #byLaw(
    connections: MapFile['connections'],
    layout: Layout,
    isMeant: (a: string, b: string) => boolean,
    byHand = this.#sheet.byHand,
    law = this.law,
  ): MapFile['connections'] {
    return connections.map(([a, b, cost]) => [
      a,
      b,
      isMeant(a, b) && !byHand.includes(wireId(a, b)) ? this.#lawful(a, b, layout, law) : cost,
    ])
  }

  #lawful(a: string, b: string, { cities }: Layout, { base, per100 }: CostLaw): number {
    const [from, to] = [cities[a]!, cities[b]!]
    return Math.max(0, Math.round(base + (per100 * Math.hypot(from[0] - to[0], from[1] - to[1])) / 100))
  }

  #placed = (cities: Record<string, Point>): Layout => ({ ...this.map.layout, cities })

  #within([x, y]: Point): Point {
    const [width, height] = this.map.layout.canvas
    const inside = (at: number, size: number) => Math.round(Math.max(MARGIN, Math.min(size - MARGIN, at)))
    return [inside(x, width), inside(y, height)]
  }

  /** Longitude and latitude: on a map of real places, about those of the nearest cities. */
  #degrees([x, y]: Point): { lon: number; lat: number } {
    const { cities, layout } = this.map
    if (!layout.projection || !cities.length) return { lon: x / 100, lat: -y / 100 }
    const near = cities
      .map(({ id, lon, lat }) => {
        const [cx, cy] = layout.cities[id]!
        return { lon, lat, weight: 1 / (1 + (cx - x) ** 2 + (cy - y) ** 2) }
      })
      .sort((a, b) => b.weight - a.weight)
      .slice(0, 3)
    const sum = near.reduce((total, { weight }) => total + weight, 0)
    const mean = (of: (each: (typeof near)[number]) => number) =>
      Math.round((100 * near.reduce((total, each) => total + of(each) * each.weight, 0)) / sum) / 100
    return { lon: mean(({ lon }) => lon), lat: mean(({ lat }) => lat) }
  }
}
