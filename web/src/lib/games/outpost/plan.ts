/** What a company means to do in its turn and what that comes to. The server judges every move. */
import type { Ways } from '../../map/chart'
import type { OutpostView } from '../../net/protocol'
import type { OutpostCardView as Card, OutpostPlayerView as Company } from '../../net/schema'

export type Kind = 'plant' | 'habitat'
export type Piece = 'station' | Kind

export const KINDS: Kind[] = ['plant', 'habitat']
export const PIECES: Piece[] = ['station', ...KINDS]
export const STATION_PRICES = [10, 15, 20]
export const SPACES = 4

export interface Building {
  piece: Piece
  city: string
}

export interface Settling {
  piece: Piece
  card: string
}

/** A card that goes to a space of the board, or takes the place of another. */
export interface Placing {
  card: string
  space: Kind
  old?: string
}

/** What was chosen; null where the best is taken. */
export interface Wish {
  builds: Building[]
  settled: Settling[]
  placed: Placing[] | null
  hired: number | null
  robot: boolean | null
}

export const NOTHING: Wish = { builds: [], settled: [], placed: null, hired: null, robot: null }

/** A turn as it would be played. */
export interface Turn {
  builds: (Building & { cost: number })[]
  settled: Settling[]
  placed: Placing[]
  spaces: Record<Kind, number>
  plants: Card[]
  habitats: Card[]
  network: number
  beds: number
  need: number
  /** The most that may be hired for money, and how many are. */
  most: number
  hired: number
  /** How many come for nothing. */
  housed: number
  wages: number
  /** Who makes a robot, where one can be made. */
  maker: 'human' | 'robot' | null
  robot: boolean
  workers: number
  energy: number
  powered: number
  income: number
  cost: number
  left: number
}

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)
export const isHeld = (me: Company, technology: string) =>
  [...me.pool, ...me.plants, ...me.habitats].some((card) => card.technology === technology)

/** All cities with a building of a company. */
export const structureOf = (view: OutpostView, seat: number): string[] => {
  const built = Object.entries(view.cities).filter(
    ([, { stations, building }]) => stations.includes(seat) || building === seat,
  )
  return built.map(([city]) => city)
}

/** What a building costs once others of the plan stand; the server says what it costs now. */
export function quote(
  view: OutpostView,
  ways: Ways,
  structure: string[],
  before: Building[],
  { piece, city }: Building,
): number {
  const now = view.connect[city]?.[piece] ?? Infinity
  const nearest = (from: string[]) => (from.length ? Math.min(...from.map((each) => ways.cost(each, city))) : 0)
  return now - nearest(structure) + nearest([...structure, ...before.map((each) => each.city)])
}

const same = (a: Building, b: Building) => a.piece === b.piece && a.city === b.city

/** Whether a piece of this sort is still on the company board. */
function isLeft(me: Company, { builds, settled }: Turn, piece: Piece): boolean {
  const left = piece === 'station' ? me.stations : SPACES - (me.spaces[piece] ?? 0)
  return left > [...builds, ...settled].filter((each) => each.piece === piece).length
}

/** What can still be added to the buildings of a plan, with what it would cost. */
export function buildable(view: OutpostView, ways: Ways, seat: number, turn: Turn): (Building & { cost: number })[] {
  if (view.stage !== 'building') return []
  const me = view.players[seat]!
  const structure = structureOf(view, seat)
  const found: (Building & { cost: number })[] = []
  for (const [city, prices] of Object.entries(view.connect))
    for (const piece of Object.keys(prices) as Piece[]) {
      const building = { piece, city }
      if (!isLeft(me, turn, piece) || turn.builds.some((each) => same(each, building))) continue
      const cost = quote(view, ways, structure, turn.builds, building)
      if (cost <= turn.left + turn.wages) found.push({ ...building, cost })
    }
  return found
}

/** Pieces that can be put on a Colony card. */
export function settleable(view: OutpostView, seat: number, turn: Turn): Settling[] {
  if (view.stage !== 'building') return []
  const me = view.players[seat]!
  return Object.entries(me.colonies).flatMap(([card, there]) =>
    PIECES.filter((piece) => {
      const taken = there.includes(piece) || turn.settled.some((each) => each.card === card && each.piece === piece)
      return !taken && isLeft(me, turn, piece)
    }).map((piece) => ({ card, piece })),
  )
}

/** The spaces that a card may lie on. */
export const kindsOf = (card: Card): Kind[] =>
  card.kind === 'technology' ? (card.energy ? KINDS : []) : [card.kind as Kind]

/** Whether a card may take the place of another. */
export const isBetter = (kind: Kind, card: Card, old: Card) =>
  kind === 'plant' ? card.energy > old.energy || card.workers < old.workers : card.places > old.places

const worth = (kind: Kind, card: Card) => (kind === 'plant' ? card.energy * 10 - card.workers : card.places)

/** Fill free spaces with the best cards, then exchange what is better in every way. */
function bestPlacing(me: Company, spaces: Record<Kind, number>): Placing[] {
  const placed: Placing[] = []
  const left = [...me.pool]
  for (const kind of KINDS) {
    const board = kind === 'plant' ? [...me.plants] : [...me.habitats]
    for (;;) {
      const fit = left.filter((card) => kindsOf(card).includes(kind)).sort((a, b) => worth(kind, b) - worth(kind, a))
      const card = fit[0]
      if (!card) break
      const worst = [...board].sort((a, b) => worth(kind, a) - worth(kind, b))[0]
      if (board.length < spaces[kind]) {
        placed.push({ card: card.card, space: kind })
        board.push(card)
      } else if (
        worst &&
        isBetter(kind, card, worst) &&
        card.energy >= worst.energy &&
        card.workers <= worst.workers &&
        card.places >= worst.places
      ) {
        placed.push({ card: card.card, space: kind, old: worst.card })
        board[board.indexOf(worst)] = card
      } else break
      left.splice(left.indexOf(card), 1)
    }
  }
  return placed
}

/** The cards of a kind of space after these placings. */
function laidOut(me: Company, kind: Kind, placed: Placing[]): Card[] {
  const cards = new Map([...me.pool, ...me.plants, ...me.habitats].map((card) => [card.card, card]))
  let board = kind === 'plant' ? me.plants : me.habitats
  for (const { card, space, old } of placed) {
    const found = cards.get(card)!
    if (space !== kind) continue
    board = old ? board.map((each) => (each.card === old ? found : each)) : [...board, found]
  }
  return board
}

/** The most energy that so many workers bring. */
export function mostEnergy(cards: Card[], workers: number, extra: number): number {
  const best = Array.from({ length: workers + 1 }, () => 0)
  for (const card of cards.filter(({ energy }) => energy))
    for (let left = workers; left >= card.workers; left--)
      best[left] = Math.max(best[left]!, best[left - card.workers]! + card.energy + extra)
  return best[workers]!
}

/** The turn that a wish comes to: what is no longer possible is left out, what is open is chosen. */
export function planTurn(view: OutpostView, ways: Ways, seat: number, wish: Wish): Turn {
  const me = view.players[seat]!
  const money = me.money ?? 0
  const structure = structureOf(view, seat)
  const builds: Turn['builds'] = []
  const early = view.stage === 'building'
  for (const building of early ? wish.builds : []) {
    const cost = quote(view, ways, structure, builds, building)
    if (cost <= money - sum(builds.map((each) => each.cost))) builds.push({ ...building, cost })
  }
  const settled = early
    ? wish.settled.filter(({ card, piece }) => me.colonies[card] && !me.colonies[card]!.includes(piece))
    : []
  const added = (piece: Piece) => [...builds, ...settled].filter((each) => each.piece === piece).length
  const spaces = {
    plant: (me.spaces.plant ?? 0) + added('plant'),
    habitat: (me.spaces.habitat ?? 0) + added('habitat'),
  }
  const late = view.stage === 'hired'
  const pool = new Set(me.pool.map(({ card }) => card))
  const placed = late ? [] : (wish.placed ?? bestPlacing(me, spaces)).filter(({ card }) => pool.has(card))
  const plants = laidOut(me, 'plant', placed)
  const habitats = laidOut(me, 'habitat', placed)
  const board = [...plants, ...habitats]

  const beds = sum(board.map(({ places }) => (places ? places + Number(isHeld(me, 'hub_module')) : 0)))
  const need = sum(board.map(({ workers }) => workers))
  const spent = sum(builds.map(({ cost }) => cost))
  const market = late ? 0 : view.labour.workers
  const wagesOf = (count: number) => sum(view.labour.prices.slice(0, count))
  let most = Math.min(market, Math.max(0, need - me.robots - Math.max(beds, me.humans)))
  while (most && wagesOf(most) > money - spent) most--
  const network = me.network + added('station')
  const housedBy = (hired: number) => Math.min(market - hired, Math.max(0, beds - me.humans))
  const extra = Number(isHeld(me, 'laboratories'))
  const workersOf = (hired: number) => me.humans + hired + housedBy(hired) + me.robots
  const poweredBy = (hired: number) => Math.min(network, mostEnergy(board, workersOf(hired), extra))
  // As few as power most.
  let useful = 0
  for (let count = 1; count <= most; count++) if (poweredBy(count) > poweredBy(useful)) useful = count
  const hired = Math.min(most, wish.hired ?? useful)
  const housed = housedBy(hired)
  const workers = workersOf(hired)
  const humans = me.humans + hired + housed
  const able = view.robots > 0 && isHeld(me, 'robots')
  const maker = !able ? null : humans ? 'human' : me.robots ? 'robot' : null
  const powered = poweredBy(hired)
  const wages = wagesOf(hired)
  return {
    builds,
    settled,
    placed,
    spaces,
    plants,
    habitats,
    network,
    beds,
    need,
    most,
    hired,
    housed,
    wages,
    maker,
    robot: maker !== null && (wish.robot ?? true),
    workers,
    energy: mostEnergy(board, workers, extra),
    powered,
    income: view.payment[powered] ?? 0,
    cost: spent + wages,
    left: money - spent - wages,
  }
}

/** The moves of a turn, in the order in which they must be made. */
export function movesOf(turn: Turn, cards: Card[]): string[] {
  const isBoth = (card: string) => kindsOf(cards.find((each) => each.card === card)!).length > 1
  const moves = [
    ...turn.builds.map(({ piece, city }) => `build ${piece} ${city}`),
    ...turn.settled.map(({ piece, card }) => `settle ${piece} ${card}`),
    ...turn.placed.map(({ card, space, old }) =>
      old ? `swap ${old} for ${card}` : `place ${card}${isBoth(card) ? ` on ${space}` : ''}`,
    ),
  ]
  const hires = turn.hired + turn.housed > 0
  if (hires) moves.push(`hire ${turn.hired}`)
  if (turn.robot) moves.push(`robot ${turn.maker}`)
  // Hiring ends the turn of those who make no robots.
  else if (!hires || turn.maker) moves.push('done')
  return moves
}
