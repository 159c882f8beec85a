/**
 * Mouse and touch on the drawing of a map: cities are held, dragged and pressed. What begins beside
 * a city stays with the frame of the map, which moves it.
 */

/** Pixels within which a finger means a city. */
export const NEAR = 24
const STILL = 6 // pixels: a shorter way is a press

export interface Gestures {
  /** The city that a finger at this place means. */
  find: (x: number, y: number) => string | undefined
  hold: (city: string, x: number, y: number) => void
  drag: (city: string, x: number, y: number) => void
  drop: (city: string, x: number, y: number) => void
  press: (city: string) => void
  pressWire: (wire: string) => void
  pressGround: (x: number, y: number) => void
  cancel: () => void
}

export function reading(gestures: Gestures) {
  const listen = (node: SVGGElement) => {
    let held: { city: string; pointer: number; x: number; y: number; moved: boolean } | null = null
    let wasHeld = false // the click after it means nothing else

    const spot = ({ clientX, clientY }: MouseEvent) => {
      const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(node.getScreenCTM()!.inverse())
      return [x, y] as const
    }
    const down = (event: PointerEvent) => {
      wasHeld = false
      const target = (event.target as SVGElement).dataset.city
      const city = target ?? (event.pointerType === 'touch' ? gestures.find(...spot(event)) : undefined)
      if (!city || event.button) return
      event.stopPropagation() // the frame would move the map
      if (held) return
      held = { city, pointer: event.pointerId, x: event.clientX, y: event.clientY, moved: false }
      gestures.hold(city, ...spot(event))
    }
    const move = (event: PointerEvent) => {
      if (held?.pointer !== event.pointerId) return
      held.moved ||= Math.hypot(event.clientX - held.x, event.clientY - held.y) > STILL
      if (held.moved) gestures.drag(held.city, ...spot(event))
    }
    const up = (event: PointerEvent) => {
      if (held?.pointer !== event.pointerId) return
      const { city, moved } = held
      held = null
      wasHeld = true
      if (moved) gestures.drop(city, ...spot(event))
      else gestures.press(city)
    }
    const lost = (event: PointerEvent) => {
      if (held?.pointer !== event.pointerId) return
      held = null
      gestures.cancel()
    }
    const click = (event: MouseEvent) => {
      const { city, wire } = (event.target as SVGElement).dataset
      if (city || wasHeld) return
      if (wire) gestures.pressWire(wire)
      else gestures.pressGround(...spot(event))
    }
    node.addEventListener('pointerdown', down)
    node.addEventListener('click', click)
    addEventListener('pointermove', move)
    addEventListener('pointerup', up)
    addEventListener('pointercancel', lost)
    return () => {
      node.removeEventListener('pointerdown', down)
      node.removeEventListener('click', click)
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', up)
      removeEventListener('pointercancel', lost)
    }
  }
  return { listen, press: gestures.press }
}
