"""The clerk in an auction: the same for the cards of every family."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from highvoltage.bots.protocol import Choice, Reason, Values
from highvoltage.engine.cards import label
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Bid, Nominate, Pass

PASS = Pass()


class Prospect(NamedTuple):
    """A card on offer as the clerk values it; `code` and `values` explain its worth."""

    card: str
    minimum: int
    worth: int
    spare: int  # what may be paid for it without running short elsewhere
    code: str
    values: Values

    @property
    def gain(self) -> int:
        """What it is worth beyond its lowest price."""
        return self.worth - self.minimum

    def reason(self, price: int, code: str = "", more: Values | None = None) -> Reason:
        values: Values = {"card": self.card, "worth": max(0, self.worth), "price": price}
        return Reason(code or self.code, values | self.values | (more or {}))


class Limit(NamedTuple):
    """The most a bidder pays; `code` and `values` explain why it does not go higher."""

    most: int
    code: str
    values: Values


def minimum(card: Mapping[str, Any], view: Mapping[str, Any]) -> int:
    """The lowest bid for a card of the market."""
    return 1 if card["card"] == view["market"].get("discount") else int(card["number"])


def auction(on_hammer: str | None, offers: list[Prospect], legal: Moves) -> Choice:
    """Nominate, or bid for the card under the hammer."""
    if on_hammer is None:
        return _nominate(offers, legal)
    offer = find_offer(offers, on_hammer)
    return bid(offer, limit_for(offer, offers), legal)


def find_offer(offers: Sequence[Prospect], card: str) -> Prospect:
    return next(offer for offer in offers if offer.card == card)


def _nominate(offers: list[Prospect], legal: Moves) -> Choice:
    """Nominate the card with the largest gain over its price, or pass if there is none."""
    moves = [move for move in legal.choices if isinstance(move, Nominate)]
    found = [(move.bid, find_offer(offers, label(move.card))) for move in moves]
    surplus = [(price <= offer.spare, offer.worth - price) for price, offer in found]
    affordable, gain = best = max(surplus)
    at = surplus.index(best)
    price, offer = found[at]
    if PASS in legal and not (affordable and gain > 0):
        code = "no_card" if gain <= 0 else "no_spare"
        return Choice(PASS, offer.reason(price, code, {"spare": max(0, offer.spare)}))
    others = [each for each in range(len(moves)) if each != at]
    if not others:
        return Choice(moves[at], offer.reason(price))
    cost, second = found[max(others, key=surplus.__getitem__)]
    values: Values = {
        "runner_up": second.card,
        "second_worth": max(0, second.worth),
        "second_price": cost,
    }
    return Choice(moves[at], offer.reason(price, more=values))


def next_best(offer: Prospect, offers: Sequence[Prospect]) -> Prospect | None:
    """The best other card, if any is worth its lowest price."""
    others = [each for each in offers if each is not offer and each.gain > 0]
    return max(others, key=lambda each: each.gain, default=None)


def fair_price(offer: Prospect, offers: Sequence[Prospect]) -> int:
    """The price at which the best other card, at its lowest price, is as good."""
    other = next_best(offer, offers)
    return offer.worth - (other.gain if other else 0)


def limit_for(offer: Prospect, offers: Sequence[Prospect]) -> Limit:
    """The price at which the best other card is as good, if that much can be spared."""
    other = next_best(offer, offers)
    most = fair_price(offer, offers)
    if other is None:
        return cap_limit(offer.spare, Limit(most, "limit", {}))
    values: Values = {"other": other.card, "other_worth": other.worth, "other_price": other.minimum}
    return cap_limit(offer.spare, Limit(most, "limit_other", values))


def cap_limit(spare: int, limit: Limit) -> Limit:
    """A limit, or what can be spared if that is less."""
    return limit if limit.most <= spare else Limit(spare, "limit_spare", {})


def bid(offer: Prospect, limit: Limit, legal: Moves) -> Choice:
    """Bid as little as possible, as long as that is within the limit."""
    lowest = legal.choices[-1]
    assert isinstance(lowest, Bid)
    most = max(0, limit.most)
    reason = offer.reason(lowest.bid, limit.code, {"limit": most, **limit.values})
    return Choice(PASS if lowest.bid > most else lowest, reason, most)
