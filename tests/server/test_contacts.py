"""Following, blocking and inviting people by their handles."""

from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest

from cups import refused
from finishing import counting_server
from highvoltage.server.people import contacts as contacts_module
from serving import ME, OPEN, Person, Server
from spread import some


@pytest.fixture(scope="module", params=some("sqlite", of=["sqlite", "postgresql"]))
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contacts_module, "INVITATIONS_PER_HOUR", 1_000)
        patch.setattr(contacts_module, "MOST_INVITATIONS", 3)
        patch.setattr(contacts_module, "MOST_CONTACTS", 2)
        yield from counting_server(request, tmp_path_factory.mktemp("contacts"))


def named(person: Person, *, public: bool = True) -> str:
    handle = f"h{token_hex(5)}"
    chosen = {"handle": handle, "public": public}
    person.post("/api/profile", json=chosen).raise_for_status()
    return handle


def choose(person: Person, handle: str, kind: str | None) -> dict[str, Any]:
    """What somebody knows of others by handle, after a choice."""
    answer = person.post("/api/contacts", json={"handle": handle, "kind": kind})
    assert answer.status_code == 201, answer.text
    assert answer.json() == person.get("/api/contacts").json()
    return {each["handle"]: each for each in answer.json()}


def invite(person: Person, table: str, handle: str) -> Any:
    return person.post("/api/invitations", json={"table": table, "handle": handle})


def invited(person: Person) -> list[tuple[str, str]]:
    return [(each["by"], each["table"]["id"]) for each in person.get("/api/invitations").json()]


def test_who_is_followed_is_seen_where_they_wait_and_play_in_public(
    ann: Person, bob: Person
) -> None:
    handle = named(bob)
    assert choose(ann, handle.upper(), "followed")[handle]["table"] is None
    hidden = bob.table([ME, OPEN])["id"]
    assert choose(ann, handle, "followed")[handle]["table"] is None
    table = bob.table([ME, OPEN], public=True)["id"]
    assert choose(ann, handle, "followed")[handle]["table"]["id"] == table
    ann.post(f"/api/tables/{table}/join", json={}).raise_for_status()
    with bob.live(table) as live:
        state = live.until(lambda s: s["table"]["to_move"] is not None)
        mover = bob if state["table"]["seats"][state["table"]["to_move"]]["mine"] else ann
    with mover.live(table) as live:
        live.until(lambda s: s["legal"])
        live.move(live.state["legal"][0]["move"])
    assert choose(ann, handle, "followed")[handle]["table"]["id"] == table
    bob.post("/api/profile", json={"handle": handle, "public": False}).raise_for_status()
    assert choose(ann, handle, "followed")[handle]["table"] is None  # a private profile
    assert choose(ann, handle, None) == {}
    for each in (hidden, table):
        bob.post(f"/api/tables/{each}/leave", json={})


def test_who_blocks_a_follower_is_not_seen_and_not_invited(ann: Person, bob: Person) -> None:
    of_ann, of_bob = named(ann), named(bob)
    seen_by_bob = bob.get("/api/contacts").text
    table = bob.table([ME, OPEN], public=True)["id"]
    choose(ann, of_bob, "followed")
    assert bob.get("/api/contacts").text == seen_by_bob  # and they learn nothing
    own = ann.table([ME, OPEN, OPEN])["id"]
    assert invite(ann, own, of_bob).status_code == 201
    assert invited(bob) == [(of_ann, own)]
    choose(bob, of_ann, "blocked")
    assert choose(ann, of_bob, "followed")[of_bob]["table"] is None
    assert invited(bob) == []
    other = ann.table([ME, OPEN])["id"]
    before = ann.get("/api/me/export").json()
    answer = invite(ann, other, of_bob)
    assert (answer.status_code, answer.text) == (201, "null")
    assert invited(bob) == []
    kept = ann.get("/api/me/export").json()["invitations"]
    assert [sorted(row) for row in kept] == [["at", "game"]] * 2 != before  # as any other
    assert choose(bob, of_ann, None) == {}
    assert invited(bob) == []
    bob.delete(f"/api/tables/{table}")


def test_an_invitation_is_accepted_or_declined(server: Server, ann: Person, bob: Person) -> None:
    of_ann, of_bob = named(ann), named(bob)
    first, second = (ann.table([ME, OPEN, OPEN])["id"] for _ in range(2))
    for table in (first, first, second):
        answer = invite(ann, table, of_bob)
        assert (answer.status_code, answer.text) == (201, "null")
    assert invited(bob) == [(of_ann, second), (of_ann, first)]
    declined = bob.post("/api/invitations/decline", json={"table": second})
    assert declined.status_code == 201
    assert invite(ann, second, of_bob).status_code == 201  # learns nothing, and repeats nothing
    assert invited(bob) == [(of_ann, first)]
    with Person(server, "Cyd") as cyd:  # who sits there may invite, too
        cyd.post(f"/api/tables/{second}/join", json={}).raise_for_status()
        of_cyd = named(cyd)
        assert invite(cyd, second, of_bob).status_code == 201
        assert invited(bob) == [(of_cyd, second), (of_ann, first)]
    bob.post(f"/api/tables/{first}/join", json={}).raise_for_status()
    assert invited(bob) == [(of_cyd, second)]
    ann.post(f"/api/tables/{second}/start", json={"bot": "clerk"}).raise_for_status()
    assert invited(bob) == []


def test_nobody_sees_more_than_some_invitations(ann: Person, bob: Person) -> None:
    named(ann)
    of_bob = named(bob)
    tables = [ann.table([ME, OPEN])["id"] for _ in range(4)]
    for table in tables:
        assert invite(ann, table, of_bob).status_code == 201
    assert [table for _, table in invited(bob)] == tables[2::-1]
    for table in tables:
        assert ann.delete(f"/api/tables/{table}").status_code == 204
    assert invited(bob) == []


def test_what_is_refused(server: Server, ann: Person, bob: Person) -> None:
    of_bob = named(bob)
    table = ann.table([ME, OPEN])["id"]
    assert refused(invite(ann, table, of_bob)) == (409, "handle_first")
    of_ann = named(ann)
    assert refused(invite(bob, table, of_ann)) == (403, "not_your_seat")
    assert refused(invite(ann, table, of_ann)) == (400, "malformed")
    assert refused(invite(ann, table, "nobody-at-all")) == (404, "not_found")
    assert refused(invite(ann, "nothing", of_bob)) == (404, "not_found")
    for handle in ("", "a b", "x" * 25, "%00", 7, None):
        assert invite(ann, table, handle).status_code == 400  # type: ignore[arg-type]  # bad input
    for body in ({"handle": of_bob, "kind": "loved"}, {"handle": of_bob}, {"kind": "blocked"}):
        assert ann.post("/api/contacts", json=body).status_code == 400
    unknown = {"handle": "nobody-at-all", "kind": "followed"}
    assert refused(ann.post("/api/contacts", json=unknown)) == (404, "not_found")
    own = {"handle": of_ann, "kind": "followed"}
    assert refused(ann.post("/api/contacts", json=own)) == (400, "malformed")
    nowhere = bob.post("/api/invitations/decline", json={"table": "nothing\0"})
    assert nowhere.status_code in {201, 400}
    assert (ann.get("/api/contacts").json(), invited(bob)) == ([], [])
    with Person(server, "Cyd") as cyd, Person(server, "Eve") as eve:
        choose(ann, named(cyd), "followed")
        choose(ann, of_bob, "blocked")
        full = {"handle": named(eve), "kind": "followed"}
        assert refused(ann.post("/api/contacts", json=full)) == (429, "many_contacts")
        choose(ann, of_bob, "followed")  # one that is there can be changed
    ann.post(f"/api/tables/{table}/start", json={"bot": "clerk"}).raise_for_status()
    assert invite(ann, table, of_bob).status_code == 409


def test_contacts_go_with_a_guest_to_an_account_and_end_with_it(ann: Person, bob: Person) -> None:
    of_ann, of_bob = named(ann), named(bob)
    choose(ann, of_bob, "followed")
    choose(bob, of_ann, "followed")
    table = bob.table([ME, OPEN])["id"]
    assert invite(bob, table, of_ann).status_code == 201
    account = {"login": f"a{token_hex(4)}", "password": "correct horse"}
    ann.post("/api/account", json=account).raise_for_status()
    assert invited(ann) == [(of_bob, table)]
    assert [each["handle"] for each in ann.get("/api/contacts").json()] == [of_bob]
    assert [each["handle"] for each in bob.get("/api/contacts").json()] == [of_ann]
    known = [{"handle": of_bob, "kind": "followed"}]
    assert ann.get("/api/me/export").json()["contacts"] == known
    gone = ann.post("/api/account/delete", json={"password": "correct horse"})
    assert gone.status_code == 201
    assert bob.get("/api/contacts").json() == []
    assert "invitations" not in bob.get("/api/me/export").json()


def test_there_is_a_limit_for_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contacts_module, "INVITATIONS_PER_HOUR", 1)
    server = Server(tmp_path)
    try:
        with Person(server, "Ann") as ann, Person(server, "Bob") as bob:
            named(ann)
            of_bob = named(bob)
            table = ann.table([ME, OPEN])["id"]
            assert invite(ann, table, of_bob).status_code == 201
            answer = invite(ann, table, of_bob)
            assert refused(answer) == (429, "many_invitations")
            assert int(answer.headers["retry-after"]) > 0
    finally:
        assert server.stop() == 0
