"""The clerk in an auction: the same for the cards of every family."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from highvoltage.bots.protocol import Choice, Reason, Values
from highvoltage.engine.cards import label, number_of, parse_card
from highvoltage.engine.moves import Bid, Moves, Nominate, Pass

PASS = Pass()


class Prospect(NamedTuple):
    """A card on offer as the clerk sees it; `code` and `told` say how its worth comes about."""

    card: str
    minimum: int
    worth: int
    spare: int  # what may be paid for it without running short elsewhere
    code: str
    told: Values

    def reason(self, price: int, code: str = "", **more: int) -> Reason:
        told = {"card": self.card, "worth": max(0, self.worth), "price": price, **self.told, **more}
        return Reason(code or self.code, told)


def minimum(card: Mapping[str, Any], view: Mapping[str, Any]) -> int:
    """The lowest bid for a card of the market."""
    return 1 if card["card"] == view["market"].get("discount") else int(card["number"])


def auction(on_hammer: str | None, offers: list[Prospect], legal: Moves) -> Choice:
    """Nominate, or bid for the card under the hammer."""
    known = {str(number_of(parse_card(offer.card))): offer for offer in offers}
    known |= {offer.card: offer for offer in offers}  # moves may name a card by its number alone
    if on_hammer is None:
        return _nominate(known, legal)
    return _bid(known[on_hammer], offers, legal)


def _nominate(known: dict[str, Prospect], legal: Moves) -> Choice:
    """Put up the card that is worth most beyond its price, if any is."""
    moves = [move for move in legal.choices if isinstance(move, Nominate)]
    offers = [known[label(move.card)] for move in moves]
    surplus = [
        (move.bid <= offer.spare, offer.worth - move.bid)
        for move, offer in zip(moves, offers, strict=True)
    ]
    affordable, gain = best = max(surplus)
    at = surplus.index(best)
    move, offer = moves[at], offers[at]
    if PASS in legal and not (affordable and gain > 0):
        return Choice(PASS, offer.reason(move.bid, "no_card"))
    return Choice(move, offer.reason(move.bid))


def _bid(offer: Prospect, offers: list[Prospect], legal: Moves) -> Choice:
    """Bid as long as no other card on offer is the better buy."""
    elsewhere = max((each.worth - each.minimum for each in offers if each is not offer), default=0)
    limit = max(0, min(offer.worth - max(0, elsewhere), offer.spare))
    move = legal.choices[-1]
    assert isinstance(move, Bid)
    if move.bid > limit:
        return Choice(PASS, offer.reason(move.bid, "too_dear", limit=limit), limit)
    return Choice(move, offer.reason(move.bid), limit)
