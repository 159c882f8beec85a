"""The engineer in an auction: bids to what a card is worth and no further."""

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
from highvoltage.engine.moves import Bid, Moves
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
    """The clerk's auction, but a bidder knows its limit, tells it, and is not driven up to it.

    `rivals` are the fair prices of the other bidders. Nobody has to pay all that a card is worth
    if nobody else would: the bidder goes halfway to what it is worth to the keenest of them.

    If one is `alone` at the table with it, what that one pays is as good as money earned. Halfway,
    from above or below, it is all the same who gets the card; it is the same price for both, and
    nobody gains by driving the other up to it. By a share of `doubt` it stays below that.
    """
    if on_hammer is None:
        return auction(None, offers, legal)
    offer = find_offer(offers, on_hammer)
    limit = limit_for(offer, offers)
    if rivals:
        mine = fair_price(offer, offers)
        theirs = max(rivals)
        if not alone:
            theirs = min(mine, max(theirs + 1, offer.minimum))  # who wants it most gets it
        halfway = (mine + theirs) // 2
        halfway -= round(doubt * halfway)
        if halfway != mine:
            code = "limit_rival" if alone else "limit_others"
            limit = cap_limit(offer.spare, Limit(halfway, code, {}))
    return bid(offer, limit, legal)


def break_even_price(
    price: int, money: int, as_it_is: float, forecast: Callable[[int], float]
) -> int:
    """The price at which it is all the same whether a card is bought or not.

    If it is not worth its lowest price, it does not matter how much less it is worth.

    >>> break_even_price(8, 50, 100, lambda left: 70 + left)
    20
    """
    gain = forecast(money - price) - as_it_is
    if gain <= 0:
        return max(0, round(price + gain))
    prices = range(price, money + 1)
    return price + bisect_left(prices, -as_it_is, key=lambda each: -forecast(money - each))


def limit_of(choice: Choice) -> int:
    """How far a bidder would go; one that does not tell, no further than it goes now."""
    if choice.limit is not None:
        return choice.limit
    return choice.move.bid if isinstance(choice.move, Bid) else 0


def rivals_of(view: BoardView | CardGameView) -> list[int]:
    """The other bidders for a card; nobody where their money is hidden."""
    if view["auction"]["card"] is None:
        return []
    me, players = view["seat"], view["players"]
    bidders = view["auction"]["bidders"]
    return [seat for seat in bidders if seat != me and players[seat]["money"] is not None]
