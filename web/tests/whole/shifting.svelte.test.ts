/** Rows that move from their old places to the new ones. */
import { flushSync, tick } from 'svelte'
import { afterEach, expect, it, vi } from 'vitest'
import { shiftWith } from '../../src/lib/players/shifting.svelte'
import { use } from './device'

let end = () => {}
afterEach(() => {
  end()
  use({})
  vi.restoreAllMocks()
})

let order = $state.raw<number[]>([])

/** Three rows, 40 pixels high, of which the first has a number; what moves when they are arranged anew. */
function list() {
  let shown: number[] = []
  order = [0, 1, 2]
  const rows = order.map((seat) => {
    const row = document.createElement('li')
    if (seat === 0) row.innerHTML = '<b class="place">1</b>'
    return Object.defineProperties(row, {
      offsetLeft: { get: () => (shown.indexOf(seat) === 2 ? 50 : 0) },
      offsetTop: { get: () => 40 * shown.indexOf(seat) },
    })
  })
  const list = document.createElement('ol')
  list.append(...rows)
  const moved: string[] = []
  vi.spyOn(Element.prototype, 'animate').mockImplementation(function (this: Element, frames) {
    const [{ transform, opacity }] = frames as [Keyframe]
    moved.push(transform ? `${rows.indexOf(this as HTMLLIElement)} ${transform}` : `${this.localName} ${opacity}`)
    return {} as Animation
  })
  end = $effect.root(() => {
    shiftWith(
      () => order,
      () => list,
    )
    $effect(() => {
      shown = order
    })
  })
  flushSync()
  return async (...now: number[]) => {
    moved.length = 0
    order = now
    flushSync()
    await tick()
    return [...moved]
  }
}

it('begin where they were, and are numbered when they have arrived', async () => {
  use({ moves: true })
  const arrange = list()
  expect(await arrange(0, 1, 2)).toEqual([])
  expect(await arrange(1, 0, 2)).toEqual(['0 translate(0px, -40px)', 'b 0', '1 translate(0px, 40px)'])
  expect(await arrange(1, 2, 0)).toEqual(['0 translate(-50px, -40px)', 'b 0', '2 translate(50px, 40px)'])
})

it('are there at once for those who want nothing to move', async () => {
  const arrange = list()
  expect(await arrange(2, 1, 0)).toEqual([])
})
