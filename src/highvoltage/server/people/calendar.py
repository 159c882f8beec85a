"""A calendar of games over days: when turns are due and rounds of cups begin.

Programs that keep calendars read it at a secret address, which its owner can change at any time.
"""

import secrets
from time import time
from typing import Literal

from litestar import Controller, Response, delete, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, FromQuery
from msgspec import Struct, json

from highvoltage import words
from highvoltage.rooms.messages import SETUP_DECODER
from highvoltage.rooms.problems import not_found
from highvoltage.rooms.tables import key_hash
from highvoltage.server.config import Config
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.people.ics import Event, calendar_file
from highvoltage.server.store import SqlStore
from highvoltage.table.clock import stops_for_holidays

SUFFIX = ".ics"


class CupName(Struct):
    """What a calendar needs of the setup of a cup."""

    title: str
    rulebook: str


class CalendarEntry(Struct, frozen=True):
    """Your turn at a table with a clock over days is due, or a round of a cup of yours begins."""

    at: float
    kind: Literal["turn", "round"]
    id: str  # of the table, or of the cup
    title: str
    rulebook: str
    round: int | None


class OwnCalendar(Struct, frozen=True):
    """Your calendar, the nearest first, and whether programs can read it at a secret address."""

    entries: list[CalendarEntry]
    has_address: bool


class CalendarAddress(Struct, frozen=True):
    """The secret path of your calendar."""

    path: str


class CalendarController(Controller):
    """When your turns are due, and rounds of your cups begin."""

    path = "/api/calendar"
    tags: tuple[str] = ("me",)

    @get("")
    async def calendar(self, visitor: Given[Visitor], store: Given[SqlStore]) -> OwnCalendar:
        """Your calendar."""
        entries = await _entries(store, visitor.who)
        return OwnCalendar(entries, await store.calendars.has_address(visitor.who))

    @post("/address")
    async def make_address(
        self, visitor: Given[Visitor], store: Given[SqlStore]
    ) -> CalendarAddress:
        """A new secret address for your calendar; the one before no longer works."""
        key = secrets.token_urlsafe(24)
        await store.calendars.set_address(visitor.who, key_hash(key))
        return CalendarAddress(f"{self.path}/{key}{SUFFIX}")

    @delete("/address")
    async def end_address(self, visitor: Given[Visitor], store: Given[SqlStore]) -> None:
        """End the address of your calendar."""
        await store.calendars.set_address(visitor.who, None)

    @get("/{file:str}")
    async def calendar_at_address(
        self,
        file: FromPath[str],
        store: Given[SqlStore],
        config: Given[Config],
        lang: FromQuery[str] = words.ENGLISH,
    ) -> Response[str]:
        """The calendar of this address as a file (iCalendar), in a language."""
        key = file.removesuffix(SUFFIX)
        who = await store.calendars.owner(key_hash(key))
        if who is None:
            raise not_found("calendar")
        entries = await _entries(store, who)
        with words.speaking(words.language_of(lang)):
            events = [_event(entry, config.origin) for entry in entries]
            text = calendar_file(words.say("title"), events, time())
        return Response(text, media_type="text/calendar")


async def _entries(store: SqlStore, who: str) -> list[CalendarEntry]:
    entries = []
    for turn in await store.calendars.turns(who):
        setup = SETUP_DECODER.decode(turn.setup)
        if setup.pace.kind != "none" and stops_for_holidays(setup.pace):
            entries.append(
                CalendarEntry(turn.due, "turn", turn.game, setup.title, turn.rulebook, None)
            )
    for found in await store.calendars.rounds(who):
        cup = json.decode(found.setup, type=CupName)
        entries.append(
            CalendarEntry(found.begins, "round", found.cup, cup.title, cup.rulebook, found.number)
        )
    return sorted(entries, key=lambda entry: (entry.at, entry.id))


def _event(entry: CalendarEntry, origin: str) -> Event:
    game = words.find(f"game_{entry.rulebook}", {}) or entry.rulebook
    if entry.kind == "turn":
        what, place = words.say("table_your_turn"), "table"
    else:
        what, place = words.say("round", round=entry.round), "cup"
    url = f"{origin}/{place}/{entry.id}" if origin else ""
    uid = f"{entry.kind}-{entry.id}-{entry.round or 0}@highvoltage"
    return Event(uid, entry.at, f"{entry.title or game}: {what}", url)
