import { beforeAll, describe, expect, it } from 'vitest'
import type { GameView } from '../src/lib/net/protocol'
import { isAdded, withDefaults } from '../src/lib/net/view'
import { charactersOf, isCharacter, lookOf } from '../src/lib/ui/characters'
import { speak } from '../src/texts/messages'

beforeAll(() => speak('en'))

describe('a view of an unknown family', () => {
  const bare = { names: ['Ann', 'Bob'] } as unknown as GameView

  it('gets an auction and players that nobody has sent', () => {
    const { auction, players } = withDefaults(bare)
    const nothing = { eligible: [0, 1], card: null, bid: 0, leader: null, bidders: [], scrapping: null, sold: 0 }
    expect(auction).toEqual(nothing)
    expect(players).toEqual([{ seat: 0 }, { seat: 1 }])
    expect([auction, players].map(isAdded)).toEqual([true, true])
  })

  it('keeps what was sent', () => {
    const sent = { auction: { card: '4' }, players: [{ seat: 0, money: 5 }] }
    const { auction, players } = withDefaults({ ...bare, ...sent } as unknown as GameView)
    expect([auction, players]).toEqual([sent.auction, sent.players])
    expect([auction, players, null, undefined, 'auction'].map(isAdded)).toEqual([false, false, false, false, false])
  })
})

describe('the characters of bots', () => {
  it('differ in what one knows them by, and none looks like a plain bot', () => {
    const all = [...['clerk', 'engineer', 'tycoon'].flatMap(charactersOf), 'tycoon']
    expect(all).toHaveLength(15)
    expect(all.every(isCharacter)).toBe(true)
    const looks = all.map(lookOf)
    for (const { tint } of looks) expect(tint).toMatch(/^#[0-9a-f]{6}$/)
    for (const { mark } of looks) expect(mark).toMatch(/^M[\d.]+ /)
    expect(new Set(looks.map(({ tint }) => tint)).size).toBe(all.length)
    expect(new Set(looks.map(({ mark }) => mark)).size).toBe(all.length)
    expect([isCharacter('clerk'), lookOf('clerk').mark]).toEqual([false, ''])
  })
})
