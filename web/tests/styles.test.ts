import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Chart, PALETTE, regionTints } from '../src/lib/map/chart'

const sources = import.meta.glob<string>('../src/**/*.svelte', { query: '?raw', import: 'default', eager: true })

it('takes every font size from those defined in app.css, except on paper', () => {
  const raw = Object.entries(sources).filter(([, text]) => /font-size:[^;]*\d(px|rem)/.test(text))
  expect(Object.keys(sources).length).toBeGreaterThan(50)
  expect(raw.map(([file]) => file)).toEqual([])
})

/** How eyes without one kind of cones see linear red, green and blue (Machado and others, 2009). */
const EYES = {
  'all cones': [1, 0, 0, 0, 1, 0, 0, 0, 1],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
}
const CLEAR = 18 // of CIE 1976; 2 can just be told apart side by side

/** A colour in CIELAB, as such eyes see it. */
function seen(colour: string, eyes: number[]): number[] {
  const linear = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const times = (matrix: number[], of: number[]) =>
    [0, 3, 6].map((row) => of.reduce((sum, part, i) => sum + part * matrix[row + i]!, 0))
  const kept = times(eyes, linear).map((part) => Math.min(1, Math.max(0, part)))
  const xyz = times([0.4339, 0.3762, 0.1899, 0.2126, 0.7152, 0.0722, 0.0177, 0.1095, 0.8729], kept)
  const [x, y, z] = xyz.map((part) => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116)) as [
    number,
    number,
    number,
  ]
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

it.each(Object.entries(EYES))('has colours of regions that differ clearly with %s', (_, eyes) => {
  const css = readFileSync(`${import.meta.dirname}/../src/app.css`, 'utf-8')
  const colours = [...css.matchAll(/--region-\d: (#\w{6})/g)].map(([, colour]) => seen(colour!, eyes))
  expect(colours).toHaveLength(2 * PALETTE.length)
  for (const theme of [colours.slice(0, PALETTE.length), colours.slice(PALETTE.length)])
    for (const [i, one] of theme.entries())
      for (const two of theme.slice(0, i))
        expect(Math.hypot(...one.map((part, k) => part - two[k]!))).toBeGreaterThan(CLEAR)
})

it('has a colour of its own for each region of every board, by day and by night', () => {
  const css = readFileSync(`${import.meta.dirname}/../src/app.css`, 'utf-8')
  const maps = import.meta.glob<Chart>('../src/maps/*.json', { import: 'default', eager: true })
  for (const map of Object.values(maps)) {
    const tints = [...regionTints(Object.keys(map.regions)).values()]
    expect(new Set(tints).size, map.name).toBe(tints.length)
    for (const tint of tints) expect(css.split(`${tint.slice(4, -1)}: #`), `${map.name}, ${tint}`).toHaveLength(3)
  }
})

it('draws a region that is named like a colour in that colour, and the others in those that are left', () => {
  const tints = regionTints(['coast', 'red', 'green', 'hills'])
  expect([...tints.values()]).toEqual([1, 4, 0, 2].map((tint) => `var(--region-${tint})`))
})
