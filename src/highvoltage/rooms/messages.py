"""The bodies of requests and answers; docs/protocol.md explains them.

Those of a server alone are in `highvoltage.server.messages`.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from highvoltage.analysis import Analysis
from highvoltage.engine.events import KnownEvent
from highvoltage.engine.parts.board import VariantHeader
from highvoltage.engine.parts.mapform import Doubt
from highvoltage.engine.ruleset import Origin, Ruleset
from highvoltage.games.meta import Meta as GameMeta
from highvoltage.judge import Judge
from highvoltage.mapmaker.judge import GAMES, Figure, Tally
from highvoltage.puzzles import EvaluatedMove, Theme
from highvoltage.table import (
    LogRow,
    Pace,
)

CONTROL = r"\x00-\x1f\x7f-\x9f"
BIDI_CONTROLS = r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
"""Characters that change the direction of text, so that it reads as something else."""
INVISIBLE = (
    r"\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2028\u2029\u2060-\u2065"
    r"\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff"
)
"""Invisible characters, which could make two names look alike."""
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
BotName = Annotated[str, Meta(max_length=40)]
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Number = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Ref = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z0-9_-]{8,64}$(?!\n)",
        description="8 to 64 of A-Z, a-z, 0-9, - and _, never used for another write",
    ),
]
"""What a client calls a write, so that it can repeat it without doing it twice."""
OWN_FILE = "own"
"""The value shown for an option that is a custom file, such as cards."""


# Bodies of requests


class Rename(Struct):
    """A new display name."""

    name: Name


class NewSeat(Struct, forbid_unknown_fields=True):
    """Who sits here: you, anybody who joins, or a bot.

    Several people at one screen may each have a name.
    """

    kind: Literal["me", "open", "bot"]
    bot: BotName | None = None
    name: Name | None = None


class SeatFill(Struct, frozen=True, forbid_unknown_fields=True):
    """The bot that takes the seats that are still open after so many seconds."""

    bot: BotName
    after: Annotated[int, Meta(ge=0, le=3_600)]


class Setup(Struct, forbid_unknown_fields=True, kw_only=True):
    """The settings of a table."""

    rulebook: Annotated[str, Meta(max_length=40)]
    map: str | dict[str, Any] | None = None
    options: dict[str, Any] = {}
    title: Annotated[OneLine, Meta(max_length=80)] = ""
    public: bool = False
    pace: Pace = Pace()
    timeout: Literal["bot", "minimal"] = "bot"
    auto: bool = True
    rated: bool = False
    fill: SeatFill | None = None
    webhook: Annotated[str, Meta(max_length=500)] | None = None


class NewTable(Setup, forbid_unknown_fields=True, kw_only=True):
    """A new table."""

    seats: Annotated[list[NewSeat], Meta(min_length=2, max_length=6)]
    seed: Annotated[OneLine, Meta(max_length=80)] | Number | None = None


class MapDraft(Struct, forbid_unknown_fields=True):
    """A map that is being drawn, in the format of a map file."""

    map: dict[str, Any]


class MapTrial(Struct, forbid_unknown_fields=True):
    """A map on which bots are to play, and what the games there so far add up to.

    `games` are wanted in all; the seed is theirs.
    """

    map: dict[str, Any]
    so_far: Tally = msgspec.field(default_factory=Tally)
    games: Annotated[int, Meta(ge=1, le=GAMES)] = GAMES
    seed: Annotated[OneLine, Meta(max_length=80)] = "judge"


class MapWish(Struct, forbid_unknown_fields=True):
    """A map to be made: its seed and its size, the board whose costs it takes over, its names."""

    seed: Annotated[OneLine, Meta(max_length=80)]
    cities: Annotated[int, Meta(ge=1, le=150)] = 42
    regions: Annotated[int, Meta(ge=1, le=12)] = 6
    like: Literal["germany", "usa"] = "germany"
    language: Literal["en", "pl", "cs", "sr", "de"] = "en"


class ResumedSeat(Struct, forbid_unknown_fields=True):
    """Who goes on playing here: you, or a bot."""

    kind: Literal["me", "bot"]
    bot: BotName | None = None


class ResumedTable(Struct, forbid_unknown_fields=True):
    """A game to go on with: its record, text or JSON, and who sits where.

    With `moves` it goes on after so many of them.
    """

    record: Annotated[str, Meta(max_length=1_000_000)]
    seats: Annotated[list[ResumedSeat], Meta(min_length=2, max_length=6)]
    moves: Annotated[int, Meta(ge=0, le=100_000)] | None = None


class StoredSetup(Setup, kw_only=True):
    """The settings as they are stored."""

    seeded: bool = False  # by the host, who may know the deck
    cup: str | None = None  # the cup that it belongs to

    @property
    def counts(self) -> bool:
        """It is rated or belongs to a cup: everybody plays their own seat, without help."""
        return self.rated or self.cup is not None


SETUP_DECODER: msgspec.json.Decoder[StoredSetup] = msgspec.json.Decoder(StoredSetup)


class SeatChoice(Struct):
    """One of the seats; null if it does not matter or there is only one."""

    seat: SeatNumber | None = None


class SeatRef(Struct):
    """One of the seats."""

    seat: SeatNumber


class ChatLineRef(Struct):
    """A line of the chat."""

    n: Annotated[int, Meta(ge=1, le=2**31)]


class StartTable(Struct):
    """The bot that takes the open seats."""

    bot: BotName = "clerk"


class StandIn(Struct):
    """The bot that plays for you; null: you are back."""

    seat: SeatNumber | None = None
    bot: BotName | None = None


class Key(Struct):
    """The secret that hands a seat over, or carries an identity to another device."""

    key: Annotated[str, Meta(max_length=500)]


# Answers


class Me(Struct):
    """Who you are."""

    name: str
    account: str | None
    registration: bool  # accounts can be made here
    token: str | None  # for a program: proves its identity from now on


class PushKey(Struct):
    """The key that a browser subscribes with; null if the server does not push."""

    key: str | None


class ServerAddress(Struct):
    """The address of this server for others: null if only this machine can reach it.

    `lan_command` starts it so that others in the network can reach it. `lan` says whether they
    were let in from here; it is null where that cannot be switched.
    """

    origin: str | None
    lan_command: str
    lan: bool | None = None


class MapCover(Struct, omit_defaults=True):
    """How a map file presents its board, by language."""

    names: dict[str, str]
    about: dict[str, str] = {}
    difficulty: int | None = None
    section: str | None = None
    doubts: tuple[Doubt, ...] = ()
    variants: dict[str, VariantHeader] = {}
    ruled: bool = False  # it has special rules that the option `map_rules` can switch off


class Catalogue(Struct):
    """What can be played, on which maps, and against which bots, weakest first."""

    games: list[GameMeta]
    bots: tuple[str, ...]
    rated_bots: dict[str, tuple[str, ...]]  # by rulebook, those that may play rated games
    covers: dict[str, MapCover]


class SeatInfo(Struct):
    """Who sits where."""

    seat: int
    kind: Literal["person", "bot", "open"]
    name: str
    mine: bool
    bot: str | None
    online: bool
    left: bool  # the player has left, and a bot plays on
    would_end: bool  # the player would end the game without a winner
    away_until: float | None  # the player is on holiday, and the clock stands still


class TableInfo(Struct):
    """What everybody may know about a table."""

    id: str
    rulebook: str
    family: str  # empty if the rulebook is not installed
    map: str | None
    options: dict[str, Any]
    title: str
    status: Literal["open", "running", "failed", "finished", "broken"]
    public: bool
    seeded: bool  # the host chose the seed, so may know the deck
    rated: bool  # it counts for the ratings of those who play
    cup: str | None  # the id of the cup that it belongs to
    host: bool  # you are the host
    host_seat: int | None  # where the host sits
    created: float
    seats: list[SeatInfo]
    fill: SeatFill | None  # counted from when the table was made
    pace: Pace
    timeout: Literal["bot", "minimal"]
    auto: bool
    to_move: int | None
    moves: int
    rematch: str | None
    closes: float | None = None  # when it ends, because nobody has moved for long


class RulesetLine(Struct):
    """One value of a ruleset; `rule` is empty if no rule defines it."""

    name: str
    value: Any
    origin: Origin
    rule: str
    option: bool  # it is one of the options of the rulebook, chosen or not


class RulesetInfo(Struct):
    """The ruleset of a table.

    `board` has the format of a map file, with the costs of connections and houses in this game;
    null if the game has no board.
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
    """All moves of a game, as far as the installed rules can read them."""

    setup: tuple[KnownEvent, ...]
    rows: list[LogRow]
    unread: str  # why the rest cannot be read; else empty


class Position(Struct):
    """A game after `n` of its moves."""

    n: int
    moves: int
    you: int | None
    view: dict[str, Any]


class AnalysisInfo(Struct):
    """The progress of an analysis: `done` is the share of the work, `found` the results so far."""

    status: Literal["none", "running", "done"]
    done: float
    found: Analysis | None


class Explanation(Struct):
    """The reason for a move: a code and values for any language, and an English sentence."""

    code: str
    values: dict[str, Any]
    text: str


class PuzzleInfo(Struct):
    """A puzzle without its answer. `level` is from 1, easy, to 4, very hard.

    That is measured: `found` is how often bots from apprentice to tycoon find the answer.
    """

    name: str
    rulebook: str
    map: str | None
    players: int
    round: int
    theme: Theme
    level: int
    found: float


class PuzzleList(Struct):
    """All puzzles, and the name of the puzzle of the day."""

    daily: str
    puzzles: list[PuzzleInfo]


class Attempt(Struct):
    """The moves of a turn, as an answer."""

    moves: Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(min_length=1, max_length=100)]


class Solution(Struct):
    """The answers of a puzzle, the reason, and the values of all moves that were tried.

    `chances` are everybody's after the answer, by seat; `judge` says who judged.
    """

    answers: tuple[str, ...]
    why: Explanation
    tried: tuple[EvaluatedMove, ...]
    margin: float
    error: float
    worlds: int
    missed_by: tuple[str, ...]
    chances: tuple[float, ...]
    judge: Judge


class Verdict(Struct):
    """Whether an answer is right."""

    right: bool


class Health(Struct):
    """The server is healthy."""

    status: str
    version: str


class Problem(Struct):
    """Why a request was refused."""

    code: str
    message: str
    values: dict[str, Any] = {}
    ref: str | None = None  # of the write that this is said of; null: only of this request


class MapForm(Struct):
    """What may stand in a map file."""

    schema: dict[str, Any]
    rules: dict[str, str]  # by field, the rule that it changes


class MapFaults(Struct):
    """Why a map cannot be played; empty if it can."""

    problems: list[str]


class MapVerdict(Struct):
    """What bots' games on a map have shown, each figure beside the span of the official boards.

    To have more games played, send `so_far` back; `of` are enough.
    """

    games: int
    of: int
    figures: tuple[Figure, ...]
    unused: tuple[tuple[str, str], ...]  # connections that were hardly ever used
    so_far: Tally
