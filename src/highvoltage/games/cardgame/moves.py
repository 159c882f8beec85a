"""The move that only the card game has."""

from typing import Self

from highvoltage.engine.moves import Move, parse_count, parse_word


class BuyCard(Move, frozen=True, gc=False, tag="buy"):
    """Buy a card of `fuel` with `units` left on it from `column`, which is its price.

    >>> BuyCard.parse("coal 3 from 2")
    BuyCard(fuel='coal', units=3, column=2)
    """

    verb = "buy"
    syntax = "buy FUEL UNITS from COLUMN"
    fuel: str
    units: int
    column: int

    @classmethod
    def parse(cls, text: str) -> Self:
        fuel, units, from_, column = text.split(" ")
        if from_ != "from":
            raise ValueError(text)
        return cls(parse_word(fuel), parse_count(units), parse_count(column))

    def __str__(self) -> str:
        return f"buy {self.fuel} {self.units} from {self.column}"
