"""`make play` starts the server while the page is still built; here another command builds it."""

import os
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from socket import create_server

import httpx
import pytest

from serving import Forked, Forks, eventually

# Builds until it is told how that ends.
BUILD = """
import os, pathlib, sys, time
folder = pathlib.Path(sys.argv[1])
(folder / "builder").write_text(str(os.getpid()))
while not (folder / "status").exists():
    time.sleep(0.05)
sys.exit(int((folder / "status").read_text()))
"""


class Builder(Forked):
    """A server that has the page built."""

    def start(self) -> None:
        with create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        command = shlex.join([sys.executable, "-c", BUILD, str(self.folder)])
        options = ["--port", str(port), "--build-page", command]
        self.begin(["--data", str(self.folder), *options])
        eventually(self.is_open)

    def is_open(self) -> bool:
        with suppress(httpx.TransportError):
            return httpx.get(f"{self.url}/healthz").is_success
        return False

    def open(self, path: str, accepted: str) -> httpx.Response:
        headers = {"accept": accepted, "accept-language": "de-AT,de;q=0.9,en;q=0.8"}
        return httpx.get(self.url + path, headers=headers)

    def end_build(self, status: int) -> None:
        new = self.folder / "status-new"
        new.write_text(str(status))
        new.rename(self.folder / "status")

    def builds(self) -> bool:
        """Whether the build has begun and goes on."""
        builder = self.folder / "builder"
        with suppress(FileNotFoundError, ValueError, ProcessLookupError):
            os.kill(int(builder.read_text()), 0)
            return True
        return False


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    running = Forks()
    yield running
    running.end()


@pytest.fixture
def server(forks: Forks, tmp_path: Path) -> Iterator[Builder]:
    server = Builder(forks, tmp_path)
    yield server
    if server in Builder.running:
        server.stop()


def test_a_page_that_asks_to_wait_opens_the_page(server: Builder) -> None:
    waiting = server.open("/new", "text/html")
    assert waiting.status_code == 503
    assert '<html lang="de">' in waiting.text
    assert '<meta http-equiv="refresh"' in waiting.text
    assert "Die Seite wird gerade gebaut" in waiting.text
    assert server.open("/index.html", "*/*").text == waiting.text  # as a service worker asks
    file = server.open("/manifest.webmanifest", "*/*")
    assert (file.status_code, file.json()["code"]) == (503, "not_well")
    assert httpx.get(f"{server.url}/api/games").is_success
    assert server.open("/api/nothing", "text/html").status_code == 404
    server.end_build(0)
    assert server.out.readline() == f"High Voltage is at {server.url}/ (Ctrl+C ends it)\n"
    there = server.open("/new", "text/html")
    assert there.status_code == 200
    assert "/assets/" in there.text
    assert server.open("/manifest.webmanifest", "*/*").is_success


def test_without_a_page_the_server_ends(server: Builder) -> None:
    server.end_build(2)
    assert server.reap() == 1
    assert "The page could not be built, see above." in (server.folder / "log").read_text()


def test_what_builds_the_page_ends_with_the_server(server: Builder) -> None:
    eventually(server.builds)
    os.kill(server.pid, signal.SIGTERM)
    assert server.reap() == -signal.SIGTERM
    assert not server.builds()
    assert "could not be built" not in (server.folder / "log").read_text()
