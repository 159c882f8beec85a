/** What the page asks of a browser: notifications, passkeys, a server that may be gone. */

import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createPasskey, hasPasskeys, NoPasskey, usePasskey } from '../src/lib/account/passkey'
import type { PasskeyOptions, TableInfo } from '../src/lib/net/protocol'
import { server } from '../src/lib/net/server.svelte'
import { destination } from '../src/lib/table/moving'
import { askToNotify, canNotify, clearNotification, mayNotify, notifyTurn } from '../src/lib/ui/notify'
import { speak } from '../src/texts/messages'

beforeAll(() => speak('en'))
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('a notification', () => {
  let shown: unknown[][]
  let left: string[][]
  let closed: string[]
  let registered: string[]
  let hidden: boolean[]
  const allow = (permission: string) =>
    vi.stubGlobal('Notification', { permission, requestPermission: async () => permission })

  beforeEach(() => {
    vi.useFakeTimers()
    ;[shown, left, closed, registered, hidden] = [[], [], [], [], [true]]
    const registration = {
      showNotification: async (...what: unknown[]) => void shown.push(what),
      getNotifications: async ({ tag }: { tag: string }) => [{ close: () => closed.push(tag) }],
      addEventListener: () => undefined,
    }
    const serviceWorker = {
      ready: Promise.resolve(registration),
      register: async (address: URL) => {
        registered.push(address.pathname)
        return registration
      },
      getRegistration: async () => registration,
      addEventListener: () => undefined,
    }
    vi.stubGlobal('navigator', { serviceWorker })
    vi.stubGlobal('document', {
      get hidden() {
        return hidden.length > 1 ? hidden.shift() : hidden[0]
      },
    })
    const put = async (address: URL, answer: Response) => void left.push([address.pathname, await answer.text()])
    vi.stubGlobal('caches', { open: async (name: string) => ({ put, name: left.push([name]) }) })
    allow('granted')
  })

  test('says whose turn it is, once the words for the next one are left', async () => {
    await notifyTurn('t1', 'Power Grid')
    const icon = 'http://localhost/favicon.svg'
    expect(shown).toEqual([['It is your turn', { body: 'Power Grid', tag: 't1', data: '/table/t1', icon }]])
    expect(left).toEqual([
      ['highvoltage / words'],
      ['/turn', 'It is your turn'],
      ['/invited', expect.stringContaining('{name}')],
      ['/round', expect.stringContaining('{name}')],
    ])
    expect(registered).toEqual(['/worker.js'])
  })

  test('is not shown over the page', async () => {
    hidden = [false]
    await notifyTurn('t1', 'Power Grid')
    hidden = [true, false] // somebody comes back while it is prepared
    await notifyTurn('t1', 'Power Grid')
    expect(shown).toEqual([])
  })

  test('needs to be allowed', async () => {
    expect([canNotify(), mayNotify(), await askToNotify()]).toEqual([true, true, true])
    allow('denied')
    await notifyTurn('t1', 'Power Grid')
    expect([canNotify(), mayNotify(), await askToNotify(), shown.length]).toEqual([true, false, false, 0])
    vi.stubGlobal('navigator', {})
    expect([canNotify(), mayNotify()]).toEqual([false, false])
    await clearNotification('t1')
    expect(closed).toEqual([])
  })

  test('goes with the turn', async () => {
    await clearNotification('t1')
    expect(closed).toEqual(['t1'])
  })
})

describe('a passkey', () => {
  const options = (more: object) =>
    ({ challenge: 'made', options: { challenge: 'AQID', ...more } }) as unknown as PasskeyOptions
  const plain = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (_, each) => (each instanceof Uint8Array ? [...each] : each)))
  const bytes = (...of: number[]) => new Uint8Array(of).buffer
  let asked: unknown
  const credentials = (made: object | null) => {
    const give = async (what: unknown) => {
      asked = plain(what)
      return made
    }
    vi.stubGlobal('navigator', { credentials: { create: give, get: give } })
  }

  test('belongs to a domain', () => {
    const at = (hostname: string) => {
      vi.stubGlobal('location', { hostname })
      return hasPasskeys()
    }
    expect(at('example.org')).toBe(false)
    vi.stubGlobal('PublicKeyCredential', class {})
    expect(['example.org', 'localhost', '10.0.0.7', '[::1]', 'a1.example'].map(at)).toEqual([
      true,
      true,
      false,
      false,
      true,
    ])
  })

  test('is made with bytes, and answered in letters', async () => {
    const response = { clientDataJSON: bytes(1, 2, 3), attestationObject: bytes(251, 255), other: bytes(9) }
    credentials({ id: 'one', rawId: bytes(4), type: 'public-key', response })
    const user = { id: '-_8', name: 'ann' }
    expect(await createPasskey(options({ user, rp: 'here', excludeCredentials: [{ id: 'AQ', type: 'x' }] }))).toEqual({
      challenge: 'made',
      credential: {
        id: 'one',
        rawId: 'BA',
        type: 'public-key',
        response: { clientDataJSON: 'AQID', attestationObject: '-_8' },
      },
    })
    expect(asked).toEqual({
      publicKey: {
        challenge: [1, 2, 3],
        rp: 'here',
        user: { id: [251, 255], name: 'ann' },
        excludeCredentials: [{ id: [1], type: 'x' }],
      },
    })
  })

  test('is proved', async () => {
    const held = { clientDataJSON: bytes(1), authenticatorData: bytes(2), signature: bytes(3), userHandle: null }
    credentials({ id: 'one', rawId: bytes(4), type: 'public-key', response: held })
    const { credential } = await usePasskey(options({}))
    expect(credential.response).toEqual({ clientDataJSON: 'AQ', authenticatorData: 'Ag', signature: 'Aw' })
    expect(asked).toEqual({ publicKey: { challenge: [1, 2, 3], allowCredentials: [] } })
  })

  test('may be refused', async () => {
    credentials(null)
    await expect(usePasskey(options({}))).rejects.toThrow(NoPasskey)
    const no = async () => {
      throw new Error('closed')
    }
    vi.stubGlobal('navigator', { credentials: { create: no, get: no } })
    await expect(usePasskey(options({}))).rejects.toThrow(NoPasskey)
    await expect(createPasskey(options({ user: { id: 'AQ' } }))).rejects.toThrow(NoPasskey)
  })
})

describe('a server', () => {
  const answer = (status: number, kind = 'text/html') => new Response('', { status, headers: { 'content-type': kind } })

  test('has answered unless a proxy says that it is gone', () => {
    expect([200, 404, 500].map((status) => server.answered(answer(status)))).toEqual([true, true, true])
    expect([502, 503, 504].map((status) => server.answered(answer(status)))).toEqual([false, false, false])
    expect(server.answered(answer(503, 'application/json'))).toBe(true)
  })

  test('is gone if it is for longer than a moment, until it is back', async () => {
    vi.useFakeTimers()
    let status = 200
    const asked: string[] = []
    vi.stubGlobal('fetch', async (path: string) => {
      asked.push(path)
      if (!status) throw new Error('no network')
      return answer(status)
    })
    const isGone = async () => {
      const found = server.isGone()
      await vi.advanceTimersByTimeAsync(1_499)
      const early = asked.length
      await vi.advanceTimersByTimeAsync(2)
      return [await found, early]
    }
    expect(await isGone()).toEqual([false, 0])
    status = 503
    expect([await isGone(), server.missing]).toEqual([[true, 1], true])
    expect(asked).toEqual(['/healthz', '/healthz'])
    expect(await server.isGone()).toBe(true)
    status = 0
    await vi.advanceTimersByTimeAsync(5_001)
    expect([server.gone, asked.length]).toEqual([true, 3])
    status = 200
    await vi.advanceTimersByTimeAsync(5_000)
    expect([server.gone, server.missing]).toEqual([false, false])
    await vi.advanceTimersByTimeAsync(20_000)
    expect(asked.length).toBe(4)
  })
})

describe('a game can be moved', () => {
  const seat = (kind: string, mine = false, left = false) => ({ kind, mine, left })
  const to = (of: object) =>
    destination({ id: 'here-1', host: true, status: 'running', seats: [seat('person', true)], ...of } as TableInfo)

  test.each<[string, object, string | null]>([
    ['to the server', {}, 'server'],
    ['beside bots', { seats: [seat('person', true), seat('bot')] }, 'server'],
    ['where others have left', { seats: [seat('person', true), seat('person', false, true)] }, 'server'],
    ['not where others sit', { seats: [seat('person', true), seat('person')] }, null],
    ['not by guests', { host: false }, null],
    ['not when it is over', { status: 'finished' }, null],
  ])('%s', (_, of, where) => expect(to(of)).toBe(where))
})
