/** The protocol by the names that this page uses; the types themselves are the server's. */
import type * as server from './schema'

export type {
  AnalysisInfo,
  Catalogue,
  ChatLine,
  Clocks,
  Judged,
  Me,
  NewTable,
  Pace,
  Rule,
  SeatInfo,
  SeatWish as NewSeat,
  TableInfo,
} from './schema'

export type GameInfo = server.Meta
export type GameOption = server.Option
export type Seat = number
export type Legal = server.Offer
export type Event = server.EventData
export type Row = server.LogRow
export type GameLog = server.Log

/** Values that make a sentence in any language. */
export type Values = Record<string, string | number>

export type Refused = Omit<server.RefusedMessage, 'values'> & { values: Values }
export type Hint = Omit<server.HintMessage, 'why'> & { why: Omit<server.Why, 'values'> & { values: Values } }

export interface Outcome {
  reason: string
  ranking: Seat[][]
  scores: Record<string, number>[]
}

type Ended<V> = Omit<V, 'outcome'> & { outcome: Outcome | null }

/** The board games: the newer edition shows all that the older one does, and more. */
export type BoardView = Ended<server.BoardView> & { cartel?: server.CartelView }
export type CardGameView = Ended<server.CardGameView>
export type OutpostView = Ended<server.OutpostView>

/** What the views of all rulebooks have. */
export type GameView = Pick<
  BoardView,
  'rulebook' | 'seat' | 'round' | 'phase' | 'to_move' | 'order' | 'auction' | 'names' | 'outcome'
> & { players: { seat: Seat; money: number | null }[] }

export type Plant = server.ClassicPlantView
export type Player = server.ClassicPlayerView

export type State = Omit<server.State, 'view'> & { view: GameView | null }
export type Position = Omit<server.Position, 'view'> & { view: GameView }

export type FromServer =
  | State
  | Refused
  | server.ChatMessage
  | Hint
  | server.ErrorMessage
  | server.PongMessage

export type ToServer =
  | server.MoveMessage
  | server.UndoMessage
  | server.MaxBidMessage
  | server.PassOnMessage
  | server.SayMessage
  | server.AskMessage
  | server.PingMessage
