"""Finished games as rows: made beside the game, found by those who played, and by nobody else."""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from secrets import token_hex
from sqlite3 import connect
from typing import Any

import msgspec
import psycopg
import pytest
from typer.testing import CliRunner

import highvoltage as hv
from finishing import ALMOST_OVER, before_the_end, counting_server, finish
from highvoltage.cli import app
from highvoltage.engine.events import Paid, Sold
from highvoltage.rooms.messages import StoredSetup
from highvoltage.rooms.rows import GameRow, SeatRow
from highvoltage.server.people.counting import board_of, results_of
from highvoltage.server.people.messages import Rounds
from serving import Person, Server, eventually
from spread import some

RESULTS = "SELECT * FROM results ORDER BY game, seat"


@pytest.fixture(scope="module", params=some("postgresql", of=["sqlite", "postgresql"]))
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server of its own, whose results are compared as a whole."""
    yield from counting_server(request, tmp_path_factory.mktemp("history"))


def rows(server: Server, query: str = RESULTS) -> list[Any]:
    if server.database:
        with psycopg.connect(server.database) as store:
            return store.execute(query).fetchall()
    with closing(connect(server.folder / "highvoltage.db")) as store:
        return store.execute(query).fetchall()


def finished(person: Person, *others: Person, alone: bool = False) -> str:
    """A finished game whose results are kept."""
    table = before_the_end(person, *others, alone=alone)
    finish(person, table)
    counted(person.server)
    return table


def counted(server: Server) -> None:
    """Wait until all games are counted."""
    eventually(lambda: not rows(server, "SELECT game FROM uncounted"))


def history(person: Person, **query: Any) -> dict[str, Any]:
    answer = person.get("/api/history", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def tables(person: Person, **query: Any) -> list[str]:
    return [game["table"] for game in history(person, **query)["games"]]


# What is kept


@pytest.mark.parametrize(
    "name", ["classic-3-players", "recharged-3-players", "cardgame-4-players", "outpost-4-players"]
)
def test_results_are_exact_to_the_record(name: str) -> None:
    game = hv.replay(Path(__file__).parents[1] / "corpus" / f"{name}.txt")
    rulebook = game.rules.ruleset.rulebook
    setup = json.dumps({"rulebook": rulebook, "title": "Final"})
    record = game.record()
    row = GameRow("g", "finished", rulebook, setup, "0", False, "", 0.0, 100.0, record.json())
    row.record = record.json()
    places = [SeatRow("g", seat, "person", each) for seat, each in enumerate(record.names)]
    found = results_of(row, places, 160.0)
    for result in found:
        better = sum(result.seat not in group for group in record.result[: result.place - 1])
        assert result.seat in record.result[better]
        assert result.plant == first_plant(game, result.seat)
        assert result.city == first_city(game, result.seat)
        assert (result.at, result.seconds, result.players) == (160.0, 60.0, len(record.names))
        assert result.words == "\n".join(["final", *(each.casefold() for each in record.names)])
        rounds = msgspec.json.decode(result.rounds or "", type=Rounds)
        assert rounds.cities == cities_by_round(game, result.seat)
        assert sum(rounds.income) == money_earned(game, result.seat)
        assert (result.margin, result.tie_margin) == margin(game, result.seat)


def cities_by_round(game: hv.Game, seat: int) -> list[int]:
    """What is counted at the end, after each round; a game without a board has none."""
    if "cities" not in game.view()["players"][seat]:
        return []
    ends = [n for n, row in enumerate(game.log, 1) if row.round != after(game, n)]
    then = [game.after(n).view()["players"][seat] for n in ends]
    assert game.outcome
    found = [player.get("network") or len(player["cities"]) for player in then]
    assert found[-1] == game.outcome.scores[seat]["cities"]
    return found


def after(game: hv.Game, moves: int) -> int | None:
    """The round of the next move."""
    return game.log[moves].round if moves < len(game.log) else None


def money_earned(game: hv.Game, seat: int) -> int:
    """What a seat has in the end, and what it has spent, but not what it began with."""
    events = [event for row in game.log for event in row.events]
    spent = sum(
        event.amount for event in events if isinstance(event, Sold | Paid) and event.seat == seat
    )
    end, start = (game.after(n).view()["players"][seat]["money"] for n in (len(game.log), 0))
    return int(end + spent - start)


def margin(game: hv.Game, seat: int) -> tuple[int, ...]:
    """How far the second is behind a winner, or anybody else behind the first."""
    assert game.outcome
    scores = [[*score.values()][:2] for score in game.outcome.scores]
    first, second = sorted(scores, reverse=True)[:2]
    low = second if seat in game.outcome.winners else scores[seat]
    return tuple(more - less for more, less in zip(first, low, strict=True))


PILES = ("plants", "habitats", "pool")


def first_plant(game: hv.Game, seat: int) -> str:
    """The first card that a seat is seen with."""
    for moves in range(len(game.log) + 1):
        player = game.after(moves).view()["players"][seat]
        if cards := [card for pile in PILES for card in player.get(pile, ())]:
            return str(cards[0]["card"])
    raise AssertionError


def first_city(game: hv.Game, seat: int) -> str:
    """The first city in which a seat builds, by the text of its record."""
    for line in game.record().moves:
        verb, *rest = line.move.split(" ")
        if line.seat == seat and verb == "build":
            return rest[-1]
    return ""


def test_a_game_is_kept_beside_the_moves(ann: Person, bob: Person) -> None:
    table = finished(ann, bob)
    kept = rows(ann.server, f"SELECT seat, bot, place FROM results WHERE game = '{table}'")
    assert sorted(kept) == [(0, None, 3), (1, None, 2), (2, "random", 1)]
    (game,) = (each for each in history(ann)["games"] if each["table"] == table)
    assert [(seat["name"], seat["place"], seat["mine"]) for seat in game["seats"]] == [
        ("Cyd", 1, False),
        ("Bob", 2, False),
        ("Ann", 3, True),
    ]
    assert (game["rulebook"], game["board"]) == ("classic", "germany")


def test_counting_again_comes_to_the_same(ann: Person, bob: Person) -> None:
    finished(ann, bob)
    before = rows(ann.server)
    assert before
    where = ["--database", ann.server.database] if ann.server.database else []
    command = ["admin", "--data", str(ann.server.folder), *where, "recount"]
    change(ann.server, "UPDATE results SET place = 9, plant = 'x'")
    assert rows(ann.server) != before
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert re.match(r"Counted: \d+ game", result.output)  # some of them by the server
    counted(ann.server)
    assert rows(ann.server) == before


def change(server: Server, *statements: str) -> None:
    if server.database:
        with psycopg.connect(server.database) as store:
            for statement in statements:
                store.execute(statement)
    else:
        with closing(connect(server.folder / "highvoltage.db", timeout=60)) as file, file:
            for statement in statements:
                file.execute(statement)


def test_a_game_that_cannot_be_read_does_not_hold_up_others(ann: Person, bob: Person) -> None:
    spoilt = finished(ann, bob)
    change(ann.server, f"UPDATE games SET record = '{{}}' WHERE id = '{spoilt}'")
    change(ann.server, f"INSERT INTO uncounted VALUES ('{spoilt}')")
    counted(ann.server)
    assert spoilt not in tables(ann)
    good = finished(ann, bob)
    assert good in tables(ann)
    ann.delete(f"/api/tables/{spoilt}")
    change(ann.server, f"DELETE FROM games WHERE id = '{spoilt}'")  # for the other tests


# Who sees what


def test_who_sees_which_games(ann: Person, bob: Person) -> None:
    with Person(ann.server, "Eve") as eve:
        table = finished(ann, bob)
        assert table in tables(ann)
        assert table in tables(bob)
        assert tables(eve) == []
        assert eve.get("/api/history/counts").json() == []
        assert eve.get("/api/history/export").text == ""
        mine = {seat["name"]: seat["mine"] for seat in history(bob)["games"][0]["seats"]}
        assert mine == {"Ann": False, "Bob": True, "Cyd": False}
        assert "who" not in json.dumps(history(bob))


def test_a_game_counts_for_whoever_holds_the_seat(ann: Person, bob: Person) -> None:
    table = finished(ann, bob)
    with Person(ann.server, "Eve") as eve:
        key = bob.post(f"/api/tables/{table}/key", json={"seat": 1}).json()
        eve.post(f"/api/tables/{table}/claim", json=key)
        counted(ann.server)
        assert table in tables(eve)
    assert table not in tables(bob)


def test_whoever_leaves_has_left(ann: Person, bob: Person) -> None:
    table = before_the_end(ann, bob)
    assert bob.post(f"/api/tables/{table}/leave", json={}).status_code == 201
    finish(ann, table)
    counted(ann.server)
    (game,) = (each for each in history(bob)["games"] if each["table"] == table)
    seats = {seat["name"]: seat for seat in game["seats"]}
    assert (seats["Bob"]["left"], seats["Bob"]["mine"], seats["Bob"]["bot"]) == (True, True, None)
    assert not seats["Ann"]["left"]
    places = {name: seat["place"] for name, seat in seats.items()}
    assert places == {"Cyd": 1, "Ann": 2, "Bob": 3}  # a bot played on for him, and beat her


def test_a_game_that_was_ended_by_agreement_counts_for_nobody(ann: Person, bob: Person) -> None:
    table = before_the_end(ann, bob)
    ann.post(f"/api/tables/{table}/end")
    assert bob.post(f"/api/tables/{table}/end").json()["status"] == "broken"
    finished(ann, bob)
    assert table not in tables(ann)


@pytest.mark.parametrize("deletes", [False, True], ids=["leaves", "leaves and deletes the account"])
def test_whoever_leaves_comes_last(ann: Person, *, deletes: bool) -> None:
    with Person(ann.server, "Mia") as mia:
        table = before_the_end(mia, ann)
        account = {"login": f"mia{token_hex(4)}", "password": "correct horse"}
        assert mia.post("/api/account", json=account).status_code == 201
        mia.post(f"/api/tables/{table}/leave", json={})
        eventually(lambda: table in tables(ann))
        if deletes:
            mia.post("/api/account/delete", json={"password": account["password"]})
        counted(ann.server)
        query = f"SELECT seat, place FROM results WHERE game = '{table}' AND \"left\""
        assert rows(ann.server, query) == [(0, 3)]


def test_an_account_takes_its_games_along_and_leaves_them_nameless(
    ann: Person, bob: Person
) -> None:
    table = finished(ann, bob)
    account = {"login": f"bob{table.lower()}".replace("_", "-"), "password": "correct horse"}
    assert bob.post("/api/account", json=account).status_code == 201
    assert table in tables(bob)
    bob.post("/api/account/delete", json={"password": account["password"]})
    assert tables(bob) == []
    counted(ann.server)
    (game,) = (each for each in history(ann)["games"] if each["table"] == table)
    assert [seat["name"] for seat in game["seats"]] == ["Cyd", "Gone 2", "Ann"]
    assert table not in tables(ann, text="bob")
    stored = rows(ann.server, f"SELECT who, words FROM results WHERE game = '{table}' AND seat = 1")
    assert stored == [(None, "\nann\ngone 2\ncyd")]


def test_several_seats_of_one_person_are_one_game(ann: Person) -> None:
    table = finished(ann, alone=True)
    assert tables(ann) == [table]
    assert [seat["mine"] for seat in history(ann)["games"][0]["seats"]] == [True] * 3


def test_games_go_with_their_table(ann: Person) -> None:
    table = finished(ann)
    assert ann.delete(f"/api/tables/{table}").status_code == 204
    assert table not in tables(ann)
    assert not rows(ann.server, f"SELECT game FROM results WHERE game = '{table}'")


# Found, counted, exported


@pytest.fixture(scope="module")
def many(server: Server) -> Iterator[tuple[Person, str]]:
    """Somebody with 121 games: the same one, repeated under other names and on other boards."""
    with Person(server, "Dora") as dora:
        table = finished(dora)
        change(server, *(each for n in range(120) for each in repetition(table, n)))
        yield dora, table


COLUMNS = {
    "games": "id status rulebook setup seed public host created started opening moves record"
    " origin told",
    "seats": "game seat kind name owner bot origin",
    "results": "game seat who bot left extra_seat place rulebook board players plant city at"
    " seconds words",
}


def repetition(table: str, n: int) -> Iterator[str]:
    """Copies a game, ended a second earlier for each `n`; every tenth is won, on another board."""
    for name, columns in COLUMNS.items():
        quoted = [f'"{column}"' for column in columns.split()]
        values = [f"'{table}{n:03}'", *quoted[1:]]
        if name == "results":
            values[6] = "1" if n % 10 == 0 else "2"
            values[8] = "'usa'" if n % 10 == 0 else "'germany'"
            values[12] = f"{1_000_000 - n}"
            values[14] = f"'100% {n}_zoe'"
        chosen = f"SELECT {', '.join(values)} FROM {name} WHERE {quoted[0]} = '{table}'"
        yield f"INSERT INTO {name} ({', '.join(quoted)}) {chosen}"


def test_pages_hold_every_game_once(many: tuple[Person, str]) -> None:
    dora, table = many
    page = history(dora)
    seen = [game["table"] for game in page["games"]]
    sizes = [len(seen)]
    while page["after"]:
        page = history(dora, after=page["after"])
        sizes.append(len(page["games"]))
        seen += [game["table"] for game in page["games"]]
    assert sizes == [50, 50, 21]
    assert page["count"] == 121
    assert seen == [table, *(f"{table}{n:03}" for n in range(120))]


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        ({"won": True}, 12),
        ({"won": False}, 109),
        ({"board": "usa"}, 12),
        ({"board": "usa", "won": False}, 0),
        ({"rulebook": "classic", "players": 3}, 121),
        ({"players": 4}, 0),
        ({"rulebook": "recharged"}, 0),
        ({"text": "ZOE"}, 120),
        ({"text": "% 1"}, 31),  # 1, 10 to 19, 100 to 119: no character is a wildcard
        ({"text": "7_z"}, 12),
        ({"text": "dor"}, 0),  # her name at this table is Ann
        ({"text": "ann"}, 1),
        ({"plant": "nothing"}, 0),
    ],
)
def test_games_are_found(many: tuple[Person, str], wanted: dict[str, Any], count: int) -> None:
    dora, _ = many
    mine = next(seat for seat in history(dora)["games"][0]["seats"] if seat["mine"])
    assert history(dora, **wanted)["count"] == count
    opening = history(dora, plant=mine["plant"], city=mine["city"])
    assert opening["count"] == 121


def test_games_are_counted(many: tuple[Person, str]) -> None:
    counts = many[0].get("/api/history/counts").json()
    about = {"rulebook": "classic", "players": 3}
    assert counts == [
        {**about, "board": "germany", "games": 109, "won": 0},
        {**about, "board": "usa", "games": 12, "won": 12},
    ]


def test_games_are_exported(many: tuple[Person, str]) -> None:
    dora, table = many
    answer = dora.get("/api/history/export", params={"board": "germany"})
    assert answer.headers["content-disposition"].endswith('"highvoltage-games.jsonl"')
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert len(lines) == 109
    assert lines[:50] == history(dora, board="germany")["games"]
    packed = dora.get("/api/history/export", params={"form": "records"}).content
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert len(archive.namelist()) == 121
        text = archive.read(f"highvoltage-{table}.txt").decode()
    assert hv.replay(text).outcome == hv.replay(ALMOST_OVER).outcome


@pytest.mark.parametrize(
    "query",
    [
        "players=1",
        "players=seven",
        "won=perhaps",
        "after=yesterday",
        "after=nan~x",
        "after=1~%00",
        "text=%00",
        "text=" + "x" * 81,
        "rulebook=" + "x" * 81,
    ],
)
def test_bad_queries_are_refused(ann: Person, query: str) -> None:
    answer = ann.get(f"/api/history?{query}")
    assert answer.status_code == 400, answer.text
    assert answer.json()["message"]


def test_there_is_no_other_form(ann: Person) -> None:
    assert ann.get("/api/history/export?form=xml").status_code == 400


@pytest.mark.parametrize(
    ("setup", "board"),
    [
        ({"rulebook": "classic"}, "germany"),
        ({"rulebook": "classic", "map": "usa"}, "usa"),
        ({"rulebook": "classic", "map": {"name": "Föhr\u200b"}}, "Föhr"),
        ({"rulebook": "classic", "map": {}}, ""),
        ({"rulebook": "cardgame"}, ""),
        ({"rulebook": "gone"}, ""),
        ({"rulebook": "gone", "map": "moon"}, "moon"),
    ],
)
def test_a_game_counts_for_its_board(setup: dict[str, Any], board: str) -> None:
    assert board_of(StoredSetup(**setup)) == board
