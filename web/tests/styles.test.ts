import { expect, it } from 'vitest'

const sources = import.meta.glob<string>('../src/**/*.svelte', { query: '?raw', import: 'default', eager: true })

it('takes every font size from those defined in app.css, except on paper', () => {
  const raw = Object.entries(sources).filter(([, text]) => /font-size:[^;]*\d(px|rem)/.test(text))
  expect(Object.keys(sources).length).toBeGreaterThan(50)
  expect(raw.map(([file]) => file)).toEqual([])
})
