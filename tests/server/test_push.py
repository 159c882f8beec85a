"""Push notifications of a turn to closed browsers.

The browsers of this test have their own keys and read what arrives at their own push service.
"""

import asyncio
import json
import secrets
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from time import time
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from httpx import Response
from typer.testing import CliRunner

from cups import do, make_cup
from highvoltage.cli import app
from highvoltage.server.app import build
from highvoltage.server.config import ConfigError, PushSettings, load_config
from highvoltage.server.live.push import Push
from highvoltage.server.live.push_encryption import from_base64url, new_key, to_base64url
from highvoltage.server.lobby.page_build import PageBuild
from highvoltage.server.store import people
from serving import ME, OPEN, PATIENCE, Person, Server, eventually

CURVE = ec.SECP256R1()
PUSHES = f'[push]\nkey = "{new_key()}"\ncontact = "mailto:ann@example.org"\n'
HERE = "private_webhooks = true\n"


def point(data: bytes) -> ec.EllipticCurvePublicKey:
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data)


class Browser:
    """Its keys, and where its push service accepts messages."""

    def __init__(self, service: str, private: bytes = b"", auth: bytes = b"") -> None:
        number = int.from_bytes(private, "big")
        made = ec.derive_private_key(number, CURVE) if number else ec.generate_private_key(CURVE)
        self.private = made
        encoded = made.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public: bytes = encoded
        self.auth = auth or secrets.token_bytes(16)
        self.path = f"/{secrets.token_hex(8)}"
        self.endpoint = f"{service}{self.path}"

    def subscription(self) -> dict[str, str]:
        return {
            "endpoint": self.endpoint,
            "key": to_base64url(self.public),
            "auth": to_base64url(self.auth),
        }

    def read(self, sealed: bytes) -> bytes:
        """RFC 8291, from the receiving end."""
        salt, size = sealed[:16], 21 + sealed[20]
        sender, closed = sealed[21:size], sealed[size:]
        shared = self.private.exchange(ec.ECDH(), point(sender))

        def derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
            return HKDF(SHA256(), length, salt, info).derive(secret)

        secret = derived(shared, self.auth, b"WebPush: info\0" + self.public + sender, 32)
        key = derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(secret, salt, b"Content-Encoding: nonce\0", 12)
        words, mark, rest = AESGCM(key).decrypt(nonce, closed, None).rpartition(b"\x02")
        assert (mark, rest) == (b"\x02", b"")
        return words


class Service(BaseHTTPRequestHandler):
    """The push service of a browser vendor."""

    received: "Queue[tuple[str, dict[str, str], bytes]]" = Queue()
    status = 201

    def do_POST(self) -> None:  # the name that http.server calls
        body = self.rfile.read(int(self.headers["content-length"]))
        self.received.put((self.path, dict(self.headers), body))
        self.send_response(self.status)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(Service, "received", Queue())
    running = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{running.server_port}"
    running.shutdown()
    running.server_close()


def subscribed(folder: Path) -> list[str]:
    with closing(sqlite3.connect(folder / "highvoltage.db")) as store:
        return [row[0] for row in store.execute("SELECT endpoint FROM subscriptions ORDER BY at")]


def begun(host: Person, guest: Person) -> str:
    """A game in which both are seated and neither is connected."""
    table: str = host.table([ME, OPEN], title="Friday")["id"]
    guest.post(f"/api/tables/{table}/join", json={}).raise_for_status()
    return table


def check_proof(proof: str, key: str, service: str) -> None:
    """RFC 8292: the service can verify the sender."""
    scheme, token, named = proof.replace(",", "").split(" ")
    assert (scheme, named) == ("vapid", f"k={key}")
    signed, _, signature = token.removeprefix("t=").rpartition(".")
    numbers = from_base64url(signature)
    r, s = (int.from_bytes(numbers[at : at + 32], "big") for at in (0, 32))
    public = point(from_base64url(key))
    public.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(SHA256()))
    claims: dict[str, Any] = json.loads(from_base64url(signed.partition(".")[2]))
    assert claims["aud"] == service
    assert 6 * 3_600 < claims["exp"] - time() <= 24 * 3_600  # services accept a day at most
    assert claims["sub"] == "mailto:ann@example.org"


def test_a_browser_reads_the_example_of_the_standard() -> None:
    browser = Browser(
        "",
        from_base64url("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"),
        from_base64url("BTBZMqHH6r4Tts7J_aSIgg"),
    )
    sealed = from_base64url(
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )
    assert browser.read(sealed) == b"When I grow up, I want to be a watermelon"


def test_an_absent_player_is_notified_of_a_turn(tmp_path: Path, service: str) -> None:
    server = Server(tmp_path, settings=HERE + PUSHES)
    with Person(server, "Ann") as ann, Person(server, "Ben") as ben:
        people = {who: Browser(service) for who in (ann, ben)}
        for who, browser in people.items():
            answer = who.post("/api/push", json=browser.subscription())
            assert answer.json() == who.get("/api/push").json()
        table = begun(ann, ben)
        path, headers, sealed = Service.received.get(timeout=PATIENCE)  # the game has begun
        first, second = sorted(people, key=lambda who: people[who].path != path)
        assert json.loads(people[first].read(sealed)) == {"table": table, "about": "Friday"}
        assert headers["Content-Encoding"] == "aes128gcm"
        assert headers["Topic"] == table
        check_proof(headers["Authorization"], ann.get("/api/push").json()["key"], service)
        with second.live(table) as there, first.live(table) as live:
            there.next("state")
            live.move(live.until(lambda s: s["legal"])["legal"][0]["move"])
            there.until(lambda s: s["legal"])  # and sees it, so nobody is notified
        with second.live(table) as there:
            eventually(lambda: not present(second, table, first))
            there.move(there.until(lambda s: s["legal"])["legal"][-1]["move"])
            path, _, sealed = Service.received.get(timeout=PATIENCE)
    assert path == people[first].path
    assert json.loads(people[first].read(sealed))["table"] == table
    assert Service.received.empty()
    assert server.stop() == 0
    assert server.errors() == []


def test_an_invited_person_is_notified_once_and_by_nobody_whom_they_block(
    tmp_path: Path, service: str
) -> None:
    server = Server(tmp_path, settings=HERE + PUSHES)
    with Person(server, "Ann") as ann, Person(server, "Ben") as ben, Person(server, "Cyd") as cyd:
        browser = Browser(service)
        ben.post("/api/push", json=browser.subscription()).raise_for_status()
        for person, handle in ((ann, "ann-1"), (ben, "ben-1"), (cyd, "cyd-1")):
            person.post("/api/profile", json={"handle": handle}).raise_for_status()
        block = {"handle": "cyd-1", "kind": "blocked"}
        ben.post("/api/contacts", json=block).raise_for_status()
        tables = [person.table([ME, OPEN], title="Friday")["id"] for person in (cyd, ann, ann)]
        for person, table in zip((cyd, ann, ann, ann), (*tables[:2], *tables[1:]), strict=True):
            invitation = {"table": table, "handle": "ben-1"}
            person.post("/api/invitations", json=invitation).raise_for_status()
        pushed = [Service.received.get(timeout=PATIENCE)[2] for _ in range(2)]
        read = sorted((json.loads(browser.read(sealed)) for sealed in pushed), key=str)
        wanted = [{"table": table, "about": "Friday", "by": "ann-1"} for table in tables[1:]]
        assert read == sorted(wanted, key=str)
    assert server.stop() == 0
    assert Service.received.empty()


def test_everybody_is_notified_of_a_round(tmp_path: Path, service: str) -> None:
    server = Server(tmp_path, settings=HERE + PUSHES)
    with Person(server, "Ann") as ann, Person(server, "Ben") as ben, Person(server, "Cyd") as cyd:
        people = {who: Browser(service) for who in (ann, ben, cyd)}
        cup = make_cup(ann)
        for who, browser in people.items():
            who.post("/api/push", json=browser.subscription()).raise_for_status()
            do(who, cup, "join")
        (table,) = do(ann, cup, "round")["tables"]
        read = []
        for _ in people:
            path, _, sealed = Service.received.get(timeout=PATIENCE)
            reader = next(browser for browser in people.values() if browser.path == path)
            read.append(json.loads(reader.read(sealed)))
    about = {"table": table["table"], "about": "Winter cup · 1"}
    assert sorted(read, key=len) == [about, {**about, "round": 1}, {**about, "round": 1}]
    assert server.stop() == 0
    assert Service.received.empty()


def present(who: Person, table: str, other: Person) -> bool:
    name = other.get("/api/me").json()["name"]
    seats = who.get(f"/api/tables/{table}").json()["table"]["seats"]
    found: bool = next(seat["online"] for seat in seats if seat["name"] == name)
    return found


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(
    tmp_path: Path, service: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Service, "status", status)
    server = Server(tmp_path, settings=HERE + PUSHES)
    with Person(server, "Ann") as ann:
        ann.post("/api/push", json=Browser(service).subscription()).raise_for_status()
        ann.table([ME, ME])
        eventually(lambda: subscribed(tmp_path) == [])
    assert not Service.received.empty()
    assert server.stop() == 0


def test_nothing_is_pushed_to_private_addresses(tmp_path: Path, service: str) -> None:
    server = Server(tmp_path, settings=PUSHES)
    with Person(server, "Ann") as ann:
        refused = ann.post("/api/push", json=Browser(service).subscription())
        assert refused.json()["code"] == "no_subscription"
        named = Browser(service.replace("127.0.0.1", "localhost"))
        ann.post("/api/push", json=named.subscription()).raise_for_status()
        ann.table([ME, ME])
        eventually(lambda: "push failed" in (tmp_path / "log").read_text())
        nonsense = {**named.subscription(), "key": "AAAA"}
        assert ann.post("/api/push", json=nonsense).json()["code"] == "no_subscription"
    assert Service.received.empty()
    assert server.stop() == 0
    assert named.path not in (tmp_path / "log").read_text()


def test_a_browser_belongs_to_its_current_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "BROWSERS", 2)
    monkeypatch.setattr(people, "BROWSERS_OF_ADDRESS", 4)
    server = Server(tmp_path, settings=HERE + PUSHES)
    one, two, three, *more = (Browser("https://push.example") for _ in range(6))
    credentials = {"login": "ann", "password": "correct horse battery"}

    def subscribe(who: Person, browser: Browser) -> Response:
        return who.post("/api/push", json=browser.subscription())

    with Person(server, "Ann") as ann, Person(server, "Ben") as ben:
        for browser in (one, two, three):
            subscribe(ann, browser)
        assert subscribed(tmp_path) == [two.endpoint, three.endpoint]
        ann.post("/api/account", json=credentials).raise_for_status()  # takes the subscription over
        subscribe(ben, three)
        ann.post("/api/logout-everywhere").raise_for_status()
        assert subscribed(tmp_path) == [three.endpoint]
        subscribe(ann, one)
        ben.post("/api/push/end", json={"endpoint": one.endpoint})  # it is not Ben's
        ben.post("/api/push/end", json={"endpoint": three.endpoint})
        assert subscribed(tmp_path) == [one.endpoint]
        ann.post("/api/login", json=credentials).raise_for_status()
        subscribe(ann, one)
        ann.post("/api/account/delete", json={"password": credentials["password"]})
        assert subscribed(tmp_path) == []
        for person, browser in ((ben, one), (ben, two), (ann, more[0]), (ann, more[1])):
            assert subscribe(person, browser).status_code == 201
        refused = subscribe(ben, more[2])
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_browsers")
    assert server.stop() == 0


def test_a_banned_person_is_not_notified(tmp_path: Path) -> None:
    server = Server(tmp_path, settings=HERE + PUSHES)
    with Person(server, "Eve") as eve:
        credentials = {"login": "eve", "password": "correct horse battery"}
        eve.post("/api/account", json=credentials).raise_for_status()
        eve.post("/api/push", json=Browser("https://push.example").subscription())
        assert len(subscribed(tmp_path)) == 1
        CliRunner().invoke(app, ["admin", "--data", str(tmp_path), "ban", "eve"])
        assert subscribed(tmp_path) == []
    assert server.stop() == 0


def test_without_a_key_push_is_not_offered(ann: Person) -> None:
    assert ann.get("/api/push").json() == {"key": None}
    subscription = Browser("https://push.example").subscription()
    assert ann.post("/api/push", json=subscription).status_code == 404


def test_the_operator_makes_a_key_in_one_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def admin(*words: str) -> Any:
        return CliRunner().invoke(app, ["admin", "--data", str(tmp_path), "push-key", *words])

    settings = tmp_path / "server.toml"
    settings.write_text("[limits]\ntables = 1\n")
    told = admin("ann@example.org").output
    made = load_config(tmp_path).push
    assert made.key not in told
    assert str(tmp_path / "push.toml") in told
    assert "is there already" in admin("bob@example.org").output
    assert load_config(tmp_path).push == made
    assert made.contact == "mailto:ann@example.org"
    assert len(from_base64url(made.key)) == 32
    assert "is no address for mail" in admin("ann").output
    monkeypatch.setenv("HIGHVOLTAGE_PUSH_KEY", "another")
    config = load_config(tmp_path)
    assert config.push == PushSettings("another", made.contact)
    config.database = f"sqlite:///{tmp_path / 'odd.db'}"
    with pytest.raises(ConfigError, match="push-key` makes one"):
        build(config, b"secret", PageBuild())
    settings.write_text('[push]\ncontact = "mailto:bob@example.org"\n')
    assert load_config(tmp_path).push.contact == "mailto:bob@example.org"
    settings.unlink()
    (tmp_path / "push.toml").unlink()
    with pytest.raises(ConfigError, match="needs a contact"):
        load_config(tmp_path)


def test_a_message_names_only_what_there_is_to_name() -> None:
    pushed: list[tuple[str, dict[str, str | int]]] = []

    async def keep(who: str, content: dict[str, str | int]) -> None:
        pushed.append((who, content))

    async def work() -> None:
        nobody: Any = None
        push = Push(nobody, nobody, nobody)
        push._send_all = keep  # type: ignore[method-assign]
        push.notify("ann", "t", "Friday")
        push.notify("bob", "t", "Friday", by="Ann")
        push.notify("cyd", "c", "Spring", number=2)
        assert len(push._sent) == 3
        await asyncio.gather(*push._sent)
        assert push._sent == set()

    asyncio.run(work())
    assert pushed == [
        ("ann", {"table": "t", "about": "Friday"}),
        ("bob", {"table": "t", "about": "Friday", "by": "Ann"}),
        ("cyd", {"table": "c", "about": "Spring", "round": 2}),
    ]
