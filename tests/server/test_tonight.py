"""Tonight: who waits, a game for whoever wants one now, the best one to watch."""

from collections.abc import Iterator
from typing import Any

import pytest

from finishing import counting_server, in_store
from highvoltage.rooms import rooms
from serving import BOT, ME, OPEN, Person, Server, eventually
from spread import some


@pytest.fixture(scope="module", params=some("sqlite", of=["sqlite", "postgresql"]))
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rooms, "SWEEP_SECONDS", 0.05)
        yield from counting_server(request, tmp_path_factory.mktemp("tonight"))


@pytest.fixture(autouse=True)
def _nobody_waits(server: Server) -> None:
    in_store(server, "UPDATE games SET public = false")


WISH: dict[str, Any] = {"rulebook": "classic", "wait": 3600, "bot": "random"}


def find(person: Person, **wish: Any) -> dict[str, Any]:
    answer = person.post("/api/tonight/find", json=WISH | wish)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def tonight(person: Person) -> dict[str, Any]:
    found: dict[str, Any] = person.get("/api/tonight").json()
    return found


def names(table: dict[str, Any]) -> list[str]:
    return [seat["name"] for seat in table["seats"]]


def test_two_who_want_the_same_game_meet(ann: Person, bob: Person) -> None:
    waiting = find(ann, players=3)
    assert (waiting["status"], waiting["public"], names(waiting)) == ("open", True, ["Ann", "", ""])
    assert waiting["fill"] == {"bot": "random", "after": 3600}
    assert [table["id"] for table in tonight(bob)["waiting"]] == [waiting["id"]]
    assert find(ann, players=3)["id"] == waiting["id"]  # she waits already
    met = find(bob, board="germany")
    assert (met["id"], names(met)) == (waiting["id"], ["Ann", "Bob", ""])


def test_who_has_waited_longest_comes_first(ann: Person, bob: Person, server: Server) -> None:
    tables = [find(ann, players=players)["id"] for players in (4, 2, 3)]
    assert [table["id"] for table in tonight(bob)["waiting"]] == tables
    in_store(server, f"UPDATE games SET created = created - 99 WHERE id = '{tables[2]}'")
    assert [table["id"] for table in tonight(bob)["waiting"]] == [tables[2], *tables[:2]]
    assert find(bob)["id"] == tables[2]  # and has company first


@pytest.mark.parametrize(
    "other",
    [
        {"rulebook": "recharged"},
        {"board": "usa"},
        {"players": 4},
        {"bot": "clerk"},
        {"pace": {"kind": "move", "seconds": 60}},
        {"wait": 60},  # which is sooner than the bots come there
    ],
)
def test_who_wants_another_game_gets_another_table(
    ann: Person, bob: Person, other: dict[str, Any]
) -> None:
    waiting = find(ann, players=3)
    assert find(bob, **other)["id"] != waiting["id"]
    assert [each["mine"] for each in find(bob, **other)["seats"]].count(True) == 1


def test_bots_take_the_open_seats_after_the_wait(ann: Person) -> None:
    table = find(ann, players=3, wait=0)["id"]
    eventually(lambda: bool(ann.get(f"/api/tables/{table}").json()["table"]["status"] == "running"))
    seats = ann.get(f"/api/tables/{table}").json()["table"]["seats"]
    assert [(seat["kind"], seat["bot"]) for seat in seats] == [
        ("person", None),
        ("bot", "random"),
        ("bot", "random"),
    ]
    assert tonight(ann)["waiting"] == []


def test_bots_come_only_where_somebody_waits(ann: Person, bob: Person, server: Server) -> None:
    left = find(ann, players=3)["id"]
    ann.post(f"/api/tables/{left}/leave", json={"seat": None}).raise_for_status()
    empty = {"fill": {"bot": "random", "after": 0}, "seats": [OPEN] * 3, "public": True}
    table = ann.post("/api/tables", json={"rulebook": "classic"} | empty).json()["id"]
    due = f"SELECT due FROM games WHERE id = '{table}'"
    eventually(lambda: in_store(server, due)[0][0] is None)
    assert tonight(bob)["waiting"] == []
    assert ann.get(f"/api/tables/{table}").json()["table"]["status"] == "open"
    bob.post(f"/api/tables/{table}/join", json={"seat": None}).raise_for_status()
    eventually(lambda: bool(bob.get(f"/api/tables/{table}").json()["table"]["status"] == "running"))


def test_a_repeated_wish_is_one_wish(ann: Person, bob: Person) -> None:
    waiting = find(ann, players=2)["id"]
    answers = [
        bob.post("/api/tonight/find?ref=once-and-again", json=WISH | {"players": 2}).json()
        for _ in range(2)
    ]
    assert [each["id"] for each in answers] == [waiting] * 2
    assert answers[1]["status"] == "running"


@pytest.mark.parametrize(
    ("wish", "status"),
    [
        ({"rulebook": "nothing"}, 404),
        ({"board": "atlantis"}, 400),
        ({"bot": "nobody"}, 400),
        ({"wait": -1}, 400),
        ({"wait": 3601}, 400),
        ({"players": 7}, 400),
        ({"rated": True}, 400),  # without a clock
        ({"colour": "red"}, 400),
    ],
)
def test_a_bad_wish_is_refused_and_leaves_nothing(
    ann: Person, wish: dict[str, Any], status: int
) -> None:
    answer = ann.post("/api/tonight/find", json=WISH | wish)
    assert answer.status_code == status, answer.text
    assert ann.get("/api/tables/mine").json() == []


def test_the_best_game_is_that_of_the_strongest(ann: Person, bob: Person) -> None:
    assert tonight(bob)["best"] is None
    tables = {}
    for bot in ("clerk", "engineer", "apprentice"):
        seats = [ME, {"kind": "bot", "bot": bot}, {"kind": "bot", "bot": bot}]
        made = ann.post("/api/tables", json={"rulebook": "classic", "public": True, "seats": seats})
        tables[bot] = made.json()["id"]
        with ann.live(tables[bot]) as live:
            state = live.until(lambda s: s["legal"])
            live.move(state["legal"][0]["move"])
            live.until(lambda s: s["log"])
    assert tonight(bob)["best"]["id"] == tables["engineer"]
    private = {"rulebook": "classic", "seats": [ME, BOT, OPEN]}
    ann.post("/api/tables", json=private).raise_for_status()
    assert tonight(bob)["waiting"] == []
