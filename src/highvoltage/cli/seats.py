"""Who sits where: people and bots, and how a saved game distinguishes them.

A record says which bot plays a seat. In older ones a bot's seat is named after it, "Clerk Ada".
"""

import os
import re
from collections.abc import Mapping, Sequence

from highvoltage import bots
from highvoltage.bots.characters import CHARACTERS
from highvoltage.engine.errors import OptionError
from highvoltage.engine.record import Record
from highvoltage.table import Seat
from highvoltage.text.bot_names import bot_named, bot_title
from highvoltage.words import say

FIRST_NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
STAND_IN = "clerk"  # for a seat whose bot is not known


def seat_names(people: Sequence[str], kinds: Sequence[str]) -> list[str]:
    """The names at the table, people first.

    >>> seat_names(["Ann"], ["clerk", "random"])
    ['Ann', 'Clerk Ada', 'Random Ben']
    >>> seat_names(["Ann"], ["clerk:bold", "clerk:bold"])
    ['Ann', 'Berta', 'Berta Ben']
    """
    for name in people:
        if kind := bot_named(name):
            raise OptionError(say("terminal_name_of_bot", name=name, bot=kind))
    names = [*people]
    for first_name, kind in zip(FIRST_NAMES, kinds, strict=False):
        known = CHARACTERS.get(kind)
        names.append(
            known if known and known not in names else f"{known or bot_title(kind)} {first_name}"
        )
    return names


def seats_of(names: Sequence[str], kinds: Mapping[int, str]) -> list[Seat]:
    return [
        Seat("bot", name, kinds[seat]) if seat in kinds else Seat("person", name)
        for seat, name in enumerate(names)
    ]


def saved_kinds(record: Record, people: Sequence[str], kinds: Sequence[str]) -> dict[int, str]:
    """The bots of a saved game by seat, as the record says, unless people or bots are given.

    An older record says it by their names. A file can name no bot that it brings along.
    """
    names = record.names
    for name in people:
        if name not in names:
            raise OptionError(say("terminal_nobody_called", name=name, names=", ".join(names)))
    named = {seat: kind for seat, name in enumerate(names) if (kind := bot_named(name))}
    if record.bots:
        known = {*bots.names()}
        named = {
            seat: kind if kind.partition(":")[0] in known else STAND_IN
            for seat, kind in record.bots.items()
        }
    if people:
        seats = [seat for seat, name in enumerate(names) if name not in people]
    else:
        seats = list(named)
    if kinds:
        return dict(zip(seats, repeated(kinds, len(seats)), strict=True))
    return {seat: named.get(seat, STAND_IN) for seat in seats}


def repeated(kinds: Sequence[str], count: int) -> list[str]:
    """One bot per seat; a list that is too short is repeated.

    >>> repeated(["clerk", "random"], 3)
    ['clerk', 'random', 'clerk']
    """
    if len(kinds) > count:
        raise OptionError(say("terminal_too_many_bots", seats=count, bots=", ".join(kinds)))
    return [kinds[n % len(kinds)] for n in range(count)]


def default_name() -> str:
    name = os.environ.get("USER", "")
    return name.capitalize() if re.fullmatch(r"[a-z]{2,12}", name) and name != "root" else "Ann"
