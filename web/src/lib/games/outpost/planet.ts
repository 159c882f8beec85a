/** The planet as a chart. */
import type { Chart } from '../../map/chart'
import type { Box } from '../../map/labels'
import type { OutpostView } from '../../net/protocol'

export interface Planet extends Chart {
  /** The globe below the cities, in units of the chart. */
  globe: { x: number; y: number; rx: number; ry: number }
  areas: string[]
}

/** The part of a view that is drawn. */
export type Ground = Pick<OutpostView, 'map' | 'canvas' | 'areas' | 'connections'> & {
  cities: Record<string, { name: string; area: string; x: number; y: number }>
}

const SCREEN = 1.5 // width to height of the ground, about
const MOST = 1.4
const MARGIN = 55
const FIRST_AREAS = ['center', 'north', 'south']

/** The position of a special slot next to the ring of its city. */
export const slotSpot = (x: number, y: number, ring: number) => ({ x: x + ring * 0.97, y: y + ring * 0.97 })

export const slotBoxes = (chart: Chart, ring: number): Box[] =>
  chart.cities.map(({ x, y }) => ({ ...slotSpot(x, y, ring), w: ring * 1.3, h: ring * 1.3 }))

/** The cities in play, spread so that they fill a screen. */
export function drawPlanet(view: Ground): Planet {
  const cities = Object.entries(view.cities)
  const xs = cities.map(([, { x }]) => x)
  const ys = cities.map(([, { y }]) => y)
  const wide = Math.max(...xs) - Math.min(...xs) + 2 * MARGIN
  const high = Math.max(...ys) - Math.min(...ys) + 2 * MARGIN
  const stretchX = Math.max(1, Math.min(MOST, (SCREEN * high) / wide))
  const stretchY = Math.max(1, Math.min(MOST, wide / SCREEN / high))
  const [width = 1000, height = 1000] = view.canvas
  return {
    id: view.map,
    name: view.map,
    canvas: [width * stretchX, height * stretchY],
    land: '',
    inner: '',
    around: '',
    borders: '',
    regions: {},
    region_names: {},
    cities: cities.map(([id, { name, area, x, y }]) => ({ id, name, region: area, x: x * stretchX, y: y * stretchY })),
    connections: view.connections.map(({ a, b, cost }) => [a, b, cost]),
    globe: {
      x: (width * stretchX) / 2,
      y: (height * stretchY) / 2,
      rx: width * stretchX * 0.56,
      ry: height * stretchY * 0.57,
    },
    areas: FIRST_AREAS.filter((area) => view.areas.includes(area)),
  }
}

/** Everything that the labels of a planet depend on, as a string. */
export const outlineOf = ({ cities, connections }: Planet) =>
  [
    ...cities.map(({ name, x, y }) => `${name} ${Math.round(x)} ${Math.round(y)}`),
    ...connections.map(([a, b]) => `${a} ${b}`),
  ].join()

/** All cities with a building of a company. */
export const structureOf = (view: OutpostView, seat: number): string[] => {
  const built = Object.entries(view.cities).filter(
    ([, { stations, building }]) => stations.includes(seat) || building === seat,
  )
  return built.map(([city]) => city)
}
