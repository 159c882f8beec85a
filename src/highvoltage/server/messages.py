"""Everything that goes over the wire; docs/protocol.md tells what it means."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import astuple

from highvoltage.analysis import Analysis
from highvoltage.engine.events import KnownEvent
from highvoltage.engine.ruleset import Origin, Ruleset
from highvoltage.games.meta import Meta as GameMeta
from highvoltage.puzzles import EvaluatedMove, Theme
from highvoltage.table import (
    LogRow,
    Offer,
    Pace,
    Preview,
    PreviewedMove,
    Refusal,
    Refused,
    Snapshot,
)
from highvoltage.table.snapshot import Clocks

CONTROL = r"\x00-\x1f\x7f-\x9f"
BIDI_CONTROLS = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Letters that turn the direction of what follows, and so make it read as something else."""
INVISIBLE = (
    r"\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2028\u2029\u2060-\u2065"
    r"\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
)
"""Letters that take no room: with them, two names look alike."""
_LETTER = rf"[^\s:,=|{CONTROL}{BIDI_CONTROLS}{INVISIBLE}]"

Name = Annotated[
    str,
    Meta(
        pattern=rf"^{_LETTER}( ?{_LETTER}){{0,23}}$(?!\n)",
        description="up to 24 letters, without : , = |",
    ),
]
OneLine = Annotated[str, Meta(pattern=rf"^[^{CONTROL}{BIDI_CONTROLS}]*$(?!\n)")]
"""A line of text."""
Login = Annotated[str, Meta(pattern=r"^[a-z0-9_.-]{2,40}$(?!\n)")]
Password = Annotated[str, Meta(min_length=8, max_length=200)]
BotName = Annotated[str, Meta(max_length=40)]
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Number = Annotated[int, Meta(ge=-(2**53), le=2**53)]
OWN_FILE = "own"
"""What stands for a file that somebody brought along, such as cards."""


# What is sent in the body of a request


class Rename(Struct):
    """A new display name."""

    name: Name


class Credentials(Struct):
    """An account."""

    login: Login
    password: Password


class OldPassword(Struct):
    """The password of your account, to prove that it is you."""

    password: Annotated[str, Meta(max_length=200)]


class NewPassword(Struct):
    """The password of your account, and the one it is to have."""

    old: Annotated[str, Meta(max_length=200)]
    new: Password


class NewSeat(Struct, forbid_unknown_fields=True):
    """Who is to sit here: you, whoever comes, or a bot.

    Of several people at one screen each may have a name.
    """

    kind: Literal["me", "open", "bot"]
    bot: BotName | None = None
    name: Name | None = None


class Setup(Struct, forbid_unknown_fields=True, kw_only=True):
    """What a table is played with."""

    rulebook: Annotated[str, Meta(max_length=40)]
    map: str | dict[str, Any] | None = None
    options: dict[str, Any] = {}
    title: Annotated[OneLine, Meta(max_length=80)] = ""
    public: bool = False
    pace: Pace = Pace()
    timeout: Literal["bot", "minimal"] = "bot"
    auto: bool = True
    webhook: Annotated[str, Meta(max_length=500)] | None = None


class NewTable(Setup, forbid_unknown_fields=True, kw_only=True):
    """A table to be made."""

    seats: Annotated[list[NewSeat], Meta(min_length=2, max_length=6)]
    seed: Annotated[OneLine, Meta(max_length=80)] | Number | None = None


class StoredSetup(Setup, kw_only=True):
    """What the store keeps of it."""

    seeded: bool = False  # by the host, who may know the deck


SETUP_DECODER: msgspec.json.Decoder[StoredSetup] = msgspec.json.Decoder(StoredSetup)


class SeatChoice(Struct):
    """One of the seats; null where it does not matter or there is only one."""

    seat: SeatNumber | None = None


class SeatRef(Struct):
    """One of the seats."""

    seat: SeatNumber


class ChatLineRef(Struct):
    """A line of the chat."""

    n: Annotated[int, Meta(ge=1, le=2**31)]


class StartTable(Struct):
    """The bot that takes the seats still open."""

    bot: BotName = "clerk"


class StandIn(Struct):
    """The bot that plays for you; null: you are back."""

    seat: SeatNumber | None = None
    bot: BotName | None = None


class Key(Struct):
    """The secret that hands a seat over."""

    key: Annotated[str, Meta(max_length=100)]


class Endpoint(Struct):
    """Where a browser is told of a turn."""

    endpoint: Annotated[str, Meta(max_length=1000)]


class NewSubscription(Endpoint):
    """A browser that is to be told of your turns, and what it takes to write to it."""

    key: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=40)]


# What is answered


class Me(Struct):
    """Who you are."""

    name: str
    account: str | None
    registration: bool  # accounts can be made here
    token: str | None  # for a program: what proves who it is from now on


class PushKey(Struct):
    """The key that a browser subscribes with; null where the server does not push."""

    key: str | None


class ServerAddress(Struct):
    """Where others find this server: null if only this machine reaches it.

    `lan_command` starts it so that others in the network find it.
    """

    origin: str | None
    lan_command: str


class MapCover(Struct, omit_defaults=True):
    """What a map file says of its board to those who choose one, by language."""

    names: dict[str, str]
    about: dict[str, str] = {}
    difficulty: int | None = None
    section: str | None = None
    doubts: tuple[str, ...] = ()
    ruled: bool = False  # it has rules of its own that the option `map_rules` may switch off


class Catalogue(Struct):
    """What can be played, on which maps, and against which bots, weakest first."""

    games: list[GameMeta]
    bots: tuple[str, ...]
    covers: dict[str, MapCover]


class SeatInfo(Struct):
    """Who sits where."""

    seat: int
    kind: Literal["person", "bot", "open"]
    name: str
    mine: bool
    bot: str | None
    online: bool
    left: bool  # whoever sat here has gone, and a bot plays on


class TableInfo(Struct):
    """A table, as far as everybody may know it."""

    id: str
    rulebook: str
    family: str  # none where the rulebook is not known here
    map: str | None
    options: dict[str, Any]
    title: str
    status: Literal["open", "running", "failed", "finished", "broken"]
    public: bool
    seeded: bool  # the host chose the seed, so may know the deck
    host: bool  # you are
    created: float
    seats: list[SeatInfo]
    pace: Pace
    timeout: Literal["bot", "minimal"]
    auto: bool
    to_move: int | None
    moves: int
    rematch: str | None


class RulesetLine(Struct):
    """One value that a game is played by; `rule` is empty where none stands behind it."""

    name: str
    value: Any
    origin: Origin
    rule: str
    option: bool  # it is one of the options of the rulebook, chosen or not


class RulesetInfo(Struct):
    """What a table is played by, from the set-up to the end.

    `board` has the form of a map file, with what its connections and houses cost in this game; null
    where a game has none.
    """

    rulebook: str
    version: int
    players: int
    lines: list[RulesetLine]
    board: dict[str, Any] | None

    @classmethod
    def of(cls, ruleset: Ruleset) -> "RulesetInfo":
        options = {each.name for each in ruleset.options}
        lines = [
            RulesetLine(
                name=line.name,
                value=OWN_FILE
                if line.name in options and isinstance(line.value, dict)
                else line.value,
                origin=line.origin,
                rule=line.rule,
                option=line.name in options,
            )
            for line in ruleset.lines()
        ]
        return cls(ruleset.rulebook, ruleset.version, ruleset.players, lines, ruleset.board())


class Log(Struct):
    """All moves of a game; of one by rules that are not here those that can be read."""

    setup: tuple[KnownEvent, ...]
    rows: list[LogRow]
    unread: str  # why there are no more, if there are


class Position(Struct):
    """A game after `n` of its moves."""

    n: int
    moves: int
    you: int | None
    view: dict[str, Any]


class AnalysisInfo(Struct):
    """How far an analysis is: `done` is the share of the work, `found` what is certain so far."""

    status: Literal["none", "running", "done"]
    done: float
    found: Analysis | None


class Explanation(Struct):
    """The reason for a move: a code and values for any language, and an English sentence."""

    code: str
    values: dict[str, Any]
    text: str


class PuzzleInfo(Struct):
    """What may be known of a puzzle before it is solved. `level` is 1, or 2 if it is hard."""

    name: str
    rulebook: str
    map: str | None
    players: int
    round: int
    theme: Theme
    level: int


class PuzzleList(Struct):
    """All puzzles, and the name of that of the day."""

    daily: str
    puzzles: list[PuzzleInfo]


class Attempt(Struct):
    """The moves of a turn, as an answer."""

    moves: Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(min_length=1, max_length=100)]


class Solution(Struct):
    """The answers of a puzzle, why, and what everything else that was tried comes to."""

    answers: tuple[str, ...]
    why: Explanation
    tried: tuple[EvaluatedMove, ...]
    margin: float
    error: float
    worlds: int
    missed_by: tuple[str, ...]


class Verdict(Struct):
    """Whether an answer is right."""

    right: bool


class Health(Struct):
    """That all is well."""

    status: str
    version: str


class Problem(Struct):
    """Why something was not done."""

    code: str
    message: str
    values: dict[str, Any] = {}


# What the server says over the WebSocket


class ServerMessage(Struct, tag_field="type"):
    """One of the messages below."""


class StateMessage(ServerMessage, tag="state"):
    """All that you may know of a table."""

    table: TableInfo
    seq: int = 0
    you: int | None = None
    view: dict[str, Any] | None = None
    legal: list[Offer] = []
    log_from: int = 0
    log: list[LogRow] = []
    setup: tuple[KnownEvent, ...] | None = None
    clocks: Clocks | None = None
    undo_to: int | None = None
    max_bids: dict[str, int] = {}

    @classmethod
    def of(cls, table: TableInfo, sight: Snapshot) -> "StateMessage":
        return cls(table, *astuple(sight))


class RefusedMessage(ServerMessage, tag="refused"):
    """Your message changed nothing."""

    code: str
    rule: str | None
    message: str
    values: dict[str, Any]
    ref: int | None

    @classmethod
    def of(cls, refusal: Refused, ref: int | None) -> "RefusedMessage":
        return cls(refusal.code, refusal.rule, str(refusal), refusal.values, ref)


class ChatLine(Struct, frozen=True):
    """Something said at a table."""

    n: int
    seat: int
    name: str
    text: str
    at: float


class ChatMessage(ServerMessage, tag="chat"):
    """What was said since the last one."""

    lines: list[ChatLine]


class HintMessage(ServerMessage, tag="hint"):
    """What a bot would do in your place, in the position with this `seq`."""

    seq: int
    move: str
    why: Explanation
    bot: str


class PreviewMessage(ServerMessage, tag="preview"):
    """What moves would come to."""

    seq: int
    moves: list[PreviewedMove]
    cost: int
    earns: int | None
    idle: list[str]
    view: dict[str, Any]
    legal: list[Offer]
    looks: list[list[Offer]]
    stop: Literal["turn", "chance"] | None
    refused: Refusal | None
    ref: int | None = None

    @classmethod
    def of(cls, preview: Preview, ref: int | None) -> "PreviewMessage":
        message = cls(*astuple(preview))
        message.ref = ref
        return message


class ErrorMessage(ServerMessage, tag="error"):
    """A message that was not understood or not allowed."""

    code: str
    message: str


class PongMessage(ServerMessage, tag="pong"):
    """The answer to a ping."""


SERVER_MESSAGES = (
    StateMessage,
    RefusedMessage,
    PreviewMessage,
    ChatMessage,
    HintMessage,
    ErrorMessage,
    PongMessage,
)


# What a client says over the WebSocket


class ClientMessage(Struct, tag_field="type", kw_only=True):
    """One of the messages below."""

    ref: Number | None = None


class AuthMessage(ClientMessage, tag="auth"):
    """The first message where no cookie and no header says who you are."""

    token: Annotated[str, Meta(max_length=2_000)]


class MoveMessage(ClientMessage, tag="move"):
    """A move, decided upon the state with this `seq`."""

    seq: Count
    move: Annotated[str, Meta(max_length=400)]


class AskPreviewMessage(ClientMessage, tag="preview"):
    """The question what moves would come to, upon the state with this `seq`."""

    seq: Count
    moves: Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(max_length=100)]
    ahead: bool = False


class UndoMessage(ClientMessage, tag="undo"):
    """Back to so many moves; one move back if none are given."""

    seq: Count
    to: Count | None = None


class MaxBidMessage(ClientMessage, tag="max_bid"):
    """Raise for me up to this limit; null takes it back."""

    card: Annotated[str, Meta(max_length=20)]
    limit: Count | None


class AutoPassMessage(ClientMessage, tag="pass_on"):
    """Pass for me when this card is auctioned."""

    card: Annotated[str, Meta(max_length=20)]


class SendChatMessage(ClientMessage, tag="chat"):
    """Something to say."""

    text: Annotated[OneLine, Meta(min_length=1, max_length=500)]


class AskHintMessage(ClientMessage, tag="hint"):
    """The question what a bot would do in your place."""

    bot: BotName | None = None


class PingMessage(ClientMessage, tag="ping"):
    """The question whether the server is there."""


CLIENT_MESSAGES = (
    AuthMessage,
    MoveMessage,
    AskPreviewMessage,
    UndoMessage,
    MaxBidMessage,
    AutoPassMessage,
    SendChatMessage,
    AskHintMessage,
    PingMessage,
)
Message = (
    MoveMessage
    | AskPreviewMessage
    | UndoMessage
    | MaxBidMessage
    | AutoPassMessage
    | SendChatMessage
    | AskHintMessage
    | PingMessage
)
