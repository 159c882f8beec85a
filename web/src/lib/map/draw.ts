/** Draws a map: outlines of land projected as its layout specifies, and the area of every region. */
import { contours } from 'd3-contour'
import {
  type GeoContext,
  type GeoPermissibleObjects,
  type GeoProjection,
  geoAlbers,
  geoAzimuthalEqualArea,
  geoBounds,
  geoConicConformal,
  geoContains,
  geoEquirectangular,
  geoPath,
} from 'd3-geo'
import { feature, merge, mesh } from 'topojson-client'
import type { GeometryCollection, MultiPolygon, Polygon, Topology } from 'topojson-specification'

import type { Chart, Stamp } from './chart'
import type { Layout, MapFile, Point } from './file'
import { computeLayout } from './layout.ts'

type Area = Polygon | MultiPolygon
export type Atlas = Topology<Record<string, GeometryCollection>>

/** The projection that needs the states of the USA. */
export const ALBERS = 'Albers'
const NOT_LOWER_48 = new Set(['02', '15', '60', '66', '69', '72', '78'])

const pick = (source: Atlas, object: string, wanted: (id: string) => boolean) =>
  source.objects[object]!.geometries.filter((each) => wanted(String(each.id))) as Area[]

/** The outlines of the world: coarse, in detail, and of the states of the USA. */
export interface Atlases {
  coarse: Atlas
  fine: Atlas
  states?: Atlas
}

/** Coarse outlines of the countries, to find out in which of them a city lies. */
/** What is made of an atlas, once for all maps that are drawn with it. */
function perAtlas<T>(make: (atlas: Atlas) => T): (atlas: Atlas) => T {
  const made = new WeakMap<Atlas, T>()
  return (atlas) => {
    if (!made.has(atlas)) made.set(atlas, make(atlas))
    return made.get(atlas)!
  }
}

const shapesOf = perAtlas((coarse) =>
  coarse.objects.countries!.geometries.map((country) => {
    const shape = feature(coarse, country)
    return { id: String(country.id), shape, bounds: geoBounds(shape) }
  }),
)

const landOfAll = perAtlas((coarse) => merge(coarse, coarse.objects.countries!.geometries as never))
const bordersOfAll = perAtlas((coarse) => mesh(coarse, coarse.objects.countries!, (a, b) => a !== b))

interface Land {
  projection: GeoProjection
  outline: GeoPermissibleObjects
  inner: GeoPermissibleObjects // borders inside the land
}

/** The projection specified by the layout (docs/maps.md), and the land around its cities. */
function landOf(map: MapFile, { canvas, projection: words = '' }: Layout, atlases: Atlases): Land | undefined {
  const { coarse, fine, states } = atlases
  const frame: [Point, Point] = [
    [40, 40],
    [canvas[0] - 40, canvas[1] - 40],
  ]
  if (words.startsWith(ALBERS)) {
    if (!states) return undefined
    const lower = pick(states, 'states', (id) => !NOT_LOWER_48.has(id))
    const outline = merge(states, lower as never)
    const inner = mesh(states, { type: 'GeometryCollection', geometries: lower }, (a, b) => a !== b)
    return { projection: geoAlbers().fitExtent(frame, outline), outline, inner }
  }
  const azimuthal = /^azimuthal equal area, centre (\S+) (\S+), scale (\S+), origin (\S+) ([^\s;]+)/.exec(words)
  const conic = /^conic conformal, parallels (\S+)\/(\S+), central meridian (\S+) E/.exec(words)
  if (!azimuthal && !conic) return undefined
  const ids = map.countries?.length ? map.countries : countriesOf(map, coarse)
  const within = (source: Atlas) => pick(source, 'countries', (id) => ids.includes(id))
  return {
    projection: azimuthal
      ? seenFromAbove(canvas, azimuthal.slice(1).map(Number))
      : onCone(conic!.slice(1).map(Number), frame, merge(coarse, within(coarse) as never)),
    outline: merge(fine, within(fine) as never),
    inner: mesh(fine, { type: 'GeometryCollection', geometries: within(fine) }, (a, b) => a !== b),
  }
}

/** How far one can pan, on a screen that is twice as long as it is wide. */
function horizon([width, height]: Point): [Point, Point] {
  const far = 0.7 * Math.max(width, height)
  return [
    [-far, -far],
    [width + far, height + far],
  ]
}

const seenFromAbove = (canvas: Point, [lon, lat, scale, x, y]: number[]) =>
  geoAzimuthalEqualArea().rotate([-lon!, -lat!]).scale(scale!).translate([x!, y!]).clipExtent(horizon(canvas))

const onCone = ([south, north, meridian]: number[], frame: [Point, Point], outline: GeoPermissibleObjects) =>
  geoConicConformal().parallels([south!, north!]).rotate([-meridian!, 0]).fitExtent(frame, outline)

/** The countries in which the cities of a map lie, by their codes in the atlas. */
const countriesOf = (map: MapFile, coarse: Atlas): string[] =>
  shapesOf(coarse)
    .filter(({ shape, bounds: [[west, south], [east, north]] }) =>
      map.cities.some(
        ({ lon, lat }) =>
          lat > south && lat < north && (east < west || (lon > west && lon < east)) && geoContains(shape, [lon, lat]),
      ),
    )
    .map(({ id }) => id)

/** The rings and lines of a shape on the canvas. */
function lines(shape: GeoPermissibleObjects, projection: GeoProjection): Point[][] {
  const found: Point[][] = []
  const pen: GeoContext = {
    beginPath: () => undefined,
    moveTo: (x, y) => void found.push([[x, y]]),
    lineTo: (x, y) => void found.at(-1)!.push([x, y]),
    arc: () => undefined,
    closePath: () => void found.at(-1)!.push(found.at(-1)![0]!),
  }
  geoPath(projection, pen)(shape)
  return found
}

/** The squared distance of a point from a line: computed millions of times for one map. */
function squared(p: Point, a: Point, b: Point): number {
  const dx = b[0] - a[0]
  const dy = b[1] - a[1]
  const length = dx * dx + dy * dy
  const t = length ? Math.max(0, Math.min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length)) : 0
  const x = p[0] - a[0] - t * dx
  const y = p[1] - a[1] - t * dy
  return x * x + y * y
}

function nearest(p: Point, bones: [Point, Point][]): number {
  let least = Infinity
  for (const bone of bones) least = Math.min(least, squared(p, bone[0], bone[1]))
  return Math.sqrt(least)
}

/** Removes points that make no visible difference (Ramer, Douglas, Peucker). */
function simplify(line: Point[], tolerance: number): Point[] {
  if (line.length < 3) return line
  const [first, last] = [line[0]!, line.at(-1)!]
  let farthest = 0
  let worst = tolerance * tolerance
  for (let i = 1; i < line.length - 1; i++) {
    const off = squared(line[i]!, first, last)
    if (off > worst) [worst, farthest] = [off, i]
  }
  if (!farthest) return [first, last]
  const left = simplify(line.slice(0, farthest + 1), tolerance)
  return [...left.slice(0, -1), ...simplify(line.slice(farthest), tolerance)]
}

const area = (ring: Point[]): number => {
  let sum = 0
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++)
    sum += ring[j]![0] * ring[i]![1] - ring[i]![0] * ring[j]![1]
  return Math.abs(sum / 2)
}

/** An SVG path with relative steps, which is half as long; coarse shapes are rounded to integers. */
function path(shapes: Point[][], tolerance: number, smallest = 0): string {
  const grain = tolerance < 2 ? 10 : 1
  const round = (n: number) => Math.round(n * grain) / grain
  let text = ''
  for (const shape of shapes) {
    const closed = shape.length > 3 && shape[0]!.join() === shape.at(-1)!.join()
    if (closed && area(shape) < smallest) continue
    const half = closed ? shape.length >> 1 : 0 // a ring has no end points to keep
    const points = half
      ? [...simplify(shape.slice(0, half + 1), tolerance).slice(0, -1), ...simplify(shape.slice(half), tolerance)]
      : simplify(shape, tolerance)
    if (points.length < (closed ? 4 : 2)) continue
    let [x, y] = [round(points[0]![0]), round(points[0]![1])]
    text += `M${x} ${y}l`
    const steps = (closed ? points.slice(1, -1) : points.slice(1)).map(([nx, ny]) => {
      const step = [round(round(nx) - x), round(round(ny) - y)]
      ;[x, y] = [round(nx), round(ny)]
      return step.join(' ')
    })
    text += steps.join(' ') + (closed ? 'z' : '')
  }
  return text.replaceAll(' -', '-').replaceAll(/(?<![\d.])0\./g, '.')
}

/** A shape that fills the canvas, as a path of at most so many letters: a longer one is simplified more. */
export function outlinePath(shape: GeoPermissibleObjects, [width, height]: Point, most: number): string {
  const frame: [Point, Point] = [
    [40, 40],
    [width - 40, height - 40],
  ]
  const drawn = lines(shape, geoEquirectangular().fitExtent(frame, shape as never))
  const extent = (line: Point[]) => Math.max(...[0, 1].map((i) => spread(line.map((point) => point[i]!))))
  for (let tolerance = 1; ; tolerance *= 1.5) {
    const seen = drawn.filter((line) => extent(line) > 2 * tolerance)
    const text = path(seen, tolerance)
    if (text.length <= most) return text
  }
}

const spread = (values: number[]) => values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b))

/** A region is the area nearest to its own cities and the lines between them. */
export function regionAreas(map: MapFile, canvas: Point, at: Record<string, Point>): Record<string, string> {
  const step = 6
  const margin = 120
  const [columns, rows] = canvas.map((size) => Math.ceil((size + 2 * margin) / step)) as Point
  const home = new Map(map.cities.map((city) => [city.id, city.region]))
  const skeletons = map.regions.map((region) => [
    ...map.cities.filter((c) => c.region === region).map((c): [Point, Point] => [at[c.id]!, at[c.id]!]),
    ...map.connections
      .filter(([a, b]) => home.get(a) === region && home.get(b) === region)
      .map(([a, b]): [Point, Point] => [at[a]!, at[b]!]),
  ])
  const fields = map.regions.map(() => new Float64Array(columns * rows))
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const here: Point = [(column + 0.5) * step - margin, (row + 0.5) * step - margin]
      const near = skeletons.map((bones) => nearest(here, bones))
      const order = near.toSorted((a, b) => a - b)
      near.forEach((own, i) => {
        const other = own === order[0] ? (order[1] ?? Infinity) : order[0]!
        fields[i]![row * columns + column] = other - own
      })
    }
  }
  const shapes = contours().size([columns, rows]).thresholds([0])
  return Object.fromEntries(
    map.regions.map((region, i) => {
      const rings = shapes(fields[i] as unknown as number[])[0]!.coordinates.flat() as Point[][]
      const placed = rings.map((ring) => ring.map(([x, y]): Point => [x * step - margin, y * step - margin]))
      return [region, path(placed, 1, 400)]
    }),
  )
}

/** A map with the land below it, if its projection is known. */
export function draw(map: MapFile, atlases: Atlases | null): Chart {
  const layout = map.layout ?? computeLayout(map)
  const { canvas, cities: at } = layout
  const land = atlases && landOf(map, layout, atlases)
  const drawn = { land: layout.outline ?? '', inner: '', around: '', borders: '' }
  if (land) {
    const { projection, outline, inner } = land
    drawn.land = path(lines(outline, projection), 0.7, 12)
    drawn.inner = path(lines(inner, projection), 0.7)
    // The surroundings are only background: coarse, and no farther than one can pan.
    projection.clipExtent(horizon(canvas))
    const { coarse } = atlases
    drawn.around = path(lines(landOfAll(coarse), projection), 2, 120)
    drawn.borders = path(lines(bordersOfAll(coarse), projection), 2)
  }
  return {
    id: map.id,
    name: map.name,
    canvas,
    ...drawn,
    regions: regionAreas(map, canvas, at),
    region_names: map.region_names ?? {},
    cities: map.cities.map(({ id, name, region, cost }) => {
      const [x, y] = at[id]!
      return cost ? { id, name, region, x, y, cost } : { id, name, region, x, y }
    }),
    connections: map.connections,
    ...(map.transit_cost ? { transit: map.transit_cost } : {}),
  }
}

const ALL = 0.9 // of the canvas: land that covers more has no recognisable outline

const clamped = (value: number, most: number) => Math.max(0, Math.min(most, value))

/** The thumbnail of a map: a coarse outline, if it has one, dots and lines. */
export function stamp(map: MapFile, atlases: Atlases | null): Stamp {
  const layout = map.layout ?? computeLayout(map)
  const { canvas, cities: at } = layout
  const land = atlases && landOf(map, layout, atlases)
  const rings = land ? lines(land.outline, land.projection) : []
  const within = (ring: Point[]) => ring.map((point) => point.map((at, i) => clamped(at, canvas[i]!)) as Point)
  const covered = rings.reduce((sum, ring) => sum + area(within(ring)), 0) / (canvas[0] * canvas[1])
  const wires = map.connections.map(([a, b]) => [at[a]!, at[b]!])
  return {
    canvas,
    land: layout.outline || (covered < ALL ? path(rings, 5, 300) : ''),
    wires: wires.map(([a, b]) => `M${a!.join(' ')}L${b!.join(' ')}`).join(''),
    dots: Object.values(at),
  }
}
