"""The engineer in an auction: bids to what a card is worth and no further."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TypeVar

from highvoltage.bots.clerk.auction import Limit, Prospect, auction, bid, limit_for, named
from highvoltage.bots.protocol import Choice
from highvoltage.engine.moves import Moves
from highvoltage.views import BoardView, CardGameView

Sold = TypeVar("Sold", BoardView, CardGameView)


def bid_or_nominate(
    on_hammer: str | None, offers: list[Prospect], legal: Moves, rival: Sequence[Prospect] = ()
) -> Choice:
    """The clerk's auction, but a bidder knows its limit, and tells it.

    What an only rival pays is as good as money earned: against one the bidder goes halfway to
    what the card is worth to the other.
    """
    if on_hammer is None:
        return auction(None, offers, legal)
    offer = named(offers, on_hammer)
    limit = limit_for(offer, offers)
    if rival:
        theirs = limit_for(named(rival, on_hammer), rival)
        halfway = min(offer.spare, (limit.most + theirs.most) // 2)
        if halfway > limit.most:
            limit = Limit(halfway, "limit_rival", {})
    return bid(offer, limit, legal)


def worth(price: int, money: int, as_it_is: float, forecast: Callable[[int], float]) -> int:
    """The price at which it is all the same whether a card is bought or not.

    If it is not worth its lowest price, it does not matter how much less it is worth.

    >>> worth(8, 50, 100, lambda left: 70 + left)
    20
    """
    gain = forecast(money - price) - as_it_is
    if gain <= 0:
        return max(0, round(price + gain))
    prices = range(price, money + 1)
    return price + bisect_left(prices, -as_it_is, key=lambda each: -forecast(money - each))


def seen_by_rival(view: Sold) -> Sold | None:
    """What the only rival sees when bidding; None if there are several, or money is hidden."""
    players, seat = view["players"], view["seat"]
    assert seat is not None
    if len(players) > 2 or view["auction"]["card"] is None or players[1 - seat]["money"] is None:
        return None
    seen = view.copy()
    seen["seat"] = 1 - seat
    return seen
