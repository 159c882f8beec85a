import { expect, test } from 'vitest'
import { drawingOf } from '../src/lib/market/drawings'

const plant = (number: number, fuels: string[], need: number, powers: number) => ({ number, fuels, need, powers })
const count = (path: string | undefined) => path?.split('M').length ?? 0

test('each plant has a picture of its own, and always the same', () => {
  const coal = [4, 8, 10, 15, 20, 25].map((number) => drawingOf(plant(number, ['coal'], 2, 3)))
  expect(new Set(coal.map((each) => JSON.stringify(each))).size).toBe(coal.length)
  expect(drawingOf(plant(4, ['coal'], 2, 3))).toEqual(coal[0])
})

test('what it burns and powers is visible', () => {
  const [small, large] = [drawingOf(plant(20, ['coal'], 1, 2)), drawingOf(plant(20, ['coal'], 3, 5))]
  expect(count(large.smoke)).toBe(count(small.smoke) + 2)
  expect(drawingOf(plant(20, ['oil'], 3, 5)).solid).not.toBe(large.solid)
  expect(drawingOf(plant(20, ['coal', 'oil'], 3, 5)).solid).not.toBe(large.solid)
})

test('no part leaves the card', () => {
  for (const fuels of [['coal'], ['oil'], ['gas'], ['garbage'], ['uranium'], ['coal', 'oil'], []])
    for (let number = 3; number <= 50; number++)
      for (const powers of [1, 4, 7]) {
        const starts = drawingOf(plant(number, fuels, 3, powers)).solid.matchAll(/M(-?[\d.]+) /g)
        for (const [, x] of starts) expect(Math.abs(Number(x) - 40)).toBeLessThanOrEqual(42)
      }
})
