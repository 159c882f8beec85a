"""Holidays of people: whose clocks they stop, how long, and who knows of them."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from secrets import token_hex
from time import time
from typing import Any

import pytest

from cups import refused
from finishing import counting_server, in_store
from highvoltage.rooms import rooms
from highvoltage.table import clock
from serving import ME, OPEN, Person, Server, eventually
from spread import some

DAY = 86_400
MOST = 28
OVER_DAYS = {"kind": "move", "seconds": DAY}


@pytest.fixture(scope="module", params=some("sqlite", of=["sqlite", "postgresql"]))
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rooms, "SWEEP_SECONDS", 0.05)
        yield from counting_server(request, tmp_path_factory.mktemp("holidays"))


def today() -> date:
    return datetime.now(UTC).date()


def away(person: Person, first: int, last: int) -> Any:
    """Be away from so many days after today on, until so many."""
    days = [(today() + timedelta(days=days)).isoformat() for days in (first, last)]
    return person.post("/api/holidays", json=dict(zip(("first", "last"), days, strict=True)))


def end(person: Person, first: int) -> Any:
    day = (today() + timedelta(days=first)).isoformat()
    return person.post("/api/holidays/end", json={"first": day})


def game(ann: Person, bob: Person, pace: dict[str, Any], **setup: Any) -> tuple[str, Person, int]:
    """A game of two, whose turn it is there, and in which seat."""
    table = ann.table([ME, OPEN], pace=pace, **setup)["id"]
    bob.post(f"/api/tables/{table}/join", json={}).raise_for_status()
    seat = ann.get(f"/api/tables/{table}").json()["table"]["to_move"]
    return table, (ann, bob)[seat], seat


def due(server: Server, table: str) -> float:
    ((found,),) = in_store(server, f"SELECT due FROM games WHERE id = '{table}'")
    return float(found)


def seen(person: Person, table: str, seat: int) -> tuple[Any, Any]:
    """Until when a seat is away, and whose clock runs."""
    state = person.get(f"/api/tables/{table}").json()
    return state["table"]["seats"][seat]["away_until"], state["clocks"]["running"]


def listed(person: Person, table: str, seat: int, path: str = "/api/tables/mine") -> Any:
    found = next(each for each in person.get(path).json() if each["id"] == table)
    return found["seats"][seat]["away_until"]


def test_a_clock_stands_still_until_a_holiday_is_over_and_the_others_know(
    ann: Person, bob: Person, server: Server
) -> None:
    table, mover, seat = game(ann, bob, OVER_DAYS, public=True)
    live_table, live_mover, live_seat = game(ann, bob, {"kind": "move", "seconds": DAY - 1})
    before, live_before = due(server, table), due(server, live_table)
    assert seen(ann, table, seat) == (None, seat)
    last = away(mover, 0, 2).json()["holidays"][0]["last"]
    until = (date.fromisoformat(last) - date(1970, 1, 1)).days * DAY + DAY
    for person in (ann, bob):
        assert seen(person, table, seat) == (until, None)
        assert listed(person, table, seat) == until
    with Person(server, "Eve") as eve:  # she learns of it at the table, not by looking around
        assert listed(eve, table, seat, "/api/tables") is None
    eventually(lambda: due(server, table) > until + DAY - 60)
    if live_mover is not mover:
        away(live_mover, 0, 2)
    eventually(lambda: due(server, live_table) == live_before)
    assert seen(ann, live_table, live_seat) == (None, live_seat)
    assert end(mover, 0).json()["holidays"] == []
    assert seen(ann, table, seat) == (None, seat)
    eventually(lambda: before < due(server, table) < before + 60)


def test_time_runs_out_once_a_holiday_has_ended(
    ann: Person, bob: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "DAY_SECONDS", 1)
    table, mover, seat = game(ann, bob, {"kind": "move", "seconds": 2})
    for person in (ann, bob):  # whoever is to move by now
        away(person, 0, 1)
    until = seen(ann, table, seat)[0]
    eventually(lambda: due(server, table) > until)
    assert ann.get(f"/api/tables/{table}").json()["table"]["seats"][seat]["bot"] is None
    with mover.live(table) as live:
        assert end(mover, 0).status_code == 201
        live.until(lambda s: s["table"]["seats"][seat]["bot"] == "clerk")


def test_whoever_looks_on_sees_a_holiday_begin(ann: Person, bob: Person, server: Server) -> None:
    table, mover, seat = game(ann, bob, OVER_DAYS)
    with ann.live(table) as live:
        begins = time() + 1
        owner = f"SELECT owner FROM seats WHERE game = '{table}' AND seat = {seat}"
        in_store(server, f"INSERT INTO holidays SELECT ({owner}), {begins}, {begins + 60}")
        assert away(mover, 1, 1).status_code == 201  # so that it is read
        state = live.until(lambda s: s["table"]["seats"][seat]["away_until"])
        assert state["clocks"]["running"] is None


def test_holidays_are_bounded(ann: Person) -> None:
    for first, last in ((-1, 2), (3, 2), (1, MOST + 1), (400, 401)):
        answer = away(ann, first, last)
        assert refused(answer) == (400, "holiday_days")
        assert str(MOST) in answer.json()["message"]
    bad: list[Any] = [{}, {"first": "soon", "last": "2026-02-30"}, {"first": "2026-01-01"}, []]
    for body in bad:
        assert ann.post("/api/holidays", json=body).status_code == 400
    assert refused(end(ann, 0)) == (404, "not_found")
    empty = {"holidays": [], "days_left": MOST}
    assert ann.get("/api/holidays").json() == empty


def test_there_are_so_many_days_in_a_year(ann: Person) -> None:
    year = today().year + 1  # all of it lies ahead, if not within the reach of today
    first = (date(year, 1, 1) - today()).days
    assert away(ann, first, first + 19).status_code == 201
    assert refused(away(ann, first + 19, first + 20)) == (409, "holiday_overlaps")
    answer = away(ann, first + 20, first + 28)
    assert refused(answer) == (429, "holiday_allowance")
    assert answer.json()["values"] == {"most": MOST, "year": year, "left": 8}
    assert len(ann.get("/api/holidays").json()["holidays"]) == 1
    assert end(ann, first).json()["holidays"] == []  # one that has not begun costs nothing
    assert away(ann, first + 20, first + 20 + MOST - 1).status_code == 201


def test_a_day_that_has_begun_counts(ann: Person) -> None:
    for days in (1, 2):
        assert away(ann, 0, 0).status_code == 201
        assert end(ann, 0).json() == {"holidays": [], "days_left": MOST - days}


def test_holidays_go_with_a_guest_to_an_account_and_end_with_it(
    ann: Person, bob: Person, server: Server
) -> None:
    table, mover, seat = game(ann, bob, OVER_DAYS)
    away(mover, 0, 0)
    kept = mover.get("/api/holidays").json()
    assert len(mover.get("/api/me/export").json()["holidays"]) == 1
    account = {"login": f"a{token_hex(4)}", "password": "correct horse"}
    mover.post("/api/account", json=account).raise_for_status()
    assert mover.get("/api/holidays").json() == kept
    assert seen(mover, table, seat)[1] is None
    count = "SELECT count(*) FROM holidays"
    ((before,),) = in_store(server, count)
    mover.post("/api/account/delete", json={"password": "correct horse"}).raise_for_status()
    assert in_store(server, count) == [(before - 1,)]


def test_a_holiday_begins_within_a_year_and_a_day(ann: Person) -> None:
    assert refused(away(ann, 367, 367)) == (400, "holiday_days")
    assert away(ann, 366, 366).status_code == 201


def test_one_holiday_may_follow_another_at_once(ann: Person) -> None:
    assert away(ann, 10, 12).status_code == 201
    for first, last in ((9, 10), (12, 13), (11, 11), (9, 13)):
        assert refused(away(ann, first, last)) == (409, "holiday_overlaps")
    assert away(ann, 13, 14).status_code == 201
    assert away(ann, 8, 9).status_code == 201
    found = [
        [(date.fromisoformat(each[day]) - today()).days for day in ("first", "last")]
        for each in ann.get("/api/holidays").json()["holidays"]
    ]
    assert found == [[8, 9], [10, 12], [13, 14]]


def test_days_count_for_the_year_in_which_they_are(ann: Person) -> None:
    year = today().year + 1
    ends = (date(year, 1, 1) - today()).days
    if not 4 <= ends <= 364:
        pytest.skip("the year is nearly over, or has just begun")
    assert away(ann, ends - 3, ends + 1).json()["days_left"] == MOST - 3
    answer = away(ann, ends + 2, ends + 28)
    assert refused(answer) == (429, "holiday_allowance")
    assert answer.json()["values"] == {"most": MOST, "year": year, "left": 26}
    assert away(ann, ends + 2, ends + 27).json()["days_left"] == MOST - 3
