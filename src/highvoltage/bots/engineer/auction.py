"""The engineer in an auction: bids to what a card is worth and no further."""

from highvoltage.bots.clerk.auction import Offer, auction
from highvoltage.bots.protocol import Choice
from highvoltage.engine.cards import number_of, parse_card
from highvoltage.engine.moves import Bid, Moves, Pass

PASS = Pass()


def bid_or_nominate(on_hammer: str | None, offers: list[Offer], legal: Moves) -> Choice:
    """The clerk's auction, but a bidder knows its limit, and tells it."""
    if on_hammer is None:
        return auction(None, offers, legal)
    offer = min(offers, key=lambda each: (each.card != on_hammer, _number(each) != on_hammer))
    elsewhere = max((each.worth - each.minimum for each in offers if each is not offer), default=0)
    limit = min(offer.worth - max(0, elsewhere), offer.spare)
    move = legal.choices[-1]
    assert isinstance(move, Bid)
    if move.bid > limit:
        return Choice(PASS, offer.reason(move.bid, "too_dear", limit=limit))
    return Choice(move, offer.reason(move.bid, limit=limit))


def _number(offer: Offer) -> str:
    """Under the hammer a card may be called by its number alone."""
    return str(number_of(parse_card(offer.card)))
