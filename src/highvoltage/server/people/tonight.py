"""Tonight: who waits for others, a game for whoever wants one now, and the best one to watch."""

import asyncio
from collections.abc import Sequence
from math import inf
from time import time

from litestar import Controller, get, post
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody

from highvoltage.games import metas
from highvoltage.rooms.context import ARENA
from highvoltage.rooms.info import table_infos
from highvoltage.rooms.messages import (
    SETUP_DECODER,
    NewSeat,
    NewTable,
    SeatChoice,
    SeatFill,
    TableInfo,
)
from highvoltage.rooms.problems import RequestRefused, not_found
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.rows import GameRow, SeatRow
from highvoltage.rooms.seats import join
from highvoltage.rooms.store import Found
from highvoltage.rooms.strengths import CLERK, strengths
from highvoltage.rooms.tables import make_table
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.people.counting import board_of
from highvoltage.server.people.messages import GameWish, Tonight
from highvoltage.server.store import SqlStore

USUAL_PLAYERS = 4
LIVELY_SECONDS = 600.0
"""After the last move a game is no longer one to watch."""


class FindLock(asyncio.Lock):
    """Held while somebody looks for a game, so that two who look at once meet."""


class TonightController(Controller):
    """What is on."""

    path = "/api/tonight"
    tags: tuple[str] = ("tonight",)

    @get("")
    async def tonight(self, visitor: Given[Visitor], store: Given[SqlStore]) -> Tonight:
        """Tables where somebody waits for others, and the best game to watch."""
        waiting, watched = await store.waiting(), await store.lively(time() - LIVELY_SECONDS)
        by_people = [found for found in watched if found[0].host != ARENA]
        by_bots = [found for found in watched if found[0].host == ARENA]
        best = await _best_game(store, by_people)
        return Tonight(
            table_infos(waiting, visitor.who),
            next(iter(table_infos(best, visitor.who)), None),
            next(iter(table_infos(by_bots, visitor.who)), None),
        )

    @post("/find")
    async def find_game(
        self,
        data: JSONBody[GameWish],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        rooms: Given[Rooms],
        find_lock: Given[FindLock],
        mark: Given[str | None],
    ) -> TableInfo:
        """Take a seat where others wait for such a game; if there is none, wait at a new table.

        Whoever waits at such a table already stays there.
        """
        async with find_lock:
            found = await _seated(data, visitor, store, rooms, mark)
            if found is not None:
                return found
            return await make_table(_new_table(data), rooms, visitor, mark)


async def _seated(
    wish: GameWish, visitor: Visitor, store: SqlStore, rooms: Rooms, mark: str | None
) -> TableInfo | None:
    """A fitting table at which the visitor has a seat, taken now if need be."""
    done = None if mark is None else await store.result_of(mark)
    if done is not None and not isinstance(done.value, str):  # a seat; its answer was lost
        for row, places in await store.mine(visitor.who):
            if _fits(wish, row, places):
                return (await rooms.get(row.id)).info(visitor.who)
    for row, places in await store.waiting():
        if not _fits(wish, row, places) or _fill_at(row) > time() + wish.wait:
            continue
        if any(place.owner == visitor.who for place in places):
            return (await rooms.get(row.id)).info(visitor.who)
        if any(place.kind == "open" for place in places):
            try:
                return await join(row.id, SeatChoice(), rooms, visitor, mark)
            except RequestRefused:
                continue  # by a ban, or because somebody was faster
    return None


def _fits(wish: GameWish, row: GameRow, places: Sequence[SeatRow]) -> bool:
    """Whether such a game is played at a table."""
    setup = SETUP_DECODER.decode(row.setup)
    return (
        row.listed is None  # with the map and the cards that are shipped
        and not setup.options
        and setup.fill is not None
        and setup.fill.bot == wish.bot
        and setup.rulebook == wish.rulebook
        and setup.pace == wish.pace
        and setup.rated == wish.rated
        and wish.board in {None, board_of(setup)}
        and wish.players in {None, len(places)}
    )


def _fill_at(row: GameRow) -> float:
    """When bots take the seats that are still open."""
    fill = SETUP_DECODER.decode(row.setup).fill
    return row.created + fill.after if fill else inf


def _new_table(wish: GameWish) -> NewTable:
    if wish.rulebook not in metas():
        raise not_found("rulebook")
    possible = metas()[wish.rulebook].players
    usual = USUAL_PLAYERS if USUAL_PLAYERS in possible else max(possible)
    others = (wish.players or usual) - 1
    return NewTable(
        rulebook=wish.rulebook,
        map=wish.board,
        pace=wish.pace,
        rated=wish.rated,
        public=True,
        fill=SeatFill(wish.bot, wish.wait),
        seats=[NewSeat("me"), *(NewSeat("open") for _ in range(others))],
    )


async def _best_game(store: SqlStore, found: Sequence[Found]) -> list[Found]:
    """The game of the strongest, if there is any."""
    owners = {place.owner for _, places in found for place in places if place.owner}
    rated = await store.ratings.of_all(sorted(owners))

    def strength(game: Found) -> float:
        row, places = game
        bots = strengths(row.rulebook)
        of_seats = [
            bots.get(place.bot, CLERK)
            if place.bot
            else rated.get((row.rulebook, place.owner or ""), CLERK)
            for place in places
        ]
        return sum(of_seats) / len(of_seats)

    return sorted(found, key=strength)[-1:]
