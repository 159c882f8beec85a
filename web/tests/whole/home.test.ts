/** The first page: the games that it lists, what can be done there, and links of all kinds. */

import { flushSync, mount, unmount } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import HomePage from '../../src/lib/home/HomePage.svelte'
import TableList from '../../src/lib/home/TableList.svelte'
import { api, Problem } from '../../src/lib/net/api'
import type { SeatInfo, TableInfo } from '../../src/lib/net/protocol'
import shipped from '../../src/lib/net/shipped.json'
import { follow } from '../../src/lib/ui/route.svelte'
import { words } from './page'

let shown: ReturnType<typeof mount> | undefined

beforeEach(() => history.replaceState(null, '', '/'))
afterEach(async () => {
  if (shown) await unmount(shown)
  shown = undefined
  document.body.innerHTML = ''
  localStorage.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const seat = (kind: SeatInfo['kind'], mine = false, name = 'Ann') => ({ kind, mine, name }) as SeatInfo
const ME = seat('person', true)
const BOT = seat('bot')
const FRIEND = seat('person')
/** A game in progress in which a bot is to move, unless it is said otherwise. */
const table = (title: string, more: Partial<TableInfo> = {}, ...seats: SeatInfo[]) =>
  ({
    ...{ id: title, title, rulebook: 'classic', map: 'germany', status: 'running', created: 0, host: true },
    ...{ to_move: 1, moves: 7, rated: false, cup: null },
    seats: (seats.length ? seats : [ME, BOT]).map((each, at) => ({ ...each, seat: at })),
    ...more,
  }) as TableInfo

describe('a list of tables', () => {
  const list = (...tables: TableInfo[]) => {
    const deleted: string[] = []
    const ondelete = ({ id }: TableInfo) => deleted.push(id)
    shown = mount(TableList, { target: document.body, props: { tables, ondelete } })
    flushSync()
    return deleted
  }
  const hrefs = () => [...document.querySelectorAll('li a')].map((each) => each.getAttribute('href'))

  it('says how each of them stands, and leads there', () => {
    const away = { ...FRIEND, away_until: 86_400 }
    list(
      table('mine', { to_move: 0 }),
      table('theirs'),
      table('away', {}, ME, away),
      table('nobody', { to_move: null }),
      table('open', { status: 'open' }, ME, FRIEND, seat('open'), seat('open')),
      table('failed', { status: 'failed', to_move: 0 }),
      table('finished', { status: 'finished', rated: true, to_move: null }),
      table('broken', { status: 'broken', to_move: 0 }),
    )
    expect(words('.status')).toEqual([
      ...['your turn', '7 moves', 'away until Jan 1, 1970', '7 moves'],
      ...['2 free seats', 'stopped by an error', 'finished', 'finished'],
    ])
    expect(words('.status.mine')).toEqual(['your turn'])
    expect(words('.status.failed')).toEqual(['stopped by an error'])
    expect(hrefs().slice(-4)).toEqual(['/table/open', '/table/failed', '/replay/finished', '/replay/broken'])
    const notes = words('small').map((note) => note.replace(/^.*AM · /, ''))
    const game = 'Power Grid (2004) · Germany'
    expect([notes[0], notes[4], notes[6]]).toEqual([game, `${game} · Ann · Ann`, `${game} · Rated`])
    expect(document.querySelectorAll('.free')).toHaveLength(2)
  })

  it.each<[string, Partial<TableInfo>, SeatInfo[], boolean]>([
    ['alone with bots', {}, [ME, BOT], true],
    ['with people', {}, [ME, FRIEND], false],
    ['by others, read from a file', {}, [FRIEND, BOT], true],
    ['at a table of somebody else', { host: false }, [ME, BOT], false],
    ['for a rating', { rated: true }, [ME, BOT], false],
    ['in a cup', { cup: 'c' }, [ME, BOT], false],
    ['not to its end yet', { status: 'running' }, [ME, BOT], false],
    ['until it broke', { status: 'broken' }, [ME, BOT], true],
  ])('lets a game be deleted, or not, that was played %s', (_, more, seats, may) => {
    list(table('a', { status: 'finished', ...more }, ...seats))
    expect(document.querySelectorAll('button').length > 0).toBe(may)
  })

  it('deletes a game when it is sure, and says why that failed before', async () => {
    const remove = vi
      .spyOn(api, 'deleteTable')
      .mockRejectedValueOnce(new Problem('offline', ''))
      .mockResolvedValue({} as Response)
    const deleted = list(table('old', { status: 'finished' }))
    const press = (what: string) => {
      document.querySelector<HTMLElement>(what)!.click()
      flushSync()
    }
    press('li button')
    expect(remove).not.toHaveBeenCalled()
    press('dialog .primary')
    await vi.waitFor(() => expect(words('[role=alert]')).toEqual(['The server does not answer.']))
    press('dialog .primary')
    await vi.waitFor(() => expect(deleted).toEqual(['old']))
    expect([words('dialog'), remove.mock.calls]).toEqual([[], [['old'], ['old']]])
  })
})

describe('the first page', () => {
  const open = (mine: TableInfo[], tables: TableInfo[]) => {
    vi.stubGlobal('fetch', async () => Response.json([]))
    vi.spyOn(api, 'me').mockRejectedValue(new Problem('offline', ''))
    vi.spyOn(api, 'games').mockResolvedValue(shipped as never)
    vi.spyOn(api, 'mine').mockResolvedValue(mine)
    vi.spyOn(api, 'tables').mockResolvedValue(tables)
    shown = mount(HomePage, { target: document.body, props: { friends: false } })
    flushSync()
  }
  const listed = (within: string) => words(`${within} li b`)

  it('lists my games, those where it is my turn first, and open tables of others', async () => {
    const [theirs, mine] = [table('theirs'), table('mine', { to_move: 0 })]
    const [over, failed] = [table('over', { status: 'finished', to_move: null }), table('failed', { status: 'failed' })]
    const invited = table('open', { status: 'open' }, ME, seat('open'))
    open([theirs, over, failed, mine, invited], [invited, table('other', { status: 'open' }, seat('open'))])
    await vi.waitFor(() => expect(listed('.running')).toEqual(['mine', 'theirs', 'failed', 'open']))
    expect([listed('[aria-labelledby=mine-title]'), listed('[aria-labelledby=open-title]')]).toEqual([
      ...[['over'], ['other']],
    ])
    expect(JSON.parse(localStorage.getItem('hv-running')!).map(({ id }: TableInfo) => id)).toEqual([
      ...['theirs', 'failed', 'mine', 'open'],
    ])
  })

  it('says that the server is away, until it answers', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    open([], [])
    vi.mocked(api.mine).mockRejectedValueOnce(new Problem('offline', ''))
    const away = () => words('.offline')
    await vi.waitFor(() => expect(away()).toHaveLength(1))
    vi.advanceTimersByTime(20_000)
    await vi.waitFor(() => expect(away()).toHaveLength(0))
    expect(api.mine).toHaveBeenCalledTimes(2)
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    vi.advanceTimersByTime(40_000)
    expect(api.mine).toHaveBeenCalledTimes(2) // nobody looks
  })

  it('opens a record from a file, and says why it cannot', async () => {
    open([], [])
    const read = vi
      .spyOn(api, 'importRecord')
      .mockRejectedValueOnce(new Problem('offline', ''))
      .mockResolvedValue({ id: 'made' } as TableInfo)
    const choose = (...files: File[]) => {
      const field = document.querySelector<HTMLInputElement>('input[type=file]:not(dialog *)')!
      Object.defineProperty(field, 'files', { value: files, configurable: true })
      field.dispatchEvent(new Event('change', { bubbles: true }))
    }
    choose()
    expect(read).not.toHaveBeenCalled()
    choose(new File(['a game'], 'game.txt'))
    await vi.waitFor(() => expect(words('.problem')).toEqual(['The server does not answer.']))
    choose(new File(['a game'], 'game.txt'))
    await vi.waitFor(() => expect(location.pathname).toBe('/replay/made'))
    expect([words('.problem'), read.mock.calls]).toEqual([[], [['a game'], ['a game']]])
  })
})

describe('a link', () => {
  /** What the page does with a press on this: whether it is left to the browser, and where the page is then. */
  const press = (html: string, how: MouseEventInit = {}, handled = false) => {
    document.body.innerHTML = html
    const event = new MouseEvent('click', { cancelable: true, ...how })
    Object.defineProperty(event, 'target', { value: document.querySelector('b') })
    if (handled) event.preventDefault()
    follow(event)
    return [event.defaultPrevented, location.pathname + location.search]
  }
  const RULES = '<a href="/rules"><b>Rules</b></a>'

  it('within the page is followed by it', () => {
    expect(press('<a href="/rules/classic?x=1"><b>Rules</b></a>')).toEqual([true, '/rules/classic?x=1'])
  })

  it.each<[string, string, MouseEventInit?]>([
    ['to the server', '<a href="/api/tables/t/record"><b>Record</b></a>'],
    ['to another site', '<a href="https://example.org/rules"><b>Shop</b></a>'],
    ['to a file', '<a href="/rules" download><b>File</b></a>'],
    ['to another tab', '<a href="/rules" target="_blank"><b>Tab</b></a>'],
    ['with Ctrl', RULES, { ctrlKey: true }],
    ['with Shift', RULES, { shiftKey: true }],
    ['with Command', RULES, { metaKey: true }],
    ['with another button', RULES, { button: 1 }],
    ['that is none', '<p><b>Rules</b></p>'],
  ])('%s is left to the browser', (_, html, how) => expect(press(html, how)).toEqual([false, '/']))

  it('that something else has handled is not followed', () => expect(press(RULES, {}, true)).toEqual([true, '/']))
})
