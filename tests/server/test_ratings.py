"""Rated games: by mutual choice, without tricks, and rated the same however often it is done."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from secrets import token_hex
from typing import Any

import pytest
from typer.testing import CliRunner

from finishing import before_the_end, counting_server, finish, in_store, make_rated
from highvoltage.cli import app
from highvoltage.rooms.strengths import MEASURED, strengths
from highvoltage.server.people import rating as rating_module
from highvoltage.server.people.rating import CERTAIN_SIGMA, rate_game
from highvoltage.server.store import ratings as ratings_store
from highvoltage.server.store.ratings import BOT, Rate, RatedSeat
from serving import BOT as RANDOM
from serving import ME, OPEN, Person, Server, eventually
from spread import some

CLOCK = {"kind": "move", "seconds": 600}
CLERK = {"kind": "bot", "bot": "clerk"}
NEWCOMER = Rate(25.0, 25 / 3)
BEHIND_A_CLERK = [
    RatedSeat("last", 3, None),
    RatedSeat("second", 2, None),
    RatedSeat(f"{BOT}clerk", 1, None),
]
"""A first game of two people."""


@pytest.fixture(scope="module", params=some("sqlite", of=["sqlite", "postgresql"]))
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """A server of its own, whose ratings are compared as a whole."""
    yield from counting_server(request, tmp_path_factory.mktemp("ratings"))


@pytest.fixture
def dan(server: Server) -> Iterator[Person]:
    """Somebody in another network than Ann and Bob."""
    with Person(server, "Dan", "127.0.0.7") as person:
        yield person


def settled(server: Server) -> None:
    """Wait until all games are counted and rated."""
    waiting = "SELECT game FROM uncounted UNION SELECT rulebook FROM unrated"
    eventually(lambda: not in_store(server, waiting))


def kept(server: Server) -> tuple[list[Any], list[Any]]:
    """All ratings, after each game and the latest."""
    rated = "SELECT game, seat, rated_as, place, mu, sigma FROM results ORDER BY game, seat"
    latest = "SELECT rulebook, player, who, mu, sigma FROM ratings ORDER BY rulebook, player"
    return in_store(server, rated), in_store(server, latest)


def played(person: Person, *others: Person, leaver: Person | None = None) -> str:
    """A rated game: Cyd, a clerk, wins it, then Bob in seat 1, then Ann in seat 0."""
    table = before_the_end(person, *others)
    make_rated(person.server, table)
    if leaver:
        leaver.post(f"/api/tables/{table}/leave", json={}).raise_for_status()
    finish(person, table)
    settled(person.server)
    return table


def make(person: Person, seats: Any = (ME, OPEN, CLERK), **setup: Any) -> Any:
    given = {"rulebook": "classic", "seats": [*seats], "rated": True, "pace": CLOCK}
    return person.post("/api/tables", json=given | setup)


def rating(person: Person) -> Any:
    (found,) = person.get("/api/profile").json()["ratings"]
    return found


# The numbers


def test_bots_stand_where_their_games_put_them() -> None:
    """The shares are those of docs/bots.md, of one bot among three others."""
    text = (Path(__file__).parents[2] / "docs" / "bots.md").read_text()
    row = r"^\| (\w+) \| `(\w+),(\w+)\*3` \| (?:[a-z]+\d* \| )?\d+ \| ([\d.]+) %"
    measured = {found[:3]: float(found[3]) / 100 for found in re.findall(row, text, re.MULTILINE)}
    for rulebook, bots in MEASURED.items():
        known = strengths(rulebook)
        for bot, weaker, share in bots:
            assert share == pytest.approx(measured[rulebook, bot, weaker])
            assert known[bot] > known[weaker]


def test_a_newcomers_number_means_something_after_five_games() -> None:
    """Against bots that are known, in simulated games: rank correlation 0.8."""
    rng, known = Random(1), strengths("classic")
    true = [rng.gauss(25, 2 * 25 / 6) for _ in range(300)]
    found = []
    for strength in true:
        now = NEWCOMER
        for _ in range(5):
            others = ["apprentice", "clerk", "engineer"]
            shown = [strength, *(known[bot] for bot in others)]
            places = simulated(shown, rng)
            seats = [RatedSeat("me", places[0], now)]
            seats += [RatedSeat(f"{BOT}{bot}", places[n], None) for n, bot in enumerate(others, 1)]
            now, *bots = rate_game("classic", seats)
            assert [rate.mu for rate in bots] == [known[bot] for bot in others]  # they stay
        found.append(now)
    assert spearman(true, [rate.mu for rate in found]) > 0.75
    assert sum(rate.sigma < CERTAIN_SIGMA for rate in found) > 150


@pytest.mark.long
def test_simulated_people_are_found_in_their_order() -> None:
    rng = Random(1)
    true = [rng.gauss(25, 25 / 6) for _ in range(2_000)]
    found = [NEWCOMER] * len(true)
    for _ in range(30):
        for table in tables_of_four(len(true), rng):
            places = simulated([true[who] for who in table], rng)
            seats = [RatedSeat(str(who), places[n], found[who]) for n, who in enumerate(table)]
            for who, now in zip(table, rate_game("classic", seats), strict=True):
                found[who] = now
    assert spearman(true, [rate.mu for rate in found]) >= 0.94


def tables_of_four(people: int, rng: Random) -> Iterator[list[int]]:
    order = rng.sample(range(people), people)
    for n in range(0, people, 4):
        yield order[n : n + 4]


def simulated(true: list[float], rng: Random) -> list[int]:
    """The places of players of these strengths in a game, whose luck is the model's."""
    shown = [rng.gauss(strength, 25 / 6) for strength in true]
    return [1 + sum(other > own for other in shown) for own in shown]


def spearman(one: list[float], other: list[float]) -> float:
    def ranks(values: list[float]) -> dict[int, int]:
        return {who: n for n, who in enumerate(sorted(range(len(values)), key=values.__getitem__))}

    first, second, count = ranks(one), ranks(other), len(one)
    apart = sum((first[n] - second[n]) ** 2 for n in range(count))
    return 1 - 6 * apart / (count * (count**2 - 1))


# Games that are rated


def test_a_rated_game_moves_the_ratings_of_people(ann: Person, bob: Person) -> None:
    table = played(ann, bob)
    after = rate_game("classic", BEHIND_A_CLERK)
    for person, rate in zip((ann, bob), after, strict=False):
        found = rating(person)
        assert (found["rulebook"], found["games"], found["provisional"]) == ("classic", 1, True)
        assert found["rating"] == pytest.approx(rate.mu)
        assert found["error"] == pytest.approx(1.96 * rate.sigma)
        assert [point["table"] for point in found["curve"]] == [table]
    assert after[0].mu < 25 < after[1].mu
    (game,) = ann.get("/api/history").json()["games"]
    assert game["rated"]


def test_whoever_leaves_a_rated_game_is_last(ann: Person, bob: Person) -> None:
    played(ann, bob, leaver=bob)
    assert rating(bob)["rating"] < rating(ann)["rating"]


def test_whoever_is_absent_at_the_end_is_last(ann: Person, bob: Person) -> None:
    table = before_the_end(ann, bob)
    make_rated(ann.server, table)
    in_store(ann.server, f"UPDATE seats SET bot = 'clerk' WHERE game = '{table}' AND seat = 1")
    finish(ann, table)
    settled(ann.server)
    assert rating(bob)["rating"] < rating(ann)["rating"]


def test_games_that_are_not_rated_change_nothing(ann: Person, bob: Person) -> None:
    finish(ann, before_the_end(ann, bob))
    settled(ann.server)
    assert ann.get("/api/profile").json()["ratings"] == []
    assert not ann.get("/api/history").json()["games"][0]["rated"]


def recount(server: Server) -> None:
    where = ["--database", server.database] if server.database else []
    result = CliRunner().invoke(app, ["admin", "--data", str(server.folder), *where, "recount"])
    assert result.exit_code == 0, result.output
    settled(server)


def test_made_again_ratings_come_to_the_same(
    ann: Person, bob: Person, dan: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _, last = played(ann, bob), played(bob, dan), played(dan, ann)
    whole = rating(ann)["curve"]
    assert [point["table"] for point in whole] == [first, last]
    monkeypatch.setattr(rating_module, "CURVE", 1)
    assert rating(ann)["curve"] == whole[1:]
    account = {"login": f"bob{token_hex(4)}", "password": "correct horse"}
    before = rating(bob)
    bob.post("/api/account", json=account).raise_for_status()
    assert rating(bob) == before  # an account takes it along
    bob.post("/api/account/delete", json={"password": account["password"]})
    settled(ann.server)
    known = kept(ann.server)
    assert known[0]
    in_store(ann.server, "UPDATE results SET mu = 1, sigma = 1", "DELETE FROM ratings")
    monkeypatch.setattr(ratings_store, "GAMES_AT_ONCE", 2)
    recount(ann.server)
    assert kept(ann.server) == known  # a deleted person counts on for others


def test_a_game_that_is_counted_late_is_rated_in_its_turn(ann: Person, bob: Person) -> None:
    first, _ = played(ann, bob), played(bob, ann)
    known = kept(ann.server)
    forgotten = f"DELETE FROM results WHERE game = '{first}'"
    in_store(ann.server, forgotten, f"INSERT INTO uncounted VALUES ('{first}')")
    eventually(lambda: kept(ann.server) == known)


def test_without_a_deleted_game_ratings_are_as_if_it_had_not_been(
    ann: Person, bob: Person, dan: Person
) -> None:
    where = ["--database", ann.server.database] if ann.server.database else []
    command = ["admin", "--data", str(ann.server.folder), *where]
    table = played(ann, bob)
    played(bob, dan)
    purged = CliRunner().invoke(app, [*command, "purge", "--older", "0"])
    assert purged.exit_code == 0, purged.output
    assert rating(ann)["games"] == 1  # rated games stay
    deleted = CliRunner().invoke(app, [*command, "delete", table])
    assert deleted.exit_code == 0, deleted.output
    settled(ann.server)
    assert ann.get("/api/profile").json()["ratings"] == []
    alone = rate_game("classic", BEHIND_A_CLERK)
    assert rating(bob)["rating"] == pytest.approx(alone[0].mu)


# Who may play one


@pytest.mark.parametrize(
    ("setup", "code"),
    [
        ({"pace": {"kind": "none"}}, "rated_clock"),
        ({"seed": 1}, "rated_setup"),
        ({"map": "random"}, "rated_setup"),
        ({"seats": [ME, ME, OPEN]}, "rated_seats"),
        ({"seats": [CLERK, CLERK]}, "rated_seats"),
        ({"seats": [ME, RANDOM]}, "rated_bot"),
        ({"seats": [ME, {"kind": "bot", "bot": "tycoon"}], "map": "italy"}, "rated_bot"),
    ],
)
def test_what_cannot_be_rated_is_refused(ann: Person, setup: dict[str, Any], code: str) -> None:
    answer = make(ann, **setup)
    assert (answer.status_code, answer.json()["code"]) == (400, code)


def refused(answer: Any) -> str:
    assert answer.status_code == 409, answer.text
    code: str = answer.json()["code"]
    return code


def test_everybody_plays_a_rated_game_for_themselves(ann: Person, bob: Person, dan: Person) -> None:
    made = make(ann, [ME, OPEN, OPEN]).json()
    assert made["rated"]
    table = f"/api/tables/{made['id']}"
    assert refused(ann.post(f"{table}/join", json={})) == "rated_seats"
    assert refused(bob.post(f"{table}/join", json={})) == "rated_network"  # he sits beside her
    assert dan.post(f"{table}/join", json={}).status_code == 201
    assert ann.post(f"{table}/start", json={"bot": "random"}).json()["code"] == "rated_bot"
    assert ann.post(f"{table}/start", json={"bot": "clerk"}).json()["status"] == "running"
    assert refused(ann.post(f"{table}/key", json={})) == "rated_seat_stays"
    assert refused(ann.post(f"{table}/key", json={"seat": 2})) == "rated_seat_stays"
    assert refused(ann.post(f"{table}/remove", json={"seat": 1})) == "rated_seat_stays"
    assert refused(ann.post(f"{table}/stand-in", json={"bot": "clerk"})) == "rated_help"
    with ann.live(made["id"]) as live:
        for help_ in ("hint", "coach"):
            live.send(help_)
            assert live.next("refused")["code"] == "rated_help"
    assert dan.post(f"{table}/leave", json={}).status_code == 201
    assert refused(ann.delete(table)) == "rated_counts"
    assert refused(ann.post(f"{table}/end")) == "rated_counts"  # or no bot would ever beat her
    ann.post(f"{table}/leave", json={})


def test_a_rated_table_that_nobody_has_come_to_can_be_deleted(ann: Person) -> None:
    made = make(ann).json()
    assert ann.delete(f"/api/tables/{made['id']}").status_code == 204


# The leaderboard


def board(person: Person, rulebook: str = "classic") -> Any:
    return person.get("/api/leaderboard", params={"rulebook": rulebook})


def test_the_leaderboard_shows_who_is_public_and_certain(
    ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    played(ann, bob)
    bots = [line["bot"] for line in board(ann).json() if line["bot"]]
    assert bots == ["tycoon", "engineer", "clerk", "apprentice"]
    handles = {person: f"{name}{token_hex(3)}" for person, name in ((ann, "ann"), (bob, "bob"))}
    ann.post("/api/profile", json={"handle": handles[ann], "public": True}).raise_for_status()
    bob.post("/api/profile", json={"handle": handles[bob]}).raise_for_status()

    def shown() -> list[Any]:
        return [line for line in board(bob).json() if line["handle"] in handles.values()]

    assert shown() == []  # provisional
    in_store(ann.server, f"UPDATE ratings SET sigma = {CERTAIN_SIGMA}")
    assert not rating(ann)["provisional"]
    (line,) = shown()  # Bob's profile is private
    assert (line["handle"], line["games"], line["mine"]) == (handles[ann], 1, False)
    assert line["rating"] == rating(ann)["rating"]
    places = [each["rating"] for each in board(bob).json()]
    assert places == sorted(places, reverse=True)
    assert bob.get(f"/api/people/{handles[ann]}").json()["ratings"] == [rating(ann)]
    assert ann.get(f"/api/people/{handles[bob]}").json()["ratings"] == []
    assert board(bob, "chess").status_code == 404
    bob.post("/api/profile", json={"handle": handles[bob], "public": True}).raise_for_status()
    assert [line["handle"] for line in shown()] == [handles[bob], handles[ann]]
    monkeypatch.setattr(rating_module, "LISTED", 1)
    assert [line["handle"] for line in shown()] == [handles[bob]]
