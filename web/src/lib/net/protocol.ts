/** The protocol by the names that this page uses; the types themselves are the server's. */
import type * as server from './schema'

export type {
  Catalogue,
  ChatLine,
  Clocks,
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

// The board games: the newer edition shows all that the older one does, and more.

export interface Outcome {
  reason: string
  ranking: Seat[][]
  scores: Record<string, number>[]
}

export type BoardView = Omit<server.BoardView, 'outcome'> & {
  cartel?: server.CartelView
  outcome: Outcome | null
}
export type Plant = server.ClassicPlantView
export type Player = server.ClassicPlayerView

export type State = Omit<server.State, 'view'> & { view: BoardView | null }
export type Position = Omit<server.Position, 'view'> & { view: BoardView }

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
