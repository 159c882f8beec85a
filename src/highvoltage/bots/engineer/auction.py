"""The engineer in an auction: bids to what a card is worth and no further."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import TypeVar

from highvoltage.bots.clerk.auction import Prospect, auction
from highvoltage.bots.protocol import Choice
from highvoltage.engine.cards import number_of, parse_card
from highvoltage.engine.moves import Bid, Moves, Pass
from highvoltage.views import BoardView, CardGameView

PASS = Pass()

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
    offer, limit = _limit(on_hammer, offers)
    if rival:
        _, theirs = _limit(on_hammer, rival)
        limit = max(limit, min(offer.spare, (limit + theirs) // 2))
    limit = max(0, limit)
    move = legal.choices[-1]
    assert isinstance(move, Bid)
    if move.bid > limit:
        return Choice(PASS, offer.reason(move.bid, "too_dear", limit=limit), limit)
    return Choice(move, offer.reason(move.bid), limit)


def _limit(card: str, offers: Sequence[Prospect]) -> tuple[Prospect, int]:
    """The offer of a card, and the price at which the best other one is as good."""
    offer = min(offers, key=lambda each: (each.card != card, _number(each) != card))
    elsewhere = max((each.worth - each.minimum for each in offers if each is not offer), default=0)
    return offer, min(offer.worth - max(0, elsewhere), offer.spare)


def _number(offer: Prospect) -> str:
    """Under the hammer a card may be called by its number alone."""
    return str(number_of(parse_card(offer.card)))


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
