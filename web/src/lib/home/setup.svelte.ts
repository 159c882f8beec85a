/** The table that will be made: game, board, seats and options, as chosen on the first page. */
import { api } from '../net/api'
import type { Catalogue, GameInfo, GameOption, NewSeat, NewTable, Pace } from '../net/protocol'
import shipped from '../net/shipped.json'
import { charactersOf } from '../ui/characters'
import { coverOf } from '../ui/covers.svelte'
import { readStored, store } from '../ui/stored'

const LAST = 'hv-last-table'
/** In place of a map: a new one for this game. */
export const RANDOM = 'random'
/** Bids too much, so that something happens, and wins less often than others. */
const LIVELY = 'clerk:bold'

/** Who takes a seat: somebody at this screen, anyone with the link, or a bot by its name. */
export type Sitter = string

/** What is chosen separately. */
export type Part = 'game' | 'board' | 'seats' | 'options'

/** What is remembered of the last table. Files and names are not. */
interface Last {
  rulebook: string
  map: string
  seats: Sitter[]
  options: Record<string, unknown>
  variants: string[]
  pace: Pace['kind']
  minutes: number
  increment: number
  timeout: 'bot' | 'minimal'
}

/** A file of the player instead of a shipped board or shipped cards, and what it stands for. */
export interface OwnContent {
  of: string
  file: string
  content: Record<string, unknown>
}

export class Setup {
  /** Known when the page is built; the server adds what other packages bring. */
  catalogue = $state.raw<Pick<Catalogue, 'games' | 'bots' | 'rated_bots'>>(shipped as unknown as Catalogue)
  #rulebook = $state('classic')
  #map = $state('germany')
  #seats = $state.raw<Sitter[]>([])
  /** The names of the people at this screen, by seat. */
  names = $state<string[]>([])
  options = $state<Record<string, unknown>>({})
  variants = $state<string[]>([])
  pace = $state<Pace['kind']>('none')
  minutes = $state(10)
  increment = $state(15)
  timeout = $state<'bot' | 'minimal'>('bot')
  title = $state('')
  public = $state(false)
  #isRated = $state(false)
  ownMap = $state.raw<OwnContent | null>(null)
  ownCards = $state.raw<OwnContent | null>(null)
  /** No table was made in this browser before. */
  readonly isFirst: boolean

  readonly games = $derived(this.catalogue.games)
  readonly game: GameInfo = $derived(this.games.find(({ name }) => name === this.#rulebook) ?? this.games[0]!)
  readonly maps = $derived([...Object.keys(this.game.maps), ...(this.game.family === 'board' ? [RANDOM] : [])])
  readonly map = $derived(this.maps.includes(this.#map) ? this.#map : (this.maps[0] ?? null))
  readonly cover = $derived(this.map ? coverOf(this.map) : undefined)
  /** All kinds of bots, weakest first, and the characters that they can be. */
  readonly bots = $derived(this.catalogue.bots.flatMap((bot) => [bot, ...charactersOf(bot)]))

  /** The seats, as far as this game and these bots allow. */
  readonly seats: Sitter[] = $derived.by(() => {
    const { players } = this.game
    const wanted = this.#seats.length || 4
    const count = players.includes(wanted) ? wanted : players.at(-1)!
    return Array.from({ length: count }, (_, i) => {
      const sitter = this.#seats[i] ?? (i ? '' : 'me')
      return sitter === 'me' || sitter === 'open' || this.bots.includes(sitter) ? sitter : this.#usual(i)
    })
  })

  /** The options that are a choice here. */
  readonly choices = $derived(
    this.game.options.filter(
      ({ name, choices }) => choices.length > 1 && (name !== 'map_rules' || coverOf(this.map ?? '')?.ruled),
    ),
  )
  readonly takesCards = $derived(this.game.options.some(({ name, takes_file }) => takes_file && name === 'cards'))
  readonly playedMap = $derived(this.ownMap?.of === this.map ? this.ownMap : null)
  readonly playedCards = $derived(this.takesCards && this.ownCards?.of === this.game.name ? this.ownCards : null)
  readonly playedVariants = $derived(
    this.playedMap ? [] : this.variants.filter((name) => name in (this.cover?.variants ?? {})),
  )
  /** Options that differ from what the rulebook says. */
  readonly changed = $derived(this.choices.filter((option) => this.chosen(option) !== option.default))
  readonly mayBeRated = $derived(this.game.name in this.catalogue.rated_bots)
  readonly rated = $derived(this.#isRated && this.mayBeRated)
  /** Somebody is still to come. */
  readonly awaits = $derived(this.seats.includes('open'))

  constructor() {
    const last = readStored<Partial<Last>>(LAST)
    this.isFirst = !last
    if (!last) return
    this.#rulebook = last.rulebook ?? this.#rulebook
    this.#map = last.map ?? this.#map
    this.#seats = last.seats ?? []
    this.options = last.options ?? {}
    this.variants = last.variants ?? []
    this.pace = last.pace ?? this.pace
    this.minutes = last.minutes ?? this.minutes
    this.increment = last.increment ?? this.increment
    this.timeout = last.timeout ?? this.timeout
  }

  async load() {
    this.catalogue = await api.games()
  }

  /** Unless others were chosen, the bots are those for newcomers to this game. */
  chooseGame(name: string) {
    const bots = this.seats.map((sitter) => this.#isBot(sitter))
    if (bots.every((bot, i) => !bot || this.seats[i] === this.#usual(i)))
      this.#seats = this.seats.map((sitter, i) => (bots[i] ? '' : sitter))
    this.#rulebook = name
  }

  chooseMap(name: string) {
    this.#map = name
  }

  /** More bots, or fewer seats. */
  resize(count: number) {
    this.#seats = Array.from({ length: count }, (_, i) => this.seats[i] ?? '')
  }

  seat(i: number, sitter: Sitter) {
    this.#seats = this.seats.with(i, sitter)
  }

  /** All bots are of this kind. */
  chooseBots(bot: string) {
    this.#seats = this.seats.map((sitter) => (this.#isBot(sitter) ? bot : sitter))
  }

  /** A friend takes the seat beside mine. */
  invite() {
    if (!this.awaits) this.seat(1, 'open')
  }

  /** Bots take the seats that wait for somebody. */
  dismiss() {
    if (this.awaits) this.#seats = this.seats.map((sitter) => (sitter === 'open' ? '' : sitter))
  }

  /** A rated game has a clock, and bots whose strength was measured. */
  rate(rated: boolean) {
    this.#isRated = rated
    if (!rated) return
    if (this.pace === 'none') this.pace = 'move'
    const measured = this.catalogue.rated_bots[this.game.name] ?? []
    const like = (bot: string) => [bot, bot.split(':')[0]!].find((each) => measured.includes(each)) ?? 'clerk'
    this.#seats = this.seats.map((sitter) => (this.#isBot(sitter) ? like(sitter) : sitter))
  }

  chosen(option: GameOption): unknown {
    const value = this.options[option.name] ?? option.default
    return option.choices.includes(value) ? value : option.default
  }

  table(): NewTable {
    return {
      rulebook: this.game.name,
      map: this.playedMap?.content ?? this.map,
      options: {
        ...Object.fromEntries(this.changed.map((option) => [option.name, this.chosen(option)])),
        ...(this.playedCards ? { cards: this.playedCards.content } : {}),
        ...(this.playedVariants.length ? { variants: this.playedVariants } : {}),
      },
      seats: this.seats.map((sitter, i) => this.#newSeat(sitter, i)),
      title: this.title.trim(),
      public: this.public,
      pace: this.#newPace(),
      timeout: this.timeout,
      rated: this.rated,
    }
  }

  remember() {
    const last: Last = {
      rulebook: this.game.name,
      map: this.#map,
      seats: this.seats,
      options: this.options,
      variants: this.variants,
      pace: this.pace,
      minutes: this.minutes,
      increment: this.increment,
      timeout: this.timeout,
    }
    store(LAST, last)
  }

  /** A table for newcomers is mixed, and can be beaten. */
  #usual = (seat: number) => (seat % 2 ? this.game.first_opponent : LIVELY)

  #isBot = (sitter: Sitter) => this.bots.includes(sitter)

  #newSeat(sitter: Sitter, i: number): NewSeat {
    if (sitter === 'open') return { kind: sitter }
    if (sitter !== 'me') return { kind: 'bot', bot: sitter }
    const name = this.names[i]?.trim()
    return name ? { kind: sitter, name } : { kind: sitter }
  }

  #newPace(): Pace {
    if (this.pace === 'none') return { kind: this.pace }
    if (this.pace === 'move') return { kind: this.pace, seconds: this.minutes * 60 }
    return { kind: this.pace, seconds: this.minutes * 60, increment: this.increment }
  }
}
