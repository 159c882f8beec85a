"""Profiles: handles that are chosen, and who sees what behind them."""

from collections.abc import Iterator
from contextlib import closing
from sqlite3 import connect
from typing import Any

import psycopg
import pytest

import highvoltage as hv
from finishing import ALMOST_OVER, before_the_end, counting_server, finish, in_store
from highvoltage import puzzles
from highvoltage.games import metas
from highvoltage.rooms.strengths import strengths
from highvoltage.server.people.messages import RoundAverages, Rounds
from highvoltage.server.people.profile import _favourites, _summed
from highvoltage.server.people.rounds import averages, tycoon_rounds
from serving import Person, Server, eventually
from spread import some


@pytest.fixture(scope="module", params=some("sqlite", of=["sqlite", "postgresql"]))
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    yield from counting_server(request, tmp_path_factory.mktemp("profiles"))


def choose(person: Person, handle: str, *, public: bool = False) -> Any:
    return person.post("/api/profile", json={"handle": handle, "public": public})


def seen(person: Person, handle: str) -> dict[str, Any]:
    found: dict[str, Any] = person.get(f"/api/people/{handle}").json()
    return found


def games(person: Person, handle: str) -> Any:
    return person.get(f"/api/people/{handle}/history")


def finished(person: Person, *others: Person, public: bool) -> str:
    table = before_the_end(person, *others)
    if public:
        publish(person.server, table)
    known = person.get("/api/history").json()["count"]
    finish(person, table)
    eventually(lambda: bool(person.get("/api/history").json()["count"] > known))
    return table


def publish(server: Server, table: str) -> None:
    """As if the table had been made for everybody: a game that goes on is never public."""
    statement = f"UPDATE games SET public = true WHERE id = '{table}'"
    if server.database:
        with psycopg.connect(server.database) as store:
            store.execute(statement)
    else:
        with closing(connect(server.folder / "highvoltage.db", timeout=60)) as file, file:
            file.execute(statement)


def test_who_sees_what_of_a_profile(ann: Person, bob: Person) -> None:
    """The owner everything; others the handle, and, if it is public, games at public tables."""
    mine = finished(ann, public=False)
    shared = finished(ann, bob, public=True)
    assert choose(ann, "Volt-1").status_code == 201
    numbers: dict[str, Any] = {"counts": [], "plants": [], "cities": [], "ratings": []}
    numbers["puzzles"] = {"solved": 0, "streak": 0}
    private = {"handle": "Volt-1", "mine": False, "public": False, **numbers}
    assert seen(bob, "Volt-1") == private
    assert games(bob, "Volt-1").status_code == 404
    own = ann.get("/api/profile").json()
    assert own == seen(ann, "Volt-1")
    assert [(each["board"], each["games"], each["won"]) for each in own["counts"]] == [
        ("germany", 2, 0)
    ]
    assert {game["table"] for game in games(ann, "Volt-1").json()["games"]} == {mine, shared}

    assert choose(ann, "Volt-1", public=True).status_code == 201
    found = seen(bob, "Volt-1")
    assert [each["games"] for each in found["counts"]] == [1]
    assert [game["table"] for game in games(bob, "Volt-1").json()["games"]] == [shared]
    assert not found["mine"]
    assert "who" not in str(found)


def test_every_number_has_its_games(ann: Person, bob: Person) -> None:
    for _ in range(2):
        finished(ann, bob, public=True)
    choose(ann, "Number", public=True)
    for person in (ann, bob):
        found = seen(person, "Number")
        assert len(found["plants"]) == len(found["cities"]) == 1
        for kind, name in (("plants", "plant"), ("cities", "city")):
            for each in found[kind]:
                query = {"rulebook": each["rulebook"], name: each["name"]}
                behind = person.get("/api/people/Number/history", params=query).json()
                assert behind["count"] == each["games"] == 2
        for each in found["counts"]:
            query = {name: each[name] for name in ("rulebook", "board", "players")}
            behind = person.get("/api/people/Number/history", params=query).json()
            assert behind["count"] == each["games"] == 2


def test_favourites_are_the_openings_that_were_chosen_most_often() -> None:
    chosen: list[list[Any]] = [
        *(["recharged", "4", 2, 0], ["classic", "9", 2, 1], ["classic", "", 9, 9]),
        *(["classic", "10", 2, 2], ["classic", "3", 3, 0], ["outpost", "6", 1, 1]),
        ["classic", "5", 1, 0],
    ]
    found = [(each.rulebook, each.name, each.games, each.won) for each in _favourites(chosen)]
    assert found == [
        ("classic", "3", 3, 0),
        ("classic", "10", 2, 2),
        ("classic", "9", 2, 1),
        ("recharged", "4", 2, 0),
        ("classic", "5", 1, 0),
    ]


def test_games_and_wins_are_summed_over_what_is_not_asked_for() -> None:
    rows = [("classic", "germany", 3, 1), ("classic", "usa", 2, 2), ("outpost", "", 1, 0)]
    assert _summed(rows, 0) == [["classic", 5, 3], ["outpost", 1, 0]]
    assert _summed(rows, 0, 1) == [[*row] for row in rows]


def test_an_average_is_of_the_games_that_came_so_far() -> None:
    games = [Rounds([10, 21, 30], [1, 2]), Rounds([11], [2, 2, 7]), Rounds([], [])]
    assert averages(games) == RoundAverages(3, [10.5, 21.0, 30.0], [1.5, 2.0, 7.0])
    assert averages([]) == RoundAverages(0, [], [])


def rounds(person: Person, path: str, **query: Any) -> Any:
    return person.get(f"/api/{path}/rounds", params={"rulebook": "classic", "players": 3, **query})


def test_games_round_by_round_are_those_that_one_may_see(ann: Person, bob: Person) -> None:
    finished(ann, public=False)
    shared = finished(ann, bob, public=True)
    choose(ann, "Rounds-1", public=True)
    own, others = (rounds(ann, "history").json(), rounds(bob, "people/Rounds-1").json())
    assert (own["average"]["games"], others["average"]["games"]) == (2, 1)
    game = hv.replay(ALMOST_OVER)
    last = game.log[-1].round
    for found in (own, others):
        assert found["latest"]["table"] == shared
        assert found["average"]["income"] == found["latest"]["rounds"]["income"]  # always the same
        assert len(found["average"]["cities"]) == last
        assert found["best"] is None  # she has won none
        assert (found["narrowest"]["table"], found["narrowest"]["won"]) == (shared, False)
        assert found["tycoon"]["cities"][0] >= 1
    winner = rounds(bob, "history").json()["narrowest"]
    assert winner["margin"] <= own["narrowest"]["margin"]  # who was second, and was last
    assert rounds(bob, "history", players=4).json()["average"]["games"] == 0
    assert rounds(ann, "history", players="").status_code == 400
    assert ann.get("/api/history/rounds", params={"rulebook": "classic"}).status_code == 400


def test_tycoons_were_measured_in_all_games_that_they_play() -> None:
    for rulebook, about in metas().items():
        for players in about.players:
            found = tycoon_rounds(rulebook, players)
            assert (found is not None) == ("tycoon" in strengths(rulebook))
            assert found is None or found.games == 10 * players


def test_best_and_narrowest_are_by_what_counts_first(ann: Person) -> None:
    tables = [finished(ann, public=False) for _ in range(4)]
    margins = [(1, 3, -40), (1, 3, 20), (1, 0, 7), (2, 1, 1)]
    for table, (place, first, second) in zip(tables, margins, strict=True):
        values = f"place = {place}, margin = {first}, tie_margin = {second}"
        in_store(ann.server, f"UPDATE results SET {values} WHERE game = '{table}' AND seat = 0")
    found = rounds(ann, "history").json()
    assert (found["best"]["table"], found["best"]["won"]) == (tables[1], True)
    assert found["narrowest"]["table"] == tables[2]
    assert (found["narrowest"]["margin"], found["narrowest"]["tie_margin"]) == (0, 7)


def test_solved_puzzles_count_once_and_come_along(ann: Person, bob: Person) -> None:
    first, second = (each for each in puzzles.shipped()[:2])

    def solve(puzzle: puzzles.Puzzle, *moves: str) -> Any:
        sent = {"puzzle": puzzle.name, "moves": moves or puzzle.answers[:1]}
        return ann.post("/api/solved-puzzles", json=sent)

    for puzzle in (first, second, first):
        assert solve(puzzle).status_code == 201
    assert ann.get("/api/profile").json()["puzzles"]["solved"] == 2
    for wrong in (solve(first, "no such move"), solve(first, "x" * 201)):
        assert wrong.status_code == 400
    nowhere = {"puzzle": "nothing", "moves": []}
    assert ann.post("/api/solved-puzzles", json=nowhere).status_code == 404
    choose(ann, "Solver-1", public=True)
    ann.post("/api/account", json={"login": "solver_volt", "password": "correct horse"})
    assert seen(bob, "Solver-1")["puzzles"]["solved"] == 2
    choose(ann, "Solver-1")
    assert seen(bob, "Solver-1")["puzzles"]["solved"] == 0
    ann.post("/api/account/delete", json={"password": "correct horse"})
    assert in_store(ann.server, "SELECT count(*) FROM solved_puzzles") == [(0,)]


def test_the_puzzle_of_the_day_counts_on_its_day(ann: Person) -> None:
    daily = puzzles.get_puzzle(ann.get("/api/puzzles").json()["daily"])
    before = "UPDATE solved_puzzles SET day = day - 1 WHERE daily"
    for days in (1, 2):  # it was found yesterday, and is again
        sent = {"puzzle": daily.name, "moves": daily.answers[:1]}
        found = ann.post("/api/solved-puzzles", json=sent).json()
        assert found == {"solved": 1, "streak": days}
        in_store(ann.server, before)
    assert ann.get("/api/profile").json()["puzzles"] == {"solved": 1, "streak": 2}
    in_store(ann.server, before)
    assert ann.get("/api/profile").json()["puzzles"] == {"solved": 1, "streak": 0}


def test_a_handle_is_one_persons(ann: Person, bob: Person) -> None:
    assert choose(ann, "Bill_1").status_code == 201
    for alike in ("Bill_1", "bill-1", "BI11_1"):
        refused = choose(bob, alike)
        assert (refused.status_code, refused.json()["code"]) == (409, "handle_taken"), alike
    assert bob.get("/api/profile").json()["handle"] is None
    assert seen(bob, "bILL_1")["handle"] == "Bill_1"  # whatever the case of its letters
    assert bob.get("/api/people/bi11_1").status_code == 404  # which only looks like it
    assert choose(ann, "Other").status_code == 201
    assert choose(bob, "Bill_1").status_code == 201


@pytest.mark.parametrize("handle", ["ab", "x" * 25, "a b c", "a/b/c", "Żółw", "", "abc\n", "abc\0"])
def test_bad_handles_are_refused(ann: Person, handle: str) -> None:
    assert choose(ann, handle).status_code == 400
    assert ann.get("/api/profile").json()["handle"] is None


def test_unknown_handles_are_not_found(ann: Person) -> None:
    for path in ("nobody", "nobody/history", "%00", "%C5%BB"):
        assert ann.get(f"/api/people/{path}").status_code == 404, path


def test_a_handle_is_never_the_login(ann: Person, server: Server) -> None:
    choose(ann, "Guest-Ann")
    account = {"login": "ann_volt", "password": "correct horse"}
    assert ann.post("/api/account", json=account).status_code == 201
    assert ann.get("/api/profile").json()["handle"] == "Guest-Ann"  # it came along
    refused = choose(ann, "Ann_Volt")
    assert (refused.status_code, refused.json()["code"]) == (400, "handle_is_login")
    ann.post("/api/account/delete", json={"password": account["password"]})
    assert ann.get("/api/people/Guest-Ann").status_code == 404
    with Person(server, "Eve") as eve:
        assert choose(eve, "Guest-Ann").status_code == 201
