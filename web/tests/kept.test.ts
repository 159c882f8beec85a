/** What the browser keeps for the page: lessons, puzzles, beaten bots; and times and points in words. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { moment, pointsText, spanText } from '../src/lib/cups/words'
import { progress, storeDay, storeMark, streak } from '../src/lib/puzzles/progress'
import { begin, begunAt, finish, finishedLessons, progressAt, storeProgress } from '../src/lib/tutorial/progress'
import { beaten, rememberBeaten } from '../src/lib/ui/beaten'
import { readStored, store } from '../src/lib/ui/stored'

let kept: Record<string, string> = {}
const keep = {
  getItem: (key: string) => kept[key] ?? null,
  setItem: (key: string, value: string) => {
    kept[key] = value
  },
  removeItem: (key: string) => {
    delete kept[key]
  },
}
const refuse = () => {
  throw new Error('refused')
}
beforeEach(() => {
  kept = {}
  vi.stubGlobal('localStorage', keep)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('is read as it was kept, and is nothing where it cannot be', () => {
  store('a', { b: [1] })
  expect([readStored('a'), readStored('c'), kept.a]).toEqual([{ b: [1] }, null, '{"b":[1]}'])
  kept.a = '{broken'
  expect(readStored('a')).toBeNull()
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse })
  store('a', 1)
  expect(readStored('a')).toBeNull()
})

describe('a browser that keeps nothing', () => {
  const begins = async () => {
    vi.resetModules()
    await vi.importActual('../src/lib/ui/local_storage')
    return localStorage
  }

  it('keeps it while the page is open', async () => {
    vi.stubGlobal('localStorage', { setItem: refuse })
    const now = await begins()
    expect([now.length, now.getItem('a'), now.key(0)]).toEqual([0, null, null])
    now.setItem('a', '1')
    now.setItem('b', '2')
    expect([now.length, now.getItem('a'), now.key(1)]).toEqual([2, '1', 'b'])
    now.removeItem('a')
    expect([now.length, now.getItem('a')]).toEqual([1, null])
    now.clear()
    expect(now.length).toBe(0)
  })

  it('is another one than that which keeps things', async () => {
    expect(await begins()).toBe(keep)
    expect(kept).toEqual({})
  })
})

it('has the lessons that were begun, how far they have come, and those that are finished', () => {
  expect([begunAt('classic'), progressAt('t'), finishedLessons()]).toEqual([undefined, null, []])
  begin('classic', 't')
  begin('outpost', 'u')
  expect([begunAt('classic'), begunAt('outpost')]).toEqual(['t', 'u'])
  expect(progressAt('t')).toEqual({ lesson: 'classic', read: [] })
  storeProgress('t', { lesson: 'classic', read: ['one'], folded: true })
  expect([progressAt('t')?.read, progressAt('u')?.read]).toEqual([['one'], []])
  finish('classic')
  finish('outpost')
  finish('classic')
  expect([begunAt('classic'), finishedLessons()]).toEqual(['', ['classic', 'outpost']])
})

it('has the first mark of each puzzle, and the days on which that of the day was found', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 18, 23) })
  expect([progress(), streak()]).toEqual([{}, 0])
  expect([storeMark('a', 'solved'), storeMark('a', 'shown'), storeMark('b', 'shown')]).toEqual([
    ...['solved', 'solved', 'shown'],
  ])
  expect(progress()).toEqual({ a: 'solved', b: 'shown' })
  storeDay()
  storeDay()
  expect(streak()).toBe(1)
  vi.setSystemTime(Date.UTC(2026, 10, 19, 1))
  storeDay()
  expect([streak(), JSON.parse(kept['hv-puzzle-days']!).length]).toEqual([2, 2])
})

it('has each bot that was beaten once, by game', () => {
  expect(beaten('classic')).toEqual([])
  rememberBeaten('classic', ['clerk', 'random', 'clerk'])
  rememberBeaten('classic', ['engineer', 'clerk'])
  rememberBeaten('outpost', ['random'])
  expect([beaten('classic'), beaten('outpost')]).toEqual([['clerk', 'random', 'engineer'], ['random']])
})

describe('of a cup', () => {
  it('moments are told with their day, unless that is today', () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 19, 12) })
    expect(moment(Date.UTC(2026, 10, 19, 20) / 1000).replace(/\s/g, ' ')).toBe('8:00 PM')
    expect(moment(Date.UTC(2026, 10, 20, 20) / 1000).replace(/\s/g, ' ')).toBe('Nov 20, 2026, 8:00 PM')
  })

  it('points are whole, or have what a tie leaves', () => {
    expect([3, 2.5, 7 / 3].map(pointsText)).toEqual(['3', '2.5', '2.33'])
  })

  it('spans are minutes, or hours from two on', () => {
    expect([60, 90, 7_199, 7_200, 86_400].map(spanText)).toEqual(['1 min', '2 min', '120 min', '2 h', '24 h'])
  })
})
