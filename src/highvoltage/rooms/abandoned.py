"""Games without a clock in which nobody moves any more: the player is reminded, then they end.

Only where others wait: whoever plays alone may take as long as they like.
"""

from time import time

from highvoltage.rooms.rows import GameRow, SeatRow
from highvoltage.table import Table

ADJOURN_SECONDS = 14 * 86_400.0
"""After the last move the game is adjourned: everybody sees when it ends, unless somebody moves."""
CLOSE_SECONDS = 14 * 86_400.0
"""After that it ends without a winner; its record is kept."""


def is_awaited(places: list[SeatRow]) -> bool:
    """Whether others wait for whoever is to move."""
    return len({place.owner for place in places} - {None}) > 1


def closes_at(row: GameRow, table: Table | None, places: list[SeatRow]) -> float | None:
    """When an adjourned game ends."""
    if row.status != "running" or table is None or table.pace.kind != "none":
        return None
    if table.bot_to_move is not None or not is_awaited(places):
        return None
    is_adjourned = table.turn_after(ADJOURN_SECONDS) <= time()
    return table.turn_after(ADJOURN_SECONDS + CLOSE_SECONDS) if is_adjourned else None
