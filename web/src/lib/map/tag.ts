import type { Camera, Frame } from './camera.svelte'
import { away, nameWidth } from './labels'

interface Spot {
  x: number
  y: number
}

/** The height of a label and its distance from its point, by the size of its letters. */
export const TAG = { height: 1.7, foot: 0.4 }
export const tagWidth = (text: string, size: number) => nameWidth(text, size) + size

/** The part of the map that is visible. */
export function visible({ drawn: { x, y, k }, w, h }: Pick<Camera, 'drawn' | 'w' | 'h'>): Frame {
  return { x: x - w / 2 / k, y: y - h / 2 / k, w: w / k, h: h / k }
}

/** The point of a label about a city: above it, or where it covers the fewest other cities and is not cut. */
export function tagSpot(text: string, size: number, city: Spot, ring: number, cities: Spot[], frame: Frame): Spot {
  const [w, h] = [tagWidth(text, size), size * TAG.height]
  const aside = ring + w / 2 + size / 2
  const low = TAG.foot * size + h / 2 // from the point up to the middle of the label
  const spots = [
    { x: city.x, y: city.y - ring },
    { x: city.x, y: city.y + ring + 2 * low },
    { x: city.x + aside, y: city.y + low },
    { x: city.x - aside, y: city.y + low },
  ]
  const faults = ({ x, y }: Spot) => {
    const box = { x, y: y - low, w, h }
    const cut = Math.max(
      0,
      frame.x - (x - w / 2),
      x + w / 2 - frame.x - frame.w,
      frame.y - (box.y - h / 2),
      box.y + h / 2 - frame.y - frame.h,
    )
    return cities.filter((each) => away(box, each.x, each.y) < ring).length + (cut > 0 ? cities.length : 0)
  }
  const found = spots.map(faults)
  return spots[found.indexOf(Math.min(...found))]!
}
