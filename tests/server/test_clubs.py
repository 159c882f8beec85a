"""Clubs: members, chat, cups and the ladder."""

from collections.abc import Iterator
from typing import Any

import pytest

from cups import cup_of, dealt, do, finish_table, make_cup, refused
from finishing import counting_server
from highvoltage.server.cups import clubs, rounds
from highvoltage.server.store import clubs as store
from serving import Person, Server, eventually
from spread import some


@pytest.fixture(scope="module", params=some("sqlite", of=["sqlite", "postgresql"]))
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rounds, "LOOK_SECONDS", 0.05)
        patch.setattr(rounds, "RECHECK_SECONDS", 0.5)
        yield from counting_server(request, tmp_path_factory.mktemp("clubs"))


def make_club(host: Person, *members: Person) -> str:
    club: str = host.post("/api/clubs", json={"name": "Volt"}).json()["id"]
    for member in members:
        assert member.post(f"/api/clubs/{club}/join").status_code == 201
    return club


def seen(person: Person, club: str) -> dict[str, Any]:
    found: dict[str, Any] = person.get(f"/api/clubs/{club}").json()
    return found


def test_a_cup_of_a_club_counts_on_its_ladder(server: Server, ann: Person, bob: Person) -> None:
    with Person(server, "Cyd") as cyd, Person(server, "Eve") as eve:
        club = make_club(ann, bob, cyd)
        cup = make_cup(ann, rounds=1, club=club, points=[5, 2, 1])
        for person in (ann, bob, cyd):
            do(person, cup, "join")
        assert refused(eve.post(f"/api/cups/{cup}/join")) == (403, "club_members")
        body = {"title": "Cup", "rulebook": "classic", "club": club}
        assert refused(eve.post("/api/cups", json=body)) == (403, "club_members")
        do(ann, cup, "round")
        (table,) = dealt(ann, cup, 1)
        finish_table(server, table)
        eventually(lambda: cup_of(ann, cup)["status"] == "over")
        names = {line["player"]: line["name"] for line in cup_of(ann, cup)["lines"]}
        order = [names[table["seats"][seat]["player"]] for seat in (2, 1, 0)]
        ladder = seen(bob, club)["ladder"]
        assert [(line["name"], line["points"], line["cups"]) for line in ladder] == [
            (order[0], 5, 1),
            (order[1], 2, 1),
            (order[2], 1, 1),
        ]
        assert [each["id"] for each in seen(bob, club)["cups"]] == [cup]
        assert seen(eve, club) == {
            "id": club,
            "name": "Volt",
            "host": False,
            "member": False,
            "ladder": [],
            "lines": [],
            "cups": [],
        }
        assert ann.delete(f"/api/clubs/{club}").status_code == 204
        assert cup_of(ann, cup)["club"] is None  # it stays


def test_members_talk(ann: Person, bob: Person) -> None:
    club = make_club(ann, bob)
    for person, text in ((ann, "Hello"), (bob, "Hi"), (bob, "Bye")):
        said = person.post(f"/api/clubs/{club}/chat", json={"text": text})
        assert said.status_code == 201
    lines = [(line["name"], line["mine"], line["text"]) for line in seen(bob, club)["lines"]]
    assert lines == [("Ann", False, "Hello"), ("Bob", True, "Hi"), ("Bob", True, "Bye")]
    assert refused(bob.post(f"/api/clubs/{club}/chat/remove", json={"n": 1})) == (403, "host_only")
    assert bob.post(f"/api/clubs/{club}/chat/remove", json={"n": 3}).status_code == 201
    assert ann.post(f"/api/clubs/{club}/chat/remove", json={"n": 2}).status_code == 201
    assert [line["text"] for line in seen(ann, club)["lines"]] == ["Hello"]
    exported = ann.get("/api/me/export").json()
    assert [line["text"] for line in exported["club_lines"]] == ["Hello"]
    assert "club_lines" not in bob.get("/api/me/export").json()
    assert ann.delete(f"/api/clubs/{club}").status_code == 204


def test_the_latest_lines_of_a_chat_are_kept(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "CHAT_KEPT", 3)
    club = make_club(ann)
    for n in range(1, 6):
        assert ann.post(f"/api/clubs/{club}/chat", json={"text": f"line {n}"}).status_code == 201
    lines = [(line["n"], line["text"]) for line in seen(ann, club)["lines"]]
    assert lines == [(n, f"line {n}") for n in (3, 4, 5)]
    assert ann.delete(f"/api/clubs/{club}").status_code == 204


def test_clubs_are_listed_the_latest_first(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LISTED", 2)
    made = [make_club(ann) for _ in range(3)]
    assert [each["id"] for each in ann.get("/api/clubs").json()] == made[:0:-1]
    for club in made:
        assert ann.delete(f"/api/clubs/{club}").status_code == 204


def test_whoever_leaves_may_come_back_and_whoever_is_removed_may_not(
    ann: Person, bob: Person
) -> None:
    club = make_club(ann, bob)
    assert bob.post(f"/api/clubs/{club}/leave").json()["member"] is False
    assert bob.post(f"/api/clubs/{club}/join").json()["member"] is True
    assert ann.post(f"/api/clubs/{club}/remove", json={"member": 2}).status_code == 201
    assert refused(bob.post(f"/api/clubs/{club}/join")) == (403, "sent_away")
    assert ann.post(f"/api/clubs/{club}/remove", json={"member": 1}).status_code == 404
    assert ann.delete(f"/api/clubs/{club}").status_code == 204


def test_a_full_club_says_so(ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clubs, "MOST_MEMBERS", 1)
    club = make_club(ann)
    assert refused(bob.post(f"/api/clubs/{club}/join")) == (409, "club_full")
    assert ann.delete(f"/api/clubs/{club}").status_code == 204


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "a\u202eb", "a\nb", 7])
def test_a_club_that_cannot_be(ann: Person, name: object) -> None:
    assert ann.post("/api/clubs", json={"name": name}).status_code == 400
    assert ann.get("/api/clubs").json() == []


@pytest.mark.parametrize("club", ["nothing", "%00"])
def test_there_is_no_such_club(ann: Person, club: str) -> None:
    assert ann.get(f"/api/clubs/{club}").status_code == 404
    assert ann.post(f"/api/clubs/{club}/join").status_code == 404


def test_what_is_repeated_under_a_ref_is_done_once(ann: Person, bob: Person) -> None:
    made = [ann.post("/api/clubs?ref=club-made-once", json={"name": "Once"}) for _ in range(2)]
    club = made[0].json()["id"]
    assert made[1].json()["id"] == club
    for _ in range(2):
        assert bob.post(f"/api/clubs/{club}/join?ref=club-join-once").status_code == 201
        said = bob.post(f"/api/clubs/{club}/chat?ref=club-said-once", json={"text": "Hi"})
        assert said.status_code == 201
    assert len(seen(bob, club)["lines"]) == 1
    assert len(seen(bob, club)["ladder"]) == 2
    assert ann.delete(f"/api/clubs/{club}?ref=club-gone-once").status_code == 204


def test_identities_come_along_and_are_forgotten(server: Server) -> None:
    with Person(server, "Guest") as guest, Person(server, "Other") as other:
        club, mine = make_club(other, guest), make_club(guest, other)
        guest.post(f"/api/clubs/{club}/chat", json={"text": "Mine"})
        account = {"login": f"club-{server.url[-4:]}", "password": "correct horse"}
        assert guest.post("/api/account", json=account).status_code == 201
        assert seen(guest, club)["member"]
        assert seen(guest, mine)["host"]
        guest.post("/api/account/delete", json={"password": account["password"]})
        assert seen(other, club)["lines"] == []
        assert [line["name"] for line in seen(other, club)["ladder"]] == ["Other"]
        assert other.get(f"/api/clubs/{mine}").status_code == 404


def test_there_are_not_too_many_of_one_person_or_address(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clubs, "CLUBS_OF_ADDRESS", 6)
    body = {"name": "Volt"}
    with (
        Person(server, "Ann", "127.0.0.71") as ann,
        Person(server, "Bob", "127.0.0.71") as bob,
        Person(server, "Far", "127.0.0.72") as far,
    ):
        mine = [make_club(ann) for _ in range(5)]
        assert refused(ann.post("/api/clubs", json=body)) == (429, "many_clubs")
        his = make_club(bob)
        assert refused(bob.post("/api/clubs", json=body)) == (429, "many_clubs")
        assert far.delete(f"/api/clubs/{make_club(far)}").status_code == 204
        for person, club in (*((ann, club) for club in mine), (bob, his)):
            assert person.delete(f"/api/clubs/{club}").status_code == 204
