/** Where something that floats over the table is placed, so that it covers nothing that a decision needs. */

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

const MARGIN = 10
const STEP = 12

/** What one looks at to decide: the goods and their prices, what is mine, what is being sold. */
const NEEDED = [
  '.market .card',
  '.fuel .price',
  '.fuel .more',
  '.fuelcard',
  '.columns .price',
  '.labour',
  '.company .kind .card',
  '.tableau .card',
  '.mine',
  '.city:not(.closed)',
  '.stage',
].join()
/** What can be chosen now, or is pointed at. */
const CHOSEN = '.offered, .hinted, .chosen, [data-pointed]'
const WEIGHT = 10

/** The visible part of an element: a panel that scrolls shows only a part. */
export function boxOf(element: Element): Box {
  const { left, top, right, bottom } = element.getBoundingClientRect()
  const panel = element.closest('.tabbody')?.getBoundingClientRect()
  const [high, low] = panel ? [Math.max(top, panel.top), Math.min(bottom, panel.bottom)] : [top, bottom]
  return { left, top: high, width: right - left, height: Math.max(0, low - high) }
}

const shared = (a: Box, b: Box) =>
  Math.max(0, Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top))

/** The place in a room that covers the least of these boxes; the lowest of several, and then the one in the middle. */
export function clearPlace(
  size: { width: number; height: number },
  room: Box,
  needed: { box: Box; weight: number }[],
): { left: number; top: number } {
  const right = Math.max(room.left + MARGIN, room.left + room.width - size.width - MARGIN)
  const lefts = [(room.left + MARGIN + right) / 2, room.left + MARGIN, right]
  const [highest, lowest] = [room.top + MARGIN, room.top + room.height - size.height - MARGIN]
  let best = { left: lefts[0]!, top: Math.max(highest, lowest) }
  let least = Infinity
  for (let top = lowest; top >= highest; top -= STEP)
    for (const left of lefts) {
      const covered = needed.reduce((sum, { box, weight }) => sum + weight * shared({ left, top, ...size }, box), 0)
      if (covered < least) [best, least] = [{ left, top }, covered]
    }
  return best
}

/**
 * The place for an element of this size between the head and the bar of a table, beside what it is about.
 * Null where there is no table.
 */
export function placeAtTable(
  size: { width: number; height: number },
  about: Box | null = null,
): { left: number; top: number } | null {
  const play = document.querySelector('.play')?.getBoundingClientRect()
  if (!play) return null
  const needed = [...document.querySelectorAll(NEEDED)].map((element) => ({
    box: boxOf(element),
    weight: element.matches(CHOSEN) ? WEIGHT : 1,
  }))
  if (about) needed.push({ box: about, weight: WEIGHT ** 3 })
  return clearPlace(size, play, needed)
}

/** Keeps an element in such a place, however large it is. */
export function keptClear(element: HTMLElement): () => void {
  const place = () => {
    const { offsetWidth: width, offsetHeight: height } = element
    const at = placeAtTable({ width, height })
    if (at) Object.assign(element.style, { left: `${at.left}px`, top: `${at.top}px` })
  }
  const watch = new ResizeObserver(place)
  watch.observe(element)
  watch.observe(document.body)
  return () => watch.disconnect()
}
