"""The moves that only Outpost has."""

from typing import Self

from highvoltage.engine.cards import label, parse_card
from highvoltage.engine.moves import Move, parse_count, parse_word


class PieceMove(Move, frozen=True, gc=False):
    """A verb, a `piece` (station, plant or habitat) and the `city`, by its id, that it goes to."""

    piece: str
    city: str

    @classmethod
    def parse(cls, text: str) -> Self:
        piece, city = text.split(" ")
        return cls(parse_word(piece), parse_word(city))

    def __str__(self) -> str:
        return f"{self.verb} {self.piece} {self.city}"


class Build(PieceMove, frozen=True, gc=False, tag="build"):
    """Put a building, `piece`, into `city`: a `station`, `plant` or `habitat`."""

    verb = "build"
    syntax = "build station|plant|habitat CITY"


class Syndicate(PieceMove, frozen=True, gc=False, tag="syndicate"):
    """Put a building of the Syndicate, `piece`, into `city`, on its behalf."""

    verb = "syndicate"
    syntax = "syndicate station|plant|habitat CITY"


class Settle(Move, frozen=True, gc=False, tag="settle"):
    """Put a building, `piece`, on the Colony `card`."""

    verb = "settle"
    syntax = "settle station|plant|habitat CARD"
    piece: str
    card: int

    @classmethod
    def parse(cls, text: str) -> Self:
        piece, card = text.split(" ")
        return cls(parse_word(piece), parse_card(card))

    def __str__(self) -> str:
        return f"settle {self.piece} {label(self.card)}"


class PlaceCard(Move, frozen=True, gc=False, tag="place"):
    """Put `card` from the pool on the company board.

    `space` is empty except for the Moon Base, which may lie on a `plant` or a `habitat` space.
    """

    verb = "place"
    syntax = "place CARD [on plant|habitat]"
    card: int
    space: str = ""

    @classmethod
    def parse(cls, text: str) -> Self:
        card, on, space = text.partition(" on ")
        return cls(parse_card(card), parse_word(space) if on else "")

    def __str__(self) -> str:
        return f"place {label(self.card)}" + (f" on {self.space}" if self.space else "")


class Swap(Move, frozen=True, gc=False, tag="swap"):
    """Exchange the card `old` on the company board for a better one from the pool, `new`."""

    verb = "swap"
    syntax = "swap CARD for CARD"
    old: int
    new: int

    @classmethod
    def parse(cls, text: str) -> Self:
        old, new = text.split(" for ")
        return cls(parse_card(old), parse_card(new))

    def __str__(self) -> str:
        return f"swap {label(self.old)} for {label(self.new)}"


class CountMove(Move, frozen=True, gc=False):
    """A verb and how many: `count`."""

    count: int

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(parse_count(text))

    def __str__(self) -> str:
        return f"{self.verb} {self.count}"


class Hire(CountMove, frozen=True, gc=False, tag="hire"):
    """Pay for `count` seasonal workers, then fill all beds."""

    verb = "hire"
    syntax = "hire COUNT"


class Power(CountMove, frozen=True, gc=False, tag="power"):
    """Run plants and power `count` cities."""

    verb = "power"
    syntax = "power CITIES"


class Robot(Move, frozen=True, gc=False, tag="robot"):
    """Let a `human` or a `robot`, the `maker`, make a robot."""

    verb = "robot"
    syntax = "robot human|robot"
    maker: str

    @classmethod
    def parse(cls, text: str) -> Self:
        return cls(parse_word(text))

    def __str__(self) -> str:
        return f"robot {self.maker}"
