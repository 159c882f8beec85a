import { describe, expect, it } from 'vitest'
import { readLegal } from '../src/lib/games/board/choices'
import { readInline, readMarkdown } from '../src/lib/rules/markdown'

describe('legal moves', () => {
  it('are sorted by what they decide', () => {
    const found = readLegal([
      { move: 'pass' },
      { move: 'nominate 4b @13', to: 50 },
      { move: 'buy coal 1', cost: 3 },
      { move: 'buy coal 2', cost: 7 },
      { move: 'build essen', cost: 24 },
      { move: 'run 5:coal,oil 13' },
      { move: 'run nothing' },
      { move: 'scrap 5 returning coal 2 oil 1' },
      { move: 'place essen' },
      { move: 'region north' },
    ])
    expect(found.pass).toBe(true)
    expect(found.nominate).toEqual([{ card: '4b', low: 13, high: 50 }])
    expect(found.buy).toEqual({ coal: [3, 7] })
    expect(found.build).toEqual({ essen: 24 })
    expect(found.run.map(({ plants }) => plants)).toEqual([
      [
        { card: '5', mix: ['coal', 'oil'] },
        { card: '13', mix: [] },
      ],
      [],
    ])
    expect(found.scrap[0]!.returned).toEqual({ coal: 2, oil: 1 })
    expect(found.city).toEqual({ verb: 'place', cities: ['essen'] })
    expect(found.region).toEqual(['north'])
  })
})

describe('the rules', () => {
  it('have sections for boards, which are named by letters', () => {
    const ids = (heading: string) => readMarkdown(heading).flatMap((block) => block.ids)
    expect(ids('## A-ZAF South Africa')).toEqual(['A-ZAF'])
    expect(ids('## C-4 Auction')).toEqual(['C-4'])
    expect(ids('## A Card data')).toEqual([])
  })

  it('are read block by block, with the ids that begin there', () => {
    const blocks = readMarkdown(
      [
        '# Title',
        '',
        '## C-4 Auction',
        '',
        '**C-4.1** One',
        'line.',
        '',
        '- a',
        '- b',
        '',
        '| x | y |',
        '|---|---|',
        '| 1 | 2 |',
      ].join('\n'),
    )
    expect(blocks.map(({ kind, ids }) => [kind, ids.join()])).toEqual([
      ['heading', ''],
      ['heading', 'C-4'],
      ['paragraph', 'C-4.1'],
      ['item', ''],
      ['item', ''],
      ['table', ''],
    ])
    expect(blocks[2]!.text).toBe('**C-4.1** One line.')
    expect(blocks[5]!.rows).toEqual([
      ['x', 'y'],
      ['1', '2'],
    ])
  })

  it('turn ids into links and marks into formatting', () => {
    expect(readInline('see **C-1** and C-4.2.3, `n`')).toEqual([
      { kind: 'text', text: 'see ' },
      { kind: 'bold', text: 'C-1' },
      { kind: 'text', text: ' and ' },
      { kind: 'rule', text: 'C-4.2.3', id: 'C-4.2.3' },
      { kind: 'text', text: ', ' },
      { kind: 'code', text: 'n' },
    ])
  })
})
