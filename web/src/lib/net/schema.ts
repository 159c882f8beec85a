/** Written by web/scripts/protocol.py from the server's schema: `make types`. */

export interface AuthMessage {
  type: 'auth'
  token: string
  ref?: string | number | null
}

export interface MoveMessage {
  type: 'move'
  seq: number
  move: string
  ref?: string | number | null
}

export interface AskPreviewMessage {
  type: 'preview'
  seq: number
  moves: string[]
  ahead?: boolean
  ref?: string | number | null
}

export interface UndoMessage {
  type: 'undo'
  seq: number
  to?: number | null
  ref?: string | number | null
}

export interface MaxBidMessage {
  type: 'max_bid'
  card: string
  limit: number | null
  ref?: string | number | null
}

export interface AutoPassMessage {
  type: 'pass_on'
  card: string
  ref?: string | number | null
}

export interface SendChatMessage {
  type: 'chat'
  text: string
  ref?: string | number | null
}

export interface AskHintMessage {
  type: 'hint'
  bot?: string | null
  ref?: string | number | null
}

export interface AskCoachMessage {
  type: 'coach'
  ref?: string | number | null
}

export interface PingMessage {
  type: 'ping'
  ref?: string | number | null
}

export interface StateMessage {
  type: 'state'
  table: TableInfo
  seq: number
  you: number | null
  view: BoardView | CardGameView | OutpostView | PlainView | null
  legal: Offer[]
  log_from: number
  log: LogRow[]
  setup: (Order | Regions | Blocked | Area | Tokens | Turned | Shuffled | Removed | Slid | LaidBy | Sold | CannotBuy | Demolished | Paid | Income | Mined | UraniumUsed | OutageBegins | StepBegins | StageBegins | Refilled | Taken | Stocked | Placed | Surplus | EndResolved | Hired | Labour)[] | null
  clocks: Clocks | null
  undo_to: number | null
  max_bids: Record<string, number>
}

export interface TableInfo {
  id: string
  rulebook: string
  family: string
  map: string | null
  options: Record<string, unknown>
  title: string
  status: 'broken' | 'failed' | 'finished' | 'open' | 'running'
  public: boolean
  seeded: boolean
  rated: boolean
  cup: string | null
  host: boolean
  host_seat: number | null
  created: number
  seats: SeatInfo[]
  fill: SeatFill | null
  pace: Pace
  timeout: 'bot' | 'minimal'
  auto: boolean
  to_move: number | null
  moves: number
  rematch: string | null
  closes?: number | null
}

export interface SeatInfo {
  seat: number
  kind: 'bot' | 'open' | 'person'
  name: string
  mine: boolean
  bot: string | null
  online: boolean
  left: boolean
  would_end: boolean
  away_until: number | null
}

export interface SeatFill {
  bot: string
  after: number
}

export interface Pace {
  kind?: 'bank' | 'move' | 'none'
  seconds?: number
  increment?: number
}

export interface Offer {
  move: string
  to?: number | null
  cost?: number | null
}

export interface LogRow {
  round: number
  phase: string
  seat: number
  move: string
  events: (Order | Regions | Blocked | Area | Tokens | Turned | Shuffled | Removed | Slid | LaidBy | Sold | CannotBuy | Demolished | Paid | Income | Mined | UraniumUsed | OutageBegins | StepBegins | StageBegins | Refilled | Taken | Stocked | Placed | Surplus | EndResolved | Hired | Labour)[]
  by: string
}

export interface Order {
  what: 'order'
  items: (number | string)[]
}

export interface Regions {
  what: 'regions'
  items: (number | string)[]
}

export interface Blocked {
  what: 'blocked'
  items: (number | string)[]
}

export interface Area {
  what: 'area'
  items: (number | string)[]
}

export interface Tokens {
  what: 'tokens'
  items: (number | string)[]
}

export interface Turned {
  what: 'turned'
  card: string
  column?: number | null
}

export interface Shuffled {
  what: 'shuffled'
  by: string
}

export interface Removed {
  what: 'removed'
  card: string
  seat?: number | null
}

export interface Slid {
  what: 'slid'
  card: string
}

export interface LaidBy {
  what: 'laid_by'
  card: string
}

export interface Sold {
  what: 'sold'
  seat: number
  card: string
  amount: number
}

export interface CannotBuy {
  what: 'cannot_buy'
  seat: number
}

export interface Demolished {
  what: 'demolished'
  seat: number
  amount: number
}

export interface Paid {
  what: 'paid'
  seat: number
  amount: number
}

export interface Income {
  what: 'income'
  seat: number
  amount: number
  supplied?: number | null
}

export interface Mined {
  what: 'mined'
  seat: number
  amount: number
  tokens: number
}

export interface UraniumUsed {
  what: 'uranium_used'
  count: number
}

export interface OutageBegins {
  what: 'outage'
  houses: number
  loss: number
}

export interface StepBegins {
  what: 'step'
  step: number
}

export interface StageBegins {
  what: 'stage'
  stage: number
}

export interface Refilled {
  what: 'refilled'
  fuel: number[]
  market?: string | null
}

export interface Taken {
  what: 'taken'
  seat: number
  card: string
  column?: number | null
}

export interface Stocked {
  what: 'stocked'
  seat: number
  fuel: number[]
}

export interface Placed {
  what: 'placed'
  seat: number
  city: string
  piece?: string | null
}

export interface Surplus {
  what: 'surplus'
  fuel: string
  count: number
}

export interface EndResolved {
  what: 'end_resolved'
}

export interface Hired {
  what: 'hired'
  seat: number
  hired: number
  free?: number
}

export interface Labour {
  what: 'labour'
  workers: number
}

export interface Clocks {
  left: number[]
  running: number | null
}

export interface RefusedMessage {
  type: 'refused'
  code: string
  rule: string | null
  message: string
  values: Record<string, unknown>
  ref: number | string | null
}

export interface DoneMessage {
  type: 'done'
  ref: number | string
}

export interface PreviewMessage {
  type: 'preview'
  seq: number
  moves: PreviewedMove[]
  cost: number
  earns: number | null
  idle: string[]
  view: Record<string, unknown>
  legal: Offer[]
  looks: Offer[][]
  stop: 'chance' | 'turn' | null
  refused: Refusal | null
  ref: number | string | null
}

export interface PreviewedMove {
  move: string
  cost?: number | null
  events?: (Order | Regions | Blocked | Area | Tokens | Turned | Shuffled | Removed | Slid | LaidBy | Sold | CannotBuy | Demolished | Paid | Income | Mined | UraniumUsed | OutageBegins | StepBegins | StageBegins | Refilled | Taken | Stocked | Placed | Surplus | EndResolved | Hired | Labour)[]
}

export interface Refusal {
  move: string
  code: string
  rule: string | null
  message: string
  values: Record<string, unknown>
}

export interface ChatMessage {
  type: 'chat'
  lines: ChatLine[]
}

export interface ChatLine {
  n: number
  seat: number
  name: string
  text: string
  at: number
}

export interface HintMessage {
  type: 'hint'
  seq: number
  move: string
  why: Explanation
  bot: string
  thinking: boolean
}

export interface Explanation {
  code: string
  values: Record<string, unknown>
  text: string
}

export interface CoachMessage {
  type: 'coach'
  seq: number
  lines: Explanation[]
  thinking: boolean
}

export interface ErrorMessage {
  type: 'error'
  code: string
  message: string
  values: Record<string, unknown>
  ref: number | string | null
}

export interface PongMessage {
  type: 'pong'
}

export interface BoardView {
  auction: AuctionView
  blocked?: string[]
  cartel?: CartelView
  connect: Record<string, number>
  connection_at_most?: number
  demolition?: DemolitionView
  end_cities: number
  family: 'board'
  fuel: Record<string, FuelView>
  house_prices: number[]
  houses: Record<string, number[]>
  map: string
  map_rules?: false
  market: BoardMarketView
  markets?: Record<string, Record<string, FuelView>>
  max_price?: number
  mines?: MinesView
  names: string[]
  order: number[]
  outage?: OutageView
  outcome: OutcomeView | null
  payment: number[]
  phase: string
  plant_limit: number
  players: BoardPlayerView[]
  regions: string[]
  round: number
  rulebook: string
  seat: number | null
  seq: number
  slots?: Record<string, SlotView[]>
  start?: Record<string, number>
  step: number
  step_2_cities: number
  to_move: number | null
  tokens_a_turn?: number
  trade?: string | null
  variants?: string[]
}

export interface AuctionView {
  bid: number
  bidders: number[]
  card: string | null
  eligible: number[]
  leader: number | null
  scrapping: number | null
  sold: number
}

export interface CartelView {
  fuel: Record<string, number>
  plants: BoardPlantView[]
  reserve: number
}

export interface BoardPlantView {
  card: string
  fuels: string[]
  mine?: number
  need: number
  number: number
  powers: number
  store?: number
}

export interface DemolitionView {
  paid: boolean
  reconstructed: boolean
  stack: number[][]
}

export interface FuelView {
  ladder: number[]
  prices: number[]
  refill: number
  stock: number
  supply: number
}

export interface BoardMarketView {
  back?: string | null
  current: BoardPlantView[]
  deck: number
  discount?: string | null
  future: BoardPlantView[]
  pile?: string[]
  removed: string[]
  slid: string[]
  stage?: number
  step3: boolean
  waiting?: BoardPlantView[]
}

export interface MinesView {
  ladder: number[]
  pays: number
  price: number | null
  selling: boolean
  stock: number
  used: number
}

export interface OutageView {
  built: number
  loss: number
  most: number
}

export interface OutcomeView {
  ranking: number[][]
  reason: string
  scores: Record<string, number>[]
  unfuelled?: number[]
}

export interface BoardPlayerView {
  cities: string[]
  fuel: Record<string, number>
  mines?: BoardPlantView[]
  money: number | null
  plants: BoardPlantView[]
  ready: string[]
  room: Record<string, number>
  seat: number
  starts?: string[]
  supplied: number
}

export interface SlotView {
  cost: number
  step: number
}

export interface CardGameView {
  auction: AuctionView
  bank?: BankView
  demolition?: DemolitionView
  family: 'cardgame'
  fuel: FuelMarketView
  last: boolean
  market: CardgameMarketView
  names: string[]
  note?: string
  order: number[]
  outcome: OutcomeView | null
  own_cards: boolean
  phase: string
  plant_limit: number
  players: CardgamePlayerView[]
  reconstructed: boolean
  round: number
  rulebook: string
  seat: number | null
  seq: number
  to_move: number | null
}

export interface BankView {
  plants: CardgamePlantView[]
  store: CardgameCardView[]
}

export interface CardgamePlantView {
  back: string
  card: string
  fuels: string[]
  income: number
  need: number
  number: number
}

export interface CardgameCardView {
  face: number
  fuel: string
  single: boolean
  units: number
}

export interface FuelMarketView {
  column_size: number
  columns: CardgameCardView[][]
  discard: CardgameCardView[]
  pile: number
  reshuffles: number
  singles: Record<string, number>
  waiting: CardgameCardView[]
}

export interface CardgameMarketView {
  above_end: number | null
  back: string | null
  current: CardgamePlantView[]
  deck: number
  discount: string | null
  end: boolean
  future: CardgamePlantView[]
  removed: string[]
  slid: string[]
}

export interface CardgamePlayerView {
  fuel: Record<string, number>
  income: number
  money: number | null
  plants: CardgamePlantView[]
  ready: string[]
  room: Record<string, number>
  seat: number
  store: CardgameCardView[]
}

export interface OutpostView {
  areas: string[]
  auction: AuctionView
  board_spaces: number
  canvas: number[]
  choices: string[]
  cities: Record<string, CityView>
  connect: Record<string, Record<string, number>>
  connections: ConnectionView[]
  end_cities: number
  family: 'outpost'
  forced: boolean
  labour: LabourView
  map: string
  market: OutpostMarketView
  names: string[]
  note: string
  order: number[]
  outcome: OutcomeView | null
  own_cards: boolean
  payment: number[]
  phase: string
  players: OutpostPlayerView[]
  reconstructed: boolean
  replaced: string[]
  robots: number
  round: number
  rulebook: string
  seat: number | null
  seq: number
  stage: string
  station_prices: number[]
  step: number
  step_2_cities: number
  syndicate: CompanyView | null
  to_move: number | null
}

export interface CityView {
  area: string
  building: number | null
  name: string
  slot: string
  stations: number[]
  x: number
  y: number
}

export interface ConnectionView {
  a: string
  b: string
  cost: number
}

export interface LabourView {
  ladder: number[]
  prices: number[]
  workers: number
}

export interface OutpostMarketView {
  back: string | null
  current: PlaceView[]
  deck: number
  future: PlaceView[]
  removed: string[]
  slid: string[]
  step3: boolean
}

export interface PlaceView {
  below: OutpostCardView[]
  card: OutpostCardView
  minimum: number
  tokens: number[]
}

export interface OutpostCardView {
  back: string
  card: string
  energy: number
  kind: string
  name: string
  number: number
  places: number
  reconstructed: boolean
  spaces: string[]
  technology: string
  workers: number
}

export interface OutpostPlayerView {
  beds: number
  busy: string
  cities: string[]
  colonies: Record<string, string[]>
  energy: number
  habitats: OutpostCardView[]
  humans: number
  money: number | null
  need: number
  network: number
  plants: OutpostCardView[]
  pool: OutpostCardView[]
  powered: number
  powers: number
  robots: number
  saving: number
  seat: number
  spaces: Record<string, number>
  stations: number
}

export interface CompanyView {
  beds: number
  busy: string
  cities: string[]
  colonies: Record<string, string[]>
  energy: number
  habitats: OutpostCardView[]
  humans: number
  money: number | null
  need: number
  network: number
  plants: OutpostCardView[]
  pool: OutpostCardView[]
  powered: number
  powers: number
  robots: number
  saving: number
  spaces: Record<string, number>
  stations: number
}

export interface PlainView {
  family: string
  names: string[]
  order: number[]
  outcome: OutcomeView | null
  phase: string
  round: number
  rulebook: string
  seat: number | null
  seq: number
  to_move: number | null
}

export interface Problem {
  code: string
  message: string
  values?: Record<string, unknown>
  ref?: string | null
}

export interface Catalogue {
  games: Meta[]
  bots: string[]
  rated_bots: Record<string, string[]>
  covers: Record<string, MapCover>
}

export interface Meta {
  name: string
  family: string
  players: number[]
  maps: Record<string, string>
  options: Option[]
  first_opponent: string
  adviser?: string
  version?: number
  title?: string
  about?: string
}

export interface Option {
  name: string
  default: unknown
  choices: unknown[]
  about?: string
  rule?: string
  takes_list?: boolean
  takes_file?: boolean
}

export interface MapCover {
  names: Record<string, string>
  about?: Record<string, string>
  difficulty?: number | null
  section?: string | null
  doubts?: Doubt[]
  variants?: Record<string, VariantHeader>
  ruled?: boolean
}

export interface Doubt {
  rule: string
  sources: string[]
  confidence: string
  about?: string
  variant?: string
}

export interface VariantHeader {
  names?: Record<string, string>
  rule?: string | null
  players?: number[]
}

export interface Rule {
  id: string
  rulebook: string
  path: string[]
  title: string
  text: string
}

export interface Paragraph {
  key: string
  rules: string[]
  text: string
}

export interface NewTable {
  rulebook: string
  map?: string | Record<string, unknown> | null
  options?: Record<string, unknown>
  title?: string
  public?: boolean
  pace?: Pace
  timeout?: 'bot' | 'minimal'
  auto?: boolean
  rated?: boolean
  fill?: SeatFill | null
  webhook?: string | null
  seats: NewSeat[]
  seed?: string | number | null
}

export interface NewSeat {
  kind: 'bot' | 'me' | 'open'
  bot?: string | null
  name?: string | null
}

export interface StartTable {
  bot?: string
}

export interface ChatLineRef {
  n: number
}

export interface SeatChoice {
  seat?: number | null
}

export interface Key {
  key: string
}

export interface SeatRef {
  seat: number
}

export interface StandIn {
  seat?: number | null
  bot?: string | null
}

export interface RulesetInfo {
  rulebook: string
  version: number
  players: number
  lines: RulesetLine[]
  board: Record<string, unknown> | null
}

export interface RulesetLine {
  name: string
  value: unknown
  origin: 'map' | 'option' | 'rulebook'
  rule: string
  option: boolean
}

export interface Log {
  setup: (Order | Regions | Blocked | Area | Tokens | Turned | Shuffled | Removed | Slid | LaidBy | Sold | CannotBuy | Demolished | Paid | Income | Mined | UraniumUsed | OutageBegins | StepBegins | StageBegins | Refilled | Taken | Stocked | Placed | Surplus | EndResolved | Hired | Labour)[]
  rows: LogRow[]
  unread: string
}

export interface Position {
  n: number
  moves: number
  you: number | null
  view: BoardView | CardGameView | OutpostView | PlainView
}

export interface ResumedTable {
  record: string
  seats: ResumedSeat[]
  moves?: number | null
}

export interface ResumedSeat {
  kind: 'bot' | 'me'
  bot?: string | null
}

export interface GameLine {
  names: string[]
  curves: number[][]
  turns: TurningPoint[]
  complete: boolean
  over: boolean
}

export interface TurningPoint {
  round: number
  seat: number
  before: number
  after: number
}

export interface AnalysisInfo {
  status: 'done' | 'none' | 'running'
  done: number
  found: Analysis | null
}

export interface Analysis {
  names: string[]
  decisions: JudgedDecision[]
  curves: number[][]
  turns: TurningPoint[]
  judges: ('director' | 'exact' | 'forecast' | 'network' | 'network_ahead')[]
  version: number
}

export interface JudgedDecision {
  type: 'JudgedDecision'
  move: number
  round: number
  phase: string
  seat: number
  played: string
  chance: number
  best: string
  best_chance: number
  error: number
  why?: Reason | null
  suspicion?: number
}

export interface Reason {
  code: string
  values?: Record<string, number | string>
}

export interface PuzzleList {
  daily: string
  puzzles: PuzzleInfo[]
}

export interface PuzzleInfo {
  name: string
  rulebook: string
  map: string | null
  players: number
  round: number
  theme: 'auction' | 'bidding' | 'building' | 'fuel' | 'last_round'
  level: number
  found: number
}

export interface Attempt {
  moves: string[]
}

export interface Verdict {
  right: boolean
}

export interface Solution {
  answers: string[]
  why: Explanation
  tried: EvaluatedMove[]
  margin: number
  error: number
  worlds: number
  missed_by: string[]
  chances: number[]
  judge: 'director' | 'exact' | 'forecast' | 'network' | 'network_ahead'
}

export interface EvaluatedMove {
  move: string
  chance: number
  money: number
  size: number
}

export interface MapForm {
  schema: Record<string, unknown>
  rules: Record<string, string>
}

export interface MapDraft {
  map: Record<string, unknown>
}

export interface MapFaults {
  problems: string[]
}

export interface MapWish {
  seed: string
  cities?: number
  regions?: number
  like?: 'germany' | 'usa'
  language?: 'cs' | 'de' | 'en' | 'pl' | 'sr'
}

export interface MapTrial {
  map: Record<string, unknown>
  so_far?: Tally
  games?: number
  seed?: string
}

export interface Tally {
  games?: number
  rounds?: number
  leader_won?: number
  seats?: Record<string, Wins>
  places?: Record<string, Wins>
  cities?: Record<string, Wins>
  opened?: Record<string, number>
  in_play?: Record<string, number>
  entered?: Record<string, number>
  sold_out?: Record<string, number>
  used?: Record<string, number>
  possible?: Record<string, number>
}

export type Wins = [number, number, number]

export interface MapVerdict {
  games: number
  of: number
  figures: Figure[]
  unused: [string, string][]
  so_far: Tally
}

export interface Figure {
  name: string
  value: number
  low: number
  high: number
  margin: number
  where: string
  usual: boolean
}

export interface NewPassword {
  new: string
  old?: string
  passkey?: PasskeyAnswer | null
}

export interface PasskeyAnswer {
  challenge: string
  credential: Record<string, unknown>
}

export interface Me {
  name: string
  account: string | null
  registration: boolean
  token: string | null
}

export interface OldPassword {
  password?: string
  passkey?: PasskeyAnswer | null
}

export interface Credentials {
  login: string
  password: string
}

export interface Rename {
  name: string
}

export interface ClubInfo {
  id: string
  name: string
  host: boolean
  member: boolean
  ladder: LadderLine[]
  lines: ClubLineInfo[]
  cups: CupBrief[]
}

export interface LadderLine {
  member: number
  name: string
  mine: boolean
  points: number
  wins: number
  cups: number
}

export interface ClubLineInfo {
  n: number
  name: string
  mine: boolean
  text: string
  at: number
}

export interface CupBrief {
  id: string
  title: string
  rulebook: string
  status: 'open' | 'over' | 'running'
  round: number
  rounds: number
  host: boolean
  created: number
  club: string | null
}

export interface ClubWords {
  text: string
}

export interface NewClub {
  name: string
}

export interface ClubBrief {
  id: string
  name: string
  host: boolean
}

export interface ClubLineRef {
  n: number
}

export interface MemberRef {
  member: number
}

export interface ContactChoice {
  handle: string
  kind: 'blocked' | 'followed' | null
}

export interface Contact {
  handle: string
  kind: 'blocked' | 'followed'
  table: TableInfo | null
}

export interface NewHoliday {
  first: string
  last: string
}

export interface OwnHolidays {
  holidays: Holiday[]
  days_left: number
}

export interface Holiday {
  first: string
  last: string
}

export interface HolidayRef {
  first: string
}

export interface OwnCalendar {
  entries: CalendarEntry[]
  has_address: boolean
}

export interface CalendarEntry {
  at: number
  kind: 'round' | 'turn'
  id: string
  title: string
  rulebook: string
  round: number | null
}

export interface CalendarAddress {
  path: string
}

export interface DeclinedInvitation {
  table: string
}

export interface Invitation {
  by: string
  at: number
  table: TableInfo
}

export interface NewInvitation {
  table: string
  handle: string
}

export interface CupInfo {
  id: string
  title: string
  rulebook: string
  status: 'open' | 'over' | 'running'
  round: number
  rounds: number
  host: boolean
  created: number
  club: string | null
  boards: string[]
  options: Record<string, unknown>
  seats: number
  pace: Pace
  points: number[]
  wait: number
  played: number
  next_at: number | null
  me: number | null
  lines: CupLine[]
  tables: CupTable[]
}

export interface CupLine {
  player: number
  name: string
  mine: boolean
  status: 'in' | 'out' | 'removed'
  rank: number
  points: number
  wins: number
  opponents: number
  games: number
}

export interface CupTable {
  table: string
  round: number
  status: 'broken' | 'failed' | 'finished' | 'open' | 'running' | null
  seats: CupSeatInfo[]
}

export interface CupSeatInfo {
  player: number | null
  place: number | null
  left: boolean
  points: number
}

export interface NewCup {
  title: string
  rulebook: string
  boards?: string[]
  options?: Record<string, unknown>
  seats?: number
  rounds?: number
  pace?: Pace
  points?: number[]
  wait?: number
  begins?: number | null
  club?: string | null
}

export interface PlayerRef {
  player: number
}

export interface PushKey {
  key: string | null
}

export interface NewSubscription {
  endpoint: string
  key: string
  auth: string
}

export interface Endpoint {
  endpoint: string
}

export interface GameCount {
  rulebook: string
  board: string
  players: number
  games: number
  won: number
}

export interface FinishedGames {
  games: FinishedGame[]
  count: number
  after: string | null
}

export interface FinishedGame {
  table: string
  rulebook: string
  board: string
  title: string
  at: number
  seconds: number
  rated: boolean
  seats: FinishedSeat[]
}

export interface FinishedSeat {
  seat: number
  name: string
  mine: boolean
  bot: string | null
  left: boolean
  place: number
  plant: string
  city: string
}

export interface RoundFigures {
  average: RoundAverages
  latest: GameRounds | null
  tycoon: RoundAverages | null
  best: NotableGame | null
  narrowest: NotableGame | null
}

export interface RoundAverages {
  games: number
  income: number[]
  cities: number[]
}

export interface GameRounds {
  table: string
  rounds: Rounds
}

export interface Rounds {
  income: number[]
  cities: number[]
}

export interface NotableGame {
  table: string
  at: number
  won: boolean
  margin: number
  tie_margin: number
}

export interface MailChoice {
  address: string
  language: 'cs' | 'de' | 'en' | 'pl' | 'sr-Latn'
  digest?: boolean
}

export interface MailInfo {
  offered: boolean
  address: string | null
  confirmed: boolean
  digest: boolean
}

export interface LibraryMaps {
  maps: LibraryMap[]
  total: number
}

export interface LibraryMap {
  id: string
  name: string
  author: string
  licence: string
  version: number
  at: number
  cities: number
  regions: number
  ruled: boolean
  played: number
  likes: number
  liked: boolean
  may_like: boolean
  mine: boolean
  picture: MapPicture
}

export interface MapPicture {
  canvas: [number, number]
  land: string
  wires: string
  dots: [number, number][]
}

export interface NewLibraryMap {
  map: Record<string, unknown>
  licence: 'CC-BY-4.0' | 'CC-BY-SA-4.0' | 'CC0-1.0'
  id?: string | null
}

export interface Like {
  liked: boolean
}

export interface MapReport {
  reason: string
}

export interface NewPasskey {
  name: string
  answer: PasskeyAnswer
  password?: string
  passkey?: PasskeyAnswer | null
}

export interface Passkeys {
  password: boolean
  passkeys: PasskeyInfo[]
}

export interface PasskeyInfo {
  id: string
  name: string
  made: number
  used: number | null
}

export interface PasskeyAccount {
  login: string
  name: string
  answer: PasskeyAnswer
}

export interface PasskeyWish {
  kind: 'create' | 'get'
  login?: string | null
}

export interface PasskeyOptions {
  challenge: string
  options: Record<string, unknown>
}

export interface PasskeyRef {
  id: string
}

export interface PasskeyRename {
  id: string
  name: string
}

export interface ProfileChoice {
  handle: string
  public?: boolean
}

export interface Profile {
  handle: string | null
  mine: boolean
  public: boolean
  counts: GameCount[]
  plants: OpeningCount[]
  cities: OpeningCount[]
  ratings: Rating[]
  puzzles: PuzzleCount
}

export interface OpeningCount {
  rulebook: string
  name: string
  games: number
  won: number
}

export interface Rating {
  rulebook: string
  rating: number
  error: number
  provisional: boolean
  games: number
  curve: RatedGame[]
}

export interface RatedGame {
  table: string
  at: number
  rating: number
  error: number
}

export interface PuzzleCount {
  solved: number
  streak: number
}

export interface GameWish {
  rulebook: string
  board?: string | null
  players?: number | null
  pace?: Pace
  rated?: boolean
  bot?: string
  wait?: number
}

export interface Tonight {
  waiting: TableInfo[]
  best: TableInfo | null
  arena: TableInfo | null
}

export interface RatedPlayer {
  handle: string | null
  bot: string | null
  rating: number
  error: number
  games: number | null
  mine: boolean
}

export interface SolvedPuzzle {
  puzzle: string
  moves: string[]
}

export interface Health {
  status: string
  version: string
}

export interface ServerAddress {
  origin: string | null
  lan_command: string
  lan?: boolean | null
}

export interface LanChoice {
  open: boolean
}
