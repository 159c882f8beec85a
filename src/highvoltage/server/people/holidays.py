"""Holidays: while somebody is away, the clocks of their games over days stand still.

Days begin and end at midnight UTC. A day that has begun counts, also of a holiday that is ended.
"""

from datetime import UTC, date, datetime, timedelta
from time import time

from litestar import Controller, get, post
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody
from msgspec import Struct

from highvoltage.rooms.problems import malformed, not_found, not_now, too_many
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.tables import once
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.store import SqlStore
from highvoltage.table.clock import DAY_SECONDS, Span

DAYS_PER_YEAR = 28
"""Also the longest holiday."""
LATEST_DAYS = 366
"""Until a holiday begins."""


class NewHoliday(Struct, forbid_unknown_fields=True):
    """The first and the last day on which you are away."""

    first: date
    last: date


class HolidayRef(Struct, forbid_unknown_fields=True):
    """The first day of a holiday."""

    first: date


class Holiday(Struct, frozen=True):
    """A holiday that is not over."""

    first: date
    last: date


class OwnHolidays(Struct, frozen=True):
    """Your holidays, and how many more days you may be away this year."""

    holidays: list[Holiday]
    days_left: int


class HolidaysController(Controller):
    """When you are away."""

    path = "/api/holidays"
    tags: tuple[str] = ("me",)

    @get("")
    async def holidays(self, visitor: Given[Visitor], store: Given[SqlStore]) -> OwnHolidays:
        """Your holidays that are not over."""
        return await _holidays(store, visitor.who)

    @post("")
    async def add_holiday(
        self,
        data: JSONBody[NewHoliday],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        rooms: Given[Rooms],
        mark: Given[str | None],
    ) -> OwnHolidays:
        """Be away: your clocks stand still in games with a day or more for a move or a game."""
        now = time()
        days = (data.last - data.first).days + 1
        ahead = (data.first - _day(now)).days
        if not (0 <= ahead <= LATEST_DAYS and 0 < days <= DAYS_PER_YEAR):
            raise malformed("holiday_days", most=DAYS_PER_YEAR)
        added = max(now, _midnight(data.first)), _midnight(data.last + timedelta(days=1))
        async with once(rooms, mark):
            games = await store.holidays.add(
                visitor.who, added, lambda others: _check(added, others), mark
            )
            await _reckon_again(rooms, *games)
        return await _holidays(store, visitor.who)

    @post("/end")
    async def end_holiday(
        self,
        data: JSONBody[HolidayRef],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        rooms: Given[Rooms],
        mark: Given[str | None],
    ) -> OwnHolidays:
        """End a holiday now, or call it off."""
        async with once(rooms, mark):
            now = time()
            own = (await store.holidays_of([visitor.who])).get(visitor.who, [])
            meant = [begins for begins, ends in own if ends > now and _day(begins) == data.first]
            if not meant:
                raise not_found("holiday")
            games = await store.holidays.end(visitor.who, meant[0], now, mark)
            await _reckon_again(rooms, *games)
        return await _holidays(store, visitor.who)


async def _reckon_again(rooms: Rooms, concerned: list[str], waiting: list[str]) -> None:
    await rooms.refresh(concerned)
    for game in waiting:
        await rooms.wake(game)


async def _holidays(store: SqlStore, who: str) -> OwnHolidays:
    now = time()
    own = (await store.holidays_of([who])).get(who, [])
    ahead = [Holiday(*_first_and_last(span)) for span in own if span[1] > now]
    return OwnHolidays(ahead, DAYS_PER_YEAR - _days_in(own, _day(now).year))


def _check(added: Span, others: list[Span]) -> None:
    """Refuse a holiday that overlaps with another, or is longer than what is left of its years."""
    if any(begins < added[1] and added[0] < ends for begins, ends in others):
        raise not_now("holiday_overlaps")
    for year in {day.year for day in _first_and_last(added)}:
        left = DAYS_PER_YEAR - _days_in(others, year)
        if _days_in([added], year) > left:
            raise too_many("holiday_allowance", most=DAYS_PER_YEAR, year=year, left=left)


def _days_in(spans: list[Span], year: int) -> int:
    """How many days of a year these holidays take."""
    limits = date(year, 1, 1), date(year, 12, 31)
    days = 0
    for first, last in map(_first_and_last, spans):
        days += max(0, (min(last, limits[1]) - max(first, limits[0])).days + 1)
    return days


def _first_and_last(span: Span) -> tuple[date, date]:
    begins, ends = span
    return _day(begins), _day(max(begins, ends - 1))


def _day(moment: float) -> date:
    return datetime.fromtimestamp(moment, UTC).date()


def _midnight(day: date) -> float:
    return (day - date(1970, 1, 1)).days * float(DAY_SECONDS)
