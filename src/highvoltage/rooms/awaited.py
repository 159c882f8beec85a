"""Who gets word that it is their turn; push and e-mail only carry it."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from highvoltage.rooms.messages import StoredSetup
from highvoltage.rooms.rows import GameRow, SeatRow


def absent_player(
    row: GameRow, places: Sequence[SeatRow], present: AbstractSet[str | None]
) -> str | None:
    """Whose turn it is, unless a bot plays for them or they are at the table."""
    if row.turn is None:
        return None
    place = places[row.turn]
    return None if place.bot or place.owner in present else place.owner


def table_words(row: GameRow, places: Sequence[SeatRow], setup: StoredSetup) -> str:
    """What a table is called for whoever is to move: its title, or the names of the others."""
    return setup.title or ", ".join(place.name for place in places if place.seat != row.turn)
