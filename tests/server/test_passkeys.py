"""Accounts with passkeys: forged, replayed and foreign answers are refused."""

from copy import deepcopy
from secrets import token_hex
from typing import Any

import pytest

from authenticator import Authenticator, challenge_for, log_in, make_account
from finishing import in_store
from highvoltage.server.guard import passkeys
from highvoltage.server.guard.passwords import dummy_hash
from highvoltage.server.lobby import passkeys as lobby
from serving import ME, OPEN, Person, Server

REFUSED = (400, "bad_passkey")
PASSWORD = "correct horse"


@pytest.fixture
def login() -> str:
    return f"a{token_hex(6)}"


def status(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json().get("code")


def known(person: Person) -> list[str]:
    return [each["name"] for each in person.get("/api/passkeys").json()["passkeys"]]


def test_a_guest_makes_an_account_by_a_passkey_and_logs_in_elsewhere(
    ann: Person, bob: Person, login: str
) -> None:
    table = ann.table([ME, OPEN])["id"]
    made = make_account(ann, login)
    assert ann.get("/api/me").json()["account"] == login
    assert [each["id"] for each in ann.get("/api/tables/mine").json()] == [table]
    assert ann.get("/api/passkeys").json()["password"] is False
    entered = log_in(bob, made)
    assert entered.json()["account"] == login
    assert [each["id"] for each in bob.get("/api/tables/mine").json()] == [table]
    (shown,) = bob.get("/api/passkeys").json()["passkeys"]
    assert shown["used"] > shown["made"]
    (exported,) = bob.get("/api/me/export").json()["passkeys"]
    assert exported["name"] == "Phone"
    assert not exported.keys() & {"who", "key"}
    for password in ("", "nobody has this password"):  # by which unknown logins take as long
        assert dummy_hash()
        tried = ann.post("/api/login", json={"login": login, "password": password})
        assert tried.status_code == 400


def test_what_is_asked_of_a_browser(ann: Person, login: str) -> None:
    make_account(ann, login)
    asked = ann.post("/api/passkeys/options", json={"kind": "create"}).json()["options"]
    assert asked["rp"] == {"id": "127.0.0.1", "name": "High Voltage"}
    assert asked["user"]["name"] == login
    assert asked["authenticatorSelection"]["residentKey"] == "required"
    assert asked["authenticatorSelection"]["userVerification"] == "preferred"
    assert len(asked["excludeCredentials"]) == 1
    asked = ann.post("/api/passkeys/options", json={"kind": "get"}).json()["options"]
    assert asked["rpId"] == "127.0.0.1"
    assert not asked.get("allowCredentials")


WRONG = [
    {"origin": "https://evil.example"},
    {"domain": "evil.example"},
    {"kind": "create"},
    {"present": False},
]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_an_answer_for_something_else_is_refused(
    ann: Person, bob: Person, login: str, wrong: dict[str, Any]
) -> None:
    made = make_account(ann, login)
    assert status(log_in(bob, made, **wrong)) == REFUSED
    assert bob.get("/api/me").json()["account"] is None
    if wrong.keys() & {"origin", "domain"}:
        other = Authenticator().create(bob, challenge_for(bob, "create", f"{login}2"), **wrong)
        body = {"login": f"{login}2", "name": "x", "answer": other}
        assert status(bob.post("/api/passkeys/account", json=body)) == REFUSED
    assert log_in(bob, made).json()["account"] == login


def test_an_answer_works_once_and_for_whoever_was_asked(
    ann: Person, bob: Person, server: Server, login: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make_account(ann, login)
    answer = made.get(bob, challenge_for(bob, "get"))
    with Person(server) as eve:
        assert status(eve.post("/api/passkeys/login", json=answer)) == REFUSED  # asked of Bob
        for challenge in (
            challenge_for(eve, "get"),
            "x.y",
            "",
            challenge_for(eve, "create", "eve"),
        ):
            stolen = {**answer, "challenge": challenge}
            assert status(eve.post("/api/passkeys/login", json=stolen)) == REFUSED
        assert bob.post("/api/passkeys/login", json=answer).json()["account"] == login
        assert status(bob.post("/api/passkeys/login", json=answer)) == REFUSED
        assert bob.post("/api/logout").status_code == 201
        assert status(bob.post("/api/passkeys/login", json=answer)) == REFUSED
        monkeypatch.setattr(passkeys, "CHALLENGE_SECONDS", 0.0)
        assert status(log_in(eve, made)) == REFUSED  # too late


def test_forged_answers_are_refused(ann: Person, bob: Person, server: Server, login: str) -> None:
    made, other = make_account(ann, login), Authenticator()
    other.id = made.id
    assert status(log_in(bob, other)) == REFUSED  # another key
    other = Authenticator()
    assert status(log_in(bob, other)) == REFUSED  # unknown
    good = made.get(bob, challenge_for(bob, "get"))
    for part in ("clientDataJSON", "authenticatorData", "signature"):
        for value in ("", "AAAA", good["credential"]["response"][part][:-4] + "AAAA", 7, None):
            bad = deepcopy(good)
            bad["challenge"] = challenge_for(bob, "get")
            bad["credential"]["response"][part] = value
            assert status(bob.post("/api/passkeys/login", json=bad)) == REFUSED
    names: list[Any] = [7, None, [], good["credential"]["id"], "x" * 9_000, "\0", "é", "a b"]
    for name in names:
        credential = {"id": name}
        bad = {"challenge": challenge_for(bob, "get"), "credential": credential}
        assert status(bob.post("/api/passkeys/login", json=bad)) == REFUSED
    used = made.signs
    assert log_in(bob, made).status_code == 201
    made.signs = used  # a copy of it that has not counted the latest use
    assert status(log_in(bob, made)) == REFUSED
    assert server.errors() == []


def test_a_passkey_is_added_named_and_removed(ann: Person, bob: Person, login: str) -> None:
    ann.post("/api/account", json={"login": login, "password": PASSWORD}).raise_for_status()
    made = Authenticator()

    def add(new: Authenticator = made, **proof: Any) -> Any:
        answer = new.create(ann, challenge_for(ann, "create"))
        return ann.post("/api/passkeys", json={"name": "Key", "answer": answer, **proof})

    assert status(add()) == (400, "wrong_password")
    assert status(add(password="wrong horse")) == (400, "wrong_password")
    assert add(password=PASSWORD).status_code == 201
    assert status(add(password=PASSWORD)) == (429, "many_passkeys")  # the same again
    second = Authenticator()
    proof = made.get(ann, challenge_for(ann, "get"))
    assert add(second, passkey=proof).status_code == 201
    assert known(ann) == ["Key", "Key"]
    first = ann.get("/api/passkeys").json()["passkeys"][0]["id"]
    named = ann.post("/api/passkeys/rename", json={"id": first, "name": "Laptop"}).json()
    assert [each["name"] for each in named["passkeys"]] == ["Laptop", "Key"]
    for name in ("", "x" * 41, "a\nb"):
        assert ann.post("/api/passkeys/rename", json={"id": first, "name": name}).status_code == 400
    make_account(bob, f"{login}2")
    for path, body in (("rename", {"name": "Mine"}), ("remove", {})):  # another's
        answer = bob.post(f"/api/passkeys/{path}", json={"id": first, **body})
        assert status(answer) == (404, "not_found")
    foreign = made.get(bob, challenge_for(bob, "get"))
    assert status(bob.post("/api/account/delete", json={"passkey": foreign})) == REFUSED
    assert known(ann) == ["Laptop", "Key"]
    for passkey in ann.get("/api/passkeys").json()["passkeys"]:  # there is a password, too
        left = ann.post("/api/passkeys/remove", json={"id": passkey["id"]})
    assert left.json() == {"password": True, "passkeys": []}
    assert status(log_in(ann, made)) == REFUSED


def test_the_only_way_to_log_in_stays(ann: Person, server: Server, login: str) -> None:
    made = make_account(ann, login)
    (only,) = ann.get("/api/passkeys").json()["passkeys"]
    refused = ann.post("/api/passkeys/remove", json={"id": only["id"]})
    assert status(refused) == (409, "last_passkey")
    for old in ("", "nobody has this password"):
        tried = ann.post("/api/password", json={"old": old, "new": PASSWORD})
        assert status(tried) == (400, "wrong_password")
    proof = made.get(ann, challenge_for(ann, "get"))
    set_ = ann.post("/api/password", json={"new": PASSWORD, "passkey": proof})
    assert set_.json()["account"] == login
    removed = ann.post("/api/passkeys/remove", json={"id": only["id"]})
    assert removed.json() == {"password": True, "passkeys": []}
    with Person(server) as elsewhere:
        answer = elsewhere.post("/api/login", json={"login": login, "password": PASSWORD})
        assert answer.json()["account"] == login


def test_an_account_is_deleted_with_its_passkeys(ann: Person, server: Server, login: str) -> None:
    made = make_account(ann, login)
    assert status(ann.post("/api/account/delete", json={"password": ""})) == (400, "wrong_password")
    proof = made.get(ann, challenge_for(ann, "get"))
    assert ann.post("/api/account/delete", json={"passkey": proof}).json()["account"] is None
    assert status(log_in(ann, made)) == REFUSED
    rows = in_store(
        server, "SELECT count(*) FROM passkeys WHERE who NOT IN (SELECT who FROM accounts)"
    )
    assert [*rows[0]] == [0]


def test_logins_are_unique_and_passkeys_limited(
    ann: Person, bob: Person, login: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make_account(ann, login)
    answer = Authenticator().create(bob, challenge_for(bob, "create", login))
    body = {"login": login, "name": "x", "answer": answer}
    assert status(bob.post("/api/passkeys/account", json=body)) == (409, "login_taken")
    assert bob.get("/api/me").json()["account"] is None
    assert bob.post("/api/passkeys/options", json={"kind": "create"}).status_code == 400
    twice = ann.post("/api/passkeys/account", json=body)
    assert status(twice) == (409, "has_account")
    assert lobby.MOST_PASSKEYS == 20  # as the sentence about it says
    monkeypatch.setattr(lobby, "MOST_PASSKEYS", 1)
    proof = made.get(ann, challenge_for(ann, "get"))
    answer = Authenticator().create(ann, challenge_for(ann, "create"))
    body = {"name": "x", "answer": answer, "passkey": proof}
    assert status(ann.post("/api/passkeys", json=body)) == (429, "many_passkeys")
