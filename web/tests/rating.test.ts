/** The course of a rating is drawn where its numbers say. */
import { render } from 'svelte/server'
import { beforeAll, describe, expect, it } from 'vitest'
import RatingCurve from '../src/lib/history/RatingCurve.svelte'
import type { RatedGame } from '../src/lib/net/protocol'
import { speak } from '../src/texts/messages'

beforeAll(() => speak('en'))

const drawn = (...games: [rating: number, error: number][]) => {
  const list = games.map(([rating, error]) => ({ rating, error })) as RatedGame[]
  const { body } = render(RatingCurve, { props: { title: 'Classic', games: list } })
  return {
    body,
    points: [...body.matchAll(/points="([^"]*)"/g)].map(([, points]) => points),
    marks: [...body.matchAll(/>(-?\d+)<\/text>/g)].map(([, mark]) => Number(mark)),
  }
}

describe('a rating that rose from 20 ± 4 to 26 ± 2', () => {
  it('goes from the lowest to the highest that it may have been', () => {
    const { body, points } = drawn([20, 4], [26, 2])
    expect(points).toEqual(['120.5,46 301.5,8 301.5,46 120.5,122', '120.5,84 301.5,27'])
    expect(body).toMatch(/<circle cx="301.5" cy="27"/)
    expect(body).toContain('viewBox="0 0 400 130"')
    expect(body).toContain('aria-label="Classic: 20.0 ± 4.0; 26.0 ± 2.0"')
  })

  it('has a line at each fifth point', () => {
    const { body, marks } = drawn([20, 4], [26, 2])
    expect(marks).toEqual([20, 25])
    expect(body).toMatch(/<line x1="30" x2="392" y1="84" y2="84" .*?<text x="24" y="87.5"[^>]*>20</s)
  })
})

it.each([
  [
    [10, 2],
    [8, 9, 10, 11, 12],
  ],
  [
    [10, 2.5],
    [8, 10, 12],
  ],
  [
    [0, 80],
    [-50, 0, 50],
  ],
  [
    [0, 300],
    [-300, -200, -100, 0, 100, 200, 300],
  ],
] as [[number, number], number[]][])('of %j has lines at %j', (game, marks) => expect(drawn(game).marks).toEqual(marks))
