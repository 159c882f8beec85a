"""A room by itself: who is who, when somebody has to look after it, what it says to whom."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from highvoltage.rooms import abandoned
from highvoltage.rooms import room as room_module
from highvoltage.rooms.abandoned import ADJOURN_SECONDS, CLOSE_SECONDS, closes_at
from highvoltage.rooms.counters import FAILURES, MOVES
from highvoltage.rooms.person import Asker
from highvoltage.rooms.problems import RequestRefused
from highvoltage.rooms.room import Room
from highvoltage.rooms.rows import StoreChange
from highvoltage.rooms.store import CHAT_KEPT, NotWritten
from highvoltage.rooms.watcher import Watcher
from highvoltage.table import Entry, Refused
from rooms.house import context, room_of, run

NOW = 5_000.0
SEATS = ("ann", "bob")


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_module, "time", lambda: NOW)
    monkeypatch.setattr(abandoned, "time", lambda: NOW)


class Heard(Watcher):
    """A watcher that counts what it was told."""

    def __init__(self, room: Room, who: str | None, *, brief: bool = False) -> None:
        super().__init__(who, brief=brief)
        self.states = self.lines = 0
        self.notify, self.notify_chat = self._state, self._line
        room.watch(self)

    def _state(self) -> None:
        self.states += 1

    def _line(self) -> None:
        self.lines += 1


def changes_of(room: Room) -> list[str]:
    """The status at each change that the scheduler is told of."""
    told: list[str] = []
    room.changed = lambda: told.append(room.row.status)
    return told


def finding() -> list[asyncio.Task[Any]]:
    """The tasks that find out what the store has."""
    return [task for task in asyncio.all_tasks() if task.get_name() == "find out"]


def test_of_a_persons_seats_the_one_to_move_counts() -> None:
    async def work() -> None:
        room = await room_of("bob", "ann", "bob", None)
        assert room.table is None
        assert [room.seat_for(who) for who in ("ann", "bob", "cyd", "", None)] == [1, 0, None] + [
            None
        ] * 2
        assert [room.seats_of(who) for who in ("bob", "ann", "", None)] == [[0, 2], [1], [], []]
        full = await room_of("bob", "ann", "bob", "bob")
        assert full.table is not None
        to_move = full.row.turn
        assert to_move is not None
        assert full.seat_for(full.places[to_move].owner) == to_move
        assert full.seat_for("cyd") is None

    run(work())


def test_no_more_may_look_on_than_there_is_place_for() -> None:
    async def work() -> None:
        room = await room_of("bob", None)
        for who in ("bob", "cyd", "dan", "ann"):
            room.watch(Watcher(who))
        assert [room.is_outsider(who) for who in ("ann", "bob", "cyd", None)] == [0, 0, 1, 1]
        assert [room.has_place_for("eve", most) for most in (1, 2, 3, 4, 5)] == [0, 0, 1, 1, 1]
        assert all(room.has_place_for(who, 0) for who in ("ann", "bob"))

    run(work())


def test_bots_think_at_the_expense_of_the_host() -> None:
    async def work() -> None:
        asked = (await room_of("bob", None)).asker()
        assert asked == Asker("ann", "ann", "a", people=True)
        asked = (await room_of("*clerk", None, origin="near")).asker()
        assert asked == Asker("near", "ann", "a", people=False)

    run(work())


@pytest.mark.parametrize(
    ("people", "pace", "due"),
    [
        (("ann", "bob"), {}, NOW + ADJOURN_SECONDS),
        (("ann", "ann"), {}, None),
        (("*clerk", "*clerk"), {}, NOW + 3.0),  # half as long again as bots may think
        (("ann", "bob"), {"kind": "move", "seconds": 90}, NOW + 90),
        (("ann", "ann"), {"kind": "bank", "seconds": 70}, NOW + 70),
    ],
)
def test_somebody_looks_after_a_game_in_time(
    people: tuple[str, ...], pace: dict[str, Any], due: float | None
) -> None:
    async def work() -> None:
        room = await room_of(*people, setup={"pace": pace})
        row = room.row
        assert (row.status, row.started, row.due, row.moves) == ("running", NOW, due, 0)
        assert room.table is not None
        assert row.turn == room.table.game.to_move
        before, told = MOVES["person"], changes_of(room)
        seat = row.turn
        assert seat is not None
        await room.move(seat, 0, "nominate 4 @4")
        assert (row.status, row.moves, room.table.seq) == ("running", 1, 1)
        assert (MOVES["person"] - before, told) == (1, ["running"])
        found = await room.store.game("a")
        assert found is not None
        assert found[0].due == due
        assert found[0].turn == row.turn == 1 - seat

    run(work())


def test_a_bot_that_rests_is_waited_for() -> None:
    async def work() -> None:
        room = await room_of("*clerk", "*clerk")
        room.rest_seconds = 40.0
        await room.move(room.row.turn or 0, 0, "nominate 4 @4", "bot")
        found = await room.store.game("a")
        assert found is not None
        assert found[0].due == NOW + 3.0 + 40.0

    run(work())


def test_only_a_game_in_which_people_wait_is_adjourned() -> None:
    async def work() -> None:
        room = await room_of(*SEATS)
        assert room.table is not None
        room.table.clock = SimpleNamespace(since=NOW - ADJOURN_SECONDS)  # type: ignore[assignment]
        closes = NOW + CLOSE_SECONDS
        assert closes_at(room.row, room.table, room.places) == closes
        assert room.info(None).closes == room.state(Watcher(None)).table.closes == closes
        assert closes_at(room.row, None, room.places) is None
        assert closes_at(room.row, room.table, room.places[:1]) is None
        room.row.status = "failed"
        assert closes_at(room.row, room.table, room.places) is None
        room.row.status = "running"
        room.table.clock = SimpleNamespace(since=NOW - ADJOURN_SECONDS + 1)  # type: ignore[assignment]
        assert closes_at(room.row, room.table, room.places) is None
        for people, pace in ((("*clerk", "*clerk"), "none"), (SEATS, "move")):
            other = await room_of(*people, setup={"pace": {"kind": pace}})
            assert other.table is not None
            other.table.clock = SimpleNamespace(since=0.0, left=(1e9, 1e9))  # type: ignore[assignment]
            assert closes_at(other.row, other.table, other.places) is None

    run(work())


def test_a_room_in_doubt_finds_out_once_and_tells_everybody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room_module, "DOUBT_SECONDS", 0.0)

    async def work() -> None:
        room = await room_of(*SEATS)
        ann, told = Heard(room, "ann"), changes_of(room)
        assert (room.in_doubt, room.row.moves) == (False, 0)
        await room.store.change_game("a", moves=7)
        room.doubt()
        room.doubt()
        tasks = finding()
        assert (room.in_doubt, len(tasks)) == (True, 1)
        await asyncio.gather(*tasks)
        assert (room.in_doubt, room.row.moves) == (False, 7)
        assert (ann.states, told) == (1, ["running"])

    run(work())


def test_a_closing_room_finds_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_module, "DOUBT_SECONDS", 0.0)

    async def work() -> None:
        room = await room_of(*SEATS)
        room.context.closing = True
        told = changes_of(room)
        room.doubt()
        await asyncio.gather(*finding())
        assert (room.in_doubt, told) == (True, [])

    run(work())


def test_what_cannot_be_read_just_now_is_in_doubt() -> None:
    async def fails() -> None:
        raise NotWritten

    async def work() -> None:
        room = await room_of(*SEATS)
        room.context.closing = True
        await room.reread(fails)
        assert room.in_doubt
        await room.make_certain()
        assert not room.in_doubt

    run(work())


def test_news_of_the_store_are_told_once() -> None:
    async def work() -> None:
        room = await room_of("ann", None)
        ann, told = Heard(room, "ann"), changes_of(room)
        await room.refresh()
        assert (ann.states, ann.lines, told) == (0, 0, [])
        await room.store.add_chat("a", 0, "Ann", "hello", 1.0, who="ann", origin="")
        await room.refresh()
        assert (ann.states, ann.lines, told) == (0, 1, [])
        assert [line.text for line in room.chat] == ["hello"]
        await room.store.change_game("a", rematch="b")
        await room.refresh()
        assert (ann.states, ann.lines, told) == (1, 1, ["open"])
        await room.store.add_chat("a", 0, "Ann", "again", 1.0, who="ann", origin="")
        for _ in range(2):
            await room.refresh()
        assert (ann.states, ann.lines, told) == (1, 2, ["open"])
        ann.seq = 3
        await room.reload()
        known: Any = ann
        assert (known.states, known.seq, known.chat, told) == (2, None, 0, ["open"] * 2)

    run(work())


def test_entries_that_somebody_else_wrote_are_read_from_the_store() -> None:
    async def work() -> None:
        about = context()
        rooms = [await room_of(*SEATS, about=about)]
        found = await about.store.game("a")
        assert found is not None
        rooms.append(Room(about, *found))
        await rooms[1].load()
        mine, other = rooms
        first = mine.row.turn or 0
        await mine.move(first, 0, "nominate 4 @4")
        with pytest.raises(Refused) as refused:
            await other.move(first, 0, "nominate 3 @3")
        assert refused.value.code == "stale"
        assert (other.playing().seq, other.row.moves) == (1, 1)
        await mine.move(1 - first, 1, "pass")
        await other.apply_change(StoreChange("a", 1, []))  # they were too long to be sent
        assert (other.playing().seq, other.row.moves) == (2, 2)
        await mine.move(1 - first, 2, "nominate 3 @3")
        await other.refresh()
        assert (other.playing().seq, other.row.moves, other.row.record) == (3, 3, None)

    run(work())


def test_whoever_is_absent_is_told_of_their_turn_when_it_begins() -> None:
    async def work() -> None:
        about, pushed = context(), []
        about.push = SimpleNamespace(notify=lambda *told: pushed.append(told))
        room = await room_of(*SEATS, about=about)
        first = room.row.turn or 0
        names = ("Ann", "Bob")
        assert pushed == [(SEATS[first], "a", names[1 - first])]
        room.push_turn()
        assert len(pushed) == 2
        await room.move(first, 0, "nominate 4 @4")
        assert pushed[2:] == [(SEATS[1 - first], "a", names[first])]
        room.watch(Watcher(SEATS[1 - first]))
        room.push_turn()
        assert len(pushed) == 3

    run(work())


def test_a_move_that_is_undone_is_told_of() -> None:
    async def work() -> None:
        room = await room_of(*SEATS)
        told, ann = changes_of(room), Heard(room, "ann")
        first = room.row.turn or 0
        await room.move(first, 0, "nominate 4 @4")
        await room.undo(first, 1, None)
        assert (room.row.moves, room.row.turn, room.playing().seq) == (0, first, 2)
        assert (told, ann.states) == (["running"] * 2, 2)

    run(work())


def test_a_room_in_doubt_waits_for_what_is_under_way() -> None:
    async def work() -> None:
        room = await room_of(*SEATS)
        settled: list[bool] = []

        async def settle() -> None:
            settled.append(room.in_doubt)

        room.store.settle = settle  # type: ignore[method-assign]
        await room.refresh()
        room.context.closing = True
        room.doubt()
        await room.refresh()
        assert (settled, room.in_doubt) == ([True], False)

    run(work())


def test_of_a_chat_the_latest_lines_are_kept() -> None:
    async def work() -> None:
        room = await room_of("ann", None)
        ann = Heard(room, "ann")
        for n in range(CHAT_KEPT + 2):
            await room.add_chat(0, "Ann", f"line {n}", who="ann", origin="")
        assert ann.lines == CHAT_KEPT + 2
        assert [line.text for line in room.chat] == [f"line {n + 2}" for n in range(CHAT_KEPT)]
        assert {line.at for line in room.chat} == {NOW}
        await room.remove_chat(room.chat[0].n)
        assert [line.text for line in room.chat[:2]] == ["", "line 3"]

    run(work())


def test_a_game_that_fails_is_left_as_it_is_and_set_going_by_a_move() -> None:
    async def work() -> None:
        room = await room_of(*SEATS)
        ann, told, before = Heard(room, "ann"), changes_of(room), FAILURES["games"]
        await room.fail(ValueError("broken"))
        assert (room.row.status, room.row.due, FAILURES["games"] - before) == ("failed", None, 1)
        assert (ann.states, told) == (1, ["failed"])
        await room.move(room.row.turn or 0, 0, "nominate 4 @4")
        found = await room.store.game("a")
        assert found is not None
        assert (room.row.status, found[0].status, told[1:]) == ("running", "running", ["running"])

    run(work())


def test_a_game_that_is_ended_keeps_its_record_and_nothing_to_do() -> None:
    async def work() -> None:
        room = await room_of(*SEATS)
        told = changes_of(room)
        await room.end("failed")
        assert (room.row.status, told) == ("running", [])
        await room.move(room.row.turn or 0, 0, "nominate 4 @4")
        assert room.state(Watcher("ann")).legal or room.state(Watcher("bob")).legal
        await room.end("running")
        row = room.row
        assert (row.status, row.turn, row.due, row.moves) == ("broken", None, None, 1)
        assert '"nominate 4 @4"' in (row.record or "").replace("\\", "")
        assert told == ["running", "broken"]
        for who in SEATS:
            state = room.state(Watcher(who))
            assert (state.legal, state.undo_to, state.table.status) == ([], None, "broken")
        with pytest.raises(Refused) as refused:
            room.playing()
        assert refused.value.code == "not_running"

    run(work())


def test_entries_of_another_process_are_followed_from_where_the_room_is() -> None:
    async def work() -> None:
        room = await room_of(*SEATS)
        assert room.table is not None
        first = room.row.turn or 0
        told, ann = changes_of(room), Heard(room, "ann")
        entries = [
            Entry(first, "nominate 4 @4", NOW),
            Entry(1 - first, "pass", NOW, turned=("13",)),
        ]
        await room.apply_change(StoreChange("a", 0, entries[:1]))
        assert (room.table.seq, room.row.moves, room.row.turn) == (1, 1, 1 - first)
        await room.apply_change(StoreChange("a", 0, entries))  # the first is known
        assert (room.table.seq, room.row.moves) == (2, 2)
        assert (told, ann.states) == (["running"] * 2, 2)

    run(work())


def test_a_limit_that_is_not_written_is_forgotten() -> None:
    async def work() -> None:
        about = context()
        room = await room_of(*SEATS, about=about)
        assert room.table is not None
        first = room.row.turn or 0
        await room.move(first, 0, "nominate 4 @4")
        heard = [Heard(room, who) for who in SEATS]
        await room.max_bid(first, "4", 9)
        assert [(each.seat, each.limit) for each in await about.store.max_bids("a")] == [(first, 9)]
        assert [each.states for each in heard] == [int(seat == first) for seat in (0, 1)]
        about.store.transactions._storage.fault = NotWritten()  # type: ignore[attr-defined]
        with pytest.raises(NotWritten):
            await room.max_bid(first, "4", 12)
        assert [each.limit for each in room.table.max_bids.values()] == [9]

    run(work())


def test_a_bot_stands_in_until_its_owner_is_back() -> None:
    async def work() -> None:
        room = await room_of(*SEATS)
        seat = room.row.turn or 0

        def who_plays() -> list[object]:
            place = room.places[seat]
            return [place.kind, place.bot, room.playing().bot_to_move]

        await room.stand_in(seat, "clerk")
        assert who_plays() == ["person", "clerk", "clerk"]
        assert room.row.due == NOW + 3.0
        await room.stand_in(seat, None)
        assert who_plays() == ["person", None, None]

    run(work())


def test_what_a_status_does_not_allow_is_refused() -> None:
    async def work() -> None:
        room = await room_of("ann", None)
        room.require("running", "open")
        with pytest.raises(RequestRefused) as refused:
            room.require("running", "failed")
        assert refused.value.problem.code == "not_now"
        assert "open" in refused.value.problem.message
        assert not room.is_full

    run(work())


def test_spectators_are_sent_one_state_that_was_encoded_once() -> None:
    async def work() -> None:
        room = await room_of(*SEATS)
        eve, dan, ann = Watcher(None), Watcher("dan"), Watcher("ann")
        assert room.encoded_state(eve) is room.encoded_state(dan)
        assert (eve.seq, dan.seq, eve.outside, ann.outside) == (0, 0, True, None)
        assert room.encoded_state(ann) != room.encoded_state(Watcher("dan"))
        assert ann.outside is False
        known = room.encoded_state(Watcher(None))
        await room.move(room.row.turn or 0, 0, "nominate 4 @4")
        assert room.encoded_state(Watcher(None)) != known
        assert room.encoded_state(Watcher(None, brief=True)) != room.encoded_state(Watcher(None))

    run(work())
