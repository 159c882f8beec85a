import { expect, test } from 'vitest'
import { colour } from '../src/lib/ui/shapes'

test('every seat has a colour, and what belongs to nobody has none', () => {
  const seats = [0, 1, 5, 6, -1, null, undefined]
  expect(seats.map((seat) => /player-(\w+)/.exec(colour(seat))![1])).toEqual([
    '0',
    '1',
    '5',
    '0',
    ...Array(3).fill('none'),
  ])
})
