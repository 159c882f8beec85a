import { expect } from 'vitest'
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
        await page.pressAll('.bar')
        await page.pressAll('main')
        await page.press('.suggestion, .fuel .more, .fuelcard.offered')
        await page.press('[data-primary]')
        for (const key of ['1', 'Enter', 'u', 'p', 'd']) await page.key(key)
        checkPlayers(page)
      },
    ]),
  )

/** Names and money are those of the last state, in the order of turns. */
function checkPlayers({ tape }: Page) {
  const { names, order, players } = tape.view!
  const rows = [...document.querySelectorAll('.players .player')].map((row) => [
    row.querySelector('.name')?.textContent,
    Number(row.querySelector('.money')?.textContent.match(/\d+/)?.[0]),
  ])
  if (rows.length) expect(rows).toEqual(order.map((seat) => [names[seat], players[seat]!.money]))
}
