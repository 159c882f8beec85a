/**
 * Draws the picture of each board that chats show beside a link to a table, and a plain one for all other tables:
 * `node scripts/previews.ts`, after the page is built.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import type { Stamp } from '../src/lib/map/chart'

const HERE = import.meta.dirname
const OUT = `${HERE}/../../src/highvoltage/web_dist/previews`
const [WIDE, HIGH, MARGIN] = [1200, 630, 40]
const SIZE = 800 // pixels, as wide as chats show it
const BOLT = '<path d="M36 6 14 37h15l-4 21 25-33H34z" fill="#ffd24a"/>'

const frame = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDE} ${HIGH}">` +
  `<rect width="${WIDE}" height="${HIGH}" fill="#0d1520"/>${content}</svg>`

function board({ canvas: [wide, high], land, wires, dots }: Stamp): string {
  const size = Math.min((WIDE - 2 * MARGIN) / wide, (HIGH - 2 * MARGIN) / high)
  const place = `translate(${(WIDE - wide * size) / 2} ${(HIGH - high * size) / 2}) scale(${size})`
  const ground = land
    ? `<path d="${land}" fill="#22344a" stroke="#3b5470" stroke-width="5"/>`
    : `<path d="${wires}" fill="none" stroke="#22344a" stroke-width="180" stroke-linecap="round"/>`
  const cities = dots.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="13" fill="#ffd24a"/>`).join('')
  return frame(
    `<g transform="${place}">${ground}` +
      `<path d="${wires}" fill="none" stroke="#6d8aa8" stroke-width="6"/>${cities}</g>` +
      `<g transform="translate(36 36)">${BOLT}</g>`,
  )
}

await initWasm(readFileSync(`${HERE}/../node_modules/@resvg/resvg-wasm/index_bg.wasm`))
const stamps = JSON.parse(readFileSync(`${HERE}/../src/maps/stamps/all.json`, 'utf-8')) as Record<string, Stamp>
const pictures = Object.entries(stamps).map(([name, stamp]): [string, string] => [name, board(stamp)])
pictures.push(['plain', frame(`<g transform="translate(344 59) scale(8)">${BOLT}</g>`)])
mkdirSync(OUT, { recursive: true })
for (const [name, drawing] of pictures) {
  const image = new Resvg(drawing, { fitTo: { mode: 'width', value: SIZE } }).render()
  writeFileSync(`${OUT}/${name}.png`, image.asPng())
  image.free()
}
