"""Leads cups through their rounds, beside the tables.

Whatever happens is in the store before anything follows from it, so any process may go on where
another one has stopped.
"""

import asyncio
import logging
import secrets
from time import time

import msgspec

from highvoltage.engine.errors import HighVoltageError
from highvoltage.rooms.bot_service import SUBSTITUTE
from highvoltage.rooms.info import bot_name
from highvoltage.rooms.messages import StoredSetup
from highvoltage.rooms.person import Person
from highvoltage.rooms.room import Room
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.rows import SeatRow, new_id
from highvoltage.rooms.store import StoreError
from highvoltage.rooms.tables import start_if_full, table_row
from highvoltage.server.cups.messages import NewCup
from highvoltage.server.cups.pairing import Seating, pair_players
from highvoltage.server.cups.standings import SeatResult, Standing, standings
from highvoltage.server.store import SqlStore
from highvoltage.server.store.cups import CupFound, CupPlayer, NewGame
from highvoltage.table.clock import moment_after

LOOK_SECONDS = 1.0
"""Between two looks for cups that are due."""
RECHECK_SECONDS = 20.0
"""After which a cup is looked at again: a table of it may have been deleted or ended."""
BREAK_SECONDS = 90.0
"""Between two rounds: people look at the standings, and may come back."""
FEWEST_PLAYERS = 2
SETUP_DECODER: msgspec.json.Decoder[NewCup] = msgspec.json.Decoder(NewCup)

log: logging.Logger = logging.getLogger(__name__)


class CupRounds:
    """Begins and ends the rounds of all cups."""

    def __init__(self, store: SqlStore, rooms: Rooms) -> None:
        self.store = store
        self.rooms = rooms

    async def run(self) -> None:
        """Look at cups as they are due."""
        while True:
            for cup in await self.store.cups.due(time()):
                await self._look_safely(cup)
            self.rooms.supervisor.report_alive("cups")
            await asyncio.sleep(LOOK_SECONDS)

    async def _look_safely(self, cup: str) -> None:
        """Look at a cup; one that fails does not hold up the others."""
        try:
            await self.look(cup)
        except StoreError:
            raise
        except Exception as error:
            expected = isinstance(error, HighVoltageError)
            log.warning("a cup cannot go on", extra={"cup": cup}, exc_info=not expected)
            if (found := await self.store.cups.find(cup)) is not None:
                await self._look_again(found, time() + RECHECK_SECONDS)

    async def look(self, cup: str) -> None:
        """Take the next step of a cup, if it is time for it."""
        found = await self.store.cups.find(cup)
        if found is None:
            return
        row, now = found.row, time()
        if row.played < row.round:
            await self._look_at_tables(found, now)
        elif row.due is not None and row.due <= now and not await self.begin_round(found):
            if row.round:
                await self.store.cups.end(cup)
            else:  # too few have signed up; its host may still begin it
                await self._look_again(found, None)

    async def begin_round(self, found: CupFound, mark: str | None = None) -> bool:
        """Pair those who are in, and let them begin; False if they are too few."""
        while True:
            people = [player for player in found.players if player.status == "in"]
            if len(people) < FEWEST_PLAYERS:
                return False
            tables = await self.rooms.context.threads.compute(new_tables, found, people)
            due = time() + RECHECK_SECONDS
            if await self.store.cups.begin_round(found, tables, due, mark):
                break
            again = await self.store.cups.find(found.row.id)
            if again is None or again.row.round > found.row.round or again.row.status == "over":
                return True  # somebody else has begun or ended it
            found = again  # somebody has come or gone meanwhile
        for table in tables:
            room = await self.rooms.get(table.row.id)
            await start_if_full(room)
            self._push_round(room, found.row.round + 1)
        return True

    def _push_round(self, room: Room, number: int) -> None:
        """Push to those who do not begin, if they are absent; whoever begins hears of the turn."""
        push = self.rooms.context.push
        if push is None:
            return
        present = room.audience.present
        for place in room.places:
            if place.owner and place.seat != room.row.turn and place.owner not in present:
                push.notify(place.owner, room.row.id, room.setup.title, number=number)

    async def _look_at_tables(self, found: CupFound, now: float) -> None:
        """End the round once all its tables are over; until then, bots play for absent people."""
        row, setup = found.row, SETUP_DECODER.decode(found.row.setup)
        tables = await self.store.cups.progress(row.id, row.round)
        if all(table.is_over for table in tables):
            came = {(table.table_id, seat) for table in tables for seat in table.came}
            absent = [
                seat.player
                for seat in found.seats
                if seat.round == row.round
                and seat.player is not None
                and seat.table_id in found.statuses
                and (seat.table_id, seat.seat) not in came
            ]
            due = now + BREAK_SECONDS if row.round < setup.rounds else None
            await self.store.cups.end_round(row.id, row.round, absent, due)
            return
        due = now + RECHECK_SECONDS
        for table in tables:
            if table.awaited is None or table.awaited in table.came:
                continue
            late = table.since + setup.wait
            if late <= now:
                room = await self.rooms.get(table.table_id)
                away = room.playing().away[table.awaited]
                late = moment_after(table.since, setup.wait, away)
                if late <= now:
                    await room.stand_in(table.awaited, SUBSTITUTE)
                    continue
            due = min(due, late)
        await self._look_again(found, due)

    async def _look_again(self, found: CupFound, due: float | None) -> None:
        await self.store.cups.look_at(found.row.id, found.row.round + found.row.played, due)


def new_tables(found: CupFound, people: list[CupPlayer]) -> list[NewGame]:
    """The tables of the next round."""
    row, setup = found.row, SETUP_DECODER.decode(found.row.setup)
    number = row.round + 1
    points = {line.player: line.points for line in cup_standings(found)}
    wanted = {player.n: points[player.n] for player in people}
    tables = pair_players(wanted, _played(found), setup.seats, f"{row.seed} {number}")
    board = setup.boards[row.round % len(setup.boards)] if setup.boards else None
    of_table = StoredSetup(
        rulebook=setup.rulebook,
        map=board,
        options=setup.options,
        title=f"{setup.title} · {number}",
        pace=setup.pace,
        cup=row.id,
    )
    by_number = {player.n: player for player in people}
    return [_new_game(found, of_table, table, by_number) for table in tables]


def _new_game(
    found: CupFound, setup: StoredSetup, table: Seating, people: dict[int, CupPlayer]
) -> NewGame:
    places = [
        _place(seat, None if player is None else people[player])
        for seat, player in enumerate(table)
    ]
    host = Person(found.row.host, "", origin=found.row.origin)
    row = table_row(new_id(), setup, secrets.token_hex(16), places, host)
    return NewGame(row, places, table)


def _place(seat: int, player: CupPlayer | None) -> SeatRow:
    if player is None:
        return SeatRow("", seat, "bot", bot_name(SUBSTITUTE), bot=SUBSTITUTE)
    return SeatRow("", seat, "person", player.name, player.who, origin=player.origin)


def _played(found: CupFound) -> list[Seating]:
    """The tables of the rounds so far."""
    tables: dict[str, Seating] = {}
    for seat in found.seats:
        tables.setdefault(seat.table_id, []).append(seat.player)
    return [*tables.values()]


def results_of_tables(found: CupFound) -> dict[str, list[SeatResult]]:
    """What the tables came to that are over and counted."""
    tables: dict[str, list[SeatResult]] = {}
    for seat in found.seats:
        if seat.place is not None:
            result = SeatResult(seat.player, seat.place, seat.left)
            tables.setdefault(seat.table_id, []).append(result)
    return tables


def cup_standings(found: CupFound) -> list[Standing]:
    numbers = [player.n for player in found.players]
    points = SETUP_DECODER.decode(found.row.setup).points
    return standings(numbers, [*results_of_tables(found).values()], points)
