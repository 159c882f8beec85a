"""The library of maps: published, found, played, liked, reported, removed."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from typer.testing import CliRunner

from highvoltage.cli import app
from highvoltage.engine.parts.board import known_maps
from highvoltage.server.store import Ban, SqlStore
from highvoltage.server.store.library import MapSearch, PublishedMap
from serving import BOT, ME, Person, Server, new_store

LICENCE = "CC-BY-4.0"
Publish = Callable[..., dict[str, Any]]


@pytest.fixture
def short() -> dict[str, Any]:
    """A board on which two cities end the game."""
    found: dict[str, Any] = json.loads(known_maps()["germany"].path.read_text("utf-8"))
    ends = {str(players): 2 for players in range(2, 7)}
    return {**found, "id": "short", "name": "Short way", "rules": {"end_cities": ends}}


@pytest.fixture
def publish(ann: Person, short: dict[str, Any]) -> Iterator[Publish]:
    made: list[str] = []

    def publish(**changes: Any) -> dict[str, Any]:
        more = {key: changes.pop(key) for key in ("id",) if key in changes}
        body = {"map": {**short, **changes}, "licence": LICENCE, **more}
        answer = ann.post("/api/library", json=body)
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()
        made.append(found["id"])
        return found

    yield publish
    for each in {*made}:
        ann.delete(f"/api/library/{each}")


def names(person: Person, **query: Any) -> list[str]:
    found = person.get("/api/library", params=query).json()
    assert found["total"] == len(found["maps"])
    return [each["name"] for each in found["maps"]]


def finish_a_game(person: Person, map_: str | dict[str, Any]) -> str:
    table: str = person.table([ME, BOT], map=map_)["id"]
    person.post(f"/api/tables/{table}/stand-in", json={"bot": "clerk"}).raise_for_status()
    with person.live(table) as live:
        live.until(lambda state: state["table"]["status"] == "finished")
    return table


def test_a_map_is_published_and_found(ann: Person, bob: Person, publish: Publish) -> None:
    made = publish()
    assert made["mine"]
    assert (made["version"], made["licence"], made["cities"]) == (1, LICENCE, 42)
    plain = publish(name="Long way", rules={})
    seen = bob.get("/api/library").json()["maps"]
    assert [each["id"] for each in seen] == [plain["id"], made["id"]]  # the latest first
    assert not seen[0]["mine"]
    assert seen[0]["author"] == made["author"] == ann.get("/api/me").json()["name"]
    assert len(seen[0]["picture"]["dots"]) == 42
    assert names(bob, words="SHORT") == ["Short way"]
    assert names(bob, words="münchen way") == ["Long way", "Short way"]  # the name of a city
    assert names(bob, words="100%") == names(bob, size="small") == names(bob, mine=True) == []
    assert names(bob, size="medium") == ["Long way", "Short way"]
    assert names(bob, ruled=True) == ["Short way"]
    assert names(ann, mine=True, ruled=False) == ["Long way"]
    assert bob.get(f"/api/library/{made['id']}").json()["name"] == "Short way"
    assert bob.get("/api/library/nothing").status_code == 404


def test_a_game_keeps_its_map_whatever_becomes_of_it(
    ann: Person, bob: Person, publish: Publish
) -> None:
    made = publish()
    chosen = f"library:{made['id']}"
    table = bob.table([ME, BOT], map=chosen)["id"]
    again = publish(id=made["id"], name="Shorter way")
    assert (again["version"], again["name"]) == (2, "Shorter way")
    assert ann.delete(f"/api/library/{made['id']}").status_code == 204
    assert bob.get(f"/api/tables/{table}/ruleset").json()["board"]["name"] == "Short way"
    record = bob.get(f"/api/tables/{table}/record").text
    assert "Short way" in record
    gone = {"rulebook": "classic", "map": chosen, "seats": [ME, BOT]}
    assert bob.post("/api/tables", json=gone).status_code == 404


def test_only_who_finished_a_game_on_it_may_like_it(
    ann: Person, bob: Person, publish: Publish, short: dict[str, Any]
) -> None:
    made = publish()
    like = f"/api/library/{made['id']}/like"
    refused = bob.post(like, json={"liked": True})
    assert (refused.status_code, refused.json()["code"]) == (403, "not_finished")
    finish_a_game(bob, short)  # the same map, but not from the library
    assert bob.post(like, json={"liked": True}).status_code == 403
    finish_a_game(bob, f"library:{made['id']}")
    for liked in (True, True, False, True):
        seen = bob.post(like, json={"liked": liked}).json()
        assert (seen["likes"], seen["liked"], seen["may_like"]) == (int(liked), liked, True)
    publish(name="Unknown way")
    (best, other) = ann.get("/api/library", params={"order": "liked"}).json()["maps"]
    assert (best["id"], best["likes"], best["liked"], best["played"]) == (made["id"], 1, False, 1)
    assert (other["likes"], other["played"]) == (0, 0)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"licence": "mine"}, "bad_request"),
        ({"id": "nothing"}, "not_your_map"),
        ({"map": {"name": "x"}}, "map_error"),
        ({"map": {"name": "x" * 100_001}}, "too_large"),
        ({"map": {"layout": None}}, "malformed"),
    ],
)
def test_what_cannot_be_published_is_refused(
    ann: Person, short: dict[str, Any], changes: dict[str, Any], code: str
) -> None:
    content = changes.pop("map", {})
    content = {key: value for key, value in {**short, **content}.items() if value is not None}
    if "name" in content and content["name"] == "x":
        content["connections"] = []
    body = {"map": content, "licence": LICENCE, **changes}
    refused = ann.post("/api/library", json=body)
    assert refused.json()["code"] == code
    assert ann.get("/api/library").json()["total"] == 0


def test_another_persons_map_is_neither_changed_nor_withdrawn(
    bob: Person, publish: Publish, short: dict[str, Any]
) -> None:
    made = publish()
    body = {"map": {**short, "name": "Mine now"}, "licence": LICENCE, "id": made["id"]}
    assert bob.post("/api/library", json=body).status_code == 403
    assert bob.delete(f"/api/library/{made['id']}").status_code == 403
    assert names(bob) == ["Short way"]


def test_an_operator_sees_reports_and_removes_maps(
    server: Server, ann: Person, bob: Person, publish: Publish
) -> None:
    made = publish()
    for person in (bob, bob, ann):  # the same person twice counts once
        answer = person.post(f"/api/library/{made['id']}/report", json={"reason": "Rude names"})
        assert answer.status_code == 201

    def admin(*words: str) -> str:
        done = CliRunner().invoke(app, ["admin", "--data", str(server.folder), *words])
        assert done.exit_code == 0, done.output
        return done.output

    assert admin("map-reports").count("Rude names") == 2
    assert made["id"] in admin("maps", "short")
    assert "0 of 0" in admin("maps", "long")
    assert "Removed" in admin("remove-maps", made["id"])
    assert names(bob) == []
    assert admin("map-reports") == ""
    refused = CliRunner().invoke(
        app, ["admin", "--data", str(server.folder), "remove-maps", made["id"]]
    )
    assert "admin maps" in refused.output


def test_postgresql_keeps_a_library_too(postgres: str) -> None:
    driver = postgres.replace("postgresql://", "postgresql+psycopg://")
    published = PublishedMap(
        "m1", "ann", "", "Ann", "Föhr", LICENCE, 1, 1.0, "{}", "{}", "föhr", 20, 3, ruled=False
    )

    async def work() -> None:
        store = SqlStore(driver)
        await store.open()
        try:
            library = store.library
            assert await library.publish(published, "mark-1") == "m1"
            assert await library.publish(published, "mark-1") == "m1"
            await library.like("m1", "bob", 1.0, liked=True)
            assert await library.report("m1", "bob", "rude", 1.0)
            assert not await library.report("m1", "bob", "rude", 2.0)
            for order in ("new", "liked", "played"):
                (found,), total = await library.find(MapSearch("FÖHR", "small", order=order), "bob")
                assert (found.likes, found.liked, found.finished, total) == (1, True, False, 1)
            assert await library.replace(published, None) == "m1"
            assert await library.replace(structs.replace(published, who="bob"), None) is None
            kept = await library.listed("m1", "ann")
            assert kept is not None
            assert (kept.version, kept.liked) == (2, False)
            await store.people.ban_everywhere(Ban("ann", 1.0))
            assert await library.find(MapSearch(), "bob") == ([], 0)
        finally:
            await store.people.pardon("ann")
            await store.close()

    asyncio.run(work())


def test_maps_are_found_by_size_in_their_order_and_by_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("highvoltage.server.store.library.PAGE", 2)
    (tmp_path / "highvoltage.db").write_bytes(new_store())

    async def work() -> None:
        store = SqlStore(f"sqlite:///{tmp_path / 'highvoltage.db'}")
        await store.open()

        async def found(who: str = "", **wanted: Any) -> tuple[list[str], int]:
            maps, total = await store.library.find(MapSearch(**wanted), who)
            return [each.id for each in maps], total

        try:
            for n, cities in enumerate((30, 31, 45, 46)):
                given = ("ann", "", "Ann", "Föhr", LICENCE, 1, float(n), "{}", "{}", "föhr")
                new = PublishedMap(f"m{n}", *given, cities, 3, ruled=n == 2, played=n % 2)
                await store.library.publish(new, None)
            assert await found(size="small") == (["m0"], 1)
            assert await found(size="medium") == (["m2", "m1"], 2)
            assert await found(size="large") == (["m3"], 1)
            assert await found() == (["m3", "m2"], 4)
            assert await found(page=1) == (["m1", "m0"], 4)
            assert await found(page=2) == ([], 4)
            assert await found(order="played") == (["m3", "m1"], 4)
            assert await found(order="played", page=1) == (["m2", "m0"], 4)
            assert await found(ruled=True) == (["m2"], 1)
            assert await found(ruled=False, page=1) == (["m0"], 3)
            assert await found("bob", mine=True) == ([], 0)
            assert await found("ann", mine=True) == (["m3", "m2"], 4)
        finally:
            await store.close()

    asyncio.run(work())


def test_a_visitor_publishes_and_reports_only_so_much(
    tmp_path: Path, short: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("highvoltage.server.lobby.library.PUBLICATIONS_PER_HOUR", 4)
    monkeypatch.setattr("highvoltage.server.lobby.reports.REPORTS_PER_HOUR", 2)
    limits = "[limits]\nlibrary_maps = 1\nlibrary_maps_of_address = 2\n"
    (tmp_path / "server.toml").write_text(limits)
    server = Server(tmp_path)
    body = {"map": short, "licence": LICENCE}
    with Person(server) as ann, Person(server) as bob, Person(server) as eve:
        made = ann.post("/api/library", json=body)
        assert made.status_code == 201
        refused = ann.post("/api/library", json=body)
        assert (refused.status_code, refused.json()["code"]) == (429, "many_maps")
        assert bob.post("/api/library", json=body).status_code == 201
        assert eve.post("/api/library", json=body).json()["code"] == "many_maps"
        refused = eve.post("/api/library", json=body)
        assert (refused.status_code, refused.json()["code"]) == (429, "many_publications")
        assert 800 < refused.json()["values"]["retry_after"] <= 900
        path, reason = f"/api/library/{made.json()['id']}/report", {"reason": "Rude names"}
        assert [person.post(path, json=reason).status_code for person in (bob, eve)] == [201] * 2
        refused = ann.post(path, json=reason)
        assert (refused.status_code, refused.json()["code"]) == (429, "many_reports")
        assert 1700 < refused.json()["values"]["retry_after"] <= 1800
    assert server.stop() == 0


@pytest.mark.long
def test_bots_play_only_so_many_games_for_one_address(
    tmp_path: Path, short: dict[str, Any]
) -> None:
    (tmp_path / "server.toml").write_text("[limits]\njudged_games = 1\n")
    server = Server(tmp_path)
    with Person(server) as ann, Person(server) as bob:
        assert ann.post("/api/maker/judge", json={"map": short}).json()["games"] > 1
        refused = bob.post("/api/maker/judge", json={"map": short})
        assert (refused.status_code, refused.json()["code"]) == (429, "too_fast")
        assert refused.json()["values"]["retry_after"] > 60
    assert server.stop() == 0


def test_a_repeated_request_publishes_once(ann: Person, short: dict[str, Any]) -> None:
    body = {"map": short, "licence": LICENCE}
    made = [ann.post("/api/library?ref=publish-once", json=body).json()["id"] for _ in range(2)]
    assert made[0] == made[1]
    assert ann.delete(f"/api/library/{made[0]}").status_code == 204
