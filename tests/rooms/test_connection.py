"""One client of a table, without a line: what it is sent in which order, and what it is refused."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import msgspec
import pytest

from highvoltage.rooms import connection as connection_module
from highvoltage.rooms.connection import CLOSED, TRY_LATER, UNREADABLE, Connection, connect
from highvoltage.rooms.counters import PRESENT
from highvoltage.rooms.person import Person
from highvoltage.rooms.rooms import Rooms
from rooms.house import ANN, BOB, CYD, context, room_of, row, run, seats

T = TypeVar("T")


class FakeLine:
    """Keeps what is written; it takes as much as there is room for."""

    def __init__(self, room: int = 1000) -> None:
        self.room = room
        self.sent: list[dict[str, Any]] = []
        self.told: list[object] = []

    @property
    def has_room(self) -> bool:
        return self.room > 0

    def attach(self, listener: object) -> None:
        self.told.append("attached")

    def write(self, text: bytes) -> None:
        self.room -= 1
        self.sent.append(msgspec.json.decode(text))

    def pause(self) -> None:
        self.told.append("pause")

    def resume(self) -> None:
        self.told.append("resume")

    def abort(self) -> None:
        self.told.append("abort")

    async def close_with(self, code: int) -> None:
        self.told.append(code)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        return asyncio.create_task(work)

    def kinds(self) -> list[str]:
        """The types of what was sent since this was last asked."""
        kinds = [message["type"] for message in self.sent]
        self.sent.clear()
        return kinds


class FakeBudget:
    """Lets everything be done until it is used up."""

    def __init__(self) -> None:
        self.wait = 0.0
        self.paid = 0

    def retry_after(self) -> float:
        return self.wait

    def pay_for(self, work: Callable[[], None]) -> None:
        self.paid += 1
        work()

    async def charge(self, work: Awaitable[T]) -> T:
        return await work


async def nobody_is_banned() -> bool:
    return False


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def opened(
    person: Person = ANN, *people: str, brief: bool = False, room: int = 1000
) -> tuple[Connection, Any, FakeBudget]:
    line: Any = FakeLine(room)
    rooms, budget = Rooms(context()), FakeBudget()
    made = await room_of(*(people or ("ann", "bob")), about=rooms.context)
    rooms._rooms["a"] = made
    found = await connect(rooms, "a", line, person, budget, nobody_is_banned, brief=brief)
    assert found is not None
    await settled()
    return found, line, budget


async def say(connection: Connection, kind: str, **more: Any) -> None:
    connection.on_message(msgspec.json.encode({"type": kind, **more}))
    await settled()


def test_answers_come_before_states_and_states_before_the_chat() -> None:
    async def work() -> None:
        connection, line, budget = await opened()
        assert (line.kinds(), line.told, budget.paid) == (["state"], ["attached"], 0)
        room = connection.room
        line.room = 0
        await room.add_chat(0, "Ann", "hello", who="ann", origin="")
        connection.notify()
        await say(connection, "ping")
        await say(connection, "ping")
        assert line.sent == []
        line.room = 3
        connection.on_writable()
        await settled()
        assert line.kinds() == ["pong", "pong", "state"]
        line.room = 1000
        connection.on_writable()
        await settled()
        assert [line_["text"] for line_ in line.sent[0]["lines"]] == ["hello"]
        assert line.kinds() == ["chat"]
        connection.notify_chat()
        await settled()
        assert line.kinds() == []
        assert budget.paid == 3

    run(work())


def test_a_room_in_doubt_sends_answers_only() -> None:
    async def work() -> None:
        connection, line, _ = await opened()
        line.kinds()
        connection.room.in_doubt = True
        connection.notify()
        await say(connection, "ping")
        assert line.kinds() == ["pong"]
        connection.room.in_doubt = False
        connection.on_writable()
        await settled()
        assert line.kinds() == ["state"]

    run(work())


def test_a_program_is_sent_the_chat_with_the_next_state() -> None:
    async def work() -> None:
        connection, line, _ = await opened(brief=True)
        line.kinds()
        await connection.room.add_chat(0, "Ann", "hello", who="ann", origin="")
        await settled()
        assert line.kinds() == []
        await say(connection, "ping")
        assert line.kinds() == ["pong", "chat"]
        await say(connection, "move", seq=9, move="pass", ref="a-move-x")
        assert line.kinds() == ["refused", "state"]

    run(work())


def test_a_decision_is_confirmed_under_its_name_and_done_once() -> None:
    async def work() -> None:
        connection, line, _ = await opened(ANN, "ann", "ann")
        line.kinds()
        move: dict[str, Any] = {"seq": 0, "move": "nominate 4 @4", "ref": "the-first"}
        for _ in range(2):
            await say(connection, "move", **move)
            assert [each["ref"] for each in line.sent if each["type"] == "done"] == ["the-first"]
            line.kinds()
        assert connection.room.row.moves == 1
        await say(connection, "move", **move | {"ref": "the-other"})
        refusal = line.sent[0]
        assert (refusal["type"], refusal["code"], refusal["ref"]) == (
            "refused",
            "stale",
            "the-other",
        )
        line.kinds()
        await say(connection, "undo", seq=1, ref="and-back")
        assert connection.room.row.moves == 0
        assert "done" in line.kinds()

    run(work())


def test_what_cannot_be_read_or_is_not_allowed_is_answered() -> None:
    async def work() -> None:
        connection, line, _ = await opened(CYD)
        line.kinds()
        connection.on_message(b'{"type":"fly","ref":7}')
        connection.on_message(b"{")
        await settled()
        assert [(each["code"], each["ref"]) for each in line.sent] == [
            ("malformed", 7),
            ("malformed", None),
        ]
        assert line.told[1:] == ["pause", "resume"]
        line.kinds()
        await say(connection, "move", seq=0, move="pass")
        assert line.sent[0]["code"] == "not_allowed"

    run(work())


def test_who_asks_too_much_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "MAX_PAUSE_SECONDS", 0.0)

    async def work() -> None:
        connection, line, budget = await opened()
        line.kinds()
        budget.wait = 3.0
        await say(connection, "ping", ref="too-early")
        assert [(each["code"], each["ref"]) for each in line.sent] == [("too_fast", "too-early")]

    run(work())


def test_who_does_not_read_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "MAX_UNSENT", 2)

    async def work() -> None:
        connection, line, _ = await opened(room=0)
        await say(connection, "ping")
        assert "abort" not in line.told
        await say(connection, "ping")
        assert line.told[-2:] == ["abort", "resume"]

    run(work())


def test_nobody_is_helped_out_of_turn_and_a_coach_speaks_to_one_alone() -> None:
    async def work() -> None:
        connection, line, _ = await opened()
        line.kinds()
        mover = connection.room.row.turn or 0
        other, told, _ = await opened((BOB, ANN)[mover])
        told.kinds()
        await say(other, "hint")
        assert told.sent[0]["code"] == "not_your_turn"
        await say(connection, "coach")
        assert line.sent[0]["code"] == "coach_alone"
        line.kinds()
        connection.room.setup.rated = True
        for kind in ("hint", "coach"):
            await say(connection, kind)
            assert line.sent[0]["code"] == "rated_help"
            line.kinds()

    run(work())


def test_of_previews_the_latest_is_answered() -> None:
    async def work() -> None:
        connection, line, _ = await opened(ANN, "ann", "ann")
        line.kinds()
        for ref in (1, 2, 3):
            connection.on_message(
                msgspec.json.encode({"type": "preview", "seq": 0, "moves": [], "ref": ref})
            )
        await settled()
        found = {each["ref"]: (each["type"], each.get("code")) for each in line.sent}
        assert found[3] == ("preview", None)
        assert [found[ref] for ref in (1, 2)] == [("refused", "superseded")] * 2

    run(work())


def test_who_leaves_is_told_nothing_any_more() -> None:
    async def work() -> None:
        before = PRESENT["watchers"]
        connection, line, _ = await opened()
        assert (PRESENT["watchers"], len(connection.room.audience.watchers)) == (before + 1, 1)
        connection.watcher.leave()
        await settled()
        assert line.told[-1] == CLOSED
        connection.on_close()
        line.kinds()
        assert (PRESENT["watchers"], connection.room.audience.watchers) == (before, set())
        connection.watcher.notify()
        await settled()
        assert line.kinds() == []

    run(work())


def test_who_may_not_come_in_is_told_why() -> None:
    async def work() -> None:
        rooms, budget = Rooms(context(watchers=0)), FakeBudget()
        await rooms.store.create(row(), seats("ann", None))
        for person, table, code, kinds in (
            (CYD, "a", TRY_LATER, []),
            (CYD, "b", 4404, ["error"]),
            (ANN, "a", None, ["state"]),
        ):
            line: Any = FakeLine()
            found = await connect(rooms, table, line, person, budget, nobody_is_banned, brief=False)
            await settled()
            assert (found is None, line.kinds()) == (code is not None, kinds)
            assert line.told == ["attached" if code is None else code]
        await rooms.store.change_game("a", rulebook="unknown")
        rooms._rooms.clear()
        line = FakeLine()
        await connect(rooms, "a", line, ANN, budget, nobody_is_banned, brief=False)
        assert (line.told, line.kinds()) == ([UNREADABLE], ["error"])

    run(work())
