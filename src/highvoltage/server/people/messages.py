"""The bodies of requests and answers about people and games; docs/protocol.md explains them."""

from typing import Annotated

from msgspec import Meta, Struct

from highvoltage.rooms.messages import BotName, OneLine, TableInfo
from highvoltage.table import Pace

HANDLE = "[A-Za-z0-9_-]{3,24}"
ShortText = Annotated[OneLine, Meta(max_length=80)]


class PublicGameFilter(Struct, frozen=True):
    """Which games of public tables are wanted; what is left out does not matter.

    `plant` and `city` are the first ones of the winner; `won` says whether that is a person.
    """

    rulebook: ShortText | None = None
    board: ShortText | None = None
    players: Annotated[int, Meta(ge=2, le=6)] | None = None
    won: bool | None = None
    rated: bool | None = None
    plant: ShortText | None = None
    city: ShortText | None = None


class GameFilter(PublicGameFilter, frozen=True):
    """Which of somebody's finished games are wanted; what is left out does not matter.

    `plant` and `city` are their first ones; `text` is part of the title or of somebody's name.
    """

    text: ShortText | None = None


class FinishedSeat(Struct, frozen=True):
    """A seat of a finished game: its place, from 1, and its first plant and city, if any.

    `mine` is the seat of the person whose games these are.
    """

    seat: int
    name: str
    mine: bool
    bot: str | None
    left: bool  # before the end; a bot played on
    place: int
    plant: str
    city: str


class FinishedGame(Struct, frozen=True):
    """A finished game: when it ended, how long it took, and its seats, the best first."""

    table: str
    rulebook: str
    board: str
    title: str
    at: float
    seconds: float
    rated: bool
    seats: list[FinishedSeat]


class FinishedGames(Struct, frozen=True):
    """A page of finished games, the latest first.

    `count` is the number on all pages; `after` asks for the next one, null if this is the last.
    """

    games: list[FinishedGame]
    count: int
    after: str | None


class GameCount(Struct, frozen=True):
    """How many games you finished and won, of one rulebook, board and number of players."""

    rulebook: str
    board: str
    players: int
    games: int
    won: int


class OpeningCount(Struct, frozen=True):
    """How many games somebody opened with this plant or city, and won."""

    rulebook: str
    name: str
    games: int
    won: int


class Rounds(Struct, frozen=True):
    """The income and the cities of a seat by round.

    The last round of a game may have no income, and a game without a board has no cities.
    """

    income: list[int]
    cities: list[int]


class RoundAverages(Struct, frozen=True):
    """The average income and cities by round, each over those games that came so far."""

    games: int
    income: list[float]
    cities: list[float]


class GameRounds(Struct, frozen=True):
    """A game of somebody, round by round."""

    table: str
    rounds: Rounds


class NotableGame(Struct, frozen=True):
    """A game that was won or lost, and how far the best of the others was away.

    `margin` is in what counts first, cities that are supplied or points, `tie_margin` in money.
    """

    table: str
    at: float
    won: bool
    margin: int
    tie_margin: int


class RoundFigures(Struct, frozen=True):
    """Games of one rulebook and number of players, round by round: the average of the latest 100.

    `latest` is the last of them, `best` the one that was won by most, `narrowest` the one that was
    won or lost by least. `tycoon` is what tycoons come to in such games, where that was measured.
    """

    average: RoundAverages
    latest: GameRounds | None
    tycoon: RoundAverages | None
    best: NotableGame | None
    narrowest: NotableGame | None


class SolvedPuzzle(Struct, forbid_unknown_fields=True):
    """A puzzle, and the moves that solve it."""

    puzzle: ShortText
    moves: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=100)]


class PuzzleCount(Struct, frozen=True):
    """How many puzzles somebody has solved, and on how many days in a row that of the day."""

    solved: int
    streak: int


class RatedGame(Struct, frozen=True):
    """A rating after a game, and half of its 95 % interval."""

    table: str
    at: float
    rating: float
    error: float


class Rating(Struct, frozen=True):
    """How well somebody plays by a rulebook, and half of the 95 % interval of that.

    It is provisional until it is certain enough for a leaderboard. `curve` has the latest 100 of
    its `games`.
    """

    rulebook: str
    rating: float
    error: float
    provisional: bool
    games: int
    curve: list[RatedGame]


class RatedPlayer(Struct, frozen=True):
    """A line of a leaderboard: a person by handle, or a bot, whose strength was measured."""

    handle: str | None
    bot: str | None
    rating: float
    error: float
    games: int | None
    mine: bool


class ProfileChoice(Struct, forbid_unknown_fields=True):
    """How others find you, and whether they see your numbers and your games at public tables."""

    handle: Annotated[
        str,
        Meta(
            pattern=rf"^{HANDLE}$(?!\n)",
            description="3 to 24 of A-Z, a-z, 0-9, - and _",
        ),
    ]
    public: bool = False


class Profile(Struct, frozen=True):
    """What you may see of somebody.

    Of your own, all games count; of others', those at public tables, and none if `public` is false.
    `handle` is null while you have chosen none. `plants` and `cities` are the first of most games.
    """

    handle: str | None
    mine: bool
    public: bool
    counts: list[GameCount]
    plants: list[OpeningCount]
    cities: list[OpeningCount]
    ratings: list[Rating]
    puzzles: PuzzleCount


class GameWish(Struct, forbid_unknown_fields=True, kw_only=True):
    """The game that you want to play now; `board` and `players` may be any (null).

    After `wait` seconds the bot takes the seats that nobody has taken.
    """

    rulebook: ShortText
    board: ShortText | None = None
    players: Annotated[int, Meta(ge=2, le=6)] | None = None
    pace: Pace = Pace()
    rated: bool = False
    bot: BotName = "clerk"
    wait: Annotated[int, Meta(ge=0, le=3_600)] = 60


class Tonight(Struct, frozen=True):
    """What is on: tables where somebody waits for others, and the best game to watch, if any.

    The best is that of the strongest players by their ratings, among those in which somebody has
    just moved. `arena` is the table at which the tycoon always plays, if the operator has one.
    """

    waiting: list[TableInfo]
    best: TableInfo | None
    arena: TableInfo | None
