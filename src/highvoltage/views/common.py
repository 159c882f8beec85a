"""The parts of a view that the families share."""

from typing import Any, TypedDict

View = dict[str, Any]
"""What a seat may know, as plain data. Its `family` tells what is in it."""


class CommonView(TypedDict):
    """What every view holds, whatever the game. `names` are the players', `seq` counts the moves.

    Whoever asked for the history, a bot that draws worlds, finds the `record` of the game besides.
    """

    rulebook: str
    seat: int | None
    round: int
    phase: str
    to_move: int | None
    order: list[int]
    outcome: "OutcomeView | None"
    seq: int
    names: list[str]


class PlainView(CommonView):
    """A view of any family, known or not."""

    family: str


class OutcomeView(TypedDict):
    """How the game ended: the places, best first, and what each seat is counted by."""

    reason: str
    ranking: list[list[int]]
    scores: list[dict[str, int]]


class AuctionView(TypedDict):
    """The auctions of this round."""

    eligible: list[int]
    card: str | None
    bid: int
    leader: int | None
    bidders: list[int]
    scrapping: int | None
    sold: int


class DemolitionView(TypedDict):
    """The stack of that expansion, top card first: what the first plant given up brings, and next.

    `paid` tells that this round's first is gone; `reconstructed` amounts are not the printed ones.
    """

    stack: list[list[int]]
    paid: bool
    reconstructed: bool
