/** What the page asks of a browser and the document here does not have: nothing is laid out or moves. */
import { speak } from '../../src/texts/messages'

class Watch {
  observe = () => undefined
  unobserve = () => undefined
  disconnect = () => undefined
}

const STILL = '(prefers-reduced-motion: reduce)'
const WIDE = 1440

/** A desk: nothing moves, and there is room. */
const matches = (query: string) =>
  query.includes(STILL) ||
  query.split(',').some((part) => {
    const limits = [...part.matchAll(/(min|max)-(width|height): (\d+)px/g)]
    const fits = ([, limit, side, size]: string[]) => {
      const here = side === 'width' ? WIDE : 900
      return limit === 'min' ? here >= Number(size) : here <= Number(size)
    }
    return limits.length > 0 && limits.every(fits)
  })

let now = 0

Object.assign(window, {
  matchMedia: (media: string) =>
    Object.assign(new EventTarget(), { media, matches: matches(media), addListener() {}, removeListener() {} }),
  ResizeObserver: Watch,
  IntersectionObserver: Watch,
  scrollTo: () => undefined,
  print: () => undefined,
  requestAnimationFrame: (then: (now: number) => void) => {
    now += 1_000 // what moves has arrived
    return setTimeout(() => then(now))
  },
})
Object.assign(Element.prototype, {
  animate: () => Object.assign(new EventTarget(), { cancel() {}, finished: Promise.resolve(), currentTime: 0 }),
  getAnimations: () => [],
  scrollIntoView: () => undefined,
  getClientRects: () => [{}],
  checkVisibility: () => true,
})

await speak('en')
