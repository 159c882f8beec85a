"""Access: origins, hosts, limits, accounts, secrets; and how the server shuts down."""

import asyncio
import gc
import json
import signal
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from queue import Queue
from typing import Any

import pytest
from httpx import Client
from typer.testing import CliRunner
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.http11 import Request
from websockets.sync.client import connect

from highvoltage.cli import app
from highvoltage.rooms.messages import StoredSetup
from highvoltage.rooms.rows import GameRow, SeatRow
from highvoltage.server.guard import websocket
from highvoltage.server.guard.identity import Identities, Visitor
from highvoltage.server.live import webhooks
from highvoltage.server.live.outgoing import (
    ForbiddenAddress,
    OutgoingHttp,
    _public,
    check_address,
)
from highvoltage.server.store import SqlStore
from serving import BOT, ME, OPEN, PATIENCE, Live, Person, Process, Server, eventually


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_other_sites_cannot_use_a_visitors_cookie(ann: Person, headers: dict[str, str]) -> None:
    body = {"rulebook": "classic", "seats": [ME, OPEN]}
    refused = ann.post("/api/tables", json=body, headers=headers)
    assert refused.status_code == 403
    assert refused.json()["code"] == "wrong_origin"
    table = ann.table([ME, OPEN])["id"]
    url = ann.server.url.replace("http", "ws", 1)
    with (
        pytest.raises(InvalidStatus),
        connect(
            f"{url}/api/tables/{table}/live",
            additional_headers={"Cookie": ann.cookie, **headers},
        ),
    ):
        pass


def test_the_page_itself_can_use_the_cookie(ann: Person) -> None:
    same = {"Origin": ann.server.url, "Sec-Fetch-Site": "same-origin"}
    body = {"rulebook": "classic", "seats": [ME, OPEN]}
    assert ann.post("/api/tables", json=body, headers=same).status_code == 201


def test_a_local_server_answers_to_local_names_only(ann: Person) -> None:
    refused = ann.get("/api/games", headers={"Host": "rebound.example"})
    assert (refused.status_code, refused.json()["code"]) == (403, "wrong_host")
    port = ann.server.url.rpartition(":")[2]
    assert ann.get("/api/games", headers={"Host": f"localhost:{port}"}).status_code == 200


def test_every_response_has_security_headers(ann: Person) -> None:
    for path in ("/api/games", "/nowhere", "/api/nowhere", "/healthz"):
        headers = ann.get(path).headers
        assert "script-src" in headers["content-security-policy"] or (
            "default-src 'self'" in headers["content-security-policy"]
        )
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "server" not in headers


def test_cookies_cannot_be_forged(server: Server) -> None:
    forged = Identities(b"another secret").cookie(Visitor("someone", "Mallory"), secure=False)
    assert "HttpOnly" in forged
    assert "SameSite=Lax" in forged
    with Client(base_url=server.url, headers={"Cookie": forged.partition(";")[0]}) as mallory:
        assert mallory.get("/api/me").json()["name"] != "Mallory"
    for nonsense in ("hv=", "hv=.", "hv=é", "hv=AAAA.BBBB", 'hv="', "=;=;", "hv=" + "A" * 5000):
        with Client(base_url=server.url) as client:
            answer = client.get("/api/me", headers={b"Cookie": nonsense.encode()})
            assert answer.status_code == 200


def test_an_account_is_the_same_person_on_another_device(server: Server) -> None:
    login = {"login": "ann", "password": "correct horse"}
    with Person(server, "Ann") as ann, Person(server) as phone, Person(server) as other:
        table = ann.table([ME, OPEN])["id"]
        assert ann.post("/api/account", json=login).json()["account"] == "ann"
        assert ann.post("/api/account", json=login).status_code == 409
        assert other.post("/api/account", json=login).status_code == 409
        wrong = phone.post("/api/login", json={**login, "password": "wrong horse"})
        unknown = phone.post("/api/login", json={**login, "login": "nobody"})
        assert wrong.status_code == unknown.status_code == 400
        assert wrong.text == unknown.text
        assert phone.post("/api/login", json=login).json()["name"] == "Ann"
        assert phone.get(f"/api/tables/{table}").json()["you"] == 0
        phone.patch("/api/me", json={"name": "Anna"})
        phone.post("/api/logout")
        assert phone.get("/api/me").json()["account"] is None
        assert phone.post("/api/login", json=login).json()["name"] == "Anna"
    stored = b"".join(file.read_bytes() for file in server.folder.glob("highvoltage.db*"))
    assert b"correct horse" not in stored
    assert b"$argon2id$" in stored


def test_names_are_checked(ann: Person) -> None:
    for name in ("", " ", "a:b", "x" * 25, "a\nb", "Ann\n", "a, b"):
        assert ann.patch("/api/me", json={"name": name}).status_code == 400, name
    assert (
        ann.patch("/api/me", json={"name": "Žofie Dvořáková"}).json()["name"] == "Žofie Dvořáková"
    )
    table = ann.table([ME, OPEN])
    assert table["seats"][0]["name"] == "Žofie Dvořáková"


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "server.toml").write_text(
        "[limits]\nprocessor_ms = 1\nprocessor_burst = 500\ntables = 2\nconnections = 2\n"
    )
    running = Server(tmp_path)
    yield running
    running.stop()


def test_there_are_limits_for_everybody(strict: Server) -> None:
    with Person(strict) as ann, Person(strict) as bob:
        bob.patch("/api/me", json={"name": "Bob"})
        tables = [ann.table([ME, ME])["id"] for _ in range(2)]
        body = {"rulebook": "classic", "seats": [ME, OPEN]}
        assert ann.post("/api/tables", json=body).json()["code"] == "many_tables"
        with ann.live(tables[0]) as live, ann.live(tables[0]):
            live.until(lambda state: state["legal"])
            with pytest.raises(InvalidStatus) as third, ann.live(tables[0]):
                pass
            assert third.value.response.status_code == 429
            assert json.loads(third.value.response.body)["code"] == "many_connections"
            answer: dict[str, Any] = {"type": "preview"}
            while answer["type"] == "preview":
                live.send("preview", seq=0, moves=["look"] * 9)
                answer = live.next("preview", "refused", "error")
            assert answer["code"] == "too_fast"
            assert f"in {answer['values']['retry_after']} s" in answer["message"]
        refused = ann.get("/api/me")
        assert (refused.status_code, refused.json()["code"]) == (429, "too_fast")
        assert int(refused.headers["retry-after"]) == refused.json()["values"]["retry_after"] > 0
        assert bob.get("/api/me").status_code == 200  # who has a budget of his own


# WebSockets


def test_a_message_may_come_in_pieces_and_with_pings_between_them(ann: Person) -> None:
    table = ann.table([ME, ME])["id"]
    with ann.live(table) as live:
        live.next("state")
        for _ in range(2):
            live.socket.send(['{"type": ', '"pi', 'ng"}'])
            assert live.next("pong")
            assert live.socket.ping().wait(PATIENCE)
        live.socket.pong()
        live.send("ping")
        assert live.next("pong")


@pytest.mark.parametrize("kind", ["ping", "pong", "pieces"])
def test_few_frames_may_come_that_are_no_messages(
    ann: Person, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "FRAMES", 1e-6)
    monkeypatch.setattr(websocket, "FRAMES_AT_ONCE", 4)
    table = ann.table([ME, ME])["id"]

    def send(live: Live, count: int) -> None:
        if kind == "pieces":
            live.socket.send(['{"type"', *[" "] * (count - 1), ': "ping"}'])
        else:
            for _ in range(count):
                getattr(live.socket, kind)()
            live.send("ping")

    with ann.live(table) as live:
        live.next("state")
        send(live, 3)
        assert live.next("pong")
        with suppress(ConnectionClosed):
            send(live, 3)
        with pytest.raises(ConnectionError):
            live.next("pong")


# Webhooks


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "192.168.0.1", "169.254.169.254", "0.0.0.0", "100.64.0.1"),
        *("::1", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "224.0.0.1", "64:ff9b:1::1"),
        *("::7f00:1", "fec0::1", "::ffff:0:127.0.0.1", "192.0.0.8", "2002:7f00:1::", "::"),
        *("2001:0:7f00:1::", "64:ff9b::7f00:1", "ff02::1", "198.18.0.1", "255.255.255.255"),
    ],
)
def test_private_addresses_are_known(address: str) -> None:
    assert not _public(address)


def test_webhooks_reach_only_public_addresses(ann: Person) -> None:
    assert _public("93.184.215.14")
    assert _public("2606:2800:21f:cb07:6820:80da:af6b:8b2c")
    odd = ("http://[", "http://example.org:99999/", "http://example.org:0/", "http://żółw.pl/")
    for url in (
        *odd,
        "file:///etc/passwd",
        "http://",
        "http://a b/",
        "x",
        "http://127.0.0.1/",
        "//x",
    ):
        with pytest.raises(ForbiddenAddress):
            check_address(url, private=False)
        body = {"rulebook": "classic", "seats": [ME, BOT], "webhook": url}
        assert ann.post("/api/tables", json=body).status_code == 400


class Hook(BaseHTTPRequestHandler):
    """A chat program."""

    received: "Queue[dict[str, Any]]" = Queue()

    def do_POST(self) -> None:  # the name that http.server calls
        self.received.put(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def chat_program() -> Iterator[str]:
    hook = HTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=hook.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{hook.server_port}/hook?token=secret"
    hook.shutdown()
    hook.server_close()


@pytest.mark.parametrize("allowed", [True, False])
def test_a_webhook_says_whose_turn_it_is(tmp_path: Path, chat_program: str, allowed: bool) -> None:
    server = Server(tmp_path, settings=f"private_webhooks = {str(allowed).lower()}")
    name = chat_program if allowed else chat_program.replace("127.0.0.1", "localhost")
    with Person(server, "Ann") as ann:
        table = ann.table([ME, ME], title="Friday", webhook=name)["id"]
        if allowed:
            sent = Hook.received.get(timeout=PATIENCE)
            assert sent["event"] == "your_turn"
            assert sent["table"] == table
            assert "Friday: Ann" in sent["text"]
        else:
            eventually(lambda: "webhook failed" in (tmp_path / "log").read_text())
            assert Hook.received.empty()
    assert server.stop() == 0
    log = (tmp_path / "log").read_text()
    assert "token=secret" not in log


def test_no_more_webhooks_wait_than_may(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "MAX_QUEUED_WEBHOOKS", 2)

    async def wait() -> list[int]:
        store = SqlStore(f"sqlite:///{tmp_path / 'highvoltage.db'}")
        await store.open()
        calls = webhooks.Webhooks(store, OutgoingHttp(private=True))
        row = GameRow("x", "running", "classic", "{}", "", False, "", created=1, opening="{}")
        setup = StoredSetup(rulebook="classic", webhook="http://127.0.0.1:9/")
        places = [SeatRow("x", seat, "person") for seat in range(3)]
        waiting = []
        for row.turn in range(3):
            calls.on_change(row, places, setup)
            waiting.append(len(calls._calls))
        await calls.close()
        await store.close()
        return waiting

    assert asyncio.run(wait()) == [1, 2, 2]


def test_nobody_is_flooded_with_webhooks(
    tmp_path: Path, chat_program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webhooks, "CALLS", 0)
    monkeypatch.setattr(webhooks, "CALLS_AT_ONCE", 3)
    server = Server(tmp_path, settings="private_webhooks = true")
    with Person(server, "Ann") as ann:
        for _ in range(5):
            ann.table([ME, ME], webhook=chat_program)
        for _ in range(3):
            Hook.received.get(timeout=PATIENCE)
    assert server.stop() == 0
    assert Hook.received.empty()


# The server


def test_nothing_is_kept_of_the_request_for_a_connection(ann: Person) -> None:
    table = ann.table([ME, ME])["id"]

    def count_requests() -> int:
        gc.collect()
        requests = (each for each in gc.get_objects() if type(each) is Request)
        return sum(table in each.path for each in requests)

    with ann.live(table) as live:
        live.next("state")
        eventually(lambda: count_requests() == 1)  # that of the client, which is also here
        live.move(live.state["legal"][0]["move"])
        live.until(lambda s: s["seq"] == 1)


def test_health(ann: Person) -> None:
    assert ann.get("/healthz").json()["status"] == "ok"


def test_it_shuts_down_cleanly_with_people_connected(tmp_path: Path) -> None:
    server = Process(tmp_path)
    with Person(server) as ann:
        table = ann.table([ME, BOT])["id"]
        with ann.live(table) as live:
            live.next("state")
            server.process.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionError):
                live.next("nothing more")
            assert live.socket.close_code == 1012
    server.reap()
    assert server.errors() == []
    log = (tmp_path / "log").read_text()
    assert [json.loads(line)["what"] for line in log.splitlines()] == ["opened", "ended"]
    assert (tmp_path / "secret").stat().st_mode & 0o077 == 0


def test_settings_that_make_no_sense_are_reported(tmp_path: Path) -> None:
    for command, message in (
        (["--database", "mysql://x"], "sqlite:///FILE or postgresql://"),
        (["--data", "/dev/null/x"], "cannot be made"),
    ):
        ended = CliRunner().invoke(app, ["serve", *command])
        assert ended.exit_code == 1
        assert message in ended.output
    for line, name in (("prot = 80", "prot"), ("[limits]\nprocessor_ms = 0", "processor_ms")):
        (tmp_path / "server.toml").write_text(line)
        ended = CliRunner().invoke(app, ["serve", "--data", str(tmp_path)])
        assert ended.exit_code == 1
        assert name in ended.output
