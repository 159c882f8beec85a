import { localRoom } from '../local/client.svelte'
import type { MapFile } from '../map/file'
import { setCovers } from '../ui/covers.svelte'
import { type PackageMessages, setPackageMessages } from '../ui/package_words.svelte'
import type {
  AnalysisInfo,
  AskPreviewMessage,
  Catalogue,
  FinishedGames,
  GameCount,
  GameLine,
  GameLog,
  GameWish,
  LibraryMap,
  LibraryMaps,
  MapFaults,
  MapForm,
  MapTrial,
  MapVerdict,
  MapWish,
  Me,
  NewLibraryMap,
  NewSubscription,
  NewTable,
  Paragraph,
  Position,
  Preview,
  Profile,
  PushKey,
  PuzzleCount,
  PuzzleList,
  RatedPlayer,
  ResumedTable,
  RoundFigures,
  Rule,
  RulesetInfo,
  ServerAddress,
  Solution,
  State,
  TableInfo,
  Tonight,
  Verdict,
} from './protocol'
import { newRef } from './ref'
import { HERE, request } from './transport'

/** The server's message for a failed request. */
export class Problem extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly values: Record<string, unknown> = {},
    /** The write that this is said of; without it, it is said of one request only. */
    readonly ref: string | null = null,
  ) {
    super(message)
  }
}

async function ask(method: string, path: string, body?: unknown): Promise<Response> {
  const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body)
  let answer: Response
  try {
    answer = await request(method, path, text, typeof body === 'string' ? 'text/plain' : 'application/json')
  } catch (error) {
    throw new Problem('offline', error instanceof Error ? error.message : String(error))
  }
  if (answer.ok) return answer
  const problem = (await answer.json().catch(() => ({}))) as Partial<Problem>
  throw new Problem(problem.code ?? 'failed', problem.message ?? answer.statusText, problem.values, problem.ref)
}

const REPEATS = [500, 1_000, 2_000, 4_000] // milliseconds
/** What leaves open what became of a write; `no_store` does so unless it names it. */
const OPEN = ['offline', 'not_known', 'no_store', 'too_fast']
/** Writes of which nothing is known, by what was asked for: whoever asks for the same again means the same. */
const unsettled = new Map<string, string>()

/** Asks for a write by a name of its own, and repeats it until it is known what became of it. */
export async function write(method: string, path: string, body?: unknown): Promise<Response> {
  const asked = JSON.stringify([method, path, body])
  const ref = unsettled.get(asked) ?? newRef()
  unsettled.set(asked, ref)
  for (let n = 0; ; n += 1) {
    try {
      const answer = await ask(method, `${path}?ref=${ref}`, body)
      unsettled.delete(asked)
      return answer
    } catch (error) {
      const open =
        error instanceof Problem && OPEN.includes(error.code) && !(error.code === 'no_store' && error.ref === ref)
      if (!open) unsettled.delete(asked)
      if (!open || n === REPEATS.length) throw error
      await new Promise((go) => setTimeout(go, REPEATS[n]))
    }
  }
}

/** Creating or joining a table waits for a name that is still being saved. */
export let renaming: Promise<unknown> = Promise.resolve()
async function rename(name: string): Promise<Me> {
  const answer = ask('PATCH', '/me', { name })
  renaming = answer.catch(() => undefined)
  return (await (await answer).json()) as Me
}

export const get = async <T>(path: string) => (await (await ask('GET', path)).json()) as T
export const post = async <T>(path: string, body: unknown = {}) => (await (await ask('POST', path, body)).json()) as T
export const change = async <T>(path: string, body: unknown = {}) =>
  (await (await write('POST', path, body)).json()) as T

let catalogue: Promise<Catalogue> | undefined

/** Everything that can be played; it also provides the names of all maps. */
async function loadCatalogue(): Promise<Catalogue> {
  const found = await get<Catalogue>('/games').catch((error) => {
    catalogue = undefined // it is asked for again
    throw error
  })
  setCovers(found.covers)
  return found
}

export const api = {
  here: () => get<ServerAddress>('/here'),
  /** Lets the local network in, or shuts it out. */
  switchLan: (open: boolean) => post<ServerAddress>('/here/lan', { open }),
  me: () => get<Me>('/me'),
  pushKey: () => get<PushKey>('/push'),
  subscribe: (browser: NewSubscription) => post<PushKey>('/push', browser),
  unsubscribe: (endpoint: string) => ask('POST', '/push/end', { endpoint }),
  rename,
  account: (login: string, password: string) => change<Me>('/account', { login, password }),
  login: (login: string, password: string) => post<Me>('/login', { login, password }),
  logout: () => ask('POST', '/logout', {}),
  logoutEverywhere: () => post<Me>('/logout-everywhere'),
  /** A link that carries my identity to another device. */
  linkDevice: async () => `${location.origin}/link#${(await post<{ key: string }>('/link')).key}`,
  claimLink: (key: string) => post<Me>('/link/claim', { key }),
  deleteMe: () => post<Me>('/me/delete'),
  removeLine: (id: string, n: number) => change<TableInfo>(`/tables/${id}/chat/remove`, { n }),
  reportLine: (id: string, n: number) => change<TableInfo>(`/tables/${id}/chat/report`, { n }),
  sendAway: (id: string, seat: number) => change<TableInfo>(`/tables/${id}/remove`, { seat }),
  games: () => (catalogue ??= loadCatalogue()),
  /** Loads the messages of other packages; without them their English text is shown. */
  words: async (language: string) =>
    setPackageMessages(await get<PackageMessages>(`/words/${language}`).catch(() => ({}))),
  rules: async (rulebook: string) => (await ask('GET', `/rules/${rulebook}`)).text(),
  playerRules: (rulebook: string, language: string) => get<Paragraph[]>(`/rules/${rulebook}/player/${language}`),
  rule: (id: string) => get<Rule>(`/rule/${encodeURIComponent(id)}`),
  tables: () => get<TableInfo[]>('/tables'),
  mine: () => get<TableInfo[]>('/tables/mine'),
  /** My tables in this browser, whether or not there is a server. */
  localTables: async () => (await (await localRoom.request('GET', '/api/tables/mine', null)).json()) as TableInfo[],
  table: (id: string) => get<State>(`/tables/${id}`),
  ruleset: (id: string) => get<RulesetInfo>(`/tables/${id}/ruleset`),
  map: (id: string) => get<MapFile>(`/maps/${id}`),
  log: (id: string) => get<GameLog>(`/tables/${id}/log`),
  at: (id: string, n: number) => get<Position>(`/tables/${id}/at/${n}`),
  line: (id: string) => get<GameLine>(`/tables/${id}/line`),
  analysis: (id: string) => get<AnalysisInfo>(`/tables/${id}/analysis`),
  analyse: (id: string) => post<AnalysisInfo>(`/tables/${id}/analysis`),
  newTable: async (table: NewTable) => {
    await renaming
    return change<TableInfo>('/tables', table)
  },
  tonight: () => get<Tonight>('/tonight'),
  /** A seat at a table where such a game is awaited, or a new one. */
  findGame: async (wish: GameWish) => {
    await renaming
    return change<TableInfo>('/tonight/find', wish)
  },
  join: (id: string, seat: number | null) => change<TableInfo>(`/tables/${id}/join`, { seat }),
  leave: (id: string, seat: number | null) => change<TableInfo>(`/tables/${id}/leave`, { seat }),
  deleteTable: (id: string) => write('DELETE', `/tables/${id}`),
  start: (id: string, bot: string) => change<TableInfo>(`/tables/${id}/start`, { bot }),
  end: (id: string) => change<TableInfo>(`/tables/${id}/end`),
  playOn: (id: string) => change<TableInfo>(`/tables/${id}/play-on`),
  rematch: (id: string) => post<TableInfo>(`/tables/${id}/rematch`),
  key: (id: string, seat: number) => change<{ key: string }>(`/tables/${id}/key`, { seat }),
  claim: (id: string, key: string) => change<TableInfo>(`/tables/${id}/claim`, { key }),
  standIn: (id: string, seat: number, bot: string | null) => change<TableInfo>(`/tables/${id}/stand-in`, { seat, bot }),
  /** My finished games; `query` chooses among them. */
  finishedGames: (query: URLSearchParams) => get<FinishedGames>(`/history?${query}`),
  /** Finished games of public tables. */
  publicGames: (query: URLSearchParams) => get<FinishedGames>(`/public-games?${query}`),
  gamesOf: (handle: string, query: URLSearchParams) => get<FinishedGames>(`/people/${handle}/history?${query}`),
  gameCounts: () => get<GameCount[]>('/history/counts'),
  /** Somebody's profile, or mine. */
  profile: (handle: string | null) => get<Profile>(handle ? `/people/${handle}` : '/profile'),
  roundFigures: (handle: string | null, rulebook: string, players: number) =>
    get<RoundFigures>(
      `${handle ? `/people/${handle}` : '/history'}/rounds?${new URLSearchParams({ rulebook, players: `${players}` })}`,
    ),
  leaderboard: (rulebook: string) => get<RatedPlayer[]>(`/leaderboard?rulebook=${encodeURIComponent(rulebook)}`),
  chooseProfile: (handle: string, shown: boolean) => post<Profile>('/profile', { handle, public: shown }),
  puzzles: () => get<PuzzleList>('/puzzles'),
  puzzle: (name: string) => get<State>(`/puzzles/${name}`),
  puzzleRuleset: (name: string) => get<RulesetInfo>(`/puzzles/${name}/ruleset`),
  puzzlePreview: (name: string, question: AskPreviewMessage) => post<Preview>(`/puzzles/${name}/preview`, question),
  attempt: (name: string, moves: string[]) => post<Verdict>(`/puzzles/${name}/attempt`, { moves }),
  /** Counts a puzzle for my profile, where there is a server. */
  solvePuzzle: (puzzle: string, moves: string[]) => post<PuzzleCount>('/solved-puzzles', { puzzle, moves }),
  solution: (name: string) => get<Solution>(`/puzzles/${name}/solution`),
  mapForm: () => get<MapForm>('/maker/form'),
  checkMap: async (map: object) => (await post<MapFaults>('/maker/check', { map })).problems,
  /** Has some more games played on a map, besides those so far. */
  judgeMap: (trial: Omit<MapTrial, 'map'> & { map: object }) => post<MapVerdict>('/maker/judge', trial),
  /** The map with other costs, by what those games show. */
  mendMap: (map: object, so_far: MapVerdict['so_far']) => post<MapFile>('/maker/mend', { map, so_far }),
  makeMap: (wish: MapWish) => post<MapFile>('/maker/make', wish),
  library: (query: Record<string, string>) => get<LibraryMaps>(`/library?${new URLSearchParams(query)}`),
  libraryMap: (id: string) => get<MapFile>(`/library/${id}`),
  /** Publishes a map, or the next version of one of mine. */
  publish: (map: object, licence: NewLibraryMap['licence'], id: string | null) =>
    change<LibraryMap>('/library', { map, licence, id }),
  likeMap: (id: string, liked: boolean) => post<LibraryMap>(`/library/${id}/like`, { liked }),
  reportMap: (id: string, reason: string) => post<LibraryMap>(`/library/${id}/report`, { reason }),
  withdrawMap: (id: string) => ask('DELETE', `/library/${id}`),
  importRecord: (record: string) => change<TableInfo>('/import', record),
  record: async (id: string, moves: number | null = null) =>
    (await ask('GET', `/tables/${id}/record?form=text${moves === null ? '' : `&moves=${moves}`}`)).text(),
  /** Goes on with a game at a new table; `here`: in this browser, though there is a server. */
  resume: (table: ResumedTable, here = false) => change<TableInfo>(`${here ? HERE : ''}/resume`, table),
  /** A small picture of the position of a puzzle, as SVG. */
  puzzlePicture: async (name: string) => (await ask('GET', `/puzzles/${name}/picture`)).text(),
  mapText: async (id: string) => (await ask('GET', `/maps/${id}`)).text(),
  shippedCards: async (rulebook: string) => (await ask('GET', `/cards/${rulebook}`)).text(),
  /** A picture of the player's rulebooks, as the address of an image. */
  picture: async (path: string) => {
    const drawing = await (await ask('GET', `/${path}`)).text() // of whatever type a static host calls it
    return URL.createObjectURL(new Blob([drawing], { type: 'image/svg+xml' }))
  },
}
