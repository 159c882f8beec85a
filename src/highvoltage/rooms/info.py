"""What everybody may know about a table."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import time
from typing import Any

import msgspec

from highvoltage.bots.characters import CHARACTERS
from highvoltage.games import editions
from highvoltage.rooms.messages import (
    BIDI_CONTROLS,
    CONTROL,
    INVISIBLE,
    OWN_FILE,
    SETUP_DECODER,
    SeatInfo,
    Setup,
    StoredSetup,
    TableInfo,
)
from highvoltage.rooms.rows import UNFINISHED, GameRow, SeatRow
from highvoltage.table.clock import Span, holiday_at, stops_for_holidays

MAX_MAP_NAME = 60  # characters of the name of a custom map
HIDDEN_CHARACTERS = re.compile(rf"[{CONTROL}{BIDI_CONTROLS}{INVISIBLE}]")


def table_info(
    row: GameRow,
    places: Sequence[SeatRow],
    who: str | None,
    present: set[str | None],
    setup: StoredSetup | None = None,
    holidays: Mapping[str, Sequence[Span]] | None = None,
) -> TableInfo:
    """`holidays` are those of its people, where others may know of them."""
    setup = setup or SETUP_DECODER.decode(row.setup)
    away = (holidays or {}) if row.status in UNFINISHED and stops_for_holidays(setup.pace) else {}
    now = time() if away else 0.0
    enders = {place.owner for place in places if place.would_end}
    return TableInfo(
        id=row.id,
        rulebook=row.rulebook,
        family=editions()[row.rulebook].family if row.rulebook in editions() else "",
        map=short_map(setup),
        options=short_options(setup),
        title=setup.title,
        status=row.status,  # type: ignore[arg-type]  # stored as it was set here
        public=row.public,
        seeded=setup.seeded,
        rated=setup.rated,
        cup=setup.cup,
        host=who is not None and row.host == who,
        host_seat=next((place.seat for place in places if place.owner == row.host), None),
        created=row.created,
        seats=[
            SeatInfo(
                seat=place.seat,
                kind=place.kind,  # type: ignore[arg-type]
                name=place.name,
                mine=who is not None and place.owner == who,
                bot=place.bot,
                online=place.kind == "bot" or (place.owner or "") in present,
                left=place.left_by is not None,
                would_end=place.owner is not None and place.owner in enders,
                away_until=_away_until(away.get(place.owner or "", ()), now),
            )
            for place in places
        ],
        fill=setup.fill,
        pace=setup.pace,
        timeout=setup.timeout,
        auto=setup.auto,
        to_move=row.turn,
        moves=row.moves,
        rematch=row.rematch,
    )


def _away_until(away: Sequence[Span], now: float) -> float | None:
    holiday = holiday_at(away, now)
    return holiday and holiday[1]


def bot_name(bot: str) -> str:
    """The name of a bot at a table.

    >>> bot_name("director:500ms"), bot_name("clerk:bold")
    ('Director 500ms', 'Berta')
    """
    return CHARACTERS.get(bot) or bot.replace(":", " ").capitalize()


def short_map(setup: Setup) -> str | None:
    return _short(setup.map.get("name", "")) if isinstance(setup.map, dict) else setup.map


def short_options(setup: Setup) -> dict[str, Any]:
    return {name: _short(value) for name, value in setup.options.items()}


def list_summary(setup: StoredSetup) -> str | None:
    """The setup without its custom files, for lists of tables; None if it has none."""
    if not any(isinstance(own, dict) for own in (setup.map, *setup.options.values())):
        return None
    brief = msgspec.structs.replace(setup, map=short_map(setup), options=short_options(setup))
    return msgspec.json.encode(brief).decode()


def _short(value: Any) -> Any:
    """A value from a user, cleaned and shortened for display."""
    if isinstance(value, dict):
        return OWN_FILE
    if isinstance(value, list):
        return [_short(item) for item in value]
    return clean_line(value) if isinstance(value, str) else value


def clean_line(text: str) -> str:
    """A text from a user, without what hides, and not too long."""
    return HIDDEN_CHARACTERS.sub("", text)[:MAX_MAP_NAME]


def table_infos(
    found: Sequence[tuple[GameRow, Sequence[SeatRow]]],
    who: str,
    holidays: Mapping[str, Sequence[Span]] | None = None,
) -> list[TableInfo]:
    """Tables for a list; one that cannot be read is left out."""
    infos = []
    for row, places in found:
        with suppress(msgspec.MsgspecError):
            infos.append(table_info(row, places, who, set(), holidays=holidays))
    return infos
