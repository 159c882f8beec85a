"""The arena: a table at which the tycoon always plays against itself, for everybody to watch.

The operator gives it a share of a processor; bots rest after each move to keep to that.
"""

import asyncio

from highvoltage.rooms.context import ARENA
from highvoltage.rooms.messages import NewSeat, NewTable
from highvoltage.rooms.person import Person
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.strengths import MEASURED
from highvoltage.rooms.tables import make_table
from highvoltage.server.store import SqlStore
from highvoltage.server.store.schema import games

BOT = "tycoon"
PLAYERS = 4
LOOK_SECONDS = 2.0
"""Between two looks whether a game is over."""
RESULT_LOOKS = 15
"""How often the result of a game is still shown before the next one begins."""
KEPT = 20
"""Finished games that can be watched again."""


async def keep_arena(rooms: Rooms, store: SqlStore) -> None:
    """Let one game follow the other; where there is no arena, clear away what one has left."""
    looks = 0
    while True:
        found = [row for row, _ in await store.games_with(games.c.host == ARENA, limit=2 * KEPT)]
        going = [row.id for row in found if row.status in {"open", "running"}]
        over = [row.id for row in found if row.status == "finished"]
        kept = {*going[-1:], *over[:KEPT]}  # several processes may have begun one
        if not rooms.context.arena_share:
            kept -= {*going}
        elif not going and (looks >= RESULT_LOOKS or not over):
            await _begin(rooms, found[0].rulebook if found else "")
        looks = 0 if going else looks + 1
        for row in found:
            if row.id not in kept:
                await store.delete(row.id)
                await rooms.drop(row.id)
        rooms.supervisor.report_alive("arena")
        await asyncio.sleep(LOOK_SECONDS)


async def _begin(rooms: Rooms, last_rulebook: str) -> None:
    """Begin the next game, by the next rulebook."""
    known = [*MEASURED]
    following = known.index(last_rulebook) + 1 if last_rulebook in known else 0
    table = NewTable(
        rulebook=known[following % len(known)],
        public=True,
        seats=[NewSeat("bot", BOT) for _ in range(PLAYERS)],
    )
    await make_table(table, rooms, Person(ARENA, ARENA, origin=ARENA), None)
