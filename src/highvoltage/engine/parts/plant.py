"""A plant card, as fuel and payment see it."""

from msgspec import Struct


class Plant(Struct, frozen=True, gc=False):
    """A plant card. `powers` is what one run yields: cities, or money in the card game."""

    number: int
    fuels: tuple[int, ...]  # indexes of kinds; two for a hybrid, none for a plant without fuel
    need: int
    powers: int

    @property
    def hybrid(self) -> bool:
        return len(self.fuels) == 2
