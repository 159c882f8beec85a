/** What part of a map is shown, to the pixel. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Camera, steer } from '../src/lib/map/camera.svelte'

const FRAME = { x: 0, y: 0, w: 1000, h: 500 }

function camera(w = 500, h = 500) {
  const made = new Camera()
  made.setHome(() => FRAME)
  made.resize(w, h)
  return made
}
const at = ({ x, y, k }: Camera) => [x, y, k].map((each) => Math.round(each * 1000) / 1000)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('the whole map', () => {
  test('is in the middle, as large as possible', () => {
    const made = camera()
    expect(at(made)).toEqual([500, 250, 0.5])
    expect([made.viewBox, made.transform, made.moved]).toEqual([
      '0 -250 1000 1000',
      'translate(0px, 0px) scale(1)',
      false,
    ])
    made.resize(0, 300)
    made.resize(300, 0)
    expect(at(made)).toEqual([500, 250, 0.5])
    made.resize(2000, 500)
    expect(at(made)).toEqual([500, 250, 1])
  })

  test('leaves room for names, which take more of it at a smaller scale', () => {
    const made = new Camera()
    made.setHome((k) => ({ ...FRAME, w: k < 1 ? 1250 : 1000 }))
    made.resize(500, 500)
    expect(at(made)).toEqual([625, 250, 0.4])
  })

  test.each<[string, [number, number], { news: boolean; zoom: boolean }, number[]]>([
    ['the key above, on the right', [990, 10], { news: false, zoom: true }, [558.036, 250, 0.896]],
    ['the same without its buttons', [990, 10], { news: false, zoom: false }, [541.126, 250, 0.924]],
    ['the buttons below, on the right', [990, 490], { news: false, zoom: true }, [541.126, 250, 0.924]],
    ['no buttons below', [990, 490], { news: false, zoom: false }, [500, 250, 1]],
    ['the news', [500, 480], { news: true, zoom: false }, [500, 275.33, 0.908]],
    ['no news', [500, 480], { news: false, zoom: false }, [500, 250, 1]],
    ['nothing in the middle', [500, 250], { news: true, zoom: true }, [500, 250, 1]],
  ])('is kept clear of %s', (_, [x, y], over, wanted) => {
    const made = new Camera()
    made.setHome(() => FRAME, [{ x, y }], over)
    made.resize(1000, 500)
    expect(at(made)).toEqual(wanted)
  })

  test('gives way only where there is room', () => {
    const made = new Camera()
    made.setHome(() => FRAME, [{ x: 990, y: 10 }], { news: true, zoom: true })
    made.resize(300, 180) // too narrow for the sides, too low for the news
    expect(at(made)).toEqual([500, 250, 0.3])
  })

  test('comes back', () => {
    const made = camera()
    made.zoom(3)
    made.setHome(() => ({ ...FRAME, w: 500 }))
    expect(at(made)).toEqual([500, 250, 1.5])
    made.reset()
    expect([...at(made), made.moved]).toEqual([250, 250, 1, false])
  })
})

describe('a map that is moved', () => {
  test('is drawn again once it rests', () => {
    const made = camera()
    made.pan(50, 20)
    expect([...at(made), made.moved]).toEqual([400, 210, 0.5, true])
    expect(made.transform).toBe('translate(50px, 20px) scale(1)')
    vi.advanceTimersByTime(150)
    made.zoom(2)
    vi.advanceTimersByTime(150)
    expect([made.viewBox, made.transform]).toEqual(['0 -250 1000 1000', 'translate(100px, 40px) scale(2)'])
    vi.advanceTimersByTime(20)
    expect([made.viewBox, made.transform]).toEqual(['150 -40 500 500', 'translate(0px, 0px) scale(1)'])
    made.resize(500, 500)
    expect(at(made)).toEqual([400, 210, 1])
  })

  test('does not leave the screen', () => {
    const made = camera()
    made.pan(1000, 1000)
    expect(at(made)).toEqual([0, 0, 0.5])
    made.pan(-1000, -1000)
    expect(at(made)).toEqual([1000, 500, 0.5])
  })

  test('is neither too near nor too far', () => {
    const made = camera()
    made.zoom(100)
    expect(made.k).toBe(3)
    made.zoom(0.001)
    expect(made.k).toBeCloseTo(0.35)
  })

  test('is zoomed around a place', () => {
    const made = camera()
    expect(made.place({ x: 700, y: 250 })).toEqual({ x: 350, y: 250 })
    made.zoom(2, 350, 300)
    expect(at(made)).toEqual([600, 300, 1])
    expect(made.place({ x: 700, y: 350 })).toEqual({ x: 350, y: 300 })
  })

  test('shows what is wanted', () => {
    const made = camera()
    made.show(900, 300)
    expect(made.moved).toBe(false)
    made.show(990, 250)
    expect(at(made)).toEqual([780, 250, 0.5])
    made.show(100, 250)
    expect(at(made)).toEqual([310, 250, 0.5])
    made.zoom(4)
    made.show(310, 480)
    expect(at(made)).toEqual([310, 427.5, 2])
  })
})

describe('a hand', () => {
  function held(made: Camera) {
    const node = Object.assign(new EventTarget(), {
      style: { cursor: '' },
      getBoundingClientRect: () => ({ left: 10, top: 20 }),
      captured: 0,
      hasPointerCapture: () => false,
      setPointerCapture: (id: number) => (node.captured = id),
    })
    const leave = steer(made)(node as unknown as HTMLElement)
    const does = (kind: string, x: number, y: number, more: object = {}) => {
      const given = { clientX: x + 10, clientY: y + 20, pointerId: 1, button: 0, stopPropagation: vi.fn(), ...more }
      const event = Object.assign(new Event(kind, { cancelable: true }), given)
      node.dispatchEvent(event)
      return event
    }
    return { node, does, leave }
  }

  test('drags the map once it has gone far enough, which is then no click', () => {
    const made = camera()
    const { node, does } = held(made)
    does('pointermove', 50, 50)
    does('pointerdown', 100, 100)
    does('pointermove', 103, 104)
    expect([made.moved, node.captured]).toEqual([false, 0])
    does('pointermove', 110, 104)
    expect([...at(made), node.captured, node.style.cursor]).toEqual([486, 250, 0.5, 1, 'grabbing'])
    does('pointerup', 110, 104)
    expect(node.style.cursor).toBe('')
    expect(does('click', 110, 104).stopPropagation).toHaveBeenCalled()
    expect(does('click', 110, 104).stopPropagation).not.toHaveBeenCalled()
    does('pointermove', 200, 200)
    expect(at(made)).toEqual([486, 250, 0.5])
  })

  test('presses without moving', () => {
    const made = camera()
    const { does } = held(made)
    does('pointerdown', 100, 100, { button: 2 })
    does('pointermove', 200, 100)
    does('pointerdown', 100, 100)
    does('pointerup', 100, 100)
    expect(does('click', 100, 100).stopPropagation).not.toHaveBeenCalled()
    expect(made.moved).toBe(false)
  })

  test('zooms with two fingers', () => {
    const made = camera()
    const { does } = held(made)
    does('pointerdown', 100, 100)
    does('pointerdown', 200, 100, { pointerId: 2 })
    does('pointermove', 300, 100, { pointerId: 2 })
    expect(at(made)).toEqual([350, 100, 1])
    does('pointercancel', 300, 100, { pointerId: 2 })
    does('pointermove', 150, 100)
    expect(at(made)).toEqual([300, 100, 1])
  })

  test('turns a wheel', () => {
    const made = camera()
    const { does, leave } = held(made)
    expect(does('wheel', 250, 250, { deltaY: -100, deltaMode: 0 }).defaultPrevented).toBe(true)
    expect(at(made)).toEqual([500, 250, 0.587]) // e to the 0.16, times a half
    does('wheel', 250, 250, { deltaY: 2, deltaMode: 1 })
    expect(at(made)).toEqual([500, 250, 0.531])
    does('wheel', 350, 250, { deltaY: -100, deltaMode: 0 })
    expect(made.x).toBeGreaterThan(500)
    leave()
    const { k } = made
    does('wheel', 250, 250, { deltaY: -100, deltaMode: 0 })
    expect(made.k).toBe(k)
  })
})
