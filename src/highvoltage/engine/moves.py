"""Moves read like the game: `nominate 13 @14`, `buy coal 3`, `run 5:coal,oil 13`.

A move is a frozen value; `str(move)` and `parse_move(text, kinds)` are inverse. A card in a move is
an int; `highvoltage.label` gives its name: 102 is written `2b`.
"""

import re
from functools import lru_cache
from typing import ClassVar, Self

from msgspec import Struct

from highvoltage.engine.cards import label, parse_card, rank_of
from highvoltage.engine.errors import MoveSyntaxError
from highvoltage.words import say


class Move(Struct, frozen=True, gc=False, tag_field="verb"):
    """A decision of one seat."""

    verb: ClassVar[str]
    syntax: ClassVar[str]  # how it is written, for error messages

    @classmethod
    def parse(cls, text: str) -> Self:
        """The move written as `verb text`; ValueError if `text` does not fit."""
        if text:
            raise ValueError(text)
        return cls()

    def __str__(self) -> str:
        return self.verb


class Nominate(Move, frozen=True, gc=False, tag="nominate"):
    """Put `card` up for auction; `bid` is the opening bid."""

    verb = "nominate"
    syntax = "nominate CARD @BID"
    card: int
    bid: int

    @classmethod
    def parse(cls, text: str) -> Self:
        card, at, bid = text.partition(" @")
        if not at:
            raise ValueError(text)
        return cls(parse_card(card), parse_count(bid))

    def __str__(self) -> str:
        return f"nominate {label(self.card)} @{self.bid}"

    def at(self, bid: int) -> "Nominate":
        return Nominate(self.card, bid)


class Bid(Move, frozen=True, gc=False, tag="bid"):
    """Raise the bid to `bid`."""

    verb = "bid"
    syntax = "bid AMOUNT"
    bid: int

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(parse_count(text))

    def __str__(self) -> str:
        return f"bid {self.bid}"

    def at(self, bid: int) -> "Bid":
        return Bid(bid)


class Pass(Move, frozen=True, gc=False, tag="pass"):
    """Leave this auction or, when nominating, all auctions of this round."""

    verb = "pass"
    syntax = "pass"


class Done(Move, frozen=True, gc=False, tag="done"):
    """End the turn."""

    verb = "done"
    syntax = "done"


Returned = tuple[tuple[str, int], ...]
"""Returned fuel: pairs of a kind and a count."""


class Scrap(Move, frozen=True, gc=False, tag="scrap"):
    """Give up the plant `card` after buying one too many.

    `returned` is the fuel that the other plants have no room for: pairs of a name and a count,
    such as `(("coal", 1), ("oil", 2))`. It is usually empty.
    """

    verb = "scrap"
    syntax = "scrap PLANT [returning FUEL COUNT …]"
    card: int
    returned: Returned = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        card, _, fuel = text.partition(" returning ")
        words = fuel.split()
        pairs = zip(words[::2], words[1::2], strict=True)
        returned = sorted((kind, parse_count(count)) for kind, count in pairs)  # any order is read
        return cls(parse_card(card), tuple(returned))

    def __str__(self) -> str:
        fuel = " ".join(f"{kind} {count}" for kind, count in self.returned)
        return f"scrap {label(self.card)}" + (f" returning {fuel}" if fuel else "")


class Buy(Move, frozen=True, gc=False, tag="buy"):
    """Buy `count` units of `fuel`, such as `coal`, the cheapest first."""

    verb = "buy"
    syntax = "buy FUEL COUNT"
    fuel: str
    count: int

    @classmethod
    def parse(cls, text: str) -> Self:
        fuel, count = text.split(" ")
        return cls(fuel, parse_count(count))

    def __str__(self) -> str:
        return f"buy {self.fuel} {self.count}"


class Market(Move, frozen=True, gc=False, tag="market"):
    """Choose the fuel market of this turn, where there are several; `market` is its name."""

    verb = "market"
    syntax = "market MARKET"
    market: str

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(parse_word(text))

    def __str__(self) -> str:
        return f"market {self.market}"


class CityMove(Move, frozen=True, gc=False):
    """A verb and the city it concerns."""

    city: str

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(parse_word(text))

    def __str__(self) -> str:
        return f"{self.verb} {self.city}"


class Build(CityMove, frozen=True, gc=False, tag="build"):
    """Connect `city`, by its id."""

    verb = "build"
    syntax = "build CITY"


class Start(CityMove, frozen=True, gc=False, tag="start"):
    """Start a further network in `city`, where players may choose to."""

    verb = "start"
    syntax = "start CITY"


class PlaceHouse(CityMove, frozen=True, gc=False, tag="place"):
    """Place a house of the third party in `city`."""

    verb = "place"
    syntax = "place CITY"


class Mark(CityMove, frozen=True, gc=False, tag="mark"):
    """Mark `city` as a place where a network may start."""

    verb = "mark"
    syntax = "mark CITY"


class Run(Move, frozen=True, gc=False, tag="run"):
    """Run plants.

    `plants` are pairs of a card and what it burns: for a hybrid the name of every unit, such as
    `(5, ("coal", "oil"))`, for all others nothing, `(13, ())`.

    >>> str(Run.parse("13 5:oil,coal"))
    'run 5:coal,oil 13'
    """

    verb = "run"
    syntax = "run PLANT[:FUEL,FUEL…] … | run nothing"
    plants: tuple[tuple[int, tuple[str, ...]], ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        if text == "nothing":
            return cls()
        plants = []
        for part in text.split(" "):
            card, colon, fuel = part.partition(":")
            mix = tuple(sorted(parse_word(kind) for kind in fuel.split(","))) if colon else ()
            plants.append((parse_card(card), mix))
        return cls(tuple(sorted(plants, key=lambda plant: rank_of(plant[0]))))  # as a player owns

    def __str__(self) -> str:
        plants = (
            f"{label(card)}:{','.join(mix)}" if mix else label(card) for card, mix in self.plants
        )
        return f"run {' '.join(plants) or 'nothing'}"


class Sell(Move, frozen=True, gc=False, tag="sell"):
    """Sell uranium from all own mines."""

    verb = "sell"
    syntax = "sell"


class Region(Move, frozen=True, gc=False, tag="region"):
    """Choose `region`, by its id, to be in play."""

    verb = "region"
    syntax = "region REGION"
    region: str

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(parse_word(text))

    def __str__(self) -> str:
        return f"region {self.region}"


def parse_count(text: str) -> int:
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII):
        raise ValueError(text)
    return int(text)


def parse_word(text: str) -> str:
    if not re.fullmatch(r"[a-z0-9_]+", text):
        raise ValueError(text)
    return text


@lru_cache(maxsize=4096)  # a few hundred texts are most of any record
def parse_move(text: str, kinds: tuple[type[Move], ...]) -> Move:
    """The move written in `text`, one of the given kinds.

    >>> parse_move("nominate 13 @14", (Nominate, Pass))
    Nominate(card=13, bid=14)
    >>> parse_move("bid high", (Bid, Pass))
    Traceback (most recent call last):
    highvoltage.engine.errors.MoveSyntaxError: “bid high” is not written as: bid AMOUNT
    """
    verb, _, rest = " ".join(text.split()).partition(" ")
    verbs = {kind.verb: kind for kind in kinds}
    kind = verbs.get(verb.lower())
    if kind is None:
        raise MoveSyntaxError(say("terminal_no_move", move=text, verbs=", ".join(verbs)))
    try:
        return kind.parse(rest.lower())
    except ValueError:
        raise MoveSyntaxError(say("terminal_not_written", move=text, syntax=kind.syntax)) from None


class Span(Struct, frozen=True, gc=False):
    """Moves that differ only in their bid: `lowest`, and every bid above it up to `high`."""

    lowest: Nominate | Bid
    high: int

    def __len__(self) -> int:
        return self.high - self.lowest.bid + 1

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Nominate | Bid):
            return False
        return move.at(self.lowest.bid) == self.lowest and self.lowest.bid <= move.bid <= self.high
