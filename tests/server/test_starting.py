"""What a person who starts a server reads."""

import asyncio
import io
import logging
import socket
import sys
from contextlib import suppress
from pathlib import Path
from queue import Queue
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from highvoltage.cli import app
from highvoltage.server import network, run
from highvoltage.server.config import load_config, load_secret
from highvoltage.server.lobby.page_build import PageBuild
from highvoltage.server.run import set_up_logs
from serving import PATIENCE, Server, no_server_left


def test_a_port_that_is_taken_is_explained(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        words = ["serve", "--port", str(port), "--data", str(tmp_path)]
        result = CliRunner().invoke(app, words)
    assert result.exit_code == 1
    assert f"highvoltage: Port {port} is taken" in result.output
    assert "{" not in result.output


def test_it_names_the_command_that_lets_others_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for made, command in ((None, "highvoltage serve --lan"), ("make play LAN=1",) * 2):
        if made:
            monkeypatch.setenv("HIGHVOLTAGE_LAN_COMMAND", made)
        server = Server(tmp_path)
        try:
            here = {"origin": None, "lan_command": command, "lan": False}
            assert httpx.get(f"{server.url}/api/here").json() == here
        finally:
            server.stop()


def test_a_server_that_a_failed_test_leaves_is_stopped(tmp_path: Path) -> None:
    with suppress(AssertionError), no_server_left():
        left = Server(tmp_path)
        raise AssertionError
    with pytest.raises(httpx.ConnectError):
        httpx.get(left.url)


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "expected"),
    [(Terminal(), "warning: no room, table t1\n"), (io.StringIO(), '"what": "no room"')],
)
def test_the_log_format_suits_its_reader(
    stream: io.StringIO, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    monkeypatch.setattr(sys, "stderr", stream)
    try:
        set_up_logs()
        logging.getLogger("any").warning("no room", extra={"table": "t1"})
    finally:
        for handler in root.handlers[:]:
            root.removeHandler(handler)
        for handler in before:
            root.addHandler(handler)
        root.setLevel(level)
    assert expected in stream.getvalue()


@pytest.fixture
def idle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> run.Server:
    """A server that listens nowhere."""
    monkeypatch.setattr("gc.freeze", lambda: None)  # the tests go on
    server = run.Server(load_config(tmp_path, database="sqlite://"), load_secret(tmp_path))
    listening: Any = SimpleNamespace(getsockname=lambda: ("", 8104))
    server.servers = [SimpleNamespace(sockets=[listening])]  # type: ignore[list-item]
    return server


def test_it_says_where_it_is(
    idle: run.Server, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = "High Voltage is at http://127.0.0.1:8104/ (Ctrl+C ends it)"
    there = "In this network it is at http://192.168.1.7:8104/"
    for host, address, said in (
        ("127.0.0.1", "192.168.1.7", [here]),
        ("0.0.0.0", "192.168.1.7", [here, there]),
        ("0.0.0.0", None, [here]),
    ):
        monkeypatch.setattr(network, "lan_address", lambda address=address: address)
        idle.config.host = host
        idle.on_ready()
        assert capsys.readouterr().out.splitlines() == said
    idle.page_build.running = True  # and nobody could open it
    idle.on_ready()
    assert capsys.readouterr().out == ""


def test_it_opens_the_page_if_it_is_asked_to(
    idle: run.Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: Queue[str] = Queue()
    monkeypatch.setattr("webbrowser.open", opened.put)
    idle.on_ready()
    assert opened.empty()
    idle.browse = True
    idle.on_ready()
    assert opened.get(timeout=PATIENCE) == "http://127.0.0.1:8104/"


@pytest.mark.parametrize(("command", "built"), [("true", True), ("false", False)])
def test_a_page_is_there_once_its_command_has_ended_well(command: str, built: bool) -> None:
    build = PageBuild(command)
    assert build.running
    assert asyncio.run(build.run()) is built
    assert build.running is not built
    assert not PageBuild().running
