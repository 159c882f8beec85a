/** A connection that is lost is noticed soon. Time is virtual. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ReconnectingSocket } from '../src/lib/net/socket'

class FakeSocket {
  static OPEN = 1
  static all: FakeSocket[] = []
  readyState = 1
  sent: string[] = []
  onopen = () => undefined
  onmessage = (_: { data: string }) => undefined
  onclose = (_: { code: number }) => undefined
  constructor() {
    FakeSocket.all.push(this)
  }
  send = (text: string) => this.sent.push(JSON.parse(text).type)
  close = () => undefined
}

const listeners: Record<string, () => void> = {}
beforeEach(() => {
  vi.useFakeTimers()
  FakeSocket.all = []
  vi.stubGlobal('WebSocket', FakeSocket)
  vi.stubGlobal('addEventListener', (name: string, listener: () => void) => {
    listeners[name] = listener
  })
  vi.stubGlobal('removeEventListener', () => undefined)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function connect(path = '/tables/t/live', watched = true) {
  const links: string[] = []
  const doubts: boolean[] = []
  const live = new ReconnectingSocket(
    path,
    () => undefined,
    (link) => links.push(link),
    (isDoubtful) => doubts.push(isDoubtful),
    () => watched,
  )
  const socket = FakeSocket.all[0]!
  socket.onopen()
  return { live, socket, links, doubts }
}

it('is in doubt two seconds after something was sent, and no longer once there is an answer', () => {
  const { live, socket, doubts } = connect()
  live.ask({ type: 'ping' })
  vi.advanceTimersByTime(1_900)
  expect(doubts.at(-1)).toBe(false)
  vi.advanceTimersByTime(200)
  expect(doubts.at(-1)).toBe(true)
  socket.onmessage({ data: '{"type": "pong"}' })
  expect(doubts.at(-1)).toBe(false)
  live.close()
})

it('asks every two seconds while somebody waits for it, and seldom otherwise', () => {
  for (const [watched, count] of [
    [true, 1],
    [false, 0],
  ] as const) {
    FakeSocket.all = []
    const { live, socket } = connect('/tables/t/live', watched)
    vi.advanceTimersByTime(2_100)
    expect(socket.sent.length).toBe(count)
    vi.advanceTimersByTime(watched ? 0 : 25_000)
    expect(socket.sent).toEqual(['ping'])
    live.close()
  }
})

it('is lost as soon as the browser is offline', () => {
  const { live, links } = connect()
  listeners.offline!()
  expect(links.at(-1)).toBe('lost')
  live.close()
})
