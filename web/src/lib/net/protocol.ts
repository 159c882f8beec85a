/** The messages of docs/protocol.md and the views of the board games. */

export type Seat = number

// Tables

export interface Pace {
  kind: 'none' | 'move' | 'bank'
  seconds?: number
  increment?: number
}

export interface SeatInfo {
  seat: Seat
  kind: 'person' | 'open' | 'bot'
  name: string
  mine: boolean
  bot: string | null
  online: boolean
}

export interface TableInfo {
  id: string
  rulebook: string
  map: string | null
  options: Record<string, unknown>
  title: string
  status: 'open' | 'running' | 'finished' | 'broken'
  public: boolean
  seeded: boolean
  host: boolean
  created: number
  seats: SeatInfo[]
  pace: Pace
  timeout: 'bot' | 'minimal'
  auto: boolean
  to_move: Seat | null
  moves: number
  rematch: string | null
}

export type NewSeat = { kind: 'me' } | { kind: 'open' } | { kind: 'bot'; bot: string }

export interface NewTable {
  rulebook: string
  map?: string | null
  options?: Record<string, unknown>
  seats: NewSeat[]
  public?: boolean
  title?: string
  seed?: number | string | null
  pace?: Pace
  timeout?: 'bot' | 'minimal'
  auto?: boolean
}

export interface GameOption {
  name: string
  default: unknown
  choices: unknown[]
  about: string
  takes_list: boolean
}

export interface GameInfo {
  name: string
  title: string
  about: string
  players: number[]
  maps: Record<string, string>
  options: GameOption[]
}

export interface Catalogue {
  games: GameInfo[]
  bots: string[]
}

export interface Me {
  name: string
  account: string | null
}

export interface Rule {
  id: string
  rulebook: string
  path: string[]
  title: string
  text: string
}

// The running game

export interface Event {
  what: string
  seat?: Seat
  card?: string
  amount?: number
  items?: (string | number)[]
}

export interface Row {
  round: number
  phase: string
  seat: Seat
  move: string
  events: Event[]
  by: 'person' | 'bot' | 'clock' | 'auto'
}

export interface Legal {
  move: string
  cost?: number
  to?: number
}

export interface Clocks {
  left: number[]
  running: Seat | null
}

export interface State {
  type: 'state'
  table: TableInfo
  seq: number
  you: Seat | null
  view: BoardView | null
  legal: Legal[]
  log_from: number
  log: Row[]
  setup?: Event[] | null
  clocks: Clocks | null
  undo_to: number | null
  wishes: Record<string, number>
}

export interface GameLog {
  setup: Event[]
  rows: Row[]
}

export interface Position {
  n: number
  moves: number
  you: Seat | null
  view: BoardView
}

export interface Refused {
  type: 'refused'
  code: string
  rule: string | null
  message: string
  values: Record<string, string | number>
  ref?: number | null
}

export interface ChatLine {
  n: number
  seat: Seat | null
  name: string
  text: string
  at: number
}

export interface Hint {
  type: 'hint'
  move: string
  why: { code: string; values: Record<string, string | number>; text: string }
  bot: string
}

export type FromServer =
  | State
  | Refused
  | { type: 'chat'; lines: ChatLine[] }
  | Hint
  | { type: 'error'; code: string; message: string }
  | { type: 'pong' }

export type ToServer = { ref?: number } & (
  | { type: 'move'; seq: number; move: string }
  | { type: 'undo'; seq: number; to?: number }
  | { type: 'max_bid'; card: string; limit: number | null }
  | { type: 'pass_on'; card: string }
  | { type: 'chat'; text: string }
  | { type: 'hint'; bot?: string }
  | { type: 'ping' }
)

// The view of a board game

export interface Plant {
  card: string
  number: number
  fuels: string[]
  need: number
  powers: number
}

export interface FuelShelf {
  stock: number
  supply: number
  prices: number[]
  ladder: number[]
  refill: number
}

export interface PlantMarket {
  current: Plant[]
  future: Plant[]
  step3: boolean
  deck: number
  slid: number[]
  removed: number[]
  discount?: string | null
  back?: string | null
}

export interface Auction {
  eligible: Seat[]
  card: string | null
  bid: number
  leader: Seat | null
  bidders: Seat[]
  scrapping: Seat | null
  sold: number
}

export interface Player {
  seat: Seat
  money: number | null
  plants: Plant[]
  fuel: Record<string, number>
  room: Record<string, number>
  cities: string[]
  supplied: number
}

export interface Cartel {
  plants: Plant[]
  fuel: Record<string, number>
  reserve: number
}

export interface Outcome {
  reason: string
  ranking: Seat[][]
  scores: Record<string, number>[]
}

export interface BoardView {
  rulebook: string
  map: string
  seat: Seat | null
  round: number
  phase: string
  step: number
  to_move: Seat | null
  order: Seat[]
  regions: string[]
  market: PlantMarket
  fuel: Record<string, FuelShelf>
  auction: Auction
  players: Player[]
  houses: Record<string, Seat[]>
  connect: Record<string, number>
  plant_limit: number
  step_2_cities: number
  end_cities: number
  payment: number[]
  house_prices: number[]
  outcome: Outcome | null
  seq: number
  names: string[]
  cartel?: Cartel
}
