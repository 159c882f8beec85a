/**
 * The visible part of the map: the middle and the scale, in pixels per unit of the canvas.
 *
 * While somebody moves it, the last drawing is moved and scaled as a whole; once it rests, it is
 * drawn again with the names that fit at that scale.
 */

export interface Frame {
  x: number
  y: number
  w: number
  h: number
}

interface Spot {
  x: number
  y: number
}

/** The part to show of a map drawn at this scale: the smaller it is, the more room its names take. */
type Home = (k: number) => Frame

const CLOSEST = 3
const STILL = 160 // milliseconds
/** The areas of the buttons in the corners on the right, in pixels, and half a city with its name around them. */
const TOP = { side: 104, narrow: 76, height: 64 } // narrow: without the key, on a small screen
const FOOT = { side: 76, height: 142 }
/** The line of news below: its height, and from where on it covers a city with its name. */
const NEWS = { height: 46, reach: 59 }

export class Camera {
  x = $state(0)
  y = $state(0)
  k = $state(1)
  w = $state(1)
  h = $state(1)

  #home: Home = () => ({ x: 0, y: 0, w: 1, h: 1 })
  #spots: Spot[] = []
  #over = { news: false, zoom: false }
  /** The frame when the whole map was shown last, and its scale then. */
  #frame: Frame = { x: 0, y: 0, w: 1, h: 1 }
  #least = 1
  /** Somebody has panned or zoomed. */
  moved = $state(false)
  /** The position of the last drawing. */
  drawn = $state.raw({ x: 0, y: 0, k: 1 })
  #still: ReturnType<typeof setTimeout> | undefined
  viewBox = $derived.by(() => {
    const { x, y, k } = this.drawn
    return [x - this.w / 2 / k, y - this.h / 2 / k, this.w / k, this.h / k].join(' ')
  })
  transform = $derived.by(() => {
    const { x, y, k } = this.drawn
    return `translate(${(x - this.x) * this.k}px, ${(y - this.y) * this.k}px) scale(${this.k / k})`
  })

  /** What is shown until somebody pans or zooms, and which spots should then not be covered by buttons or news. */
  setHome(home: Home, spots: Spot[] = [], over = { news: false, zoom: false }) {
    this.#home = home
    this.#spots = spots
    this.#over = over
    if (!this.moved) this.#whole()
    this.#draw()
  }

  resize(w: number, h: number) {
    if (!w || !h) return
    this.w = w
    this.h = h
    if (!this.moved) this.#whole()
    this.#draw()
  }

  reset() {
    this.moved = false
    this.#whole()
    this.#wait()
  }

  /** The whole map, as large as possible, with its names as they are at that scale. */
  #whole() {
    let frame = this.#home(CLOSEST)
    let best = this.#clear(frame)
    for (;;) {
      const larger = this.#home(best.k)
      const next = this.#clear(larger)
      if (next.k >= best.k) break
      best = next
      frame = larger
    }
    Object.assign(this, best)
    this.#frame = frame
    this.#least = best.k
  }

  #wait() {
    clearTimeout(this.#still)
    this.#still = setTimeout(() => this.#draw(), STILL)
  }

  #draw() {
    clearTimeout(this.#still)
    this.drawn = { x: this.x, y: this.y, k: this.k }
  }

  /** As large as possible without covering a spot, if that can be done. */
  #clear(frame: Frame) {
    const sides = [0, FOOT.side, this.#top].filter((side) => this.w > 4 * side)
    const feet = this.#over.news && this.h > 4 * NEWS.height ? [0, NEWS.height] : [0]
    const fits = feet.flatMap((foot) => sides.map((side) => this.#fit(frame, side, foot))).sort((a, b) => b.k - a.k)
    return fits.find((fit) => !this.#spots.some((spot) => this.#covered(spot, fit))) ?? fits.at(-1)!
  }

  /** With so many pixels left free on the right and below. */
  #fit({ x, y, w, h }: Frame, side: number, foot: number) {
    const k = Math.min((this.w - side) / w, (this.h - foot) / h)
    return { x: x + w / 2 + side / 2 / k, y: y + h / 2 + foot / 2 / k, k }
  }

  get #top() {
    return this.#over.zoom ? TOP.side : TOP.narrow
  }

  #covered(spot: Spot, { x, y, k }: Spot & { k: number }) {
    const right = this.w / 2 - (spot.x - x) * k
    const down = this.h / 2 + (spot.y - y) * k
    const { news, zoom } = this.#over
    if (right < this.#top && down < TOP.height) return true
    if (right < FOOT.side) return zoom && down > this.h - FOOT.height
    return news && down > this.h - NEWS.reach
  }

  pan(dx: number, dy: number) {
    this.moved = true
    this.x -= dx / this.k
    this.y -= dy / this.k
    this.#stay()
    this.#wait()
  }

  /** Zooms so that the point at these pixels stays where it is. */
  zoom(factor: number, px = this.w / 2, py = this.h / 2) {
    const k = Math.max(this.#least * 0.7, Math.min(CLOSEST, this.k * factor))
    const [ux, uy] = [px - this.w / 2, py - this.h / 2]
    this.x += ux / this.k - ux / k
    this.y += uy / this.k - uy / k
    this.k = k
    this.moved = true
    this.#stay()
    this.#wait()
  }

  /** The position of a point of the canvas, in pixels. */
  place({ x, y }: Spot): Spot {
    return { x: this.w / 2 + (x - this.x) * this.k, y: this.h / 2 + (y - this.y) * this.k }
  }

  /** Makes a point visible, if it is not. */
  show(x: number, y: number) {
    const [dx, dy] = [(x - this.x) * this.k, (y - this.y) * this.k]
    const [roomX, roomY] = [this.w / 2 - 40, this.h / 2 - 40]
    if (Math.abs(dx) > roomX) this.pan(-(dx - Math.sign(dx) * roomX * 0.5), 0)
    if (Math.abs(dy) > roomY) this.pan(0, -(dy - Math.sign(dy) * roomY * 0.5))
  }

  #stay() {
    const { x, y, w, h } = this.#frame
    this.x = Math.max(x, Math.min(x + w, this.x))
    this.y = Math.max(y, Math.min(y + h, this.y))
  }
}

/** Mouse, touch and wheel on an element move the camera; a press that did not move stays a click. */
export function steer(camera: Camera) {
  return (node: HTMLElement) => {
    const fingers = new Map<number, { x: number; y: number }>()
    let travelled = 0
    let swallow = false

    const where = (event: PointerEvent | WheelEvent) => {
      const box = node.getBoundingClientRect()
      return { x: event.clientX - box.left, y: event.clientY - box.top }
    }
    const spread = () => {
      const [a, b] = [...fingers.values()]
      return a && b ? { d: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } : null
    }

    const down = (event: PointerEvent) => {
      if (event.button) return
      if (!fingers.size) travelled = 0
      fingers.set(event.pointerId, where(event))
      swallow = false
    }
    const move = (event: PointerEvent) => {
      const before = fingers.get(event.pointerId)
      if (!before) return
      const pinch = spread()
      const now = where(event)
      fingers.set(event.pointerId, now)
      travelled += Math.hypot(now.x - before.x, now.y - before.y)
      if (travelled < 6) return
      if (!node.hasPointerCapture(event.pointerId)) node.setPointerCapture(event.pointerId)
      swallow = true
      node.style.cursor = 'grabbing'
      const after = spread()
      if (pinch && after) {
        camera.pan(after.x - pinch.x, after.y - pinch.y)
        camera.zoom(after.d / pinch.d, after.x, after.y)
      } else camera.pan(now.x - before.x, now.y - before.y)
    }
    const up = (event: PointerEvent) => {
      fingers.delete(event.pointerId)
      node.style.cursor = ''
    }
    const click = (event: Event) => {
      if (swallow) event.stopPropagation()
      swallow = false
    }
    const wheel = (event: WheelEvent) => {
      event.preventDefault()
      const { x, y } = where(event)
      camera.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), x, y)
    }

    const listen: [string, (event: never) => void, AddEventListenerOptions?][] = [
      ['pointerdown', down],
      ['pointermove', move],
      ['pointerup', up],
      ['pointercancel', up],
      ['click', click, { capture: true }],
      ['wheel', wheel, { passive: false }],
    ]
    for (const [name, handler, options] of listen) node.addEventListener(name, handler as EventListener, options)
    return () => {
      for (const [name, handler, options] of listen) node.removeEventListener(name, handler as EventListener, options)
    }
  }
}
