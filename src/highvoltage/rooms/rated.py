"""Rated games: what a table needs for one.

A rated game is one that nobody can turn to account except by playing well. So everybody has one
seat and plays from a network of their own, nobody gets help, and a clock runs.
"""

from collections.abc import Iterable

from highvoltage.rooms.messages import NewTable, Setup
from highvoltage.rooms.person import Person
from highvoltage.rooms.problems import malformed, not_now
from highvoltage.rooms.room import Room
from highvoltage.rooms.strengths import MEASURED, strengths

TRAINED_MAPS = (None, "germany", "usa", "central_europe")
"""Elsewhere, and with options, the tycoon may play as the engineer does."""


def check_rated_table(data: NewTable) -> None:
    """RequestRefused if a game at this table cannot be rated."""
    own = any(isinstance(each, dict) for each in (data.map, *data.options.values()))
    if data.rulebook not in MEASURED or own or data.seed is not None:
        raise malformed("rated_setup")
    if data.pace.kind == "none":
        raise malformed("rated_clock")
    if sum(seat.kind == "me" for seat in data.seats) != 1:
        raise malformed("rated_seats")
    bots = [seat.bot or "clerk" for seat in data.seats if seat.kind == "bot"]
    check_rated_bots(data, [*bots, data.fill.bot] if data.fill else bots)


def check_rated_bots(setup: Setup, bots: Iterable[str]) -> None:
    known = strengths(setup.rulebook)
    if setup.options or setup.map not in TRAINED_MAPS:
        known.pop("tycoon", None)
    for bot in bots:
        if bot not in known:
            raise malformed("rated_bot")


def check_rated_seat(room: Room, person: Person) -> None:
    """RequestRefused if somebody plays at a rated table already, here or from the same network."""
    if room.setup.rated:
        if room.seats_of(person.who):
            raise not_now("rated_seats")
        if person.origin and person.origin in {place.origin for place in room.places}:
            raise not_now("rated_network")


def refuse_if_counts(room: Room, code: str, *statuses: str) -> None:
    """RequestRefused in a game that counts and has one of these statuses, or any."""
    if room.setup.counts and (not statuses or room.row.status in statuses):
        raise not_now(code)
