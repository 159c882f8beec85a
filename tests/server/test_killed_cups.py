"""A cup whose server is killed before any of its writes goes on as if that had not happened."""

import asyncio
from collections.abc import Callable
from itertools import count
from pathlib import Path
from shutil import copy
from time import time
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from cups import OVER
from highvoltage.rooms.rooms import Rooms
from highvoltage.server.cups import rounds
from highvoltage.server.cups.messages import NewCup
from highvoltage.server.cups.rounds import CupRounds, cup_standings
from highvoltage.server.people.counting import counted
from highvoltage.server.store import SqlStore
from highvoltage.server.store.cups import CupRow
from highvoltage.server.store.schema import entries, games, uncounted

SETUP = NewCup(title="Cup", rulebook="classic", seats=3, rounds=2, points=[5, 2, 1])


class Killed(BaseException):
    """The process is gone."""


async def compute(work: Callable[..., Any], *given: Any) -> Any:
    return work(*given)


def rooms() -> Rooms:
    """Rooms in which nothing is dealt."""

    async def get(_: str) -> object:
        return SimpleNamespace(is_full=False)

    found: Any = SimpleNamespace(
        get=get, context=SimpleNamespace(threads=SimpleNamespace(compute=compute), push=None)
    )
    return found  # type: ignore[no-any-return]


async def store_of(file: Path, kill_at: int | None) -> SqlStore:
    """The store of a process that is killed before this write."""
    store = SqlStore(f"sqlite:///{file}")
    await store.open()
    write, writes = store.write, count()

    async def writing(*given: Any, **options: Any) -> Any:
        if next(writes) == kill_at:
            raise Killed
        return await write(*given, **options)

    store.write = writing  # type: ignore[method-assign]
    return store


def end_games(connection: Any) -> None:
    """As if all games that there are had been played by everybody, and not counted yet."""
    for (game,) in connection.execute(games.select().with_only_columns(games.c.id)).all():
        row = connection.execute(games.select().where(games.c.id == game)).one()
        if row.status == "open":
            ended = {"status": "finished", "record": OVER, "opening": "{}", "turn": None}
            connection.execute(games.update().where(games.c.id == game).values(ended))
            for seat in range(3):
                entry = {"game": game, "seq": seat, "seat": seat, "text": "x", "at": 1.0}
                rest = {"by": "person", "turned": "", "top": ""}
                connection.execute(entries.insert().values(**entry, **rest))
            connection.execute(uncounted.insert().values(game=game))


async def go_on(file: Path, kill_at: int | None) -> list[Any] | None:
    """The standings at the end; None if the process was killed before that."""
    store = await store_of(file, kill_at)
    cup_rounds = CupRounds(store, rooms())
    try:
        for _ in range(20):
            found = await store.cups.find("cup")
            assert found is not None
            if found.row.status == "over":
                return [*cup_standings(found)]
            await cup_rounds.look("cup")
            with store.engine.begin() as connection:
                end_games(connection)
            async for _ in counted(store, compute):
                pass
        raise AssertionError("it does not end")
    except Killed:
        return None
    finally:
        await store.close()


async def new_cup(file: Path) -> None:
    store = await store_of(file, None)
    setup = msgspec.json.encode(SETUP).decode()
    await store.cups.create(CupRow("cup", "host", "", setup, "seed", time(), due=0.0), None)
    for n in range(3):
        assert await store.cups.sign_up("cup", f"who{n}", f"Player {n}", "", 9, None) == "in"
    await store.close()


@pytest.mark.long
def test_nothing_is_lost_or_counted_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = tmp_path / "new.db"
    asyncio.run(new_cup(new))
    monkeypatch.setattr(rounds, "BREAK_SECONDS", -1.0)

    async def standings_after_a_kill(kill_at: int | None) -> tuple[list[Any], bool]:
        file = tmp_path / f"{kill_at}.db"
        copy(new, file)
        found = await go_on(file, kill_at)
        killed = found is None
        while found is None:
            found = await go_on(file, None)
        return found, killed

    expected, _ = asyncio.run(standings_after_a_kill(None))
    assert [line.games for line in expected] == [2] * 3
    assert sum(line.points for line in expected) == 2 * (5 + 2 + 1)
    kills = 0
    for kill_at in count():
        found, killed = asyncio.run(standings_after_a_kill(kill_at))
        assert found == expected
        kills += killed
        if not killed:
            break
    assert kills == 6  # two rounds begin, are counted and end
