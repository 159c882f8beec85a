"""Rooms by themselves: their store is a storage in memory, and no bot is asked."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import msgspec

from highvoltage.browser.place import InPlace
from highvoltage.browser.store import BrowserStore
from highvoltage.rooms.bot_service import BotService
from highvoltage.rooms.context import RoomContext
from highvoltage.rooms.limits import RoomLimits
from highvoltage.rooms.person import Person
from highvoltage.rooms.room import Room
from highvoltage.rooms.rows import GameRow, SeatRow
from serving import PATIENCE
from shells import Disk

ANN, BOB, CYD = (Person(name.lower(), name) for name in ("Ann", "Bob", "Cyd"))


class NoWorkers:
    """Nobody thinks here."""

    async def ask(self, work: str, question: object, *_: object) -> Any:
        raise AssertionError(f"{work}: {question}")


def context(**limits: float) -> RoomContext:
    bots = BotService(NoWorkers(), seconds=2.0, budget=1.0)
    return RoomContext(BrowserStore(Disk()), bots, InPlace(), RoomLimits(**limits))  # type: ignore[arg-type]


def row(name: str = "a", status: str = "open", **more: Any) -> GameRow:
    """A table of Ann's."""
    setup = {"rulebook": "classic", **more.pop("setup", {})}
    about: dict[str, Any] = {"seed": "1", "public": False, "host": "ann", "created": 1000.0}
    about |= {"rulebook": "classic", "setup": msgspec.json.encode(setup).decode()}
    return GameRow(name, status, **(about | more))


def seats(*people: str | None) -> list[SeatRow]:
    """A seat for each of these: of a person, of a bot that is written `*clerk`, or an open one."""
    return [seat(at, who) for at, who in enumerate(people)]


def seat(at: int, who: str | None) -> SeatRow:
    if who is None:
        return SeatRow("a", at, "open")
    if who.startswith("*"):
        return SeatRow("a", at, "bot", who[1:].capitalize(), bot=who[1:])
    return SeatRow("a", at, "person", who.capitalize(), who)


async def room_of(*people: str | None, about: RoomContext | None = None, **more: Any) -> Room:
    """A room that was made, and dealt if nobody is missing there; no bot moves in it."""
    about = about or context()
    await about.store.create(row(**more), seats(*people))
    found = await about.store.game(more.get("name", "a"))
    assert found is not None
    room = Room(about, *found)
    await room.load()
    if room.is_full:
        await room.start()
    return room


def run(work: Coroutine[Any, Any, None]) -> None:
    async def in_time() -> None:
        async with asyncio.timeout(PATIENCE):
            await work

    asyncio.run(in_time())
