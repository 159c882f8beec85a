"""The bodies of requests and answers about cups; docs/protocol.md explains them."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from highvoltage.rooms.messages import OneLine
from highvoltage.table import Pace

MOST_ROUNDS, MOST_PLAYERS = 12, 100
PlayerNumber = Annotated[int, Meta(ge=1, le=100_000)]
Points = Annotated[int, Meta(ge=0, le=100)]


class NewCup(Struct, forbid_unknown_fields=True, kw_only=True):
    """A cup: so many rounds at tables of so many seats, on these boards in turn.

    `points` are those of each place, the first one's first; without any, there are usual ones. A
    bot plays for whoever is awaited for `wait` seconds and has not yet come to the table. The first
    round begins at `begins`, if that is given, or when the host says so. Only members of `club`, if
    it is given, sign up.
    """

    title: Annotated[OneLine, Meta(min_length=1, max_length=60)]
    rulebook: Annotated[str, Meta(max_length=40)]
    boards: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=12)] = []
    options: dict[str, Any] = {}
    seats: Annotated[int, Meta(ge=3, le=6)] = 4
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] = 3
    pace: Pace = Pace("bank", 1_800, 30)
    points: Annotated[list[Points], Meta(max_length=6)] = []
    wait: Annotated[int, Meta(ge=10, le=14 * 86_400)] = 300
    begins: float | None = None
    club: Annotated[str, Meta(max_length=40)] | None = None


class PlayerRef(Struct, forbid_unknown_fields=True):
    """Somebody who plays in a cup, by number."""

    player: PlayerNumber


class CupLine(Struct):
    """A player in the standings.

    `status` is `in`; `out`, which may come back for the next round; or `removed` by the host. Ties
    in `points` are broken by `wins`, then by `opponents`, the points of those one has met; after
    that the `rank` is the same.
    """

    player: int
    name: str
    mine: bool
    status: Literal["in", "out", "removed"]
    rank: int
    points: float
    wins: int
    opponents: float
    games: int


class CupSeatInfo(Struct):
    """A seat at a table of a cup; `player` is null for a bot.

    `place` is null until the game is over. Whoever `left`, or was absent then, gets no points.
    """

    player: int | None
    place: int | None
    left: bool
    points: float


class CupTable(Struct):
    """A table of a round; `status` is null if it was deleted."""

    table: str
    round: int
    status: Literal["open", "running", "failed", "finished", "broken"] | None
    seats: list[CupSeatInfo]


class CupBrief(Struct):
    """A cup in a list. `round` is the latest that has begun."""

    id: str
    title: str
    rulebook: str
    status: Literal["open", "running", "over"]
    round: int
    rounds: int
    host: bool
    created: float
    club: str | None  # the id of the club whose members play


class CupInfo(CupBrief):
    """A cup: `played` of its rounds are over, and the next one begins at `next_at`, if known.

    `me` is your number if you play, `lines` are the standings, and `tables` those of all rounds.
    """

    boards: list[str]
    options: dict[str, Any]
    seats: int
    pace: Pace
    points: list[int]
    wait: int
    played: int
    next_at: float | None
    me: int | None
    lines: list[CupLine]
    tables: list[CupTable]


class NewClub(Struct, forbid_unknown_fields=True):
    """A club, by its name."""

    name: Annotated[OneLine, Meta(min_length=1, max_length=60)]


class MemberRef(Struct, forbid_unknown_fields=True):
    """A member of a club, by number."""

    member: PlayerNumber


class ClubWords(Struct, forbid_unknown_fields=True):
    """A line for the chat of a club."""

    text: Annotated[OneLine, Meta(min_length=1, max_length=300)]


class ClubLineRef(Struct, forbid_unknown_fields=True):
    """A line of the chat of a club."""

    n: Annotated[int, Meta(ge=1, le=2**31)]


class LadderLine(Struct):
    """A member of a club on its ladder: all points in its latest 20 cups."""

    member: int
    name: str
    mine: bool
    points: float
    wins: int
    cups: int


class ClubLineInfo(Struct):
    """A line of the chat; `mine` if you wrote it."""

    n: int
    name: str
    mine: bool
    text: str
    at: float


class ClubBrief(Struct):
    """A club in a list."""

    id: str
    name: str
    host: bool


class ClubInfo(ClubBrief):
    """A club. Whoever is not in it sees only its name."""

    member: bool  # you are in it
    ladder: list[LadderLine]
    lines: list[ClubLineInfo]
    cups: list[CupBrief]
