"""The calendar of games over days, on the page and as a file for other programs."""

from collections.abc import Iterator
from datetime import UTC, datetime
from secrets import token_hex
from time import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cups import NEW_CUP, do, make_cup
from finishing import counting_server, in_store
from highvoltage.server.people.calendar import CalendarEntry, _event
from highvoltage.server.people.ics import LINE_BYTES, Event, calendar_file
from serving import ME, OPEN, Person, Server
from spread import some

DAY = 86_400
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=120)
CONTROLS = {chr(code) for code in (*range(32), 127)} - {"\t", "\n"}


@pytest.fixture(scope="module", params=some("sqlite", of=["sqlite", "postgresql"]))
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    yield from counting_server(request, tmp_path_factory.mktemp("calendar"))


def parsed(text: str) -> list[tuple[str, str]]:
    """The lines of a file as names and values, by the letter of RFC 5545."""
    assert text.endswith("\r\n")
    lines = text[:-2].split("\r\n")
    assert all(len(line.encode()) <= LINE_BYTES for line in lines)
    assert not any(control in line for line in lines for control in ("\n", "\r", "\0"))
    whole: list[str] = []
    for line in lines:
        if line.startswith(" "):
            whole[-1] += line[1:]
        else:
            whole.append(line)
    return [(line.partition(":")[0], line.partition(":")[2]) for line in whole]


def unescaped(value: str) -> str:
    text, letters = "", iter(value)
    for letter in letters:
        assert letter not in ";,"
        text += {"n": "\n"}.get(after := next(letters), after) if letter == "\\" else letter
    return text


@given(TEXTS, TEXTS, st.integers(0, 4_000_000_000))
def test_a_file_has_what_was_written_into_it(name: str, summary: str, at: int) -> None:
    event = Event("turn-1@here", at, summary, "https://play.example/table/1")
    lines = parsed(calendar_file(name, [event], 0))
    named = dict(lines)
    assert unescaped(named["SUMMARY"]) == as_kept(summary)
    assert unescaped(named["X-WR-CALNAME"]) == as_kept(name)
    start = datetime.strptime(named["DTSTART"], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    assert start.timestamp() == at
    begun = [value for key, value in lines if key in {"BEGIN", "END"}]
    assert begun == ["VCALENDAR", "VEVENT", "VEVENT", "VCALENDAR"]
    assert {"VERSION", "PRODID", "UID", "DTSTAMP", "URL"} <= {*named}


def as_kept(text: str) -> str:
    return "".join(c for c in text.replace("\r\n", "\n") if c not in CONTROLS)


def over_days(ann: Person, bob: Person, title: str, seconds: int = 2 * DAY) -> tuple[str, Person]:
    """A game of two, and whose turn it is there."""
    pace = {"kind": "move", "seconds": seconds}
    table = ann.table([ME, OPEN], pace=pace, title=title)["id"]
    bob.post(f"/api/tables/{table}/join", json={}).raise_for_status()
    seat = ann.get(f"/api/tables/{table}").json()["table"]["to_move"]
    return table, (ann, bob)[seat]


def test_turns_and_rounds_are_in_the_calendar_of_whoever_they_are(
    ann: Person, bob: Person, server: Server
) -> None:
    table, mover = over_days(ann, bob, "Friday; or later, perhaps")
    over_days(ann, bob, "Live", seconds=3600)
    begins = time() + 3 * DAY
    cup = make_cup(ann, **{**NEW_CUP, "title": "Autumn", "begins": begins})
    do(mover, cup, "join")
    other = bob if mover is ann else ann
    assert other.get("/api/calendar").json()["entries"] == []
    turn, round_ = mover.get("/api/calendar").json()["entries"]
    ((due,),) = in_store(server, f"SELECT due FROM games WHERE id = '{table}'")
    assert (turn["kind"], turn["id"], turn["at"]) == ("turn", table, due)
    assert (round_["kind"], round_["id"], round_["round"]) == ("round", cup, 1)
    assert round_["at"] == begins
    path = mover.post("/api/calendar/address").json()["path"]
    with Person(server, "a program") as program:
        answer = program.get(path, params={"lang": "de"})
        assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
        said = [unescaped(value) for key, value in parsed(answer.text) if key == "SUMMARY"]
        assert said == ["Friday; or later, perhaps: du bist dran", "Autumn: Runde 1"]
        do(mover, cup, "leave")
        assert program.get(path).text.count("BEGIN:VEVENT") == 1


def test_an_address_is_secret_and_ends(ann: Person, bob: Person, server: Server) -> None:
    assert not ann.get("/api/calendar").json()["has_address"]
    first, second = (ann.post("/api/calendar/address").json()["path"] for _ in range(2))
    assert ann.get("/api/calendar").json()["has_address"]
    assert [bob.get(path).status_code for path in (first, second)] == [404, 200]
    secret = second.rpartition("/")[2].removesuffix(".ics")
    assert secret not in str(in_store(server, "SELECT * FROM calendars"))
    assert secret not in ann.get("/api/me/export").text
    assert ann.delete("/api/calendar/address").status_code == 204
    assert bob.get(second).status_code == 404
    for wrong in ("x.ics", "address", "%00", "a" * 5_000):
        assert bob.get(f"/api/calendar/{wrong}").status_code in {404, 405, 414}


def test_an_address_goes_with_a_guest_to_an_account_and_ends_with_it(
    ann: Person, bob: Person
) -> None:
    path = ann.post("/api/calendar/address").json()["path"]
    account = {"login": f"a{token_hex(4)}", "password": "correct horse"}
    ann.post("/api/account", json=account).raise_for_status()
    assert bob.get(path).status_code == 200
    assert ann.get("/api/calendar").json()["has_address"]
    ann.post("/api/account/delete", json={"password": "correct horse"}).raise_for_status()
    assert bob.get(path).status_code == 404


def test_an_entry_is_known_again_by_what_it_is_about() -> None:
    turn = CalendarEntry(50.0, "turn", "a", "", "classic", None)
    found = _event(turn, "https://x")
    assert (found.uid, found.url) == ("turn-a-0@highvoltage", "https://x/table/a")
    begins = CalendarEntry(60.0, "round", "c", "Spring", "classic", 2)
    found = _event(begins, "")
    assert (found.uid, found.at, found.url) == ("round-c-2@highvoltage", 60.0, "")
    assert found.summary.startswith("Spring: ")
