"""The engineer in an auction: bids up to what a card is worth and no further."""

from bisect import bisect_left
from collections.abc import Callable, Sequence

from highvoltage.bots.clerk.auction import (
    Limit,
    Prospect,
    auction,
    bid,
    cap_limit,
    fair_price,
    find_offer,
    limit_for,
)
from highvoltage.bots.protocol import Choice
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Bid
from highvoltage.views import BoardView, CardGameView


def bid_or_nominate(
    on_hammer: str | None,
    offers: list[Prospect],
    legal: Moves,
    rivals: Sequence[int] = (),
    *,
    alone: bool = False,
    doubt: float = 0.0,
) -> Choice:
    """The clerk's auction, but a bidder states its limit and is not driven up to it.

    `rivals` are the fair prices of the other bidders. There is no need to pay all that a card is
    worth if nobody else would: the limit is halfway to what it is worth to the keenest rival.

    If the rival is `alone`, whatever it pays is as good as money earned. At the halfway price, from
    above or below, it makes no difference who gets the card; both have the same limit, and neither
    gains by driving the other up to it. `doubt` lowers the limit by that share.
    """
    if on_hammer is None:
        return auction(None, offers, legal)
    offer = find_offer(offers, on_hammer)
    limit = limit_for(offer, offers)
    if rivals:
        mine = fair_price(offer, offers)
        theirs = max(rivals)
        if not alone:
            theirs = min(mine, max(theirs + 1, offer.minimum))  # the keenest bidder gets it
        halfway = (mine + theirs) // 2
        halfway -= round(doubt * halfway)
        if halfway != mine:
            code = "limit_rival" if alone else "limit_others"
            limit = cap_limit(offer.spare, Limit(halfway, code, {}))
    return bid(offer, limit, legal)


def break_even_price(
    price: int, money: int, as_it_is: float, forecast: Callable[[int], float]
) -> int:
    """The price at which buying a card is as good as not buying it.

    For a card that is not worth its lowest price, the result is only an estimate.

    >>> break_even_price(8, 50, 100, lambda left: 70 + left)
    20
    """
    gain = forecast(money - price) - as_it_is
    if gain <= 0:
        return max(0, round(price + gain))
    prices = range(price, money + 1)
    return price + bisect_left(prices, -as_it_is, key=lambda each: -forecast(money - each))


def limit_of(choice: Choice) -> int:
    """How far a bidder would go; one that states no limit, no further than its present bid."""
    if choice.limit is not None:
        return choice.limit
    return choice.move.bid if isinstance(choice.move, Bid) else 0


def rivals_of(view: BoardView | CardGameView) -> list[int]:
    """The other bidders for a card; empty where their money is hidden."""
    if view["auction"]["card"] is None:
        return []
    me, players = view["seat"], view["players"]
    bidders = view["auction"]["bidders"]
    return [seat for seat in bidders if seat != me and players[seat]["money"] is not None]
