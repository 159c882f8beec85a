import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Chart, regionTints } from '../src/lib/map/chart'

const sources = import.meta.glob<string>('../src/**/*.svelte', { query: '?raw', import: 'default', eager: true })

it('takes every font size from those defined in app.css, except on paper', () => {
  const raw = Object.entries(sources).filter(([, text]) => /font-size:[^;]*\d(px|rem)/.test(text))
  expect(Object.keys(sources).length).toBeGreaterThan(50)
  expect(raw.map(([file]) => file)).toEqual([])
})

it('has a colour of its own for each region of every board, by day and by night', () => {
  const css = readFileSync(`${import.meta.dirname}/../src/app.css`, 'utf-8')
  const maps = import.meta.glob<Chart>('../src/maps/*.json', { import: 'default', eager: true })
  for (const map of Object.values(maps)) {
    const tints = [...regionTints(map).values()]
    expect(new Set(tints).size, map.name).toBe(tints.length)
    for (const tint of tints) expect(css.split(`${tint.slice(4, -1)}: #`), `${map.name}, ${tint}`).toHaveLength(3)
  }
})
