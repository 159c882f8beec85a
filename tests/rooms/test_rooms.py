"""The rooms of a process: who deals, what is tried later, whom a table is taken from."""

import asyncio
from typing import Any

import pytest

from highvoltage.rooms import game_line, room, rooms
from highvoltage.rooms.counters import PRESENT
from highvoltage.rooms.game_line import GameLines
from highvoltage.rooms.person import Asker
from highvoltage.rooms.room import DEAL_SECONDS
from highvoltage.rooms.rooms import RETRY_SECONDS, Rooms
from highvoltage.rooms.rows import DELETED, RENEWED, SENT_AWAY, StoreChange
from highvoltage.rooms.watcher import Watcher
from rooms.house import context, room_of, row, run, seats

NOW = 5_000.0


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (room, rooms):
        monkeypatch.setattr(module, "time", lambda: NOW)


async def made(*people: str | None, **more: Any) -> Rooms:
    found = Rooms(context())
    await found.store.create(row(due=NOW, **more), seats(*people))
    return found


def test_a_table_that_nobody_came_to_deal_is_dealt() -> None:
    async def work() -> None:
        found = await made("ann", "bob", setup={"pace": {"kind": "move", "seconds": 90}})
        scheduled = []
        for status in ("open", "running"):
            assert (await found.get("a")).row.status == status
            found._schedulers["a"].schedule = lambda: scheduled.append("a")  # type: ignore[method-assign]
            await found.wake("a")
        assert scheduled == ["a"] * 3  # when it is dealt, and each time that it goes on
        await found._schedulers["a"].close()

    run(work())


@pytest.mark.parametrize(
    ("people", "after", "status", "due"),
    [
        (("ann", None), 1000, "running", None),
        (("ann", None), 1001, "open", NOW + 1),
        ((None, None), 1000, "open", None),
        (("ann", None), None, "open", None),
    ],
)
def test_bots_take_open_seats_when_somebody_has_waited_long_enough(
    people: tuple[str | None, ...], after: int | None, status: str, due: float | None
) -> None:
    async def work() -> None:
        fill = {} if after is None else {"fill": {"bot": "clerk:bold", "after": after}}
        found = await made(*people, setup=fill, created=NOW - 1000)
        filled: list[object] = []
        store: Any = found.store
        fill_seats = store.fill_seats

        async def keep(*given: object) -> None:
            filled.append(given)
            await fill_seats(*given)

        store.fill_seats = keep
        table = await found.get("a")
        await found._deal(table)
        assert table.row.status == status
        if status == "open":
            kept = await store.game("a")
            assert (table.row.due, kept[0].due, filled) == (due, due, [])
        else:
            assert filled == [("a", "clerk:bold", "Berta", NOW + DEAL_SECONDS, None)]
            assert [(each.kind, each.name) for each in table.places[1:]] == [("bot", "Berta")]
        await found._schedulers["a"].close()

    run(work())


def test_a_table_that_cannot_be_taken_up_is_tried_later() -> None:
    async def work() -> None:
        found = await made("ann", "bob", rulebook="unknown")
        await found.wake("a")
        kept = await found.store.game("a")
        assert kept is not None
        assert kept[0].due == NOW + RETRY_SECONDS

    run(work())


def test_whoever_is_sent_away_leaves_and_nobody_else() -> None:
    async def work() -> None:
        found = await made("ann", None)
        table = await found.get("a")
        left: list[str | None] = []
        for who in ("ann", "bob", "bob"):
            watcher = Watcher(who)
            watcher.leave = lambda name=who: left.append(name)  # type: ignore[misc]
            table.watch(watcher)
        assert found.present("a") == {"ann", "bob"}
        assert found.present("b") == set()
        await found._apply_change(StoreChange("bob", SENT_AWAY, []))
        assert left == ["bob", "bob"]
        left.clear()
        await found.store.change_game("a", rematch="c")
        await found._apply_change(StoreChange("a", -1, []))
        assert table.row.rematch == "c"
        await found.store.change_game("a", rematch="d")
        await found._apply_change(StoreChange("a", RENEWED, []))
        await found._apply_change(StoreChange("b", RENEWED, []))
        assert table.row.rematch == "d"
        await found.store.change_game("a", rematch="e")
        await found._apply_change(None)
        assert (table.row.rematch, left) == ("e", [])
        await found._apply_change(StoreChange("b", DELETED, []))
        await found._apply_change(StoreChange("a", DELETED, []))
        assert sorted(left, key=str) == ["ann", "bob", "bob"]
        assert found.present("a") == set()

    run(work())


def test_everybody_who_asks_for_a_table_gets_the_same_room() -> None:
    async def work() -> None:
        found = await made("ann", None)
        first, second = await asyncio.gather(found.get("a"), found.get("a"))
        assert first is second is await found.get("a")
        assert (PRESENT["rooms"], found._loading) == (1, {})
        await found.store.change_game("a", rematch="b")
        first.in_doubt = True
        assert (await found.get("a")).row.rematch == "b"

    run(work())


def test_idle_rooms_are_released_beyond_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "MAX_IDLE_ROOMS", 1)

    async def work() -> None:
        found = Rooms(context())
        for name in "abc":
            await found.store.create(row(name), [])
            await found.get(name)
        found._rooms["a"].watch(Watcher("ann"))
        found._release_idle()
        assert (list(found._rooms), list(found._schedulers)) == (["a", "c"], ["a", "c"])
        assert PRESENT["rooms"] == 2
        found._release_idle()
        assert list(found._rooms) == ["a", "c"]

    run(work())


def test_no_round_is_judged_when_the_time_of_a_request_is_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    times = iter([100.0, 101.1])
    monkeypatch.setattr(game_line, "monotonic", lambda: next(times))

    async def work() -> None:
        table = await room_of("ann", "bob")
        lines = GameLines(table.context)
        assert await lines._judge("a", table.playing().game, (None, None), Asker("", "ann")) == []

    run(work())
