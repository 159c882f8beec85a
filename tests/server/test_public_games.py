"""Games of public tables, found by everybody."""

from collections.abc import Iterator
from typing import Any

import pytest

from finishing import before_the_end, counting_server, finish, in_store
from serving import Person, Server, eventually
from spread import some

CYD = {"rulebook": "classic", "board": "germany", "players": 3}  # whom a bot plays, and who wins


@pytest.fixture(scope="module", params=some("postgresql", of=["sqlite", "postgresql"]))
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    yield from counting_server(request, tmp_path_factory.mktemp("public_games"))


def finished(person: Person, *, public: bool) -> str:
    table = before_the_end(person)
    if public:  # a game that goes on is never public
        in_store(person.server, f"UPDATE games SET public = true WHERE id = '{table}'")
    known = person.get("/api/history").json()["count"]
    finish(person, table)
    eventually(lambda: bool(person.get("/api/history").json()["count"] > known))
    return table


def found(person: Person, **wanted: Any) -> list[str]:
    page = person.get("/api/public-games", params=wanted).json()
    assert page["count"] == len(page["games"])
    return [game["table"] for game in page["games"]]


def test_everybody_finds_games_of_public_tables(ann: Person, bob: Person, server: Server) -> None:
    private, public = finished(ann, public=False), finished(ann, public=True)
    assert found(bob) == found(ann) == [public]
    assert private not in found(ann)
    [game] = bob.get("/api/public-games").json()["games"]
    winner = game["seats"][0]
    assert (winner["name"], winner["mine"]) == ("Cyd", False)
    opening = {name: winner[name] for name in ("plant", "city")}
    assert all(opening.values())
    for name, value in (CYD | opening | {"won": "false", "rated": "false"}).items():
        assert found(bob, **{name: value}) == [public], name
    other = {"rulebook": "recharged", "board": "usa", "players": 4, "plant": "nothing"}
    for name, value in (other | {"city": "nowhere", "won": "true", "rated": "true"}).items():
        assert found(bob, **{name: value}) == [], name

    again = finished(ann, public=True)
    assert found(bob, **CYD) == [again, public]
    assert bob.get("/api/public-games", params={"players": 9}).status_code == 400
    in_store(
        server,
        "DELETE FROM results WHERE shown",
        "INSERT INTO uncounted SELECT id FROM games WHERE public",
    )
    eventually(lambda: found(bob) == [again, public])  # made again, exactly
