"""Hostile files that cost the server nothing, and delay nobody else."""

import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from string import ascii_lowercase
from typing import Any

import pytest

import highvoltage as hv
from serving import BOT, ME, PATIENCE, Person, Watched


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    running = Watched(tmp_path_factory.mktemp("watched"))
    yield running
    assert running.stop() == 0
    assert running.errors() == []


@pytest.fixture
def eve(watched: Watched) -> Iterator[Person]:
    with Person(watched, "Eve") as person:
        yield person


def words(count: int, length: int = 12) -> list[str]:
    rng = Random(count)
    return ["".join(rng.choices(ascii_lowercase, k=length)) for _ in range(count)]


def nonsense() -> dict[str, Any]:
    """88 kB: half of them cities, half connections between others."""
    names = words(3_200)
    cities = [{"id": name} for name in words(1_800)]
    links = [[a, b, 1] for a, b in zip(names[::2], names[1::2], strict=True)]
    return {"id": "x", "cities": cities, "connections": links[:1_200]}


def small_nonsense() -> dict[str, Any]:
    """As many cities as a map may have, all with names unknown to each other."""
    regions = words(12, 8)
    shape = {"name": "x", "lon": 1, "lat": 1, "region": "nowhere"}
    cities = [{"id": name, **shape} for name in words(150, 30)]
    links = [[a, b, 1] for a, b in zip(words(900, 30), words(901, 30), strict=False)]
    return {"id": "x", "name": "x", "regions": regions, "cities": cities, "connections": links}


def long_names() -> dict[str, Any]:
    names = words(80, 500)
    links = [[a, b, 1] for a, b in zip(names[::2], names[1::2], strict=True)]
    return {"id": "x", "cities": [{"id": name} for name in words(81, 500)], "connections": links}


@pytest.mark.parametrize("board", [nonsense(), small_nonsense(), long_names()])
@pytest.mark.parametrize("rulebook", ["classic", "outpost"])
def test_a_map_of_nonsense_is_refused_at_once(
    eve: Person, rulebook: str, board: dict[str, Any]
) -> None:
    body = {"rulebook": rulebook, "seats": [ME, BOT], "map": board}
    refused = eve.post("/api/tables", json=body)
    assert (refused.status_code, refused.json()["code"]) == (400, "map_error")
    assert 0 < len(refused.json()["values"]["problems"]) <= 50
    assert len(refused.text) < 30_000


@pytest.mark.parametrize("rulebook", ["cardgame", "outpost"])
def test_cards_of_nonsense_are_refused_at_once(eve: Person, rulebook: str) -> None:
    files: list[list[Any]] = [[{}] * 9_000, [{"id": "x" * 900}] * 30, [[[]]] * 199]
    for rows in files:
        own = {"plants": rows, "cards": rows, "resources": {"cards": rows}}
        body = {"rulebook": rulebook, "seats": [ME, BOT], "options": {"cards": own}}
        refused = eve.post("/api/tables", json=body)
        assert (refused.status_code, refused.json()["code"]) == (400, "cards_error")
        assert 0 < len(refused.json()["values"]["problems"]) <= 50
        assert len(refused.text) < 30_000


def test_a_long_list_of_options_is_not_echoed(eve: Person) -> None:
    for options in (
        {"money": "x" * 90_000},
        {"x" * 90_000: 1},
        {"regions": "x" * 90_000},
        {"regions": [["west"]]},
    ):
        body = {"rulebook": "classic", "seats": [ME, BOT], "options": options}
        refused = eve.post("/api/tables", json=body)
        assert refused.status_code == 400
        assert len(refused.text) < 10_000


def send(server: Watched, *parts: bytes) -> None:
    """Send all of it, or as much as the server takes."""
    host, port = server.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as connection, suppress(OSError):
        connection.settimeout(PATIENCE)
        for part in parts:
            connection.sendall(part)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(100_000):
            pass


def test_pipelined_requests_are_limited(eve: Person, watched: Watched) -> None:
    request = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    send(watched, request * (500_000 // len(request)))
    assert eve.get("/healthz").status_code == 200


def test_a_body_in_tiny_chunks_delays_nobody(eve: Person, watched: Watched) -> None:
    head = b"POST /api/import HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n"
    send(watched, head, b"1\r\nx\r\n" * 60_000, b"0\r\n\r\n")
    assert eve.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    "cookie",
    [
        "hv=" + "A" * 20_000,
        "hv=" + "=" * 20_000,
        'hv="' + "\\101" * 6_000,
        "; ".join(["a=b"] * 6_000),
    ],
)
def test_a_huge_cookie_identifies_nobody(watched: Watched, cookie: str) -> None:
    with Person(watched) as nobody:
        nobody.cookies.clear()
        assert nobody.get("/api/me", headers={"Cookie": cookie}).status_code == 200


@pytest.mark.parametrize(
    "token",
    [
        "A" * 20_000,
        "=" * 20_000,
        "." * 2_000,
        "e30.e30",
        "WyJhbm4iLCJBbm4iLG51bGxd.AAAA",  # Ann, as if signed
        "\xff\xfe",
    ],
)
def test_a_nonsense_token_identifies_nobody(eve: Person, watched: Watched, token: str) -> None:
    headers = {b"Authorization": b"Bearer " + token.encode("latin-1")}
    refused = eve.get("/api/me", headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (401, "bad_token")
    assert "set-cookie" not in refused.headers
    table = eve.table([ME, ME])["id"]
    with eve.live(table, "?auth=message") as live:  # her cookie does not count here
        live.send("auth", token=token)
        with pytest.raises(ConnectionError):
            live.next("state")
        too_long = len(token) > 10_000
        assert live.socket.close_code == (1009 if too_long else 4401)
        assert too_long or json.loads(live.received[0])["code"] == "bad_token"
    assert token[:40] not in (watched.folder / "log").read_text()


@pytest.mark.parametrize(
    "frame",
    [
        b"\x89\xfd\0\0\0\0" + b"x" * 125,  # pings, whose answers nobody reads
        b"\x8a\x80\0\0\0\0",  # pongs
        b"\x00\x80\0\0\0\0",  # more of a message, but empty
    ],
)
def test_empty_frames_close_the_connection(eve: Person, watched: Watched, frame: bytes) -> None:
    table = eve.table([ME, ME])["id"]
    head = (
        f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {'A' * 22}==\r\nCookie: {eve.cookie}\r\n\r\n"
    )
    host, port = watched.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as connection:
        connection.settimeout(PATIENCE)
        connection.sendall(head.encode())
        assert b" 101 " in connection.recv(4_096)
        with suppress(ConnectionError):
            connection.sendall(b"\x01\x80\0\0\0\0" + frame * (400_000 // len(frame)))
            while connection.recv(100_000):
                pass
    assert eve.get("/healthz").status_code == 200


def test_records_of_nonsense_are_refused_at_once(eve: Person) -> None:
    head = "High Voltage record 1\nrulebook: classic 1\n"
    game = json.loads(hv.new("classic", players=2, seed=1).record().json())
    for record in (
        head + "".join(f"player: {name}\n" for name in words(40_000)),
        head + "".join("score x: {}\n" for _ in range(80_000)),
        head + "player: x\nresult: " + ", ".join(["x"] * 200_000),
        head + "player: A\nplayer: B\n" + f"option map: {json.dumps(nonsense())}\n",
        json.dumps({**game, "names": words(60_000)}),
        json.dumps({**game, "options": {**game["options"], "map": nonsense()}}),
        json.dumps({**game, "options": {**game["options"], "regions": words(50_000)}}),
        json.dumps({**game, "turned": words(60_000)}),
        json.dumps({**game, "drawn": {name: [1] for name in words(50_000)}}),
    ):
        refused = eve.post("/api/import", content=record)
        assert refused.status_code in {400, 413}, record[:200]
        assert len(refused.text) < 30_000
