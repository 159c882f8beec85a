"""The legal moves with what they cost or earn."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from highvoltage.brief.outpost import card_words
from highvoltage.brief.phrases import THIRD, count, plant
from highvoltage.table import Offer
from highvoltage.views import View

RUNS_SHOWN = 12
"""The combinations of plants that are explained; the others are only listed."""

LEAST_INCOME = 1  # in the Card Game (KR-24)

PHRASES = {
    "done": "end your turn",
    "scrap": "give up {rest}",
    "buy": "buy this card of fuel",
    "market": "buy fuel at {rest} this turn",
    "build": "build in {rest}",
    "start": "start a further network in {rest}",
    "place": "put a house of {third} there",
    "mark": "mark it as a city where a network may start",
    "region": "bring {rest} into play",
}
OUTPOST = {
    "build": "build it there",
    "settle": "put this building on your Colony card",
    "syndicate": "put this building of {third} there",
    "place": "lay this card on your board",
    "swap": "exchange these cards on your board",
    "robot": "let a {rest} make a robot",
}


def moves(view: View, offered: Iterable[Offer]) -> str:
    """One line for each legal move or group of moves: how it is written, and what it does."""
    listed = list(offered)
    bought = [offer for offer in listed if _is_count(offer)]
    ran = [offer for offer in listed if _verb(offer) == "run"]
    lines = [_line(view, each) for each in listed if each not in bought and each not in ran]
    return "\n".join([*lines, *_purchases(bought), *_runs(view, ran)])


def _verb(offer: Offer) -> str:
    return offer.move.partition(" ")[0]


def _is_count(offer: Offer) -> bool:
    """Whether it is one of many purchases that differ in their number."""
    words = offer.move.split()
    return words[0] in {"buy", "hire", "power"} and words[-1].isdigit() and "from" not in words


def _line(view: View, offer: Offer) -> str:
    described = _description(view, offer)
    price = "" if offer.cost is None else f", costs {offer.cost}"
    if offer.to is not None:
        head, low = offer.move.removesuffix(lowest := _bid(offer)), lowest
        return f"{head}BID, BID {low} to {offer.to}: {described}"
    return f"{offer.move}: {described}{price}"


def _bid(offer: Offer) -> str:
    """The digits at the end: the lowest bid."""
    return offer.move[len(offer.move.rstrip("0123456789")) :]


def _description(view: View, offer: Offer) -> str:
    verb, _, rest = offer.move.partition(" ")
    if verb == "nominate":
        return f"put {_on_offer(view, rest.split()[0])} up for auction"
    if verb == "bid":
        return f"bid for {view['auction']['card']}"
    if verb == "pass":
        bidding = view["auction"]["card"] is not None
        return "leave this auction" if bidding else "buy nothing this round"
    phrases = PHRASES | (OUTPOST if view["family"] == "outpost" else {})
    third = THIRD.get(view["family"], "the third company")
    return phrases.get(verb, "see the rules").format(rest=rest, third=third)


def _on_offer(view: View, card: str) -> str:
    for each in view["market"]["current"]:
        if "minimum" in each:
            if each["card"]["card"] == card:
                return card_words(each["card"])
        elif each["card"] == card:
            return plant(each)
    return card


def _purchases(offered: list[Offer]) -> Iterator[str]:
    """All numbers of one thing on one line, with the price of each."""
    groups: dict[str, list[Offer]] = {}
    for offer in offered:
        groups.setdefault(offer.move.rpartition(" ")[0], []).append(offer)
    for what, same in groups.items():
        prices = [
            number if offer.cost is None else f"{number} for {offer.cost}"
            for offer in same
            if (number := offer.move.rpartition(" ")[2])
        ]
        yield f"{what} NUMBER: {', '.join(prices)}"


def _runs(view: View, offered: list[Offer]) -> Iterator[str]:
    if not offered:
        return
    mine: Mapping[str, Any] = view["players"][view["seat"]]
    earned = {offer.move: _earnings(view, mine, offer.move) for offer in offered}
    best = sorted(earned, key=lambda move: -earned[move][0])
    for move in best[:RUNS_SHOWN]:
        yield f"{move}: {earned[move][1]}"
    if best[RUNS_SHOWN:]:
        yield f"or, earning no more: {'; '.join(best[RUNS_SHOWN:])}"


def _earnings(view: View, mine: Mapping[str, Any], move: str) -> tuple[int, str]:
    """What running some plants earns, and in words."""
    cards = {word.partition(":")[0] for word in move.split()[1:]}
    run = [each for each in mine["plants"] if each["card"] in cards]
    if view["family"] == "cardgame":
        income = max(LEAST_INCOME, sum(each["income"] for each in run))
        return income, f"income {income}"
    powered = min(sum(each["powers"] for each in run), len(mine["cities"]))
    income = view["payment"][min(powered, len(view["payment"]) - 1)]
    return income, f"powers {count(powered, 'city', 'cities')}, income {income}"
