"""The local network is let in from the machine that serves, and shut out again."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from highvoltage.server import network
from serving import Server, eventually

NETWORK = "127.0.0.2"  # stands for the address of this machine in its network
HERE = {"origin": None, "lan_command": "highvoltage serve --lan", "lan": False}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr(network, "lan_address", lambda: NETWORK)
    running = Server(tmp_path)
    yield running
    running.stop()


def switch(url: str, *, to: bool, **headers: str) -> httpx.Response:
    return httpx.post(f"{url}/api/here/lan", json={"open": to}, headers=headers)


def is_shut(address: str) -> bool:
    try:
        httpx.get(f"{address}/healthz")
    except httpx.TransportError:
        return True
    return False


def test_it_is_opened_and_shut_without_a_restart(server: Server) -> None:
    assert httpx.get(f"{server.url}/api/here").json() == HERE
    there = f"http://{NETWORK}:{server.url.rpartition(':')[2]}"
    assert is_shut(there)
    opened = switch(server.url, to=True).json()
    assert opened == {**HERE, "origin": there, "lan": True}
    assert switch(server.url, to=True).json() == opened
    assert httpx.get(f"{there}/healthz").json()["status"] == "ok"
    with httpx.Client(base_url=there) as friend:
        assert friend.get("/api/here").json()["lan"] is None, (
            "not for those who come from elsewhere"
        )
        assert switch(there, to=False).json()["code"] == "not_this_machine"
        assert switch(server.url, to=False).json() == HERE
        eventually(lambda: is_shut(there))
        with pytest.raises(httpx.TransportError):
            friend.get("/healthz")  # also who was there
    assert httpx.get(f"{server.url}/healthz").json()["status"] == "ok"
    assert switch(server.url, to=True).json() == opened


def test_nobody_else_can_open_it(server: Server) -> None:
    for headers in (
        {"host": "play.example.org"},
        {"x-forwarded-for": "203.0.113.7"},
        {"origin": "http://evil.example.org"},
    ):
        assert switch(server.url, to=True, **headers).status_code == 403
    assert httpx.get(f"{server.url}/api/here").json() == HERE


def test_a_machine_without_a_network_says_so(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "lan_address", lambda: None)
    assert switch(server.url, to=True).json()["code"] == "no_lan"
    assert httpx.get(f"{server.url}/api/here").json() == HERE


def test_the_settings_can_forbid_it(tmp_path: Path) -> None:
    server = Server(tmp_path, settings="lan_switch = false")
    try:
        assert httpx.get(f"{server.url}/api/here").json()["lan"] is None
        assert switch(server.url, to=True).status_code == 403
    finally:
        server.stop()


NAMESPACE = ("unshare", "--map-root-user", "--net")


def makes_namespaces() -> bool:
    if not all(map(shutil.which, ("unshare", "nsenter", "ip"))):
        return False
    nested = (*NAMESPACE, "ip", "link", "add", "one", "type", "veth", "peer", "name", "two")
    return subprocess.run(nested, capture_output=True, check=False).returncode == 0


@pytest.mark.long
def test_a_second_machine_is_let_in_and_shut_out(tmp_path: Path) -> None:
    if not makes_namespaces():
        pytest.skip("this machine makes no network namespaces")
    script = Path(__file__).parent / "two_machines.py"
    found = subprocess.run(
        [*NAMESPACE, sys.executable, str(script), str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        check=True,
        capture_output=True,
        text=True,
    )
    assert json.loads(found.stdout.splitlines()[-1]) == [
        "no answer",
        "ok None not_this_machine",
        "no answer",
    ]
