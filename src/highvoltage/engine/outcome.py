"""How a game ended."""

from msgspec import Struct


class Outcome(Struct, frozen=True):
    """How a game ended. `ranking` lists the places, best first; seats that tie share a place.

    >>> Outcome("cities", ranking=((2,), (0, 1)), scores=({"cities": 9},) * 3).winners
    (2,)
    """

    reason: str
    ranking: tuple[tuple[int, ...], ...]
    scores: tuple[dict[str, int], ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won."""
        return self.ranking[0]


def rank(scores: list[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
    """Seats by score, best first; equal scores share a place.

    >>> rank([(15, 9), (16, 31), (16, 20), (15, 9)])
    ((1,), (2,), (0, 3))
    """
    places = sorted(set(scores), reverse=True)
    return tuple(
        tuple(seat for seat, score in enumerate(scores) if score == place) for place in places
    )
