/** What the page asks of the server: which way, for what, and with what. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { accountApi } from '../src/lib/account/api'
import { clubApi, cupApi } from '../src/lib/cups/api'
import { friendsApi } from '../src/lib/friends/api'
import { localRoom } from '../src/lib/local/client.svelte'
import { api } from '../src/lib/net/api'
import { packText } from '../src/lib/replay/link'
import { openLink } from '../src/lib/replay/linked'

let asked: string[] = []
let kinds: (string | undefined)[] = []

beforeEach(() => {
  asked = []
  kinds = []
  vi.stubGlobal('fetch', async (path: string, { method, body, headers }: RequestInit) => {
    asked.push([method, path.replace(/^\/api/, '').replace(/\?ref=\w+$/, ' named'), body].filter(Boolean).join(' '))
    kinds.push((headers as Record<string, string> | undefined)?.['content-type'])
    return Response.json({})
  })
})
afterEach(() => vi.unstubAllGlobals())

type Ask = [ask: () => Promise<unknown>, request: string]
const wish = { rulebook: 'classic' } as never

describe('tables', () => {
  it.each<Ask>([
    [() => api.tables(), 'GET /tables'],
    [() => api.mine(), 'GET /tables/mine'],
    [() => api.table('t'), 'GET /tables/t'],
    [() => api.ruleset('t'), 'GET /tables/t/ruleset'],
    [() => api.log('t'), 'GET /tables/t/log'],
    [() => api.at('t', 7), 'GET /tables/t/at/7'],
    [() => api.line('t'), 'GET /tables/t/line'],
    [() => api.analysis('t'), 'GET /tables/t/analysis'],
    [() => api.analyse('t'), 'POST /tables/t/analysis {}'],
    [() => api.record('t'), 'GET /tables/t/record?form=text'],
    [() => api.record('t', 0), 'GET /tables/t/record?form=text&moves=0'],
    [() => api.newTable(wish), 'POST /tables named {"rulebook":"classic"}'],
    [() => api.tonight(), 'GET /tonight'],
    [() => api.findGame(wish), 'POST /tonight/find named {"rulebook":"classic"}'],
    [() => api.join('t', 2), 'POST /tables/t/join named {"seat":2}'],
    [() => api.leave('t', null), 'POST /tables/t/leave named {"seat":null}'],
    [() => api.sendAway('t', 2), 'POST /tables/t/remove named {"seat":2}'],
    [() => api.removeLine('t', 3), 'POST /tables/t/chat/remove named {"n":3}'],
    [() => api.reportLine('t', 3), 'POST /tables/t/chat/report named {"n":3}'],
    [() => api.deleteTable('t'), 'DELETE /tables/t named'],
    [() => api.start('t', 'clerk'), 'POST /tables/t/start named {"bot":"clerk"}'],
    [() => api.end('t'), 'POST /tables/t/end named {}'],
    [() => api.playOn('t'), 'POST /tables/t/play-on named {}'],
    [() => api.rematch('t'), 'POST /tables/t/rematch {}'],
    [() => api.key('t', 1), 'POST /tables/t/key named {"seat":1}'],
    [() => api.claim('t', 'k'), 'POST /tables/t/claim named {"key":"k"}'],
    [() => api.standIn('t', 1, null), 'POST /tables/t/stand-in named {"seat":1,"bot":null}'],
    [() => api.resume({ record: 'r' } as never), 'POST /resume named {"record":"r"}'],
    [() => api.importRecord('a game'), 'POST /import named a game'],
  ])('%#: $1', async (ask, request) => {
    await ask()
    expect(asked).toEqual([request])
  })

  it('say what they send: a text is none of ours', async () => {
    await api.importRecord('a game')
    await api.end('t')
    await api.tables()
    expect(kinds).toEqual(['text/plain', 'application/json', undefined])
  })
})

it('goes on with a game in this browser, though there is a server', async () => {
  const left = vi.fn()
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: left })
  const room = vi.spyOn(localRoom, 'request').mockResolvedValue(Response.json({ id: 'here-1' }))
  expect((await api.resume({ record: 'r' } as never, true)).id).toBe('here-1')
  expect(room.mock.calls).toEqual([['POST', expect.stringMatching(/^\/api\/resume\?ref=\w+$/), '{"record":"r"}']])
  expect([asked, left.mock.calls]).toEqual([[], [['hv-here', 'yes']]])
  room.mockRestore()
})

describe('games that are over, and people', () => {
  const query = new URLSearchParams({ players: '3' })
  it.each<Ask>([
    [() => api.finishedGames(query), 'GET /history?players=3'],
    [() => api.publicGames(query), 'GET /public-games?players=3'],
    [() => api.gamesOf('ann', query), 'GET /people/ann/history?players=3'],
    [() => api.gameCounts(), 'GET /history/counts'],
    [() => api.profile('ann'), 'GET /people/ann'],
    [() => api.profile(null), 'GET /profile'],
    [() => api.roundFigures('ann', 'classic', 3), 'GET /people/ann/rounds?rulebook=classic&players=3'],
    [() => api.roundFigures(null, 'classic', 3), 'GET /history/rounds?rulebook=classic&players=3'],
    [() => api.leaderboard('a&b'), 'GET /leaderboard?rulebook=a%26b'],
    [() => api.chooseProfile('ann', true), 'POST /profile {"handle":"ann","public":true}'],
    [() => friendsApi.contacts(), 'GET /contacts'],
    [() => friendsApi.choose('bob', null), 'POST /contacts named {"handle":"bob","kind":null}'],
    [() => friendsApi.invitations(), 'GET /invitations'],
    [() => friendsApi.invite('t', 'bob'), 'POST /invitations named {"table":"t","handle":"bob"}'],
    [() => friendsApi.accept('t'), 'POST /tables/t/join named {"seat":null}'],
    [() => friendsApi.decline('t'), 'POST /invitations/decline named {"table":"t"}'],
    [() => friendsApi.calendar(), 'GET /calendar'],
    [() => friendsApi.makeCalendarAddress(), 'POST /calendar/address {}'],
    [() => friendsApi.endCalendarAddress(), 'DELETE /calendar/address named'],
    [() => friendsApi.holidays(), 'GET /holidays'],
    [() => friendsApi.beAway('1', '2'), 'POST /holidays named {"first":"1","last":"2"}'],
    [() => friendsApi.endHoliday('1'), 'POST /holidays/end named {"first":"1"}'],
  ])('%#: $1', async (ask, request) => {
    await ask()
    expect(asked).toEqual([request])
  })
})

describe('cups and clubs', () => {
  it.each<Ask>([
    [() => cupApi.mine(), 'GET /cups'],
    [() => cupApi.find('c'), 'GET /cups/c'],
    [() => cupApi.make({ title: 'Ours' } as never), 'POST /cups named {"title":"Ours"}'],
    [() => cupApi.join('c'), 'POST /cups/c/join named {}'],
    [() => cupApi.leave('c'), 'POST /cups/c/leave named {}'],
    [() => cupApi.remove('c', 2), 'POST /cups/c/remove named {"player":2}'],
    [() => cupApi.beginRound('c'), 'POST /cups/c/round named {}'],
    [() => cupApi.end('c'), 'POST /cups/c/end named {}'],
    [() => cupApi.delete('c'), 'DELETE /cups/c named'],
    [() => clubApi.mine(), 'GET /clubs'],
    [() => clubApi.find('c'), 'GET /clubs/c'],
    [() => clubApi.make('Ours'), 'POST /clubs named {"name":"Ours"}'],
    [() => clubApi.join('c'), 'POST /clubs/c/join named {}'],
    [() => clubApi.leave('c'), 'POST /clubs/c/leave named {}'],
    [() => clubApi.remove('c', 2), 'POST /clubs/c/remove named {"member":2}'],
    [() => clubApi.chat('c', 'hello'), 'POST /clubs/c/chat named {"text":"hello"}'],
    [() => clubApi.removeLine('c', 3), 'POST /clubs/c/chat/remove named {"n":3}'],
    [() => clubApi.delete('c'), 'DELETE /clubs/c named'],
  ])('%#: $1', async (ask, request) => {
    await ask()
    expect(asked).toEqual([request])
  })
})

describe('me and my account', () => {
  const proof = { password: 'old' }
  it.each<Ask>([
    [() => api.me(), 'GET /me'],
    [() => api.rename('Ann'), 'PATCH /me {"name":"Ann"}'],
    [() => api.account('ann', 'secret'), 'POST /account named {"login":"ann","password":"secret"}'],
    [() => api.login('ann', 'secret'), 'POST /login {"login":"ann","password":"secret"}'],
    [() => api.logout(), 'POST /logout {}'],
    [() => api.logoutEverywhere(), 'POST /logout-everywhere {}'],
    [() => api.linkDevice(), 'POST /link {}'],
    [() => api.claimLink('k'), 'POST /link/claim {"key":"k"}'],
    [() => api.deleteMe(), 'POST /me/delete {}'],
    [() => api.pushKey(), 'GET /push'],
    [() => api.subscribe({ endpoint: 'e' } as never), 'POST /push {"endpoint":"e"}'],
    [() => api.unsubscribe('e'), 'POST /push/end {"endpoint":"e"}'],
    [() => accountApi.mail(), 'GET /mail'],
    [() => accountApi.chooseMail({ address: 'a' } as never), 'POST /mail named {"address":"a"}'],
    [() => accountApi.endMail(), 'POST /mail/end named {}'],
    [() => accountApi.confirmMail('k'), 'POST /mail/confirm named {"key":"k"}'],
    [() => accountApi.endMailByKey('a/b'), 'POST /mail/end/a%2Fb named {}'],
    [() => accountApi.passkeys(), 'GET /passkeys'],
    [() => accountApi.renamePasskey('one', 'New'), 'POST /passkeys/rename {"id":"one","name":"New"}'],
    [() => accountApi.removePasskey('one'), 'POST /passkeys/remove {"id":"one"}'],
    [() => accountApi.changePassword('new', proof), 'POST /password {"old":"old","new":"new"}'],
    [() => accountApi.changePassword('new', { passkey: 'p' as never }), 'POST /password {"passkey":"p","new":"new"}'],
    [() => accountApi.deleteAccount(proof), 'POST /account/delete {"password":"old"}'],
  ])('%#: $1', async (ask, request) => {
    await ask()
    expect(asked).toEqual([request])
  })

  it('is proved by a password where there is one', async () => {
    expect([await accountApi.proof('old'), asked]).toEqual([proof, []])
  })
})

describe('rules, maps and puzzles', () => {
  it.each<Ask>([
    [() => api.here(), 'GET /here'],
    [() => api.switchLan(true), 'POST /here/lan {"open":true}'],
    [() => api.rules('classic'), 'GET /rules/classic'],
    [() => api.playerRules('classic', 'de'), 'GET /rules/classic/player/de'],
    [() => api.rule('C-1/2'), 'GET /rule/C-1%2F2'],
    [() => api.map('germany'), 'GET /maps/germany'],
    [() => api.mapText('germany'), 'GET /maps/germany'],
    [() => api.shippedCards('classic'), 'GET /cards/classic'],
    [() => api.puzzles(), 'GET /puzzles'],
    [() => api.puzzle('p'), 'GET /puzzles/p'],
    [() => api.puzzleRuleset('p'), 'GET /puzzles/p/ruleset'],
    [() => api.puzzlePicture('p'), 'GET /puzzles/p/picture'],
    [() => api.puzzlePreview('p', { moves: [] } as never), 'POST /puzzles/p/preview {"moves":[]}'],
    [() => api.attempt('p', ['pass']), 'POST /puzzles/p/attempt {"moves":["pass"]}'],
    [() => api.solvePuzzle('p', ['pass']), 'POST /solved-puzzles {"puzzle":"p","moves":["pass"]}'],
    [() => api.solution('p'), 'GET /puzzles/p/solution'],
    [() => api.mapForm(), 'GET /maker/form'],
    [() => api.checkMap({ id: 'm' }), 'POST /maker/check {"map":{"id":"m"}}'],
    [() => api.judgeMap({ map: {}, games: 3 } as never), 'POST /maker/judge {"map":{},"games":3}'],
    [() => api.mendMap({}, {} as never), 'POST /maker/mend {"map":{},"so_far":{}}'],
    [() => api.makeMap({ cities: 9 } as never), 'POST /maker/make {"cities":9}'],
    [() => api.library({ order: 'new' }), 'GET /library?order=new'],
    [() => api.libraryMap('m'), 'GET /library/m'],
    [() => api.publish({}, 'CC0-1.0' as never, null), 'POST /library named {"map":{},"licence":"CC0-1.0","id":null}'],
    [() => api.likeMap('m', false), 'POST /library/m/like {"liked":false}'],
    [() => api.reportMap('m', 'why'), 'POST /library/m/report {"reason":"why"}'],
    [() => api.withdrawMap('m'), 'DELETE /library/m'],
  ])('%#: $1', async (ask, request) => {
    await ask()
    expect(asked).toEqual([request])
  })

  it('are fetched once, and again where that failed', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('cut')))
    await expect(api.games()).rejects.toThrow()
    let times = 0
    vi.stubGlobal('fetch', async () => Response.json({ covers: {}, games: [++times] }))
    expect([(await api.games()).games, (await api.games()).games]).toEqual([[1], [1]])
  })
})

describe('a game from a link', () => {
  const KEY = 'hv-links'
  /** The tables that the server has; it makes others. */
  const serve = (kept: string | null, tables: string[]) => {
    let text = kept
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => (key === KEY ? text : null),
      setItem: (_: string, now: string) => {
        text = now
      },
    })
    let made = 0
    vi.stubGlobal('fetch', async (path: string, { method }: RequestInit) => {
      if (method === 'POST') return Response.json({ id: `made-${++made}` })
      const there = tables.some((table) => path === `/api/tables/${table}`)
      return Response.json(there ? {} : { code: 'not_found', message: '' }, { status: there ? 200 : 404 })
    })
    return () => JSON.parse(text!) as { code: string; table: string }[]
  }
  const packed = () => packText('a game')

  it('is imported once, and again where its table is gone', async () => {
    const code = await packed()
    const kept = serve('not JSON', ['made-1'])
    expect([await openLink(code), await openLink(code)]).toEqual(['made-1', 'made-1'])
    expect(kept()).toEqual([{ code, table: 'made-1' }])
    const later = serve(JSON.stringify([{ code, table: 'gone' }]), [])
    expect(await openLink(code)).toBe('made-1')
    expect(later()).toEqual([{ code, table: 'made-1' }])
  })

  it('is one of the last twenty that are remembered', async () => {
    const code = await packed()
    const before = Array.from({ length: 20 }, (_, n) => ({ code: `code-${n}`, table: `t${n}` }))
    const kept = serve(JSON.stringify(before), [])
    await openLink(code)
    expect(kept()).toEqual([{ code, table: 'made-1' }, ...before.slice(0, 19)])
  })

  it('is shown though nothing can be remembered', async () => {
    serve(null, [])
    vi.stubGlobal('localStorage', {
      getItem: () => null,
      setItem: () => {
        throw new Error('full')
      },
    })
    expect(await openLink(await packed())).toBe('made-1')
  })

  it('is not imported again because the server does not answer', async () => {
    const code = await packed()
    serve(JSON.stringify([{ code, table: 't' }]), [])
    vi.stubGlobal('fetch', async () => Response.json({ code: 'busy', message: '' }, { status: 429 }))
    await expect(openLink(code)).rejects.toThrow()
  })
})
