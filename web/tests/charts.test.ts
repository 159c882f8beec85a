/** The figures of the charts, and what to press for a move. */

import { beforeAll, describe, expect, test } from 'vitest'
import { mayBeCoached } from '../src/lib/actions/coach'
import type { Chart } from '../src/lib/family/family'
import { aims as boardAims } from '../src/lib/games/board/aims'
import { charts as boardCharts } from '../src/lib/games/board/charts'
import { charts as cardCharts } from '../src/lib/games/cardgame/charts'
import { charts as outpostCharts } from '../src/lib/games/outpost/charts'
import type { BoardView, CardGameView, OutpostView, Row, SeatInfo, TableInfo } from '../src/lib/net/protocol'
import { speak } from '../src/texts/messages'

beforeAll(() => speak('en'))

type Paid = [what: string, seat: number, amount: number]
const row = (round: number, move: string, ...events: Paid[]) =>
  ({ round, move, events: events.map(([what, seat, amount]) => ({ what, seat, amount })) }) as Row

const ROWS = [
  row(1, 'bid 9', ['sold', 0, 9]),
  row(1, 'pass', ['sold', 1, 4], ['turned_up', 1, 99]),
  row(1, 'buy coal 2', ['paid', 0, 3]),
  row(1, 'buy oil 1', ['paid', 1, 5]),
  row(1, 'start ulm', ['paid', 0, 10]),
  row(1, 'build bonn', ['paid', 0, 21]),
  row(1, 'rebuild', ['paid', 0, 1]),
  row(1, 'run 4', ['income', 0, 22], ['income', 1, 10]),
  row(2, 'bid 20', ['sold', 1, 20]),
  row(2, 'done', ['income', 1, 33]),
]
const told = (charts: Chart[]) => charts.map((each) => [each.title, 'lines' in each ? each.lines : each.bars])

test('charts of the planet', () => {
  const player = (seat: number, network: number, energy: number, money: number, humans: number, robots: number) => ({
    seat,
    network,
    energy,
    money,
    humans,
    robots,
  })
  const views = [
    { players: [player(0, 2, 5, 30, 1, 0), player(1, 1, 4, 60, 2, 1)] },
    { players: [player(0, 3, 9, 12, 1, 2), player(1, 1, 6, 41, 2, 3)] },
  ] as unknown as OutpostView[]
  const rows = [...ROWS, row(2, 'hire human', ['paid', 1, 6])]
  expect(told(outpostCharts(views, rows)).map(([, values]) => values)).toEqual([
    [
      [2, 3],
      [1, 1],
    ], // cities
    [
      [5, 9],
      [4, 6],
    ], // energy
    [
      [30, 12],
      [60, 41],
    ], // money
    [
      [1, 3],
      [3, 5],
    ], // workers of both kinds
    [
      [9, 21, 0],
      [24, 0, 6],
    ], // cards, what was built, wages
  ])
})

test('charts of a board game', () => {
  const player = (seat: number, money: number, cities: string[], ...powers: number[]) => ({
    seat,
    money,
    cities,
    plants: powers.map((each) => ({ powers: each })),
  })
  const views = [
    { players: [player(0, 38, ['ulm', 'bonn'], 1, 2), player(1, 51, [], 3)] },
    { players: [player(0, 40, ['ulm', 'bonn', 'kiel'], 2), player(1, 64, ['trier'])] },
  ] as unknown as BoardView[]
  const found = boardCharts(views, ROWS)
  expect(told(found)).toEqual([
    [
      'Cities',
      [
        [2, 3],
        [0, 1],
      ],
    ],
    [
      'Cities that the plants can power',
      [
        [3, 2],
        [3, 0],
      ],
    ],
    [
      'Money at the end of the round',
      [
        [38, 40],
        [51, 64],
      ],
    ],
    [
      'Income in the round',
      [
        [22, 0],
        [10, 33],
      ],
    ],
    [
      'Money spent',
      [
        [9, 3, 31],
        [24, 5, 0],
      ],
    ],
  ])
  expect(found.at(-1)).toMatchObject({ parts: ['plants', 'fuel', 'cities'] })
})

test('charts of the card game know no income of a round that is not paid', () => {
  const player = (seat: number, money: number, ...income: number[]) => ({
    seat,
    money,
    plants: income.map((each) => ({ income: each })),
  })
  const views = [
    { players: [player(0, 5, 4, 6), player(1, 7)] },
    { players: [player(0, 9, 8), player(1, 3, 2)] },
  ] as unknown as CardGameView[]
  const found = cardCharts(views, ROWS)
  expect(told(found)).toEqual([
    [
      'Income in the round',
      [
        [22, null],
        [10, null],
      ],
    ],
    [
      'What all plants could earn',
      [
        [10, 8],
        [0, 2],
      ],
    ],
    [
      'Money at the end of the round',
      [
        [5, 9],
        [7, 3],
      ],
    ],
    [
      'Money spent',
      [
        [9, 35],
        [24, 5],
      ],
    ],
  ])
})

describe('a move is made by pressing', () => {
  const PLAY = '.bar [data-primary]'
  const CARDS = ':is([data-card="13"],[data-card="13b"],[data-card="13c"],[data-card="13d"],[data-card="13e"])'
  const shelf = '.shelf[data-fuel="coal"]'
  test.each<[string, string[]]>([
    ['nominate 13 @13', [`body:has(.card.chosen${CARDS}) ${PLAY}`, `.card.offered${CARDS}`, '#tab-plants']],
    ['scrap 4', ['.bar [data-scrap="4"]']],
    ['pass', ['.bar [data-key="p"]']],
    ['done', ['.bar [data-key="d"]']],
    ['bid 9', [PLAY]],
    ['build ulm', [`body:has(.city[data-city="ulm"] .ghost) ${PLAY}`, '.city[data-city="ulm"]']],
    ['start ulm', [`body:has(.city[data-city="ulm"] .ghost) ${PLAY}`, '.city[data-city="ulm"]']],
    [
      'buy coal 2',
      [
        `${shelf}[data-basket="0"] .more:not(:disabled)`,
        `${shelf}[data-basket="1"] .more:not(:disabled)`,
        `body:has(${shelf}) ${PLAY}`,
        '#tab-fuel',
      ],
    ],
  ])('%s', (move, selectors) => expect(boardAims(move)).toEqual(selectors))
})

describe('a coach speaks', () => {
  const table = (of: Partial<TableInfo>, you: number | null = 0, ...kinds: string[]) => ({
    you,
    info: {
      status: 'running',
      rated: false,
      cup: null,
      seats: kinds.map((kind) => ({ kind }) as SeatInfo),
      ...of,
    } as TableInfo,
  })
  test.each<[string, Parameters<typeof mayBeCoached>[0], boolean]>([
    ['where I play alone against bots', table({}, 0, 'person', 'bot'), true],
    ['not to somebody who watches', table({}, null, 'person', 'bot'), false],
    ['not where others play', table({}, 0, 'person', 'person'), false],
    ['not before or after the game', table({ status: 'finished' }, 0, 'person', 'bot'), false],
    ['not in a rated game', table({ rated: true }, 0, 'person', 'bot'), false],
    ['not in a cup', table({ cup: 'one' }, 0, 'person', 'bot'), false],
    ['not before the table is known', { you: 0, info: null }, false],
  ])('%s', (_, at, speaks) => expect(mayBeCoached(at)).toBe(speaks))
})
