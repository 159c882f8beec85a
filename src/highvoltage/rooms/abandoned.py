"""Games without a clock in which nobody moves any more: the player is reminded, then they end.

Only where others wait: whoever plays alone may take as long as they like.
"""

from time import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from highvoltage.rooms.room import Room

ADJOURN_SECONDS = 14 * 86_400.0
"""After the last move the game is adjourned: everybody sees when it ends, unless somebody moves."""
CLOSE_SECONDS = 14 * 86_400.0
"""After that it ends without a winner; its record is kept."""


def is_awaited(room: "Room") -> bool:
    """Whether others wait for whoever is to move."""
    return len({place.owner for place in room.places} - {None}) > 1


def closes_at(room: "Room") -> float | None:
    """When an adjourned game ends."""
    table = room.table
    if room.row.status != "running" or table is None or table.pace.kind != "none":
        return None
    if table.bot_to_move is not None or not is_awaited(room):
        return None
    adjourned = table.clock.since + ADJOURN_SECONDS
    return adjourned + CLOSE_SECONDS if adjourned <= time() else None


async def check_abandoned(room: "Room") -> None:
    """Adjourn a game in which nobody has moved for long; at last, end it."""
    table = room.table
    if room.row.status != "running" or table is None:
        return
    if table.bot_to_move is not None or table.deadline is not None:
        return
    closes = closes_at(room)
    if closes is not None and closes <= time():
        await room.end("running")
        return
    due = closes
    if closes is not None:
        room.push_turn()
    elif is_awaited(room):
        due = table.clock.since + ADJOURN_SECONDS
    seen = {"status": "running", "moves": room.row.moves}
    if await room.store.change_game(room.row.id, seen, due=due):
        room.row.due = due
    room.announce()
