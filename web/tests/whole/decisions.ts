import { expect } from 'vitest'
import type { BoardView } from '../../src/lib/net/protocol'
import { type Page, tell } from './page'
import { record, resume } from './tape'

/** Tables in each kind of decision: each after so many moves of a record of the corpus. */
export const tellTables = (file: string, positions: [name: string, played: string, moves: number][]) =>
  tell(
    file,
    positions.map(([name, played, moves]) => [
      name,
      async (page) => {
        await page.open(`/table/${await resume(record(played), moves)}`)
        checkPlayers(page)
        checkBoard(page)
        await pointAtCities(page)
        await page.pressAll('.bar')
        await page.pressAll('main')
        await page.press('.suggestion, .fuel .more, .fuelcard.offered')
        await page.press('[data-primary]')
        for (const key of ['1', 'Enter', 'u', 'p', 'd']) await page.key(key)
        checkPlayers(page)
      },
    ]),
  )

/** A mouse comes to the first city and to the first that is offered, and goes. */
async function pointAtCities(page: Page) {
  for (const city of ['.city', '.city.offered'])
    if (document.querySelector(city)) await page.point('pointerenter', city, 0, 0)
  if (document.querySelector('.city.pointed'))
    await page.point('pointerleave', '.city.pointed', 0, 0, { pointerType: 'mouse' })
}

/** Names and money are those of the last state, in the order of turns. */
function checkPlayers({ tape }: Page) {
  const { names, order, players } = tape.view!
  const rows = [...document.querySelectorAll('.players .player')].map((row) => [
    row.querySelector('.name')?.textContent,
    Number(row.querySelector('.money')?.textContent.match(/\d+/)?.[0]),
  ])
  if (rows.length) expect(rows).toEqual(order.map((seat) => [names[seat], players[seat]!.money]))
}

/** Cards are those of the last state, and so are the houses and the cost of every city. */
function checkBoard({ tape }: Page) {
  if (tape.view?.family !== 'board') return
  const { market, names, houses, connect } = tape.view as unknown as BoardView
  const cards = [...document.querySelectorAll<HTMLElement>('.market [data-card]')].map(({ dataset }) => dataset.card)
  expect(cards).toEqual([...market.current, ...market.future].map(({ card }) => card))
  for (const city of document.querySelectorAll<SVGElement>('.city[data-city]')) {
    const [id, label] = [city.dataset.city!, city.getAttribute('aria-label')!]
    const owners = houses[id] ?? []
    if (owners.length) expect(label).toContain(owners.map((seat) => names[seat]).join(', '))
    const [, cost] = / (\d+)$/.exec(label) ?? []
    if (cost) expect([id, Number(cost)]).toEqual([id, connect[id]])
  }
}
