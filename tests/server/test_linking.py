"""One's identity on another device; all that is stored about somebody; a guest's end."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from finishing import before_the_end, counting_server
from highvoltage.server.lobby import linking
from serving import BOT, ME, Person, Server
from spread import some

CREDENTIALS = {"login": "keeper", "password": "correct horse"}
TABLE = {"rulebook": "classic", "seats": [ME, BOT]}


@pytest.fixture(scope="module", params=some("sqlite", of=["sqlite", "postgresql"]))
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    yield from counting_server(request, tmp_path_factory.mktemp("linking"))


def claim(person: Person, key: str) -> Any:
    return person.post("/api/link/claim", json={"key": key})


def mine(person: Person) -> list[str]:
    return [table["id"] for table in person.get("/api/tables/mine").json()]


@pytest.mark.parametrize("account", [False, True])
def test_a_link_carries_an_identity_once(
    ann: Person, bob: Person, server: Server, account: bool
) -> None:
    if account:
        credentials = {
            "login": f"ann{server.database is None}".lower(),
            "password": "correct horse",
        }
        assert ann.post("/api/account", json=credentials).status_code == 201
    table = ann.post("/api/tables", json=TABLE).json()["id"]
    key = ann.post("/api/link").json()["key"]
    assert claim(bob, key).json()["name"] == "Ann"
    assert mine(bob) == mine(ann) == [table]
    assert bool(bob.get("/api/me").json()["account"]) == account
    with Person(server, "Eve") as eve:
        assert (claim(eve, key).status_code, claim(eve, key).json()["code"]) == (400, "bad_link")
        assert mine(eve) == []
        assert eve.get("/api/me").json()["name"] == "Eve"


def test_a_link_expires_and_cannot_be_made_up(
    ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = ann.post("/api/link").json()["key"]
    token = ann.post("/api/token").json()["token"]
    monkeypatch.setattr(linking, "LINK_SECONDS", 0.0)
    late = ann.post("/api/link").json()["key"]
    for bad in (late, token, key[:-6] + "AAAA==", key.replace(".", ""), "", "é.é", "x" * 501):
        assert claim(bob, bad).status_code == 400, bad
    assert bob.get("/api/me").json()["name"] == "Bob"
    bearer = {"authorization": f"Bearer {key}"}
    assert bob.get("/api/me", headers=bearer).status_code == 401  # a link is no token


def test_all_about_me_is_exported_and_deleted(ann: Person, bob: Person) -> None:
    table = before_the_end(ann, bob)
    handle = f"ann-{table[:8]}"
    ann.post("/api/profile", json={"handle": handle}).raise_for_status()
    exported = ann.get("/api/me/export")
    assert "highvoltage-me.json" in exported.headers["content-disposition"]
    about = exported.json()
    assert about["name"] == "Ann"
    assert [seat["game"] for seat in about["seats"]] == [table]
    assert [profile["handle"] for profile in about["profiles"]] == [handle]
    shown = {
        name for rows in about.values() if isinstance(rows, list) for row in rows for name in row
    }
    assert not shown & {"who", "owner", "password", "key", "auth", "origin", "seed"}
    assert "Bob" not in json.dumps(about["seats"])

    assert ann.post("/api/me/delete").json()["name"] != "Ann"
    assert ann.get("/api/me/export").json().keys() == {"name"}
    assert mine(ann) == []
    assert bob.get(f"/api/people/{handle}").status_code == 404
    seats = bob.get(f"/api/tables/{table}").json()["table"]["seats"]
    assert "Ann" not in [seat["name"] for seat in seats]


def test_an_account_is_not_deleted_without_its_password(ann: Person) -> None:
    ann.post("/api/account", json=CREDENTIALS).raise_for_status()
    assert ann.post("/api/me/delete").status_code == 409
    assert ann.get("/api/me").json()["account"] == CREDENTIALS["login"]
