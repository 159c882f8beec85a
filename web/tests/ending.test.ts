import { expect, it } from 'vitest'
import type { SeatInfo, TableInfo } from '../src/lib/net/protocol'
import { iWouldEnd, namesOf, others } from '../src/lib/table/ending'

const seat = (name: string, kind: 'person' | 'bot', mine: boolean, would_end: boolean) =>
  ({ name, kind, mine, would_end }) as SeatInfo
const table = (mine: boolean) =>
  ({
    seats: [
      seat('Ann', 'person', true, mine),
      seat('Bob', 'person', false, true),
      seat('Cyd', 'person', false, false),
      seat('Bot', 'bot', false, false),
    ],
  }) as TableInfo

it('asks the other people at a table whether to end it, not bots', () => {
  const { asked, awaited } = others(table(true))
  expect([namesOf(asked), namesOf(awaited)]).toEqual(['Bob', 'Cyd'])
  expect([iWouldEnd(table(true)), iWouldEnd(table(false))]).toEqual([true, false])
})
