/** Where the coach points, and where it is placed so that it does not cover that. */

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

const MARGIN = 10

/** The first of these that is visible. */
export function firstVisible(selectors: string[]): Element | null {
  for (const selector of selectors) {
    const found = [...document.querySelectorAll(selector)].find((each) => each.getClientRects().length)
    if (found) return found
  }
  return null
}

/** The visible part of an element: a panel that scrolls shows only a part. */
export function boxOf(element: Element): Box {
  const { left, top, right, bottom } = element.getBoundingClientRect()
  const panel = element.closest('.tabbody')?.getBoundingClientRect()
  const [high, low] = panel ? [Math.max(top, panel.top), Math.min(bottom, panel.bottom)] : [top, bottom]
  return { left, top: high, width: right - left, height: low - high }
}

const shared = (a: Box, b: Box) =>
  Math.max(0, Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top))

/** A corner that leaves the spot uncovered, if there is one. */
export function corner(size: { width: number; height: number }, room: Box, spot: Box | null) {
  const lefts = [room.left + MARGIN, room.left + room.width - size.width - MARGIN]
  const tops = [room.top + room.height - size.height - MARGIN, room.top + MARGIN]
  const corners = tops.flatMap((top) => lefts.map((left) => ({ left: Math.max(left, MARGIN), top })))
  if (!spot) return corners[0]!
  const covered = corners.map((at) => shared({ ...at, ...size }, spot))
  return corners[covered.indexOf(Math.min(...covered))]!
}
