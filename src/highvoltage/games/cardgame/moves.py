"""The move that only the card game knows."""

from typing import Self

from highvoltage.engine.moves import Move, whole, word


class BuyCard(Move, frozen=True, gc=False, tag="buy"):
    """Buy a card of `fuel` with so many `units` left on it from `column`, which is its price.

    >>> BuyCard.parse("coal 3 from 2")
    BuyCard(fuel='coal', units=3, column=2)
    """

    verb = "buy"
    form = "buy FUEL UNITS from COLUMN"
    fuel: str
    units: int
    column: int

    @classmethod
    def parse(cls, text: str) -> Self:
        fuel, units, from_, column = text.split(" ")
        if from_ != "from":
            raise ValueError(text)
        return cls(word(fuel), whole(units), whole(column))

    def __str__(self) -> str:
        return f"buy {self.fuel} {self.units} from {self.column}"
