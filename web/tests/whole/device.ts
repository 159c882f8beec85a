/**
 * The device that a page is on here: every element has a place, and what is copied, saved, drawn or heard is kept.
 * Nothing is painted, and nothing moves unless a test wants it to.
 */

import { vi } from 'vitest'

/** What has happened outside the page, in words, since somebody looked. */
export const doings: (string | Promise<string>)[] = []

const DESK = { width: 1440, height: 900, coarse: false, moves: false }
const device = { ...DESK }
export const use = (one: Partial<typeof DESK>) => Object.assign(device, DESK, one)

/** Whether the device is as a query of styles wants it. */
function matches(query: string): boolean {
  if (query.includes('prefers-reduced-motion: reduce')) return !device.moves
  if (query.includes('pointer: coarse')) return device.coarse
  return query.split(',').some((part) => {
    const limits = [...part.matchAll(/(min|max)-(width|height): (\d+)px/g)]
    const fits = ([, limit, side, size]: string[]) => {
      const here = device[side as 'width' | 'height']
      return limit === 'min' ? here >= Number(size) : here <= Number(size)
    }
    return limits.length > 0 && limits.every(fits)
  })
}

// The deeper an element is the smaller it is, and the more come before it the lower.

const depthOf = (element: Element): number => (element.parentElement ? 1 + depthOf(element.parentElement) : 0)
const widthOf = (element: Element) => Math.max(40, device.width - 40 * depthOf(element))
const heightOf = (element: Element) => Math.max(20, device.height - 30 * depthOf(element))

function boxOf(element: Element): DOMRect {
  const before = [...(element.parentElement?.children ?? [])].indexOf(element)
  const [left, top, width, height] = [10 * depthOf(element), 20 * before, widthOf(element), heightOf(element)]
  return { x: left, y: top, left, top, width, height, right: left + width, bottom: top + height } as DOMRect
}

class Sizes {
  #watched = new Set<Element>()
  constructor(private readonly changed: (entries: unknown[]) => void) {}
  observe(target: Element) {
    this.#watched.add(target)
    queueMicrotask(() => {
      if (this.#watched.has(target)) this.changed([{ target, contentRect: boxOf(target) }])
    })
  }
  unobserve = (target: Element) => this.#watched.delete(target)
  disconnect = () => this.#watched.clear()
}

class Nothing {
  observe = () => undefined
  unobserve = () => undefined
  disconnect = () => undefined
}

/** What is drawn on a canvas, as the list of what its pen has done. */
class Pen {
  readonly done: string[] = []
  constructor() {
    const told = (value: unknown) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value)
    // biome-ignore lint/correctness/noConstructorReturn: whatever is asked of a pen, it does
    return new Proxy(this, {
      get: (pen, name) =>
        name in pen
          ? pen[name as 'done']
          : (...values: unknown[]) => {
              pen.done.push(`${String(name)} ${values.map(told)}`)
              return { addColorStop: (at: number, colour: string) => pen.done.push(`${at} ${colour}`) }
            },
      set: (pen, name, value) => !!pen.done.push(`${String(name)} = ${told(value)}`),
    })
  }
}
const pens = new WeakMap<object, Pen>()
function penOf(canvas: object): Pen {
  if (!pens.has(canvas)) pens.set(canvas, new Pen())
  return pens.get(canvas)!
}

class Sound {
  readonly currentTime = 0
  readonly destination = {}
  createGain = () => {
    const gain = {
      setValueAtTime: () => undefined,
      linearRampToValueAtTime: (loud: number, at: number) => doings.push(`volume ${loud} at ${at.toFixed(2)}`),
      exponentialRampToValueAtTime: () => undefined,
    }
    return { gain, connect: () => undefined }
  }
  createOscillator = () => {
    const tone = {
      type: '',
      frequency: { value: 0 },
      connect: (next: unknown) => next,
      start: (at: number) => doings.push(`${tone.type} ${tone.frequency.value} from ${at.toFixed(2)}`),
      stop: (at: number) => doings.push(`to ${at.toFixed(2)}`),
    }
    return tone
  }
}

let now = 0
let kept: Blob | undefined

vi.stubGlobal('matchMedia', (media: string) => {
  const list = new EventTarget()
  return Object.defineProperties(list, { media: { value: media }, matches: { get: () => matches(media) } })
})
Object.assign(window, {
  matchMedia: globalThis.matchMedia,
  ResizeObserver: Sizes,
  IntersectionObserver: Nothing,
  AudioContext: Sound,
  Path2D: class {
    constructor(private readonly d: string) {}
    toString = () => this.d
  },
  DOMPoint: class {
    constructor(
      readonly x: number,
      readonly y: number,
    ) {}
    matrixTransform = () => this
  },
  scrollTo: () => undefined,
  print: () => doings.push('printed'),
  requestAnimationFrame: (then: (now: number) => void) => {
    now += device.moves ? 16 : 1_000 // what does not move has arrived
    return setTimeout(() => then(now), device.moves ? 16 : 0)
  },
  cancelAnimationFrame: (frame: NodeJS.Timeout) => clearTimeout(frame),
})
Object.assign(Element.prototype, {
  animate: () => Object.assign(new EventTarget(), { cancel() {}, finished: Promise.resolve(), currentTime: 0 }),
  getAnimations: () => [],
  scrollIntoView: () => undefined,
  getClientRects: () => [{}],
  checkVisibility: () => true,
  setPointerCapture: () => undefined,
  hasPointerCapture: () => true,
  getBoundingClientRect(this: Element) {
    return boxOf(this)
  },
  getScreenCTM: () => ({ inverse: () => undefined }), // a unit of a drawing is a pixel
})
for (const kind of [Element.prototype, HTMLElement.prototype])
  for (const side of ['client', 'offset'])
    Object.defineProperties(kind, {
      [`${side}Width`]: { get: widthOfThis, configurable: true },
      [`${side}Height`]: { get: heightOfThis, configurable: true },
    })
function widthOfThis(this: Element) {
  return widthOf(this)
}
function heightOfThis(this: Element) {
  return heightOf(this)
}
const find = HTMLSelectElement.prototype.querySelector
HTMLSelectElement.prototype.querySelector = function (this: HTMLSelectElement, what: string) {
  return what === ':checked' ? (this.options[this.selectedIndex] ?? null) : find.call(this, what)
}
Object.assign(HTMLCanvasElement.prototype, {
  getContext(this: object) {
    return penOf(this)
  },
  toBlob(this: object, done: (blob: Blob) => void) {
    done(new Blob([penOf(this).done.join('\n')]))
  },
})
Object.defineProperty(document, 'fonts', { value: { ready: Promise.resolve() } })
Object.defineProperty(navigator, 'clipboard', {
  value: { writeText: async (text: string) => void doings.push(`copied ${text}`) },
})
Object.assign(URL, {
  createObjectURL: (blob: Blob) => {
    kept = blob
    return 'blob:made'
  },
  revokeObjectURL: () => undefined,
})
const click = HTMLAnchorElement.prototype.click
HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
  if (!this.download || !kept) return click.call(this)
  const name = this.download
  doings.push(kept.text().then((text) => `saved ${name}: ${text}`))
}
window.addEventListener('submit', (event) => {
  if (!event.defaultPrevented) doings.push('the browser sends a form')
})
