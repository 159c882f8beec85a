"""Who may see and do what with finished games, profiles, ratings and cups: every request."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pkgutil import iter_modules
from secrets import token_hex
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from litestar import Controller
from litestar.handlers import HTTPRouteHandler
from typer.testing import CliRunner

from authenticator import Authenticator, challenge_for, make_account
from cups import NEW_CUP, do, make_cup
from finishing import before_the_end, finish, in_store, make_rated
from highvoltage.cli import app
from highvoltage.puzzles import shipped
from highvoltage.server import cups as cups_package
from highvoltage.server import mail as mail_package
from highvoltage.server import people as people_package
from highvoltage.server.guard import sessions
from highvoltage.server.lobby import passkeys as passkey_module
from highvoltage.server.mail import requests as mail_requests
from highvoltage.server.people import counting
from mailing import Mailbox, key_in, mail_server
from serving import ME, OPEN, Person, Server, eventually
from spread import some

ROLES = ("owner", "opponent", "stranger", "banned")
"""Ann; Bob, who has played both of her games with her; somebody else; and one who is banned."""
SEEN: dict[tuple[str, str], dict[str, tuple[int | str, ...]]] = {
    # how many of Ann's two games each of them finds there: one was played at a public table
    ("GET", "/api/history"): {"private": (2, 2, 0, 0), "public": (2, 2, 0, 0)},
    ("GET", "/api/history/counts"): {"private": (2, 2, 0, 0), "public": (2, 2, 0, 0)},
    ("GET", "/api/history/export"): {"private": (2, 2, 0, 0), "public": (2, 2, 0, 0)},
    ("GET", "/api/profile"): {"private": (2, 2, 0, 0), "public": (2, 2, 0, 0)},
    ("GET", "/api/people/{handle}"): {"private": (2, 0, 0, 0), "public": (2, 1, 1, 1)},
    ("GET", "/api/people/{handle}/history"): {
        "private": (2, "404", "404", "404"),
        "public": (2, 1, 1, 1),
    },
    ("GET", "/api/history/rounds"): {"private": (2, 2, 0, 0), "public": (2, 2, 0, 0)},
    ("GET", "/api/people/{handle}/rounds"): {
        "private": (2, "404", "404", "404"),
        "public": (2, 1, 1, 1),
    },
    # how many puzzles each of them has solved then
    ("POST", "/api/solved-puzzles"): {"private": (1, 1, 1, "403"), "public": (1, 1, 1, "403")},
    ("GET", "/api/public-games"): {"private": (1, 1, 1, 1), "public": (1, 1, 1, 1)},
    # whether her rating, which is no longer provisional, is shown
    ("GET", "/api/leaderboard"): {"private": (0, 0, 0, 0), "public": (1, 1, 1, 1)},
    # none of these is played now, and nobody waits but those who look for a game below
    ("GET", "/api/tonight"): {"private": (0, 0, 0, 0), "public": (0, 0, 0, 0)},
    # how many seats of their own they have at the table that they find
    ("POST", "/api/tonight/find"): {"private": (1, 1, 1, "403"), "public": (1, 1, 1, "403")},
    # of a refused one nothing is kept, and of others' only what is theirs
    ("POST", "/api/profile"): {
        "private": (2, 2, 0, "403"),
        "public": (2, 2, 0, "403"),
    },
}


class House(NamedTuple):
    """A server, those who come there, and Ann's handle and games."""

    server: Server
    people: dict[str, Person]
    handle: str
    games: list[str]


@pytest.fixture(scope="module", params=["private", "public"])
def house(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[House, str]]:
    with pytest.MonkeyPatch.context() as patch, ExitStack() as guests:
        patch.setattr(counting, "LOOK_SECONDS", 0.05)
        patch.setattr(sessions, "CACHE_SECONDS", 0.1)
        server = Server(tmp_path_factory.mktemp("house"))
        names = zip(ROLES, ("Ann", "Bob", "Eve", "Mallory"), strict=True)
        people = {role: guests.enter_context(Person(server, name)) for role, name in names}
        ann, bob = people["owner"], people["opponent"]
        games = [before_the_end(ann, bob) for _ in range(2)]
        for game in games:
            make_rated(server, game)
        in_store(server, f"UPDATE games SET public = true WHERE id = '{games[0]}'")
        for game in games:
            finish(ann, game)
        eventually(lambda: [each["games"] for each in profile(ann)["ratings"]] == [2])
        in_store(server, "UPDATE ratings SET sigma = 1")
        handle = f"ann-{token_hex(4)}"
        chosen = {"handle": handle, "public": request.param == "public"}
        ann.post("/api/profile", json=chosen).raise_for_status()
        ban(server, people["banned"])
        yield House(server, people, handle, games), request.param
        assert server.stop() == 0
        assert server.errors() == []


def profile(person: Person) -> Any:
    return person.get("/api/profile").json()


def ban(server: Server, person: Person) -> None:
    login = f"m{token_hex(4)}"
    account = {"login": login, "password": "correct horse"}
    person.post("/api/account", json=account).raise_for_status()
    result = CliRunner().invoke(app, ["admin", "--data", str(server.folder), "ban", login])
    assert result.exit_code == 0, result.output
    handle = {"handle": f"m{token_hex(4)}"}
    eventually(lambda: person.post("/api/profile", json=handle).status_code == 403)


def ask(house: House, role: str, method: str, path: str) -> Any:
    """What somebody is answered."""
    person, path = house.people[role], path.format(handle=house.handle)
    if method == "GET":
        return person.get(path, params={"rulebook": "classic", "players": 3})
    if path.endswith("/find"):
        return person.post(path, json={"rulebook": "classic", "wait": 3600, "players": 4})
    if path.endswith("/solved-puzzles"):
        puzzle = shipped()[0]
        return person.post(path, json={"puzzle": puzzle.name, "moves": puzzle.answers[:1]})
    own = profile(person)
    handle = own["handle"] or f"{role}-{token_hex(4)}"
    return person.post(path, json={"handle": handle, "public": own["public"]})


def found(house: House, path: str, answer: Any) -> int:
    """How many of Ann's games an answer names or counts, or how many ratings it has."""
    if path.endswith("/find"):
        return sum(seat["mine"] for seat in answer.json()["seats"])
    if path.endswith(("/history", "/export", "/tonight", "/public-games")):
        return sum(game in answer.text for game in house.games)
    if path.endswith("/leaderboard"):
        return sum(line["handle"] is not None for line in answer.json())
    body = answer.json()
    if path.endswith("/rounds"):
        return int(body["average"]["games"])
    if path.endswith("/solved-puzzles"):
        return int(body["solved"])
    counts = body if isinstance(body, list) else body["counts"]
    return sum(count["games"] for count in counts)


@pytest.mark.parametrize(("method", "path"), SEEN)
def test_who_sees_what(house: tuple[House, str], method: str, path: str) -> None:
    here, kind = house
    seen: list[int | str] = []
    for role in ROLES:
        answer = ask(here, role, method, path)
        good = answer.status_code in {200, 201}
        seen.append(found(here, path, answer) if good else str(answer.status_code))
    assert tuple(seen) == SEEN[method, path][kind]
    assert profile(here.people["owner"])["handle"] == here.handle


def test_nobody_is_named_by_what_nobody_else_may_know(house: tuple[House, str]) -> None:
    here, _ = house
    rows = in_store(here.server, "SELECT DISTINCT who, rated_as FROM results WHERE who IS NOT NULL")
    secrets = {text for row in rows for text in row}
    assert len(secrets) == 4
    for method, path in SEEN:
        for role in ROLES:
            answer = ask(here, role, method, path).text
            assert not [secret for secret in secrets if secret in answer]


def requests_of(package: ModuleType) -> set[tuple[str, str]]:
    """All requests that a module, or the modules of a package, answer."""
    asked: set[tuple[str, str]] = set()
    inside = iter_modules(getattr(package, "__path__", []), f"{package.__name__}.")
    for module in (package, *(import_module(found.name) for found in inside)):
        for value in vars(module).values():
            is_controller = isinstance(value, type) and issubclass(value, Controller)
            root = value.path if is_controller else ""
            for handler in vars(value).values() if is_controller else [value]:
                if isinstance(handler, HTTPRouteHandler):
                    (method,), (path,) = handler.http_methods, handler.paths
                    asked.add((method, (root + path).rstrip("/").replace(":str}", "}")))
    return asked


def test_the_table_has_every_request() -> None:
    assert requests_of(people_package) == {*SEEN, *CONTACTS}


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null"])
def test_another_site_cannot_choose_a_profile(house: tuple[House, str], origin: str) -> None:
    ann = house[0].people["owner"]
    sent = {"handle": f"x{token_hex(4)}", "public": True}
    answer = ann.post("/api/profile", json=sent, headers={"origin": origin})
    assert answer.status_code == 403
    assert profile(ann)["handle"] == house[0].handle


# Cups


CUP_ROLES = ("host", "player", "stranger", "banned")
"""Whoever made a cup, and does not play in it; a player, who has a friend there; and others."""
CUP: dict[tuple[str, str], dict[str, tuple[int, int, int, int]]] = {
    # the status of each one's answer, before a cup has begun and while it is played
    ("GET", "/api/cups"): {"open": (200, 200, 200, 200), "running": (200, 200, 200, 200)},
    ("POST", "/api/cups"): {"open": (201, 201, 201, 403), "running": (201, 201, 201, 403)},
    ("GET", "/api/cups/{cup}"): {"open": (200, 200, 200, 200), "running": (200, 200, 200, 200)},
    ("DELETE", "/api/cups/{cup}"): {"open": (204, 403, 403, 403), "running": (409, 403, 403, 403)},
    ("POST", "/api/cups/{cup}/join"): {
        "open": (201, 201, 201, 403),
        "running": (409, 201, 409, 403),
    },
    ("POST", "/api/cups/{cup}/leave"): {
        "open": (403, 201, 403, 403),
        "running": (403, 201, 403, 403),
    },
    ("POST", "/api/cups/{cup}/remove"): {
        "open": (201, 403, 403, 403),
        "running": (201, 403, 403, 403),
    },
    ("POST", "/api/cups/{cup}/round"): {
        "open": (201, 403, 403, 403),
        "running": (409, 403, 403, 403),
    },
    ("POST", "/api/cups/{cup}/end"): {
        "open": (409, 403, 403, 403),
        "running": (201, 403, 403, 403),
    },
}


@pytest.fixture(scope="module")
def club(server: Server) -> Iterator[dict[str, Person]]:
    with ExitStack() as guests:
        names = (*CUP_ROLES, "friend")
        people = {role: guests.enter_context(Person(server, role)) for role in names}
        ban(server, people["banned"])
        yield people


@pytest.mark.parametrize("status", some("running", of=["open", "running"]))
@pytest.mark.parametrize(("method", "path"), CUP)
def test_who_may_do_what_with_a_cup(
    club: dict[str, Person], method: str, path: str, status: str
) -> None:
    host = club["host"]
    cup = make_cup(host)
    for person in (club["player"], club["friend"]):
        do(person, cup, "join")
    if status == "running":
        do(host, cup, "round")
    body = {"player": 1} if path.endswith("remove") else None
    body = NEW_CUP if (method, path) == ("POST", "/api/cups") else body
    answers = []
    for role in reversed(CUP_ROLES):  # those first who may change least
        before = host.get(f"/api/cups/{cup}").text
        answer = club[role].request(method, path.format(cup=cup), json=body)
        answers.append(answer.status_code)
        if method == "GET" or answer.status_code >= 400:
            assert host.get(f"/api/cups/{cup}").text == before
        if (method, path) == ("GET", "/api/cups"):
            assert (cup in answer.text) == (role in {"host", "player"})
        if answer.status_code == 201 and answer.json()["id"] != cup:
            club[role].delete(f"/api/cups/{answer.json()['id']}")
    assert tuple(reversed(answers)) == CUP[method, path][status]
    host.post(f"/api/cups/{cup}/end")  # there may be only so many
    host.delete(f"/api/cups/{cup}")


def test_the_table_of_cups_has_every_request() -> None:
    assert requests_of(cups_package) == {*CUP, *CLUB}


def test_a_cup_names_nobody_by_what_nobody_else_may_know(club: dict[str, Person]) -> None:
    cup = make_cup(club["host"])
    do(club["player"], cup, "join")
    server = club["host"].server
    rows = in_store(server, f"SELECT who, origin FROM cup_players WHERE cup = '{cup}'")
    made = in_store(server, f"SELECT host, origin, seed FROM cups WHERE id = '{cup}'")
    secrets = {text for row in rows + made for text in row if text}
    assert len(secrets) >= 3
    seen = club["stranger"].get(f"/api/cups/{cup}").text
    assert not [secret for secret in secrets if secret in seen]
    club["host"].delete(f"/api/cups/{cup}")


def test_whoever_is_removed_stays_removed(club: dict[str, Person]) -> None:
    cup = make_cup(club["host"])
    do(club["player"], cup, "join")
    do(club["host"], cup, "remove", player=1)
    for what in ("join", "leave", "join"):
        club["player"].post(f"/api/cups/{cup}/{what}")
    answer = club["player"].post(f"/api/cups/{cup}/join")
    assert (answer.status_code, answer.json()["code"]) == (403, "sent_away")
    club["host"].delete(f"/api/cups/{cup}")


# Contacts and invitations


CONTACTS: dict[tuple[str, str], tuple[int, int, int, int]] = {
    # the status of each one's answer: the host of a table, a player, a stranger, one banned
    ("GET", "/api/contacts"): (200, 200, 200, 200),
    ("POST", "/api/contacts"): (201, 201, 201, 403),
    ("GET", "/api/invitations"): (200, 200, 200, 200),
    ("POST", "/api/invitations"): (201, 201, 403, 403),
    ("POST", "/api/invitations/decline"): (201, 201, 201, 403),
    ("GET", "/api/holidays"): (200, 200, 200, 200),
    ("POST", "/api/holidays"): (201, 201, 201, 403),
    ("POST", "/api/holidays/end"): (404, 404, 404, 403),
    ("GET", "/api/calendar"): (200, 200, 200, 200),
    ("POST", "/api/calendar/address"): (201, 201, 201, 403),
    ("DELETE", "/api/calendar/address"): (204, 204, 204, 403),
    ("GET", "/api/calendar/{file}"): (404, 404, 404, 404),
}


@pytest.mark.parametrize(("method", "path"), CONTACTS)
def test_who_may_invite_and_who_sees_it(club: dict[str, Person], method: str, path: str) -> None:
    handles = {role: f"{role}-{token_hex(4)}" for role in ("host", "player", "stranger", "friend")}
    for role, handle in handles.items():
        club[role].post("/api/profile", json={"handle": handle}).raise_for_status()
    host, friend = club["host"], club["friend"]
    table = host.table([ME, OPEN, OPEN])["id"]
    club["player"].post(f"/api/tables/{table}/join", json={}).raise_for_status()
    known = {"handle": handles["friend"], "kind": "followed"}
    invited = {"table": table, "handle": handles["friend"]}
    host.post("/api/contacts", json=known).raise_for_status()
    host.post("/api/invitations", json=invited).raise_for_status()
    first = (datetime.now(UTC).date() + timedelta(days=30)).isoformat()
    bodies = {
        "/api/contacts": known,
        "/api/invitations": invited,
        "/api/holidays": {"first": first, "last": first},
        "/api/holidays/end": {"first": "2000-01-01"},
    }
    body = bodies.get(path, {"table": table}) if method == "POST" else None
    answers = [club[role].request(method, path, json=body) for role in CUP_ROLES]
    assert tuple(answer.status_code for answer in answers) == CONTACTS[method, path]
    if method == "GET":  # whom the host follows, and that the friend is invited, is theirs to see
        assert [handles["friend"] in answer.text for answer in answers[1:]] == [False] * 3
        assert not any(table in answer.text for answer in answers)
    assert [each["table"]["id"] for each in friend.get("/api/invitations").json()] == [table]
    assert friend.get("/api/contacts").json() == []
    rows = in_store(host.server, "SELECT who, other FROM contacts")
    secrets = {text for row in rows for text in row}
    seen = [person.get("/api/contacts").text for person in club.values()]
    assert secrets
    assert not [secret for secret in secrets if secret in "".join(seen)]
    club["player"].post(f"/api/tables/{table}/leave", json={}).raise_for_status()
    assert host.delete(f"/api/tables/{table}").status_code == 204
    host.post("/api/contacts", json={**known, "kind": None})


# Clubs


CLUB: dict[tuple[str, str], tuple[int, int, int, int]] = {
    # the status of each one's answer: the host, a member, a stranger with the link, one banned
    ("GET", "/api/clubs"): (200, 200, 200, 200),
    ("POST", "/api/clubs"): (201, 201, 201, 403),
    ("GET", "/api/clubs/{club}"): (200, 200, 200, 200),
    ("POST", "/api/clubs/{club}/join"): (201, 201, 201, 403),
    ("POST", "/api/clubs/{club}/leave"): (409, 201, 403, 403),
    ("POST", "/api/clubs/{club}/remove"): (201, 403, 403, 403),
    ("POST", "/api/clubs/{club}/chat"): (201, 201, 403, 403),
    ("POST", "/api/clubs/{club}/chat/remove"): (201, 403, 403, 403),
    ("DELETE", "/api/clubs/{club}"): (204, 403, 403, 403),
}
CLUB_BODIES = {
    "/api/clubs": {"name": "Volt"},
    "/api/clubs/{club}/remove": {"member": 2},
    "/api/clubs/{club}/chat": {"text": "Hello"},
    "/api/clubs/{club}/chat/remove": {"n": 1},
}


@pytest.mark.parametrize(("method", "path"), CLUB)
def test_who_may_do_what_with_a_club(club: dict[str, Person], method: str, path: str) -> None:
    host = club["host"]
    name = host.post("/api/clubs", json={"name": "Volt"}).json()["id"]
    assert club["player"].post(f"/api/clubs/{name}/join").status_code == 201
    assert host.post(f"/api/clubs/{name}/chat", json={"text": "Secret"}).status_code == 201
    cup = make_cup(host, club=name)
    answers = []
    for role in reversed(CUP_ROLES):  # those first who may change least
        before = host.get(f"/api/clubs/{name}").text
        body = CLUB_BODIES.get(path) if method == "POST" else None
        answer = club[role].request(method, path.format(club=name), json=body)
        answers.append(answer.status_code)
        if method == "GET" or answer.status_code >= 400:
            assert host.get(f"/api/clubs/{name}").text == before
        if (method, path) == ("GET", "/api/clubs"):
            assert (name in answer.text) == (role in {"host", "player"})
        if (method, path) == ("GET", "/api/clubs/{club}"):
            assert ("Secret" in answer.text) == (role in {"host", "player"})
            assert (cup in answer.text) == (role in {"host", "player"})
        if answer.status_code == 201 and answer.json()["id"] != name:
            club[role].delete(f"/api/clubs/{answer.json()['id']}")
    assert tuple(reversed(answers)) == CLUB[method, path]
    host.delete(f"/api/clubs/{name}")
    host.delete(f"/api/cups/{cup}")


# E-mail


MAIL: dict[tuple[str, str], tuple[tuple[int, int, int], str]] = {
    # the status of each one's answer: whoever gave an address, a stranger with the links of its
    # mail, one banned; and what became of the address after the stranger
    ("GET", "/api/mail"): ((200, 200, 200), "given"),
    ("POST", "/api/mail"): ((201, 201, 403), "given"),
    ("POST", "/api/mail/confirm"): ((201, 201, 403), "confirmed"),
    ("POST", "/api/mail/end"): ((201, 201, 403), "given"),
    ("POST", "/api/mail/end/{key}"): ((201, 201, 403), "deleted"),
    ("GET", "/api/mail/end/{key}"): ((302, 302, 302), "given"),
}


@pytest.fixture(scope="module")
def post_office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Mailbox, list[Person]]]:
    """A mail server; somebody with an address, a stranger, and one who is banned."""
    with mail_server() as box, ExitStack() as guests, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sessions, "CACHE_SECONDS", 0.1)
        patch.setattr(mail_requests, "CONFIRMATIONS_OF_PERSON", 100)
        patch.setattr(mail_requests, "CONFIRMATIONS_OF_NETWORK", 100)
        server = Server(tmp_path_factory.mktemp("mail"), settings=box.settings)
        people = [guests.enter_context(Person(server)) for _ in range(3)]
        ban(server, people[2])
        yield box, people
        assert server.stop() == 0


@pytest.mark.parametrize(("method", "path"), some(("POST", "/api/mail/confirm"), of=MAIL))
def test_who_may_do_what_with_an_address(
    post_office: tuple[Mailbox, list[Person]], method: str, path: str
) -> None:
    box, people = post_office
    given = {"address": f"{token_hex(4)}@example.org", "language": "en"}
    statuses, left = [], []
    for person in people:
        people[0].post("/api/mail", json=given).raise_for_status()
        letter = box.next()
        body = {"key": key_in(letter, "confirm")}
        body = {**given, "address": "x@example.org"} if path == "/api/mail" else body
        asked = path.format(key=key_in(letter, "end"))
        answer = person.request(method, asked, json=body if method == "POST" else None)
        statuses.append(answer.status_code)
        known = people[0].get("/api/mail").json()
        left.append(
            ("confirmed" if known["confirmed"] else "given") if known["address"] else "deleted"
        )
        if person is not people[0]:
            assert given["address"] not in answer.text
        if path == "/api/mail" and answer.status_code == 201:
            assert box.next()["To"] == "x@example.org"
        people[0].post("/api/mail/end").raise_for_status()
    assert (tuple(statuses), left[1]) == MAIL[method, path]
    assert left[2] == "given"


def test_the_table_of_mail_has_every_request() -> None:
    assert requests_of(mail_package) == {*MAIL}


# Passkeys


PASSKEYS: dict[tuple[str, str], tuple[int, int, int, int]] = {
    # the status of each one's answer, all with the passkey of the owner in their hands: the owner,
    # somebody with another account, a guest, one banned
    ("GET", "/api/passkeys"): (200, 200, 200, 200),
    ("POST", "/api/passkeys"): (201, 400, 409, 403),
    ("POST", "/api/passkeys/options"): (201, 201, 201, 403),
    ("POST", "/api/passkeys/account"): (409, 409, 201, 403),
    ("POST", "/api/passkeys/login"): (201, 201, 201, 403),
    ("POST", "/api/passkeys/rename"): (201, 404, 404, 403),
    ("POST", "/api/passkeys/remove"): (409, 404, 409, 403),  # it is the only one
}


@pytest.mark.parametrize(("method", "path"), PASSKEYS)
def test_who_may_do_what_with_a_passkey(
    server: Server, club: dict[str, Person], method: str, path: str
) -> None:
    with ExitStack() as guests:
        owner, other, guest = (guests.enter_context(Person(server)) for _ in range(3))
        made = make_account(owner, f"o{token_hex(6)}")
        make_account(other, f"o{token_hex(6)}")
        (known,) = owner.get("/api/passkeys").json()["passkeys"]
        statuses = []
        for person in (club["banned"], guest, other, owner):  # those first who may change least

            def ask(kind: str, person: Person = person) -> str:
                return "" if person is club["banned"] else challenge_for(person, kind, "x1")

            new = Authenticator().create(person, ask("create"))
            proof = made.get(person, ask("get"))
            bodies = {
                "/api/passkeys": {"name": "Key", "answer": new, "passkey": proof},
                "/api/passkeys/options": {"kind": "get"},
                "/api/passkeys/account": {"login": f"o{token_hex(6)}", "name": "x", "answer": new},
                "/api/passkeys/login": proof,
                "/api/passkeys/rename": {"id": known["id"], "name": "Mine"},
                "/api/passkeys/remove": {"id": known["id"]},
            }
            answer = person.request(method, path, json=bodies[path] if method == "POST" else None)
            statuses.append(answer.status_code)
            if method == "GET":
                assert (known["id"] in answer.text) == (person is owner)
            names = [each["name"] for each in owner.get("/api/passkeys").json()["passkeys"]]
            assert person is owner or names == ["Phone"]
        assert tuple(reversed(statuses)) == PASSKEYS[method, path]


def test_the_table_of_passkeys_has_every_request() -> None:
    assert requests_of(passkey_module) == {*PASSKEYS}
