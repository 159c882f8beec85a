/** What a company plans to do in its turn, as moves; the server computes the result. */
import type { Legal, OutpostView, Preview, PreviewedMove } from '../../net/protocol'
import type { OutpostPlayerView as Company } from '../../net/schema'

export type Kind = 'plant' | 'habitat'
export type Piece = 'station' | Kind

export const KINDS: Kind[] = ['plant', 'habitat']
export const PIECES: Piece[] = ['station', ...KINDS]

export interface Building {
  piece: Piece
  city: string
}

export type Priced = Building & { cost: number }

export interface Settling {
  piece: Piece
  card: string
}

/** What was chosen; null where the server's proposal applies. */
export interface TurnPlan {
  builds: string[]
  settled: string[]
  placed: string[] | null
  hired: number | null
  robot: boolean
}

export const EMPTY_PLAN: TurnPlan = { builds: [], settled: [], placed: null, hired: null, robot: true }

export const buildMove = ({ piece, city }: Building) => `build ${piece} ${city}`
export const settleMove = ({ piece, card }: Settling) => `settle ${piece} ${card}`

/** A turn as it would be played. */
export interface Turn {
  /** All its moves, in order. */
  moves: string[]
  builds: Priced[]
  settled: Settling[]
  /** Moves that place cards on the board, possible further ones, and the cards they place. */
  placed: string[]
  placements: string[]
  placedCards: Set<string>
  /** What could also be built or put on a Colony card. */
  free: Priced[]
  settleable: Settling[]
  /** What each number of workers costs; how many are hired, and how many come for free. */
  hires: Map<number, number>
  hired: number
  housed: number
  wages: number
  /** Whether a robot can be made, and is. */
  maker: boolean
  robot: boolean
  /** The company after the turn. */
  me: Company
  cost: number
  income: number
}

const PLACING = ['place', 'swap']
const verbOf = ({ move }: Legal | PreviewedMove) => move.split(' ')[0]!
const of = <M extends Legal | PreviewedMove>(moves: M[], ...verbs: string[]) =>
  moves.filter((each) => verbs.includes(verbOf(each)))

function priced({ move, cost }: Legal | PreviewedMove): Priced {
  const [, piece, city] = move.split(' ') as [string, Piece, string]
  return { piece, city, cost: cost ?? 0 }
}
function settling({ move }: Legal | PreviewedMove): Settling {
  const [, piece, card] = move.split(' ') as [string, Piece, string]
  return { piece, card }
}

/** The moves to preview. The server also lists what would be possible after each part of the turn. */
export function movesToPreview(
  { builds, settled, placed, hired, robot }: TurnPlan,
  hires: Map<number, number>,
): string[] {
  const placing = placed ?? ['usual place', 'usual swap']
  const hire = hired === null ? ['usual hire'] : hires.has(hired) ? [`hire ${hired}`] : []
  return [
    ...builds,
    ...settled,
    'look',
    ...placing,
    'look',
    ...hire,
    'look',
    ...(robot ? ['usual robot'] : []),
    'usual done',
  ]
}

/** What each number of workers would cost. */
export const hiresIn = (offers: Legal[] = []): Map<number, number> =>
  new Map(of(offers, 'hire').map(({ move, cost }) => [Number(move.split(' ')[1]), cost ?? 0]))

/** The turn by the server's preview. */
export function turnOf({ moves, looks, view, cost, earns }: Preview<OutpostView>, seat: number): Turn {
  const [first = [], second = [], third = []] = looks
  const hire = of(moves, 'hire')[0]
  const hiring = hire?.events?.find((event) => event.what === 'hired')
  const placed = of(moves, ...PLACING).map(({ move }) => move)
  return {
    moves: moves.map(({ move }) => move),
    builds: of(moves, 'build').map(priced),
    settled: of(moves, 'settle').map(settling),
    placed,
    placements: of(second, ...PLACING).map(({ move }) => move),
    placedCards: new Set(placed.map(placedCard)),
    free: of(first, 'build').map(priced),
    settleable: of(first, 'settle').map(settling),
    hires: hiresIn(second),
    hired: hiring?.hired ?? 0,
    housed: hiring?.free ?? 0,
    wages: hire?.cost ?? 0,
    maker: of(third, 'robot').length > 0,
    robot: of(moves, 'robot').length > 0,
    me: view.players[seat]!,
    cost,
    income: earns ?? 0,
  }
}

/** The card that a move puts on the board: "place 12 on plant", "swap 3 for 22". */
export const placedCard = (move: string): string => move.split(' ')[move.startsWith('swap') ? 3 : 1]!

/** The moves with one card in place of another: placed where it was, or swapped in. */
export function exchanged(placed: string[], old: string, card: string): string[] {
  const before = placed.find((move) => placedCard(move) === old)
  if (!before) return [...placed, `swap ${old} for ${card}`]
  const words = before.split(' ')
  words[before.startsWith('swap') ? 3 : 1] = card
  return placed.map((move) => (move === before ? words.join(' ') : move))
}
