"""The parts of a view that all rulebooks share."""

from typing import Any, TypedDict

from highvoltage.engine.cards import label
from highvoltage.engine.state import Bidding


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


def auction_view(b: Bidding) -> AuctionView:
    return {
        "eligible": list(b.eligible),
        "card": None if b.card is None else label(b.card),
        "bid": 0 if b.card is None else b.bid,
        "leader": None if b.card is None else b.leader,
        "bidders": list(b.ring),
        "scrapping": b.scrapping,
        "sold": b.sold,
    }


def demolition_view(s: Any, *, reconstructed: bool) -> DemolitionView:
    return {
        "stack": [list(card) for card in s.rules.demolition[s.demolition :]],
        "paid": s.bidding.demolished,
        "reconstructed": reconstructed,
    }
