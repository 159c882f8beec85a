"""What happens at a table by itself, and when; no bot is asked."""

import asyncio
from collections.abc import Awaitable
from types import SimpleNamespace
from typing import Any

import pytest

from highvoltage.rooms import room as room_module
from highvoltage.rooms import scheduler as scheduler_module
from highvoltage.rooms.context import ARENA, GRACE_SECONDS
from highvoltage.rooms.scheduler import MAX_ALARM_SECONDS, SHOWN_SECONDS, TurnScheduler
from highvoltage.rooms.store import NotWritten
from highvoltage.rooms.watcher import Watcher
from highvoltage.table import Refused
from rooms.house import context, room_of, run

NOW = 5_000.0
DAY = 86_400


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (room_module, scheduler_module):
        monkeypatch.setattr(module, "time", lambda: NOW)


async def scheduled(*people: str, seconds: int = 0, **more: Any) -> TurnScheduler:
    """The scheduler of a game that was running before this process was."""
    about = context()
    about.since = 0.0
    setup = {"pace": {"kind": "move", "seconds": seconds}} if seconds else {}
    room = await room_of(*(people or ("ann", "bob")), about=about, setup=setup, **more)
    return TurnScheduler(room)


def waits(scheduler: TurnScheduler) -> float | None:
    """After how many seconds the alarm goes off."""
    alarm = scheduler._alarm
    return None if alarm is None else round(alarm.when() - asyncio.get_running_loop().time(), -1)


def test_the_alarm_goes_off_when_the_time_is_up() -> None:
    async def work() -> None:
        for seconds, wait in ((90, 90), (10 * DAY, MAX_ALARM_SECONDS), (0, None)):
            scheduler = await scheduled(seconds=seconds)
            scheduler.schedule()
            assert waits(scheduler) == wait
            for stops in ("closing", "over"):
                scheduler.context.closing = stops == "closing"
                scheduler.room.row.status = "finished" if stops == "over" else "running"
                scheduler.schedule()
                assert waits(scheduler) is None

    run(work())


def test_a_bot_is_woken_at_once_and_only_one() -> None:
    async def work() -> None:
        scheduler = await scheduled("*clerk", "*clerk", seconds=90)
        begun: list[object] = []
        scheduler._begin = lambda play, *_: begun.append(play)  # type: ignore[method-assign]
        scheduler.schedule()
        assert (begun, scheduler._alarm) == ([scheduler._let_bots_play], None)
        scheduler._bot = asyncio.create_task(asyncio.sleep(0))
        scheduler.schedule()
        assert len(begun) == 1
        await scheduler.close()
        scheduler.release()

    run(work())


def test_the_alarm_goes_off_when_a_holiday_begins() -> None:
    async def work() -> None:
        scheduler = await scheduled(seconds=DAY)
        scheduler.room.playing().away = [[(NOW + 600, NOW + 900)]] * 2
        scheduler.schedule()
        assert waits(scheduler) == 600
        scheduler.room.playing().away = [[(NOW - 600, NOW + 900)]] * 2
        scheduler.schedule()
        assert waits(scheduler) == 900

    run(work())


def test_a_time_that_ran_out_while_nothing_ran_is_extended() -> None:
    async def work() -> None:
        scheduler = await scheduled(seconds=90)
        assert [scheduler._time_left(at) for at in (NOW - 5, NOW, NOW + 5)] == [0, 0, 5]
        scheduler.context.since = NOW + 100
        assert scheduler._time_left(NOW + 90) == 100 + GRACE_SECONDS
        assert scheduler._time_left(NOW + 110) == 110

    run(work())


def test_a_distant_alarm_looks_again_and_a_due_one_plays() -> None:
    async def work() -> None:
        scheduler = await scheduled(seconds=10 * DAY)
        begun: list[tuple[Any, ...]] = []
        scheduler._begin = lambda play, *given: begun.append((play, *given))  # type: ignore[method-assign]
        changed: list[int] = []
        scheduler.room.changed = lambda: changed.append(1)
        scheduler._time_is_up(0)
        assert (len(changed), begun) == (1, [])
        scheduler.room.playing().away = [[], []]
        due = await scheduled(seconds=60)
        due._begin = scheduler._begin  # type: ignore[method-assign]
        table = due.room.playing()
        table.clock = SimpleNamespace(since=NOW - 61, left=(60.0, 60.0))  # type: ignore[assignment]
        due._time_is_up(7)
        assert begun == [(due._play_for_absent, 7)]
        due._bot = asyncio.create_task(asyncio.sleep(0))
        due._time_is_up(7)
        assert (len(begun), due._alarm is not None) == (1, True)
        await due.close()
        assert due._bot.cancelled()

    run(work())


@pytest.mark.parametrize("timeout", ["minimal", "bot"])
def test_for_somebody_absent_as_little_is_done_as_possible(timeout: str) -> None:
    async def work() -> None:
        scheduler = await scheduled(seconds=60)
        room = scheduler.room
        seat = room.row.turn or 0
        await room.move(seat, 0, "nominate 4 @4")
        room.setup.timeout = timeout  # type: ignore[assignment]
        asked: list[str] = []

        async def let_bots_play() -> None:
            asked.append("bots")

        scheduler._let_bots_play = let_bots_play  # type: ignore[method-assign]
        await scheduler._play_for_absent(0)  # somebody was faster
        assert (room.row.moves, asked) == (1, ["bots"])
        await scheduler._play_for_absent(1)
        assert asked == ["bots"] * 2
        table, bot = room.playing(), room.places[1 - seat].bot
        if timeout == "minimal":
            assert (str(table.game.log[1].move), table.bys[1], bot) == ("pass", "clock", None)
        else:
            assert (len(table.game.log), bot) == (1, "clerk")

    run(work())


def test_who_decides_where_a_bot_plays() -> None:
    async def work() -> None:
        scheduler = await scheduled("ann", "*clerk", seconds=60)
        table = scheduler.room.playing()
        mover = scheduler.room.row.turn
        for late, by in ((59, "bot"), (61, "clock")):
            table.clock = SimpleNamespace(since=NOW - late, left=(60.0, 60.0))  # type: ignore[assignment]
            table.seats[mover or 0].kind = "person"
            assert scheduler._by(mover or 0) == by
        assert scheduler._by(1) == ("clock" if mover == 1 else "bot")

    run(work())


def test_bots_of_the_arena_keep_to_its_share_and_can_be_followed() -> None:
    async def work() -> None:
        scheduler = await scheduled("*clerk", "*clerk")
        scheduler.context.arena_share = 0.25
        assert scheduler._rest(4.0) == 0.0
        scheduler.room.row.host = ARENA
        assert [scheduler._rest(thought) for thought in (0.1, 4.0)] == [SHOWN_SECONDS, 12.0]
        scheduler.context.arena_share = 0.0
        assert scheduler._rest(4.0) == SHOWN_SECONDS

    run(work())


def test_that_a_move_is_not_written_is_said_once() -> None:
    async def fails() -> None:
        raise NotWritten

    async def works() -> None:
        """Now it does."""

    async def work() -> None:
        scheduler = await scheduled()
        told: list[str] = []
        watcher = Watcher("ann")
        watcher.notify_problem = lambda problem: told.append(problem.code)
        scheduler.room.watch(watcher)

        async def written(*works: Awaitable[None]) -> list[bool]:
            return [await scheduler._written(each) for each in works]

        assert await written(fails(), fails()) == [False, False]
        assert told == ["no_store"]
        assert await written(works(), fails()) == [True, False]
        assert told == ["no_store"] * 2

    run(work())


def test_only_a_refusal_that_cannot_be_fails_the_game() -> None:
    async def work() -> None:
        scheduler = await scheduled()
        for code in ("stale", "game_failed", "not_running"):
            await scheduler._refused(Refused(code))
        assert scheduler.room.row.status == "running"
        await scheduler._refused(Refused("not_your_turn"))
        assert scheduler.room.row.status == "failed"

    run(work())


def test_a_room_is_idle_when_nobody_is_there_and_nothing_is_near() -> None:
    async def work() -> None:
        scheduler: Any = await scheduled()
        loop = asyncio.get_running_loop()
        room = scheduler.room
        ann = Watcher("ann")
        assert scheduler.idle
        room.watch(ann)
        assert not scheduler.idle
        room.unwatch(ann)
        async with room.lock:
            assert not scheduler.idle
        room.in_doubt = True
        assert not scheduler.idle
        room.in_doubt = False
        for seconds, idle in ((55, False), (65, True)):
            scheduler._alarm = loop.call_later(seconds, lambda: None)
            assert scheduler.idle is idle
        scheduler.release()
        assert scheduler._alarm is not None
        assert scheduler._alarm.cancelled()
        scheduler._bot = asyncio.create_task(asyncio.sleep(0))
        assert not scheduler.idle
        await scheduler._bot
        assert scheduler.idle

    run(work())
