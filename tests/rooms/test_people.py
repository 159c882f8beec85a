"""Those who come to a table: what they are called, what they may do, and what they are told."""

import asyncio
import secrets
from functools import partial
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from highvoltage.engine.errors import HighVoltageError
from highvoltage.rooms import audience as audience_module
from highvoltage.rooms import info, rate_limit, supervisor
from highvoltage.rooms.audience import Audience
from highvoltage.rooms.counters import FAILED_TASKS
from highvoltage.rooms.messages import NewTable, SeatFill, StoredSetup
from highvoltage.rooms.person import Person, new_guest
from highvoltage.rooms.problems import RequestRefused
from highvoltage.rooms.rate_limit import RateLimit, RateLimits
from highvoltage.rooms.rated import check_rated_seat, check_rated_table
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.rows import new_id, write_mark
from highvoltage.rooms.supervisor import TaskSupervisor
from highvoltage.rooms.tables import chat_line, check_table_limits, own_seat, table_row
from highvoltage.rooms.tasks import begin
from highvoltage.rooms.watcher import Watcher
from rooms.house import ANN, BOB, CYD, context, room_of, row, run, seats


def refused(code: str) -> "pytest.RaisesExc[RequestRefused]":
    return pytest.raises(RequestRefused, check=lambda error: error.problem.code == code)


def test_guests_have_numbers_of_three_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    for drawn, name in ((0, "Guest 100"), (899, "Guest 999")):
        monkeypatch.setattr(secrets, "randbelow", lambda below, found=drawn: min(found, below - 1))
        assert new_guest().name == name
    monkeypatch.setattr(secrets, "randbelow", lambda below: below - 1)
    assert new_guest().name == "Guest 999"
    assert len(new_guest().who) == len("0123456789abcdef")  # twelve bytes


def test_what_is_unguessable_is_as_long_as_it_was() -> None:
    assert (len(new_id()), len(write_mark("ann", "7"))) == (12, 24)
    assert write_mark("ann", "7") != write_mark("ann", "8")


def test_one_plays_only_in_a_seat_of_ones_own() -> None:
    async def work() -> None:
        room = await room_of("ann", "bob", "ann", None)
        assert [own_seat(room, ANN, seat) for seat in (None, 0, 2)] == [0, 0, 2]
        for person, seat in ((ANN, 1), (BOB, 0), (CYD, None), (CYD, 0)):
            with refused("not_your_seat"):
                own_seat(room, person, seat)

    run(work())


def test_a_line_that_is_gone_is_not_found() -> None:
    async def work() -> None:
        room = await room_of("ann", None)
        for text in ("one", "two"):
            await room.add_chat(0, "Ann", text, who="ann", origin="")
        first, second = room.chat
        assert [chat_line(room, line.n).text for line in (second, first)] == ["two", "one"]
        await room.remove_chat(first.n)
        for n in (first.n, second.n + 1):
            with refused("not_found"):
                chat_line(room, n)

    run(work())


@pytest.mark.parametrize(
    ("limits", "public", "code"),
    [
        ({"tables": 2}, False, "many_tables"),
        ({"tables_of_address": 3}, False, "many_tables_nearby"),
        ({"public_tables": 1}, True, "many_public"),
        ({"public_tables_of_address": 2}, True, "many_public"),
    ],
)
def test_one_has_only_so_many_tables(limits: dict[str, int], code: str, *, public: bool) -> None:
    """Ann has two, one of them public; a neighbour has a public one."""

    async def work() -> None:
        for more in (0, 1):
            about = context(**{name: most + more for name, most in limits.items()})
            for name, host, listed in (("a", "ann", True), ("b", "ann", False), ("c", "eve", True)):
                made = row(name, host=host, public=listed, origin="near")
                await about.store.create(made, seats("ann", None))
            ann = Person("ann", "Ann", origin="near")
            if more:
                await check_table_limits(Rooms(about), ann, public=public)
            else:
                with refused(code):
                    await check_table_limits(Rooms(about), ann, public=public)
                if public:
                    await check_table_limits(Rooms(about), ann, public=False)

    run(work())


def test_a_table_waits_for_bots_no_longer_than_its_host_wants(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("highvoltage.rooms.tables.time", lambda: 1000.0)
    for fill, due in ((None, 1005.0), (SeatFill("clerk", 2), 1002.0), (SeatFill("clerk", 9), 1005)):
        setup = StoredSetup(rulebook="classic", fill=fill)
        made = table_row("x", setup, "7", places := seats("ann", None), ANN)
        assert (made.created, made.due, made.status, made.host) == (1000.0, due, "open", "ann")
        assert {place.game for place in places} == {"x"}


def test_what_is_not_rated_is_refused() -> None:
    me, bot, open_ = {"kind": "me"}, {"kind": "bot", "bot": "clerk"}, {"kind": "open"}
    good: dict[str, Any] = {"rulebook": "classic", "pace": {"kind": "move"}, "seats": [me, open_]}

    def check(**more: Any) -> None:
        check_rated_table(msgspec.convert(good | more, NewTable))

    check()
    check(seats=[me, bot])
    check(seats=[me, {"kind": "bot", "bot": "tycoon"}], map="usa")
    check(fill={"bot": "engineer", "after": 60}, seats=[me, {"kind": "bot"}])
    own: dict[str, Any] = {"name": "mine"}
    for code, more in (
        *(("rated_setup", {"map": own}), ("rated_setup", {"options": {"deck": own}})),
        *(("rated_setup", {"seed": 7}), ("rated_setup", {"rulebook": "none"})),
        ("rated_clock", {"pace": {"kind": "none"}}),
        *(("rated_seats", {"seats": [me, me]}), ("rated_seats", {"seats": [open_, bot]})),
        ("rated_bot", {"seats": [me, {"kind": "bot", "bot": "director:5"}]}),
        ("rated_bot", {"seats": [me, {"kind": "bot", "bot": "tycoon"}], "map": "korea"}),
        ("rated_bot", {"seats": [me, {"kind": "bot", "bot": "tycoon"}], "options": {"a": 1}}),
        ("rated_bot", {"fill": {"bot": "director", "after": 60}}),
    ):
        with refused(code):
            check(**more)


def test_at_a_rated_table_everybody_comes_once_and_from_elsewhere() -> None:
    async def work() -> None:
        for rated in (True, False):
            room = await room_of("ann", None, setup={"rated": rated})
            room.places[0].origin = "near"
            check_rated_seat(room, Person("bob", "Bob"))
            check_rated_seat(room, Person("bob", "Bob", origin="far"))
            for code, person in (
                ("rated_seats", Person("ann", "Ann", origin="far")),
                ("rated_network", Person("bob", "Bob", origin="near")),
            ):
                if rated:
                    with refused(code):
                        check_rated_seat(room, person)
                else:
                    check_rated_seat(room, person)

    run(work())


def test_a_table_is_only_looked_for_by_what_may_be_its_name() -> None:
    async def work() -> None:
        rooms, asked = Rooms(context()), []

        async def game(name: str) -> None:
            asked.append(name)

        rooms.store.game = game  # type: ignore[method-assign, assignment]
        for name in ("a-b_9", "a" * 40, "", "a" * 41, "a b", "a/b", "ä"):
            with refused("not_found"):
                await rooms.get(name)
        assert asked == ["a-b_9", "a" * 40]

    run(work())


def test_before_a_game_is_dealt_a_table_says_only_what_it_is() -> None:
    async def work() -> None:
        room = await room_of("ann", None)
        state = msgspec.to_builtins(room.state(Watcher("ann")))
        assert state.pop("table")["status"] == "open"
        assert [state.pop(name) for name in ("type", "seq", "you", "log_from")] == [
            "state",
            0,
            0,
            0,
        ]
        assert [state.pop(name) for name in ("legal", "log", "max_bids")] == [[], [], {}]
        assert state == dict.fromkeys(("view", "setup", "clocks", "undo_to"))

    run(work())


def test_a_task_that_fails_is_counted_unless_it_answered_a_client() -> None:
    async def fails(error: Exception) -> None:
        raise error

    async def work() -> None:
        before = FAILED_TASKS["mine"]
        tasks = [begin(fails(error), "mine") for error in (ValueError(), HighVoltageError("no"))]
        tasks += [begin(asyncio.sleep(9), "mine"), begin(asyncio.sleep(0), "mine")]
        tasks[2].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert FAILED_TASKS["mine"] - before == 1

    run(work())


def test_a_task_is_stale_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = SimpleNamespace(at=100.0)
    monkeypatch.setattr(supervisor, "monotonic", lambda: now.at)
    tasks = TaskSupervisor()
    for name in ("sweep", "hear"):
        tasks.report_alive(name)
    for at, stale in (
        (125.0, []),
        (125.1, ["hear"]),
        (160.0, ["hear"]),
        (160.1, ["sweep", "hear"]),
    ):
        now.at = at
        assert tasks.stale_tasks() == stale
    assert tasks.stale_tasks(61.0) == []
    tasks.report_alive("sweep")
    assert tasks.stale_tasks() == ["hear"]


def test_a_task_that_ends_or_fails_is_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "RESTART_SECONDS", 0.0)

    async def work() -> None:
        begun: list[int] = []
        enough, before = asyncio.Event(), FAILED_TASKS["mine"]

        async def mine() -> None:
            begun.append(1)
            if len(begun) == 4:
                enough.set()
                await asyncio.sleep(3600)
            if len(begun) % 2:
                raise ValueError

        async with TaskSupervisor().running(mine=mine):
            await enough.wait()
        assert (len(begun), FAILED_TASKS["mine"] - before) == (4, 2)

    run(work())


def test_a_limit_refills_and_forgets_whoever_was_not_there_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = SimpleNamespace(at=0.0)
    monkeypatch.setattr(rate_limit, "monotonic", lambda: now.at)
    limit = RateLimit(rate=2.0, burst=3.0)
    assert [limit.exceeded() for _ in range(4)] == [False] * 3 + [True]
    assert (limit.retry_after(), limit.retry_after(1), limit.retry_after(3)) == (0.0, 0.5, 1.5)
    now.at = 0.5
    assert [limit.exceeded() for _ in range(2)] == [False, True]
    limit.spend(100.0)
    assert limit.retry_after() == 1.5  # at most a burst is owed
    now.at = 60.0
    assert [limit.exceeded() for _ in range(4)] == [False] * 3 + [True]
    monkeypatch.setattr(rate_limit, "MAX_VISITORS", 2)
    limits = RateLimits(rate=0.1, burst=1)
    assert [limits.exceeded(name) for name in ("ann", "bob", "ann", "cyd")] == [0, 0, 1, 0]
    assert [limits.exceeded(name) for name in ("ann", "bob")] == [1, 0]  # bob was forgotten


def test_what_all_spectators_are_sent_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audience_module, "MAX_CACHED_STATES", 2)
    audience, encoded = Audience(), [0]

    def encode() -> bytes:
        encoded[0] += 1
        return b"%d" % encoded[0]

    sent = [audience.encoded_for_all(key, encode) for key in "aabbacab"]
    assert sent == [b"1", b"1", b"2", b"2", b"1", b"3", b"4", b"5"]
    watcher = Watcher("ann")
    known: Any = watcher
    known.info = known.outside = "known"
    audience.watchers.add(watcher)
    audience.forget_infos()
    assert (known.info, known.outside) == (None, None)
    assert audience.encoded_for_all("b", encode) == b"6"


def test_a_program_is_only_told_when_it_is_to_decide() -> None:
    audience = Audience()
    told: list[str] = []
    for who, brief in (("ann", False), ("bob", True), ("cyd", True)):
        watcher = Watcher(who, brief=brief)
        watcher.notify = partial(told.append, who)
        audience.watchers.add(watcher)

    def notified(*given: Any) -> list[str]:
        told.clear()
        audience.notify(*given)
        return sorted(told)

    assert notified(None, 0, "bob") == ["ann", "bob"]
    assert notified(None, None, None) == ["ann", "bob", "cyd"]
    assert notified("cyd", 0, "bob") == []
    assert notified("bob", 0, "bob") == ["bob"]
    told.clear()
    audience.notify_all()
    assert sorted(told) == ["ann", "bob", "cyd"]
    assert audience.present == {"ann", "bob", "cyd"}


def test_a_list_says_who_is_there_who_left_and_who_would_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(info, "time", lambda: 50.0)
    places = seats("ann", "bob", "*clerk", "ann")
    places[0].would_end = True
    places[2].left_by = "cyd"
    table = row(status="running")
    away = {"bob": [(0.0, 40.0), (45.0, 60.0)], "ann": [(60.0, 70.0)]}
    found = info.table_info(table, places, "ann", {"bob"}, holidays=away)
    assert (found.host, found.host_seat, found.family) == (True, 0, "board")
    columns = [
        (each.mine, each.online, each.left, each.would_end, each.away_until) for each in found.seats
    ]
    assert columns == [
        (True, False, False, True, None),
        (False, True, False, False, 60.0),
        (False, True, True, False, None),
        (True, False, False, True, None),
    ]
    nobody = info.table_info(table, places, None, {None})
    assert (nobody.host, [each.mine for each in nobody.seats]) == (False, [False] * 4)
    table.status = "finished"
    over = info.table_info(table, places, "bob", set(), holidays=away)
    assert ([each.away_until for each in over.seats], over.host) == ([None] * 4, False)


def test_texts_of_users_are_shortened_and_hide_nothing() -> None:
    assert info.clean_line("a\u202eb\u200bc\x07d") == "abcd"
    assert info.clean_line("x" * 61) == "x" * 60
    assert info.bot_name("director:5:6") == "Director 5 6"
