/** Finds errors in the labels of a map: the same check for shipped maps and for those of map makers. */
import { away, type Box, frameOf, LEVELS, labelsAt, type Placed, type Plan, type Sizes, sizesAt } from './labels'

const TOUCH = 2 // units by which two labels may overlap
const FAR = 22 // units between a ring and its name

const meet = (a: Box, b: Box) =>
  (a.w + b.w) / 2 - Math.abs(a.x - b.x) > TOUCH && (a.h + b.h) / 2 - Math.abs(a.y - b.y) > TOUCH

/** The faults of labels placed at these sizes, in words. */
export function faultsIn(chart: Plan, sizes: Sizes, { names, costs }: Placed): string[] {
  const found: string[] = []
  const boxes = chart.cities.map((city) => ({ city, box: names[city.id]! })).filter(({ box }) => box.lines.length)
  for (const [i, { city, box }] of boxes.entries()) {
    const near = away(box, city.x, city.y)
    if (near > sizes.ring + FAR) found.push(`${city.name} stands far from its city`)
    for (const other of chart.cities) {
      const gap = away(box, other.x, other.y)
      if (gap < sizes.ring - TOUCH) found.push(`${city.name} stands on the ring of ${other.name}`)
    }
    for (const [j, [a, b, cost]] of (sizes.cost ? chart.connections : []).entries())
      if (away(box, costs[j]!.x, costs[j]!.y) < sizes.cost * 0.88 - TOUCH)
        found.push(`${city.name} stands on the cost ${cost} of ${a}-${b}`)
    for (const other of boxes.slice(i + 1))
      if (meet(box, other.box)) found.push(`${city.name} stands on ${other.city.name}`)
  }
  return found
}

/** The faults of a map at every size, and names that the pane cuts off. */
export function labelFaults(chart: Plan): string[] {
  return LEVELS.flatMap((level) => {
    const sizes = sizesAt(level)
    const placed = labelsAt(chart, level)
    const pane = frameOf(chart.cities, placed.names)
    const found = faultsIn(chart, sizes, placed)
    for (const [id, { x, y, w, h, lines }] of Object.entries(placed.names)) {
      if (x - w / 2 < pane.x || x + w / 2 > pane.x + pane.w || y - h / 2 < pane.y || y + h / 2 > pane.y + pane.h)
        found.push(`${id} is cut off`)
      if (!lines.length && level === LEVELS.at(-1)) found.push(`${id} has no room for its name`)
    }
    return found.map((fault) => `at ${level}: ${fault}`)
  })
}
