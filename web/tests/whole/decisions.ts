import { tell } from './page'
import { record, resume } from './tape'

/** Tables in each kind of decision: each after so many moves of a record of the corpus. */
export const tellTables = (file: string, positions: [name: string, played: string, moves: number][]) =>
  tell(
    file,
    positions.map(([name, played, moves]) => [
      name,
      async (page) => {
        await page.open(`/table/${await resume(record(played), moves)}`)
        await page.pressAll('.bar')
        await page.pressAll('main')
        for (const key of ['1', 'Enter', 'u', 'p', 'd']) await page.key(key)
      },
    ]),
  )
