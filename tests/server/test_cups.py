"""Cups for people: signing up, rounds, absent people, standings; and what is refused."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from time import time
from typing import Any

import pytest

from cups import cup_of, dealt, do, finish_table, make_cup, refused, tables_of
from finishing import counting_server, in_store
from highvoltage.engine.errors import HighVoltageError
from highvoltage.rooms.bot_service import BotService
from highvoltage.rooms.context import RoomContext
from highvoltage.rooms.rooms import Rooms
from highvoltage.server.bots.pool import Pools
from highvoltage.server.config import Limits
from highvoltage.server.cups import requests, rounds
from highvoltage.server.store import SqlStore
from highvoltage.server.store.cups import CupRow
from highvoltage.server.threads import WorkThreads
from serving import Person, Server, eventually, new_store
from spread import some


@pytest.fixture(scope="module", params=some("sqlite", of=["sqlite", "postgresql"]))
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds, "LOOK_SECONDS", 0.05)
        patch.setattr(rounds, "RECHECK_SECONDS", 0.5)
        patch.setattr(rounds, "BREAK_SECONDS", 0.5)
        yield from counting_server(request, tmp_path_factory.mktemp("cups"))


@pytest.fixture(scope="module")
def crowd(server: Server) -> Iterator[list[Person]]:
    with ExitStack() as guests:
        yield [guests.enter_context(Person(server, f"Player {n}")) for n in range(1, 7)]


def cup_for(crowd: list[Person], **terms: Any) -> str:
    """A cup of the first of them, for which all have signed up."""
    cup = make_cup(crowd[0], **terms)
    for person in crowd:
        do(person, cup, "join")
    return cup


def standing(info: dict[str, Any]) -> list[tuple[int, float, int]]:
    return [(line["player"], line["points"], line["wins"]) for line in info["lines"]]


def test_a_cup_is_played_to_its_end(server: Server, crowd: list[Person]) -> None:
    host = crowd[0]
    cup = cup_for(crowd, points=[5, 2, 1])
    begun = do(host, cup, "round")
    assert (begun["status"], begun["round"], begun["played"]) == ("running", 1, 0)
    for number in (1, 2):
        for table in dealt(host, cup, number):
            mine = {seat["player"] for seat in table["seats"]}
            assert len(mine) == 3
            info = host.get(f"/api/tables/{table['table']}").json()["table"]
            assert (info["cup"], info["status"], info["public"]) == (cup, "running", False)
            assert info["title"] == f"Winter cup · {number}"
            finish_table(server, table)
        eventually(lambda number=number: cup_of(host, cup)["played"] == number)  # type: ignore[misc]
    over = cup_of(host, cup)
    assert over["status"] == "over"
    expected = dict.fromkeys(range(1, 7), 0)
    wins = dict.fromkeys(range(1, 7), 0)
    for table in over["tables"]:
        assert [seat["points"] for seat in table["seats"]] == [1, 2, 5]  # as the record says
        for seat in table["seats"]:
            expected[seat["player"]] += seat["points"]
        wins[table["seats"][2]["player"]] += 1
    assert {player: points for player, points, _ in standing(over)} == expected
    assert {player: won for player, _, won in standing(over)} == wins
    points = [line["points"] for line in over["lines"]]
    assert points == sorted(points, reverse=True)
    assert [line["games"] for line in over["lines"]] == [2] * 6
    seats = [[seat["player"] for seat in table["seats"]] for table in over["tables"]]
    assert all(len({*first} & {*second}) < 3 for first in seats[:2] for second in seats[2:])
    assert host.post(f"/api/cups/{cup}/round").json()["message"] == "The cup is over."
    assert host.get("/api/cups").json()[0]["id"] == cup


def test_whoever_does_not_come_is_replaced_and_out_until_they_come_back(
    server: Server, crowd: list[Person]
) -> None:
    """A bot plays for them; they get no points, are not paired again, and may come back."""
    host, cup = crowd[0], cup_for(crowd)
    do(host, cup, "round")
    first, second = dealt(host, cup, 1)
    seats = f"SELECT seat FROM seats WHERE game = '{first['table']}' AND bot = 'clerk'"
    eventually(lambda: cup_of(host, cup)["status"] == "running")
    assert in_store(server, seats) == []
    in_store(server, f"UPDATE games SET started = 1 WHERE id = '{first['table']}'")
    eventually(lambda: len(in_store(server, seats)) == 1)  # whoever is awaited, and nobody else
    [(replaced,)] = in_store(server, seats)
    number = first["seats"][replaced]["player"]
    for table in (first, second):
        finish_table(server, table, absent={number})
    paired = [seat["player"] for table in dealt(host, cup, 2) for seat in table["seats"]]
    present = [n for n in range(1, 7) if n != number]
    assert sorted(paired, key=str) == [*present, None]  # a bot fills the table of two
    absent = crowd[number - 1]
    info = cup_of(absent, cup)
    line = next(line for line in info["lines"] if line["mine"])
    assert (line["status"], line["points"], line["wins"]) == ("out", 0, 0)
    (seat,) = (s for t in tables_of(info, 1) for s in t["seats"] if s["player"] == number)
    assert (seat["left"], seat["place"], seat["points"]) == (True, 3, 0)
    back = do(absent, cup, "join")
    assert next(line["status"] for line in back["lines"] if line["mine"]) == "in"


def test_too_few_are_left(server: Server, crowd: list[Person]) -> None:
    cup = cup_for(crowd[:3], rounds=3)
    do(crowd[0], cup, "round")
    for person in crowd[1:3]:
        do(person, cup, "leave")
    for table in dealt(crowd[0], cup, 1):
        finish_table(server, table)
    eventually(lambda: cup_of(crowd[0], cup)["status"] == "over")
    assert cup_of(crowd[0], cup)["played"] == 1


def test_a_table_without_a_result_counts_nothing(server: Server, crowd: list[Person]) -> None:
    """One that was deleted, by the operator, and one that all agreed to end."""
    cup = cup_for(crowd, rounds=1)
    do(crowd[0], cup, "round")
    deleted, ended = dealt(crowd[0], cup, 1)
    for person in crowd:
        person.post(f"/api/tables/{ended['table']}/end")
    in_store(server, f"DELETE FROM games WHERE id = '{deleted['table']}'")
    eventually(lambda: cup_of(crowd[0], cup)["status"] == "over")
    over = cup_of(crowd[0], cup)
    assert {line["points"] for line in over["lines"]} == {0}
    statuses = {table["table"]: table["status"] for table in over["tables"]}
    assert statuses == {deleted["table"]: None, ended["table"]: "broken"}


def test_it_begins_by_itself(crowd: list[Person]) -> None:
    begins = time() + 1
    cup = cup_for(crowd[:4], begins=begins, seats=4)
    assert cup_of(crowd[0], cup)["next_at"] == begins
    (table,) = dealt(crowd[0], cup, 1)
    assert sorted(seat["player"] for seat in table["seats"]) == [1, 2, 3, 4]


def test_nobody_comes_to_one_that_begins_by_itself(crowd: list[Person]) -> None:
    """Its host may still begin it later."""
    cup = make_cup(crowd[0], begins=time() + 0.2)
    do(crowd[0], cup, "join")
    eventually(lambda: cup_of(crowd[0], cup)["next_at"] is None)
    assert cup_of(crowd[0], cup)["status"] == "open"
    assert refused(crowd[0].post(f"/api/cups/{cup}/round")) == (409, "cup_few")
    do(crowd[1], cup, "join")
    assert do(crowd[0], cup, "round")["round"] == 1
    do(crowd[0], cup, "end")


def test_games_of_a_cup_count(crowd: list[Person]) -> None:
    """As rated ones do: nobody gets help, hands over a seat or sends somebody away."""
    cup = cup_for(crowd[:3])
    do(crowd[0], cup, "round")
    (table,) = dealt(crowd[0], cup, 1)
    path = f"/api/tables/{table['table']}"
    assert refused(crowd[0].post(f"{path}/stand-in", json={"bot": "clerk"})) == (409, "rated_help")
    assert refused(crowd[0].post(f"{path}/key", json={})) == (409, "rated_seat_stays")
    others = [n for n, seat in enumerate(table["seats"]) if seat["player"] != 1]
    removal = crowd[0].post(f"{path}/remove", json={"seat": others[0]})
    assert refused(removal) == (409, "rated_seat_stays")
    assert refused(crowd[0].delete(path)) == (409, "others_sit")
    do(crowd[0], cup, "end")


def test_identities_come_along_and_are_forgotten(server: Server) -> None:
    with Person(server, "Guest") as guest, Person(server, "Other") as other:
        cup = make_cup(guest)
        for person in (guest, other):
            do(person, cup, "join")
        account = {"login": f"cup-{time():.0f}", "password": "correct horse"}
        assert guest.post("/api/account", json=account).status_code == 201
        info = cup_of(guest, cup)
        assert (info["host"], info["me"]) == (True, 1)
        do(guest, cup, "round")
        guest.post("/api/account/delete", json={"password": account["password"]})
        info = cup_of(other, cup)
        assert [(line["name"], line["status"]) for line in info["lines"]] == [
            ("Gone 1", "out"),
            ("Other", "in"),
        ]
        assert not cup_of(guest, cup)["host"]


# What is refused


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"title": ""}, "bad_request"),
        ({"title": "   "}, "malformed"),
        ({"title": "x" * 61}, "bad_request"),
        ({"title": "a\u202eb"}, "bad_request"),
        ({"seats": 2}, "bad_request"),
        ({"seats": 7}, "bad_request"),
        ({"rounds": 0}, "bad_request"),
        ({"rounds": 13}, "bad_request"),
        ({"wait": 0}, "bad_request"),
        ({"points": [5, 3]}, "cup_points"),
        ({"points": [3, 5, 1]}, "cup_points"),
        ({"points": [101, 1, 1]}, "bad_request"),
        ({"points": [-1, -1, -1]}, "bad_request"),
        ({"pace": {"kind": "none"}}, "malformed"),
        ({"begins": 1.0}, "cup_begins"),
        ({"begins": 1e300}, "cup_begins"),
        ({"boards": ["atlantis"]}, "malformed"),
        ({"boards": ["../germany"]}, "malformed"),
        ({"boards": ["germany"] * 13}, "bad_request"),
        ({"rulebook": "chess"}, "option_error"),
        ({"options": {"money": "borrowed"}}, "option_error"),
        ({"options": {"speed": "high"}}, "option_error"),
        ({"rulebook": "cardgame", "options": {"cards": {"plants": []}}}, "malformed"),
        ({"unknown": 1}, "bad_request"),
    ],
)
def test_a_cup_that_cannot_be(crowd: list[Person], terms: dict[str, Any], code: str) -> None:
    body = {"title": "Cup", "rulebook": "classic", "seats": 3, **terms}
    before = len(crowd[1].get("/api/cups").json())
    answer = crowd[1].post("/api/cups", json=body)
    assert (answer.status_code, answer.json()["code"]) == (400, code), answer.text
    assert len(crowd[1].get("/api/cups").json()) == before


def test_all_tables_have_the_options_of_the_cup(crowd: list[Person]) -> None:
    cup = cup_for(crowd[:3], options={"money": "hidden"})
    assert do(crowd[0], cup, "round")["options"] == {"money": "hidden"}
    (table,) = dealt(crowd[0], cup, 1)
    state = crowd[0].get(f"/api/tables/{table['table']}").json()
    assert state["table"]["options"] == {"money": "hidden"}
    assert sorted(player["money"] is None for player in state["view"]["players"]) == [0, 1, 1]
    do(crowd[0], cup, "end")


def test_usual_terms(crowd: list[Person]) -> None:
    cup = make_cup(crowd[2], seats=5)
    info = cup_of(crowd[2], cup)
    assert (info["points"], info["wait"], info["pace"]["kind"]) == ([10, 7, 5, 3, 2], 300, "bank")
    assert crowd[2].delete(f"/api/cups/{cup}").status_code == 204
    assert crowd[2].get(f"/api/cups/{cup}").status_code == 404


@pytest.mark.parametrize("cup", ["nothing", "%00", "%F0%9F%8F%86", "x" * 300])
def test_there_is_no_such_cup(crowd: list[Person], cup: str) -> None:
    assert crowd[0].get(f"/api/cups/{cup}").status_code == 404
    for what in ("join", "leave", "round", "end"):
        assert crowd[0].post(f"/api/cups/{cup}/{what}").status_code == 404
    assert crowd[0].post(f"/api/cups/{cup}/remove", json={"player": 1}).status_code == 404
    assert crowd[0].delete(f"/api/cups/{cup}").status_code == 404


def test_names_that_look_alike_are_told_apart(server: Server, crowd: list[Person]) -> None:
    cup = make_cup(crowd[3])
    with Person(server, "Bill") as bill, Person(server, "BI11") as alike:
        do(bill, cup, "join")
        info = do(alike, cup, "join")
        assert [line["name"] for line in info["lines"]] == ["Bill", "BI11 2"]
        do(alike, cup, "leave")
        assert [line["name"] for line in do(bill, cup, "join")["lines"]] == ["Bill"]
    assert crowd[3].delete(f"/api/cups/{cup}").status_code == 204


def test_what_is_repeated_under_a_ref_is_done_once(crowd: list[Person]) -> None:
    host, guest = crowd[4], crowd[5]
    body = {"title": "Cup", "rulebook": "classic", "seats": 3, "rounds": 1}

    def twice(person: Person, path: str, ref: str, **data: Any) -> list[dict[str, Any]]:
        answers = [person.post(f"{path}?ref={ref}", json=data) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [201, 201], answers[1].text
        return [answer.json() for answer in answers]

    first, second = twice(host, "/api/cups", f"make-{time()}".replace(".", "-"), **body)
    cup = first["id"]
    assert first == second
    ref = cup.ljust(12, "x")
    for person in (host, guest):
        assert len(twice(person, f"/api/cups/{cup}/join", f"join-{ref}")[1]["lines"]) <= 2
    begun, again = twice(host, f"/api/cups/{cup}/round", f"round-{ref}")
    assert begun["round"] == again["round"] == 1
    assert len(again["tables"]) == 1
    twice(guest, f"/api/cups/{cup}/leave", f"leave-{ref}")
    do(guest, cup, "join")
    left = guest.post(f"/api/cups/{cup}/leave?ref=leave-{ref}").json()  # long done
    assert next(line["status"] for line in left["lines"] if line["mine"]) == "in"
    twice(host, f"/api/cups/{cup}/end", f"end-{ref}")


def test_there_are_not_too_many_of_one_person(server: Server) -> None:
    with Person(server, "Many") as person:
        made = [make_cup(person) for _ in range(5)]
        body = {"title": "Cup", "rulebook": "classic"}
        assert refused(person.post("/api/cups", json=body)) == (429, "many_cups")
        for cup in made:
            assert person.delete(f"/api/cups/{cup}").status_code == 204


def test_there_are_not_too_many_from_one_address(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "CUPS_OF_ADDRESS", 2)
    body = {"title": "Cup", "rulebook": "classic"}
    with ExitStack() as guests:
        one, two, three = (
            guests.enter_context(Person(server, "Near", "127.0.0.71")) for _ in range(3)
        )
        cups = [make_cup(one), make_cup(two)]
        assert refused(three.post("/api/cups", json=body)) == (429, "many_cups")
        far = guests.enter_context(Person(server, "Far", "127.0.0.72"))
        assert far.delete(f"/api/cups/{make_cup(far)}").status_code == 204
        assert one.delete(f"/api/cups/{cups[0]}").status_code == 204
        for person, cup in ((two, cups[1]), (three, make_cup(three))):
            assert person.delete(f"/api/cups/{cup}").status_code == 204


def test_a_cup_that_has_begun_is_not_deleted_and_one_that_is_over_is_not_left(
    ann: Person, bob: Person
) -> None:
    cup = make_cup(ann)
    for person in (ann, bob):
        do(person, cup, "join")
    do(ann, cup, "round")
    assert refused(ann.delete(f"/api/cups/{cup}")) == (409, "not_now")
    assert cup_of(ann, cup)["status"] == "running"
    do(ann, cup, "end")
    for what in ("leave", "join", "end", "round"):
        assert refused(ann.post(f"/api/cups/{cup}/{what}")) == (409, "not_now"), what
    assert [line["status"] for line in cup_of(ann, cup)["lines"]] == ["in", "in"]
    assert refused(ann.delete(f"/api/cups/{cup}")) == (409, "not_now")


@pytest.mark.parametrize("error", [HighVoltageError("a board is gone"), LookupError("x")])
def test_a_cup_that_cannot_go_on_is_tried_again_later_and_holds_up_no_other(
    error: Exception, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "highvoltage.db").write_bytes(new_store())

    class Failing(rounds.CupRounds):
        async def look(self, cup: str) -> None:
            raise error

    async def run() -> float | None:
        store = SqlStore(f"sqlite:///{tmp_path / 'highvoltage.db'}")
        await store.open()
        try:
            await store.cups.create(CupRow("x", "ann", "", "{}", "1", created=1.0, due=1.0), None)
            await Failing(store, None)._look_safely("x")  # type: ignore[arg-type]  # none is needed
            found = await store.cups.find("x")
            assert found is not None
            return found.row.due
        finally:
            await store.close()

    before = time()
    due = asyncio.run(run())
    assert due is not None
    assert before + rounds.RECHECK_SECONDS <= due <= time() + rounds.RECHECK_SECONDS
    (logged,) = [record for record in caplog.records if record.message == "a cup cannot go on"]
    assert bool(logged.exc_info) is isinstance(error, LookupError)


def test_a_round_is_begun_once(tmp_path: Path) -> None:
    (tmp_path / "highvoltage.db").write_bytes(new_store())

    async def run() -> None:
        store = SqlStore(f"sqlite:///{tmp_path / 'highvoltage.db'}")
        await store.open()
        try:
            setup = '{"title":"Cup","rulebook":"classic","points":[1],"seats":3}'
            await store.cups.create(CupRow("x", "ann", "", setup, "1", created=1.0), None)
            for who in ("ann", "bob"):
                assert await store.cups.sign_up("x", who, who, "", 100, None) == "in"
            found = await store.cups.find("x")
            assert found is not None
            people = found.players
            tables = rounds.new_tables(found, people)
            assert await store.cups.begin_round(found, tables, 9.0, None)
            late = rounds.CupRounds(store, Rooms(context_of(store)))
            assert await late.begin_round(found)  # another process has, with other tables
            again = await store.cups.find("x")
            assert again is not None
            assert (again.row.round, {seat.table_id for seat in again.seats}) == (
                1,
                {table.row.id for table in tables},
            )
            await store.cups.end("x")
            assert await late.begin_round(found)
        finally:
            await store.close()

    asyncio.run(run())


def context_of(store: SqlStore) -> RoomContext:
    return RoomContext(store, BotService(Pools(1), 1, 1), WorkThreads(), Limits())


def test_a_full_cup_says_so(ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "MOST_PLAYERS", 1)
    cup = make_cup(ann)
    do(ann, cup, "join")
    assert refused(bob.post(f"/api/cups/{cup}/join")) == (409, "cup_full")
    do(ann, cup, "leave")
    do(bob, cup, "join")
    assert refused(ann.post(f"/api/cups/{cup}/join")) == (409, "cup_full")
    assert ann.delete(f"/api/cups/{cup}").status_code == 204
