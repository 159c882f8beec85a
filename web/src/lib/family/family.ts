/** What a family of rulebooks brings to the page: its table, its words, its charts. */
import type { Component, Snippet } from 'svelte'
import type { Clocks, Event, GameView, Row, RulesetInfo, SeatInfo } from '../net/protocol'
import type { Table } from '../net/table.svelte'
import type { Playhead } from '../stage/playhead'
import type { IconName } from '../ui/Icon.svelte'
import type { Places } from './places.svelte'

/** A panel of the table. */
export interface Tab {
  id: string
  icon: IconName
  label: string
  body: Snippet
  badge?: number
  pad?: boolean
  /** What is mine stays visible next to it. */
  mine?: boolean
  /** A new phase does not switch away from it. */
  stays?: boolean
}

export interface SceneProps<V extends GameView> {
  /** The rules and values of the table. */
  ruleset: () => Promise<RulesetInfo>
  /** Null in a replay, where there is nothing to decide. */
  table: Table<V> | null
  /** What is shown: the view of the table, or of a position of the replay. */
  view: V
  playhead: Playhead
  places: Places
  seats: SeatInfo[]
  clocks: (Clocks & { at: number }) | null
  head: Snippet
  /** The bar below, given the buttons of the decision, and what is planned while others decide. */
  bar: Snippet<[Snippet, Snippet?]>
  /** What just happened, in a line below the board. */
  news: Snippet
  /** What is staged: over the board or docked, in a place of its own; pay may be in the list of players instead. */
  stage: Snippet<[docked?: boolean, listed?: boolean]>
  /** What the page adds to the tabs: the log, chat, charts. */
  tabs: Tab[]
  tab: string
}

/** Lines by round, one for each player. */
export interface Lines {
  title: string
  lines: (number | null)[][]
}

/** Bars of several parts, one bar for each player. */
export interface Bars {
  title: string
  parts: string[]
  bars: number[][]
}

export type Chart = Lines | Bars

/** What is needed to describe a game in words. */
export interface Narrator {
  family: Family
  names: string[]
  places: Places
}

export interface Family<V extends GameView = GameView> {
  /** The table itself, in play and in the replay. */
  Scene: Component<SceneProps<V>, object, 'tab'>
  /** What the director of a seat looks like, where players are somebody. */
  Portrait?: Component<{ seat: number; bot?: string | null | undefined; size?: number }>
  /** An explanation of the result, where a list of its measures is not enough. */
  Score?: Component<{ view: V }>
  /** Why a player has not scored more, in a sentence; may be nothing. Without it, cities without power are explained. */
  missed?: (view: V, seat: number) => string
  /** A note on card faces that differ from the printed ones, and the rule that explains it. */
  cardsNote?: (view: V) => { note: string; rule: string } | null
  /** The phases of a round. */
  phases: string[]
  /** Whether this round is known to be the last. */
  isLast?: (view: V) => boolean
  /** How far the game has come, in a word or two; may be nothing. */
  stage: (view: V) => string
  /** What the seat to move has to decide, as a key of the texts. */
  question: (view: V) => string
  /** The name of a party that acts without being a player. */
  stranger: () => string
  /** A row of the log, an event, a proposed move in words; undefined where the shared words apply. */
  decision: (row: Row, name: string, narrator: Narrator) => string | undefined
  eventWords: (event: Event, name: string, narrator: Narrator) => string | undefined
  /** The events of a row; those described as one are merged. */
  mergeEvents?: (events: Event[]) => Event[]
  moveWords: (move: string, places: Places) => string | undefined
  /** What the replay draws, from the views at the end of each round and all moves. */
  charts: (views: V[], rows: Row[]) => Chart[]
  /** Which elements to click for a move, as selectors: the first visible one is next. */
  aims: (move: string) => string[]
  /** What the coach says of a move that is part of a larger one. */
  adviceWords?: (move: string) => string | undefined
}
