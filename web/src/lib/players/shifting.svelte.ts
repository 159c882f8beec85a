import { tick } from 'svelte'
import { prefersReducedMotion } from 'svelte/motion'

const SHIFT: KeyframeAnimationOptions = { duration: 600, easing: 'ease-in-out' }

/**
 * When this order changes, the children of a list move from their old places to the new ones, and are
 * numbered again when they have arrived. Places are measured only then, because that takes time. Call
 * it while a component is set up.
 */
export function shiftWith(order: () => number[], list: () => HTMLElement | undefined) {
  let known = ''
  $effect.pre(() => {
    const now = order().join(' ')
    const isNew = known !== '' && known !== now
    known = now
    const rows = [...(list()?.children ?? [])] as HTMLElement[]
    if (!isNew || prefersReducedMotion.current) return
    const places = rows.map(({ offsetLeft, offsetTop }) => [offsetLeft, offsetTop] as const)
    void tick().then(() => {
      for (const [i, row] of rows.entries()) {
        const [x, y] = [places[i]![0] - row.offsetLeft, places[i]![1] - row.offsetTop]
        if (!x && !y) continue
        row.animate([{ transform: `translate(${x}px, ${y}px)` }, {}], SHIFT)
        row.querySelector('.place')?.animate([{ opacity: 0 }, { opacity: 0, offset: 0.8 }, {}], SHIFT)
      }
    })
  })
}
