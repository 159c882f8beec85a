"""People among strangers: logins that end, keys that work once, accounts that are deleted."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from sqlite3 import connect

import pytest

from highvoltage.rooms.store import NotWritten
from highvoltage.server.store.people import People
from serving import BOT, ME, OPEN, Person, Server

PASSWORD = "correct horse"


@pytest.fixture
def eve(server: Server) -> Iterator[Person]:
    with Person(server, "Eve") as person:
        yield person


def credentials(login: str, password: str = PASSWORD) -> dict[str, str]:
    return {"login": login, "password": password}


def twin(person: Person, cookie: str | None = None) -> Person:
    """Somebody with a copy of a cookie."""
    other = Person(person.server)
    other.cookies.clear()
    other.cookies.set("hv", cookie or person.cookies["hv"], domain="127.0.0.1")
    return other


def test_a_key_hands_a_seat_over_once(ann: Person, bob: Person, eve: Person) -> None:
    table = ann.table([ME, BOT])["id"]
    key = ann.post(f"/api/tables/{table}/key", json={}).json()
    assert bob.post(f"/api/tables/{table}/claim", json=key).json()["seats"][0]["mine"]
    assert eve.post(f"/api/tables/{table}/claim", json=key).status_code == 404
    assert bob.get(f"/api/tables/{table}").json()["you"] == 0


def test_nobody_takes_the_name_of_another_seat(ann: Person, bob: Person, eve: Person) -> None:
    bob.patch("/api/me", json={"name": "\u0410nn"})  # it looks the same, but is Cyrillic
    eve.patch("/api/me", json={"name": "ANN"})
    table = ann.table([ME, OPEN, OPEN, BOT])["id"]
    with eve.live(table) as live:
        live.send("chat", text="as a guest")
        assert live.next("chat")["lines"][0]["name"] == "ANN 2"
    bob.post(f"/api/tables/{table}/join", json={})
    seats = eve.post(f"/api/tables/{table}/join", json={}).json()["seats"]
    assert [seat["name"] for seat in seats[:3]] == ["Ann", "\u0410nn 2", "ANN 3"]
    key = ann.post(f"/api/tables/{table}/key", json={}).json()
    seats = bob.post(f"/api/tables/{table}/claim", json=key).json()["seats"]
    assert seats[0]["name"] == "\u0410nn"  # now only he himself has that name, "Ann 2"


def test_a_planted_cookie_is_invalid_once_there_is_an_account(ann: Person) -> None:
    table = ann.table([ME, OPEN])["id"]
    with twin(ann) as planter:
        assert planter.get(f"/api/tables/{table}").json()["you"] == 0
        assert ann.post("/api/account", json=credentials("planted")).status_code == 201
        assert ann.get(f"/api/tables/{table}").json()["you"] == 0
        assert ann.get(f"/api/tables/{table}").json()["table"]["host"]
        assert planter.get(f"/api/tables/{table}").json()["you"] is None
        assert planter.get("/api/me").json()["account"] is None


def test_an_account_whose_answer_was_lost_is_made_once(ann: Person, bob: Person) -> None:
    named = {"ref": "an-account-of-ann"}
    wish = credentials("ann_repeats")
    with twin(ann) as unheard:
        assert unheard.post("/api/account", params=named, json=wish).status_code == 201
    assert bob.post("/api/account", params=named, json=wish).json()["code"] == "login_taken"
    guess = {**wish, "password": "battery staple"}
    refused = ann.post("/api/account", params=named, json=guess)
    assert (refused.json()["code"], refused.json()["ref"]) == ("wrong_password", named["ref"])
    assert ann.post("/api/account", params=named, json=wish).json()["account"] == "ann_repeats"
    assert ann.get("/api/me").json()["account"] == "ann_repeats"


def test_a_login_that_is_not_stored_leaves_a_guest_who_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise NotWritten("This was not kept.")

    server = Server(tmp_path)
    with Person(server) as ann, Person(server) as bob:
        bob.post("/api/account", json=credentials("bob"))
        table = ann.table([ME, OPEN])["id"]
        monkeypatch.setattr(People, "add_login", fail)
        refused = ann.post("/api/login", json=credentials("bob"))
        assert (refused.status_code, refused.json()["code"]) == (503, "no_store")
        assert "set-cookie" not in refused.headers
        assert ann.get(f"/api/tables/{table}").json()["you"] == 0
    server.stop()


def test_logout_ends_a_login_for_every_copy_of_its_cookie(ann: Person, bob: Person) -> None:
    ann.post("/api/account", json=credentials("leaver"))
    with twin(ann) as thief:
        assert thief.get("/api/me").json()["account"] == "leaver"
        ann.post("/api/logout")
        assert thief.get("/api/me").json()["account"] is None
    bob.post("/api/login", json=credentials("leaver"))
    first = bob.cookies["hv"]
    bob.post("/api/login", json=credentials("leaver"))
    assert bob.cookies["hv"] != first
    with twin(bob, first) as thief:
        assert thief.get("/api/me").json()["account"] is None
    assert bob.get("/api/me").json()["account"] == "leaver"


def test_logins_end_everywhere_on_demand(server: Server, ann: Person) -> None:
    table = ann.table([ME, OPEN])["id"]
    ann.post("/api/account", json=credentials("roamer"))
    with Person(server) as phone:
        phone.post("/api/login", json=credentials("roamer"))
        with phone.live(table) as live:
            assert live.next("state")["you"] == 0
            assert ann.post("/api/logout-everywhere").json()["account"] is None
            with pytest.raises(ConnectionError):
                live.next("nothing more")
            assert live.socket.close_code == 4401
        assert phone.get("/api/me").json()["account"] is None
        assert phone.get(f"/api/tables/{table}").json()["you"] is None
    assert ann.post("/api/logout-everywhere").status_code == 409


def test_changing_a_password_requires_the_old_one(server: Server, ann: Person) -> None:
    ann.post("/api/account", json=credentials("changer"))
    with Person(server) as phone:
        phone.post("/api/login", json=credentials("changer"))
        new = {"old": "wrong horse", "new": "battery staple"}
        assert ann.post("/api/password", json=new).json()["code"] == "wrong_password"
        assert ann.post("/api/password", json={**new, "old": PASSWORD}).status_code == 201
        assert ann.get("/api/me").json()["account"] == "changer"
        assert phone.get("/api/me").json()["account"] is None
        assert phone.post("/api/login", json=credentials("changer")).status_code == 400
        again = phone.post("/api/login", json=credentials("changer", "battery staple"))
        assert again.json()["account"] == "changer"


def test_an_account_is_deleted_with_all_its_data(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with Person(server, "Ann Unusual") as ann, Person(server, "Bob") as bob:
        running = ann.table([ME, OPEN], seed=1, auto=False)["id"]
        bob.post(f"/api/tables/{running}/join", json={})
        waiting = bob.table([ME, OPEN, OPEN])["id"]
        ann.post(f"/api/tables/{waiting}/join", json={})
        left = ann.table([ME, OPEN], seed=1, auto=False)["id"]
        bob.post(f"/api/tables/{left}/join", json={})
        assert ann.post(f"/api/tables/{left}/leave", json={}).json()["seats"][0]["left"]
        ann.post("/api/account", json=credentials("ann_unusual"))
        with bob.live(running) as live, ann.live(running) as own:
            own.next("state")
            own.send("chat", text="my secret words")
            assert live.next("chat")["lines"][0]["text"] == "my secret words"
            gone = ann.post("/api/account/delete", json={"password": PASSWORD})
            assert gone.json()["account"] is None, gone.text
            state = live.until(lambda s: s["table"]["seats"][0]["name"] != "Ann Unusual")
            assert state["table"]["seats"][0]["bot"] == "clerk"
            live.until(lambda s: s["legal"])  # a bot plays on
        assert ann.post("/api/login", json=credentials("ann_unusual")).status_code == 400
        for path in (f"/api/tables/{running}", f"/api/tables/{running}/record", "/api/tables"):
            assert "Unusual" not in bob.get(path).text
        place = bob.get(f"/api/tables/{left}").json()["table"]["seats"][0]
        assert (place["name"], place["left"]) == ("Gone 1", True)  # though it was another's then
        seats = bob.get(f"/api/tables/{waiting}").json()["table"]["seats"]
        assert [seat["kind"] for seat in seats] == ["person", "open", "open"]
    server.stop()
    assert server.errors() == []
    stored = (tmp_path / "highvoltage.db").read_bytes()
    for word in (b"Unusual", b"unusual", b"my secret words"):
        assert word not in stored


def test_chat_is_removed_while_a_bot_thinks_and_the_bot_continues(ann: Person) -> None:
    table = ann.table([ME, {"kind": "bot", "bot": "director:500ms"}], seed=1)["id"]
    with ann.live(table) as live:
        live.send("chat", text="well played")
        live.next("chat")
        live.play(Random(1), moves=1)
        live.until(lambda s: s["table"]["to_move"] == 1)
        ann.post(f"/api/tables/{table}/chat/remove", json={"n": 1}).raise_for_status()
        live.play(Random(1), moves=3)
        assert live.until(lambda s: s["legal"])


def test_the_host_removes_a_chat_line_and_a_person(ann: Person, bob: Person, eve: Person) -> None:
    table = ann.table([ME, OPEN, OPEN])["id"]
    for person in (bob, eve):
        person.post(f"/api/tables/{table}/join", json={})
    with ann.live(table) as live, bob.live(table) as rude, eve.live(table) as other:
        rude.next("state")
        rude.send("chat", text="rude words")
        line = other.next("chat")["lines"][0]
        where = {"n": line["n"]}
        assert eve.post(f"/api/tables/{table}/chat/remove", json=where).status_code == 403
        assert eve.post(f"/api/tables/{table}/chat/report", json=where).status_code == 201
        assert eve.post(f"/api/tables/{table}/chat/report", json={"n": 99}).status_code == 404
        assert ann.post(f"/api/tables/{table}/chat/remove", json=where).status_code == 201
        for each in (other, live):
            while (lines := each.next("chat")["lines"])[0]["text"]:
                pass
            assert [entry["n"] for entry in lines] == [line["n"]]
        seat = {"seat": 1}
        assert eve.post(f"/api/tables/{table}/remove", json=seat).status_code == 403
        for own in ({"seat": 0}, {"seat": 5}):
            refused = ann.post(f"/api/tables/{table}/remove", json=own)
            assert (refused.status_code, refused.json()["code"]) == (409, "nobody_there")
        info = ann.post(f"/api/tables/{table}/remove", json=seat).json()
        assert info["seats"][1]["kind"] == "bot"  # the game continues
        assert ann.post(f"/api/tables/{table}/remove", json=seat).json()["code"] == "nobody_there"
        other.until(lambda s: s["table"]["seats"][1]["bot"] == "clerk")
        rude.until(lambda s: s["you"] is None)


def test_a_removed_person_cannot_come_back(ann: Person, bob: Person) -> None:
    table = ann.table([ME, OPEN, OPEN])["id"]
    bob.post(f"/api/tables/{table}/join", json={})
    info = ann.post(f"/api/tables/{table}/remove", json={"seat": 1}).json()
    assert info["seats"][1] == {**info["seats"][1], "kind": "open", "name": ""}
    refused = bob.post(f"/api/tables/{table}/join", json={})
    assert (refused.status_code, refused.json()["code"]) == (403, "sent_away")


def test_an_operator_closes_registration(tmp_path: Path) -> None:
    server = Server(tmp_path, settings="registration = false")
    with Person(server) as ann:
        assert ann.get("/api/me").json()["registration"] is False
        refused = ann.post("/api/account", json=credentials("ann"))
        assert (refused.status_code, refused.json()["code"]) == (403, "closed")
    server.stop()


# Whose words they are


def say(person: Person, table: str, words: str) -> None:
    with person.live(table) as live:
        live.next("state")
        live.send("chat", text=words)
        while all(line["text"] != words for line in live.next("chat")["lines"]):
            pass


def words_at(person: Person, table: str) -> list[str]:
    with person.live(table) as live:
        return [line["text"] for line in live.next("chat")["lines"]]


def test_an_account_takes_its_own_words_along_and_nobody_elses(
    server: Server, ann: Person, bob: Person, eve: Person
) -> None:
    table = ann.table([ME, OPEN])["id"]
    say(bob, table, "a line of Bob")
    say(eve, table, "said as a guest")
    eve.post("/api/account", json=credentials("eve_of_words")).raise_for_status()
    say(eve, table, "said as Eve")
    eve.patch("/api/me", json={"name": "Bob"}).raise_for_status()
    say(eve, table, "said as Bob")
    ann.post(f"/api/tables/{table}/chat/report", json={"n": 3}).raise_for_status()
    eve.post("/api/account/delete", json={"password": PASSWORD}).raise_for_status()
    assert words_at(ann, table) == ["a line of Bob", "", "", ""]
    with closing(connect(server.folder / "highvoltage.db")) as store:
        reported = store.execute("SELECT text FROM reports WHERE game = ?", (table,)).fetchall()
    assert reported == []


def test_a_seat_that_was_handed_over_keeps_the_words_of_both(
    ann: Person, bob: Person, eve: Person
) -> None:
    table = eve.table([ME, OPEN])["id"]
    ann.post(f"/api/tables/{table}/join", json={}).raise_for_status()
    say(ann, table, "a line of Ann")
    key = ann.post(f"/api/tables/{table}/key", json={}).json()
    bob.post("/api/account", json=credentials("bob_of_words")).raise_for_status()
    bob.post(f"/api/tables/{table}/claim", json=key).raise_for_status()
    say(bob, table, "a line of Bob")
    assert bob.post(f"/api/tables/{table}/chat/remove", json={"n": 1}).status_code == 403
    bob.post("/api/account/delete", json={"password": PASSWORD}).raise_for_status()
    assert words_at(eve, table) == ["a line of Ann", ""]


def test_whoever_only_looks_takes_a_line_of_their_own_back(
    ann: Person, bob: Person, eve: Person
) -> None:
    table = ann.table([ME, OPEN])["id"]
    say(eve, table, "a slip")
    where = {"n": 1}
    assert bob.post(f"/api/tables/{table}/chat/remove", json=where).status_code == 403
    assert eve.post(f"/api/tables/{table}/chat/remove", json=where).status_code == 201
    assert words_at(ann, table) == [""]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("logout-everywhere", None),
        ("password", {"old": PASSWORD, "new": PASSWORD}),
        ("account/delete", {"password": PASSWORD}),
        ("passkeys/remove", {"id": "x"}),
    ],
)
def test_a_guest_has_no_account_to_change(
    ann: Person, path: str, body: dict[str, str] | None
) -> None:
    refused = ann.post(f"/api/{path}", json=body)
    assert (refused.status_code, refused.json()["code"]) == (409, "no_account")
    assert ann.get("/api/me").json()["name"] == "Ann"
