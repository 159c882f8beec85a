"""The game of a room: the running one, or a finished one read from its record."""

from functools import lru_cache

import highvoltage as hv
from highvoltage.engine.errors import HighVoltageError, RecordError
from highvoltage.engine.game import Game
from highvoltage.rooms.problems import not_now, unreadable
from highvoltage.rooms.room import Room


@lru_cache(maxsize=16)
def _replayed(record: str) -> tuple[Game, str]:
    """A game as far as the installed rules can read it, and why no further."""
    try:
        return hv.replay(record), ""
    except RecordError as error:
        if error.game is None or not error.game.log:
            raise
        return error.game, str(error)


async def game_of(room: Room) -> tuple[Game, str]:
    """The game, and why not all of it can be read."""
    if room.table is not None:
        return room.table.game, ""
    if room.row.record is None:
        raise not_now("not_begun")
    try:
        return await room.context.threads.replay(_replayed, room.row.record)
    except HighVoltageError as error:  # its rules or their version are not installed
        raise unreadable(error) from None
