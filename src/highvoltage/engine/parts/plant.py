"""A plant card, as fuel and payment see it."""

from msgspec import Struct


class Plant(Struct, frozen=True, gc=False):
    """A plant card. `powers` is what one run yields: cities, or money in the card game."""

    number: int
    fuels: tuple[int, ...]  # indexes of kinds; two for a hybrid, none for a plant without fuel
    need: int
    powers: int
    own_store: int | None = None  # where it is not twice the need
    mined: int = 0  # what a token of a mine counts, in cities; other plants mine nothing

    @property
    def store(self) -> int:
        """The tokens that it holds."""
        return 2 * self.need if self.own_store is None else self.own_store

    @property
    def hybrid(self) -> bool:
        return len(self.fuels) == 2
