"""The folder of `make static`, served as a static host does, and a browser that plays from it."""

import gzip
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page

from browsing import DESKTOP, PATIENCE, Player, Size

ROOT = Path(__file__).parents[1]
PLACE = "games/volts"  # a folder of its host, not its root
CHANNEL = """async ([method, path, body]) => {
    const folder = document.querySelector('meta[name=host]') ? '.' : '/' // a server is at its root
    const channel = new BroadcastChannel(`highvoltage ${new URL(folder, location.href).pathname}`)
    const id = Math.random()
    const answer = new Promise((done) => {
        channel.onmessage = ({ data }) => data.type === 'response' && data.id === id && done(data)
    })
    channel.postMessage({ tab: 'test', type: 'request', id, method, path, body })
    const { status, text } = await answer
    channel.close()
    if (status >= 300) throw new Error(text)
    return JSON.parse(text)
}"""
KEPT = """async () => {
    const worker = await navigator.serviceWorker.ready
    const [name] = (await caches.keys()).filter((each) => !each.endsWith('words'))
    const cache = await caches.open(name)
    return worker.active.state === 'activated' ? (await cache.keys()).length : 0
}"""


class Handler(SimpleHTTPRequestHandler):
    """`python -m http.server`, which remembers what was fetched."""

    fetched: set[str]

    def do_GET(self) -> None:
        self.fetched.add(self.path.partition("?")[0])
        super().do_GET()

    def log_message(self, *_: object) -> None:
        pass


class Site:
    """A static host."""

    def __init__(self, root: Path, port: int = 0) -> None:
        self.root = root
        self.folder = root / PLACE
        self.fetched: set[str] = set()
        handler = type("Noting", (Handler,), {"fetched": self.fetched})
        self._server = ThreadingHTTPServer(
            ("127.0.0.1", port), partial(handler, directory=str(root))
        )
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}/{PLACE}/"
        Thread(target=self._server.serve_forever, daemon=True).start()
        self._running = True

    def stop(self) -> None:
        """From now on every connection is refused."""
        if self._running:
            self._running = False
            self._server.shutdown()
            self._server.server_close()

    def size(self) -> dict[str, int]:
        """What was fetched, compressed as hosts do it."""
        files = [self.root / path.lstrip("/") for path in sorted(self.fetched)]
        pages = [file / "index.html" if file.is_dir() else file for file in files]
        return {page.name: len(gzip.compress(page.read_bytes(), 9)) for page in pages}


def build_site(root: Path) -> Path:
    """The folder of `make static`."""
    folder = root / PLACE
    script = ROOT / "web" / "scripts" / "static.py"
    subprocess.run([sys.executable, str(script), str(folder)], check=True)
    return root


def copy_of(root: Path, to: Path) -> Path:
    shutil.copytree(root, to)
    return to


class Profile:
    """A browser that has never been here."""

    def __init__(self, browser: Browser, site: Site, size: Size = DESKTOP) -> None:
        self.site = site
        self.context: BrowserContext = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, reduced_motion="reduce"
        )
        self.context.set_default_timeout(3 * PATIENCE)
        self.complaints: list[str] = []

    def tab(self, path: str = "") -> Page:
        page = self.context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(f"{self.site.url}{path and '#'}{path}")
        return page


def wait_until_kept(page: Page) -> None:
    """Wait until everything is here that a start without a network takes."""
    worker: str = page.evaluate("fetch('worker.js').then((answer) => answer.text())")
    (files,) = re.findall("^const FILES = (.*)", worker, re.MULTILINE)
    while page.evaluate(KEPT) < len(json.loads(files)):
        page.wait_for_timeout(300)


@contextmanager
def profile(browser: Browser, site: Site, size: Size = DESKTOP) -> Iterator[Profile]:
    new = Profile(browser, site, size)
    try:
        yield new
    finally:
        new.context.close()
    assert new.complaints == []


def ask(page: Page, method: str, path: str, body: object = None) -> Any:
    """Ask the room in this browser, as the page does."""
    text = body if body is None or isinstance(body, str) else json.dumps(body)
    return page.evaluate(CHANNEL, [method, f"/api{path}", text])


def kill(page: Page) -> None:
    """End the process of a tab, as a phone does that needs its memory."""
    with suppress(Error):
        page.goto("chrome://crash")
    page.close()


def sit_down(page: Page, rulebook: str, bots: list[str], **setup: Any) -> Player:
    """Sit at a new table with these bots."""
    page.wait_for_function("() => !document.querySelector('.notices progress')")
    seats = [{"kind": "me"}, *({"kind": "bot", "bot": bot} for bot in bots)]
    table = ask(page, "POST", "/tables", {"rulebook": rulebook, "seats": seats, "seed": 5, **setup})
    show(page, f"/table/{table['id']}")
    return Player(page)


def show(page: Page, path: str) -> None:
    page.evaluate("(path) => { location.hash = path }", path)
