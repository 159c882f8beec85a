/** Maps are drawn, judged and played. */

import { writeMapFragment } from '../../src/lib/maker/open'
import { api } from '../../src/lib/net/api'
import { type Page, tell } from './page'

const CITY = 'g[role=button], [data-city]'

/** Four cities, drawn by hand. */
async function draw(page: Page) {
  await page.open('/maker')
  const ground = '[data-testid=canvas] .paper'
  for (const [x, y] of [
    [100, 100],
    [500, 120],
    [300, 500],
    [800, 600],
  ] as const)
    await page.point('click', ground, x, y)
  await page.key('2', 'body')
  const pull = async (from: [number, number], to: [number, number]) => {
    await page.point('pointerdown', `[data-city="${cityAt(from)}"]`, ...from, { button: 0 })
    await page.point('pointermove', ground, ...to)
    await page.point('pointerup', ground, ...to)
  }
  await pull([100, 100], [500, 120])
  await pull([500, 120], [300, 500])
  await pull([300, 500], [800, 600])
  await pull([300, 500], [305, 505])
}

/** The city that was placed there, by the order in which they were. */
function cityAt([x]: [number, number]) {
  const nth = [100, 500, 300, 800].indexOf(x)
  const ids = [...new Set([...document.querySelectorAll<SVGElement>('[data-city]')].map(({ dataset }) => dataset.city))]
  return ids[nth]
}

async function panel(page: Page, name: string) {
  await page.pressNamed(name, 'aside')
  await page.pressAll('aside', '[role=tab], [role=tablist] *')
}

tell('maker', [
  [
    'a map is drawn',
    async (page) => {
      await draw(page)
      await page.wait(1)
      await page.press(CITY)
      await page.pressAll('aside')
      for (const key of ['n', '3', '1', 'Escape']) await page.key(key, 'body')
      await page.key('Enter', '[data-city]')
      await page.key('ArrowRight', '[data-city]', { altKey: true })
      await page.key('ArrowUp', '[data-city]', { altKey: true })
      await page.key('Delete', 'body')
      await page.key('z', 'body', { ctrlKey: true })
      await page.key('y', 'body') // it is no command by itself
      await page.key('Z', 'body', { ctrlKey: true, shiftKey: true })
      await page.key('y', 'body', { ctrlKey: true })
      await page.press('[data-wire]')
      await page.pressAll('aside')
      await page.pressAll('.bar')
    },
  ],
  ...['Map', 'Rules', 'Verdict', 'File', 'Play'].map((name): Parameters<typeof tell>[1][number] => [
    `map maker with ${name}`,
    async (page) => {
      const map = await api.map(name === 'Rules' ? 'china' : 'germany')
      await page.open(`/maker${await writeMapFragment(map)}`, '[data-city]')
      await page.wait(1)
      await panel(page, name)
      if (name === 'File') {
        await page.pressNamed('Link that holds', 'aside', 'aside input[readonly]')
        await page.key('n', 'body') // the link does not hold the new city
      }
      if (name !== 'Verdict') return
      await page.pressNamed('Judge this map')
      await page.pressNamed('Stop')
      await page.pressAll('.figures')
    },
  ]),
  [
    'a broken link to a map',
    async (page) => {
      await page.open('/maker#map=broken', '[role=alert]')
    },
  ],
  [
    'a map is published',
    async (page) => {
      await page.open(`/maker${await writeMapFragment(await api.map('usa'))}`, '[data-city]')
      await page.wait(1)
      await panel(page, 'File')
      await page.pressNamed('Publish')
      await page.pressAll('dialog', '')
      await page.open('/library')
      await page.pressAll('main', '')
    },
  ],
])
