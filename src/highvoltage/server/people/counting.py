"""Makes the results of finished games, beside the moves of others."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from collections.abc import Set as AbstractSet

import msgspec

import highvoltage as hv
from highvoltage.engine.errors import HighVoltageError
from highvoltage.engine.events import Sold
from highvoltage.engine.record import RECORD_DECODER, Record
from highvoltage.games import metas
from highvoltage.rooms.info import short_map
from highvoltage.rooms.messages import SETUP_DECODER, StoredSetup
from highvoltage.rooms.rows import GameRow, SeatRow
from highvoltage.rooms.store import StoreError
from highvoltage.rooms.supervisor import TaskSupervisor
from highvoltage.server.people.rating import rate_game
from highvoltage.server.people.rounds import Margin, margin_of, rounds_of
from highvoltage.server.store import ResultRow, SqlStore
from highvoltage.server.store.ratings import BOT, player_of

LOOK_SECONDS = 1.0
"""Between two looks for games that are to be counted."""
PAUSE_SECONDS = 0.02
"""After each game: many may be waiting, and others play meanwhile."""
BATCH = 100
Replay = Callable[..., Awaitable[list[ResultRow]]]
"""Where a game is replayed: it takes the function and what that is given."""

log: logging.Logger = logging.getLogger(__name__)


async def count_games(store: SqlStore, replay: Replay, supervisor: TaskSupervisor) -> None:
    """Count games as they end, and rate them."""
    while True:
        async for _ in counted(store, replay):
            supervisor.report_alive("results")
            await asyncio.sleep(PAUSE_SECONDS)
        while await store.ratings.rate_some(rate_game):
            supervisor.report_alive("results")
            await asyncio.sleep(PAUSE_SECONDS)
        supervisor.report_alive("results")
        await asyncio.sleep(LOOK_SECONDS)


async def counted(store: SqlStore, replay: Replay) -> AsyncIterator[str]:
    """Count the games that wait for it, and yield each of them once it is kept."""
    while waiting := await store.results.waiting(BATCH):
        kept = 0
        for game in waiting:
            if await _count(store, replay, game):
                kept += 1
                yield game
        if not kept:
            return  # others count them, or their seats are changing


async def _count(store: SqlStore, replay: Replay, game: str) -> bool:
    found = await store.game(game)
    if found is None:
        return False
    row, places = found
    try:
        rows = await replay(results_of, row, places, await store.results.ended(game))
    except StoreError:
        raise
    except Exception as error:  # only this game is not counted, until somebody recounts
        expected = isinstance(error, HighVoltageError)
        log.warning("not counted", extra={"game": game}, exc_info=not expected)
        rows = []
    return await store.results.keep(game, places, rows)


def results_of(row: GameRow, places: Sequence[SeatRow], ended: float) -> list[ResultRow]:
    """How a finished game went for each of its seats."""
    record = RECORD_DECODER.decode(row.record or "")
    setup = SETUP_DECODER.decode(row.listed or row.setup)
    words = "\n".join([setup.title, *(place.name for place in places)]).casefold()
    game = _game(record)
    openings = _openings(game, len(places))
    rounds = rounds_of(game) if game else None
    left = {place.seat for place in places if _has_left(place, counts=setup.counts)}
    finished = places_of(record, left)
    people: set[str] = set()
    winner = min(finished, key=lambda seat: (finished[seat], seat))
    found = []
    for place in places:
        others = finished.keys() - left - {place.seat}
        margin = _margin(game, place.seat, others) if place.seat not in left else None
        who = place.owner or place.left_by or None
        bot = place.bot if place.kind == "bot" and place.left_by is None else None
        found.append(
            ResultRow(
                game=row.id,
                seat=place.seat,
                who=who,
                bot=bot,
                left=place.seat in left,
                extra_seat=who in people,
                place=finished[place.seat],
                rulebook=row.rulebook,
                board=board_of(setup),
                players=len(places),
                plant=openings[place.seat][0],
                city=openings[place.seat][1],
                at=ended,
                seconds=max(0.0, ended - (row.started or ended)),
                words=words,
                rated_as=_rated_as(who, bot) if setup.rated else None,
                shown=row.public and place.seat == winner,
                rounds=msgspec.json.encode(rounds[place.seat]).decode() if rounds else None,
                margin=margin and margin.first,
                tie_margin=margin and margin.second,
            )
        )
        if who is not None:
            people.add(who)
    return found


def places_of(record: Record, left: AbstractSet[int]) -> dict[int, int]:
    """The place of each seat, from 1; those who tie have the same.

    Those who have left come last, however well a bot has played on for them.
    """
    stayed = [[seat for seat in group if seat not in left] for group in record.result]
    found: dict[int, int] = {}
    for group in [*stayed, left]:
        found |= dict.fromkeys(group, len(found) + 1)
    return found


def _has_left(place: SeatRow, *, counts: bool) -> bool:
    """Whether somebody has left a seat to a bot; the name of whoever is deleted is empty.

    In a rated game and in a cup, so has whoever was absent at the end because the time had run out.
    """
    if place.kind == "bot":
        return place.left_by is not None
    return counts and place.bot is not None


def _rated_as(who: str | None, bot: str | None) -> str | None:
    """For whom a seat of a rated game counts."""
    if bot is not None:
        return f"{BOT}{bot}"
    return player_of(who) if who is not None else None


def _game(record: Record) -> hv.Game | None:
    """The game of a record; one whose rules are not installed any more counts without."""
    try:
        return hv.replay(record)
    except HighVoltageError:
        return None


def _margin(game: hv.Game | None, seat: int, others: AbstractSet[int]) -> Margin | None:
    return margin_of(game.outcome, seat, others) if game and game.outcome else None


def _openings(game: hv.Game | None, seats: int) -> list[tuple[str, str]]:
    """The first plant and the first city of each seat; empty where there is none."""
    plants, cities = [""] * seats, [""] * seats
    for line in game.log if game else ():
        for event in line.events:
            if isinstance(event, Sold) and event.seat >= 0:
                plants[event.seat] = plants[event.seat] or event.card
        if line.move.verb in {"build", "start"}:
            cities[line.seat] = cities[line.seat] or getattr(line.move, "city", "")
    return [*zip(plants, cities, strict=True)]


def board_of(setup: StoredSetup) -> str:
    """The board by its name, as the list of tables shows it; empty if the game has none."""
    if (chosen := short_map(setup)) is not None:
        return chosen
    about = metas().get(setup.rulebook)
    return next(iter(about.maps), "") if about else ""
