/** The protocol under the names that this page uses; the types themselves come from the server. */
import type { MapFile } from '../map/file'
import type * as server from './schema'

export type {
  AskPreviewMessage,
  CalendarAddress,
  CalendarEntry,
  Catalogue,
  ChatLine,
  Clocks,
  ClubBrief,
  ClubInfo,
  Contact,
  CupBrief,
  CupInfo,
  FinishedGame,
  FinishedGames,
  GameCount,
  GameLine,
  GameWish,
  Invitation,
  LibraryMap,
  LibraryMaps,
  MailChoice,
  MailInfo,
  MapFaults,
  MapForm,
  MapTrial,
  MapVerdict,
  MapWish,
  Me,
  NewCup,
  NewLibraryMap,
  NewSeat,
  NewSubscription,
  NewTable,
  NotableGame,
  OwnCalendar,
  OwnHolidays,
  Pace,
  Paragraph,
  PasskeyAnswer,
  PasskeyInfo,
  PasskeyOptions,
  Passkeys,
  Profile,
  PushKey,
  PuzzleCount,
  PuzzleInfo,
  PuzzleList,
  RatedGame,
  RatedPlayer,
  ResumedSeat,
  ResumedTable,
  RoundFigures,
  Rule,
  RulesetLine,
  SeatInfo,
  ServerAddress,
  TableInfo,
  Tonight,
  TurningPoint,
  Verdict,
} from './schema'

/** The rules and values of a table. */
export type RulesetInfo = Omit<server.RulesetInfo, 'board'> & { board: MapFile | null }
export type GameInfo = server.Meta
export type GameOption = server.Option
export type Seat = number
export type Legal = server.Offer
export type Row = server.LogRow
export type Event = Row['events'][number]
/** Events of some kinds. */
export type Of<What extends Event['what']> = Extract<Event, { what: What }>
export type GameLog = server.Log

/** Values for the placeholders of a message. */
export type Values = Record<string, string | number>

export type Refused = Omit<server.RefusedMessage, 'values'> & { values: Values }
export type PreviewedMove = server.PreviewedMove
/** The result of moves: the view after them, and what could follow. */
export type Preview<V extends GameView = GameView> = Omit<server.PreviewMessage, 'view' | 'refused'> & {
  view: V
  refused: (Omit<server.Refusal, 'values'> & { values: Values }) | null
}
export type Coach = Omit<server.CoachMessage, 'lines'> & { lines: Hint['why'][] }
export type Hint = Omit<server.HintMessage, 'why'> & { why: Omit<server.Explanation, 'values'> & { values: Values } }

/** Why a move is good; a reason of a bot from elsewhere comes with its own text. */
export type Reason = { code: string; values: Values; text?: string }
export type JudgedDecision = Omit<server.JudgedDecision, 'why'> & { why?: Reason | null }
export type Analysis = Omit<server.Analysis, 'decisions'> & { decisions: JudgedDecision[] }
export type AnalysisInfo = Omit<server.AnalysisInfo, 'found'> & { found: Analysis | null }
export type Solution = Omit<server.Solution, 'why'> & { why: Reason }

export type Outcome = server.OutcomeView
export type { BoardView, CardGameView, OutpostView } from './schema'

/** The common part of the views of all families. */
export type GameView = Omit<server.PlainView, 'seq' | 'record'> &
  Pick<server.BoardView, 'auction'> & { players: { seat: Seat; money?: number | null }[] }

export type Plant = server.BoardPlantView
export type Player = server.BoardPlayerView

export type State = Omit<server.StateMessage, 'view'> & { view: GameView | null }
export type Position = Omit<server.Position, 'view'> & { view: GameView }

export type Failure = Omit<server.ErrorMessage, 'values'> & { values: Values }

export type FromServer =
  | State
  | Refused
  | server.DoneMessage
  | Preview
  | server.ChatMessage
  | Hint
  | Coach
  | Failure
  | server.PongMessage

export type ToServer =
  | server.MoveMessage
  | server.AskPreviewMessage
  | server.UndoMessage
  | server.MaxBidMessage
  | server.AutoPassMessage
  | server.SendChatMessage
  | server.AskHintMessage
  | server.AskCoachMessage
  | server.PingMessage
