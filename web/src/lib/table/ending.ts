import type { SeatInfo, TableInfo } from '../net/protocol'

/** The people at a table apart from you: those who would end the game without a winner, and the rest. */
export function others(info: TableInfo): { asked: SeatInfo[]; awaited: SeatInfo[] } {
  const people = info.seats.filter(({ kind, mine }) => kind === 'person' && !mine)
  return {
    asked: people.filter(({ would_end }) => would_end),
    awaited: people.filter(({ would_end }) => !would_end),
  }
}

/** Whether you would end it. */
export const iWouldEnd = (info: TableInfo) => info.seats.some(({ mine, would_end }) => mine && would_end)

export const namesOf = (seats: SeatInfo[]) => seats.map(({ name }) => name).join(', ')
