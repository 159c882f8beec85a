"""What a person who starts a server reads."""

import io
import logging
import socket
import sys
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from highvoltage.cli import app
from highvoltage.server.run import set_up_logs
from serving import Server, no_server_left


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
