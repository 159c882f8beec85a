/** A film of a game, picture by picture. Time is virtual. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { canFilm, makeFilm } from '../src/lib/replay/film'

type Drawn = { texts: string[]; bars: number[][] }
let pictures: Drawn[]
let recorder: { stopped: boolean }
let rate: number

class Recorder {
  static isTypeSupported = (type: string) => type === 'video/webm'
  stopped = false
  ondataavailable: (part: { data: Blob }) => void = () => undefined
  onstop: () => void = () => undefined
  constructor() {
    recorder = this
  }
  start() {
    this.ondataavailable({ data: new Blob(['first ']) })
  }
  stop() {
    this.stopped = true
    this.ondataavailable({ data: new Blob(['last']) })
    this.onstop()
  }
}

const pen = {
  fillRect: (x: number, y: number, w: number, h: number) => {
    if (x === 0) pictures.push({ texts: [], bars: [] })
    else pictures.at(-1)!.bars.push([x, y, w, h])
  },
  fillText: (text: string, x: number, y: number, room: number) =>
    pictures.at(-1)!.texts.push(`${text} at ${Math.round(x)} ${Math.round(y)} in ${room}`),
  save: () => undefined,
  restore: () => undefined,
  translate: () => undefined,
  fill: () => undefined,
}

beforeEach(() => {
  pictures = []
  vi.useFakeTimers()
  const canvas = {
    getContext: () => pen,
    captureStream: (each: number) => {
      rate = each
    },
  }
  vi.stubGlobal('MediaRecorder', Recorder)
  vi.stubGlobal('Path2D', class {})
  vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: () => ' red ' }))
  vi.stubGlobal('document', { documentElement: {}, fonts: { ready: Promise.resolve() }, createElement: () => canvas })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const SCRIPT = {
  title: 'Power Grid',
  names: ['Ann', 'Bob'],
  rounds: [1, 2, 3],
  chart: {
    title: 'Cities',
    lines: [
      [0, 2, 4],
      [1, 1, null],
    ],
  },
  roundWords: (round: number) => `Round ${round}`,
}

test('a film grows from round to round and rests at its end', async () => {
  expect(canFilm()).toBe(true)
  let film: Blob | undefined
  void makeFilm(SCRIPT).then((made) => (film = made))
  await vi.advanceTimersByTimeAsync(2_880)
  expect([film, recorder.stopped]).toEqual([undefined, false]) // two rounds of 0.7 s, and 1.5 s at the end
  await vi.advanceTimersByTimeAsync(60)
  expect([await film!.text(), film!.type, rate]).toEqual(['first last', 'video/webm', 25])

  const [first] = pictures
  expect(first!.texts).toEqual([
    'Power Grid at 50 64 in 640',
    'Round 1 at 910 64 in 250',
    'Cities at 50 104 in 860',
    'Ann at 94 236 in 190',
    '0 at 312 237 in 80',
    'Bob at 94 431 in 190',
    '1 at 452 432 in 80',
  ])
  expect(first!.bars).toEqual([
    [300, 169, 2, 117],
    [300, 364, 140, 117],
  ])
  const later = pictures[15]! // one before it starts, and one each 40 ms: after 560 of 700
  expect(later.texts[1]).toMatch('Round 2')
  expect(later.bars.map(([, , width]) => Math.round(width!))).toEqual([224, 140])
  const last = pictures.at(-1)!
  expect(last.texts[1]).toMatch('Round 3')
  expect(last.texts.filter((text) => /^\d/.test(text))).toEqual(['4 at 872 237 in 80', '0 at 312 432 in 80'])
  expect(last.bars.map(([, , width]) => width)).toEqual([560, 2])
})

test('a browser without a recorder makes none', () => {
  vi.stubGlobal('MediaRecorder', undefined)
  expect(canFilm()).toBe(false)
  vi.stubGlobal('MediaRecorder', { isTypeSupported: () => false })
  expect(canFilm()).toBe(false)
})
