"""Games that end without a winner: all who play there agree, or nobody moves any more."""

from time import time

from highvoltage.rooms import abandoned
from highvoltage.rooms.room import Room


async def set_would_end(room: Room, seat: int, *, agreed: bool, mark: str | None) -> None:
    """Keep whether the owner of a seat agrees to end the game."""
    mine = {"owner": room.places[seat].owner}
    async with room.writing():
        await room.store.change_seat(room.row.id, seat, mine, mark=mark, would_end=agreed)
    await room.reread(room.refresh)


async def end_if_agreed(room: Room) -> None:
    """End a game that all people who play there would end."""
    while room.row.status == "running" and _all_would_end(room):  # or somebody moved meanwhile
        await room.end("running")


def _all_would_end(room: Room) -> bool:
    people = {place.owner for place in room.places} - {None}
    return bool(people) and people <= {place.owner for place in room.places if place.would_end}


async def end_if_abandoned(room: Room) -> None:
    """Adjourn a game in which nobody has moved for long; at last, end it."""
    table = room.table
    if room.row.status != "running" or table is None:
        return
    if table.bot_to_move is not None or table.deadline is not None:
        return
    closes = abandoned.closes_at(room.row, table, room.places)
    if closes is not None and closes <= time():
        await room.end("running")
        return
    due = closes
    if closes is not None:
        room.push_turn()
    elif abandoned.is_awaited(room.places):
        due = table.turn_after(abandoned.ADJOURN_SECONDS)
    seen = {"status": "running", "moves": room.row.moves}
    if await room.store.change_game(room.row.id, seen, due=due):
        room.row.due = due
    room.announce()


async def put_off_deadline(room: Room) -> None:
    """Keep when the clock of a person runs out, which a holiday has changed."""
    if room.table is None or room.table.bot_to_move is not None:
        return
    await room.refresh()
    deadline = room.table.deadline
    if room.row.status == "running" and deadline is not None and deadline > time():
        seen = {"status": "running", "due": room.row.due}
        if await room.store.change_game(room.row.id, seen, due=deadline):
            room.row.due = deadline
