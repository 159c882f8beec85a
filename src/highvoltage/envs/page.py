"""The table of the web page as an array of pixels, drawn by a private server and browser."""

import os
from base64 import b64decode, b64encode
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any

import numpy as np
from platformdirs import user_cache_path

import highvoltage as hv
from highvoltage.envs.episodes import EnvError
from highvoltage.extras import extra

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
SIZE = (1280, 800)
TIMEOUT_MS = 60_000  # milliseconds
LIMITS = (
    "workers = 1\n[limits]\nimports = 1000000\n"
    "processor_ms = 100000\nprocessor_ms_of_address = 100000\n"
)
HELP = (
    "rgb_array shows the page's table and needs Playwright with a browser:"
    " pip install playwright 'highvoltage[server]', then playwright install chromium."
)
PIXELS = """async png => {
  const picture = new Image()
  picture.src = 'data:image/png;base64,' + png
  await picture.decode()
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
  canvas.drawImage(picture, 0, 0)
  const { data } = canvas.getImageData(0, 0, picture.width, picture.height)
  let text = ''
  for (let at = 0; at < data.length; at += 32768)
    text += String.fromCharCode(...data.subarray(at, at + 32768))
  return btoa(text)
}"""

Pixels = np.ndarray[Any, np.dtype[np.uint8]]


def find_browser() -> str | None:
    """The path of an installed browser, or None; Playwright may bring its own."""
    return next(filter(None, map(which, BROWSERS)), None)


def can_render_page() -> bool:
    """Whether Playwright, the server and a browser are installed."""
    if not all(map(find_spec, ("playwright", "litestar"))):
        return False
    path = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    own = Path(path) if path else user_cache_path("ms-playwright", appauthor=False, opinion=False)
    return find_browser() is not None or any(own.glob("chromium*"))


class PageRenderer:
    """Takes screenshots of the page; opened for the first one, closed with the environment.

    It runs in its own thread: Playwright refuses to start where an event loop runs, as in a
    notebook.
    """

    def __init__(self) -> None:
        self._executor = ThreadPoolExecutor(1)
        try:
            self._executor.submit(self._open).result()
        except BaseException:
            self._executor.shutdown()
            raise

    def screenshot(self, game: hv.Game) -> Pixels:
        """An array of height, width and colour: the game as a spectator sees it."""
        return self._executor.submit(self._take, str(game.record()), len(game.log)).result()

    def close(self) -> None:
        self._executor.submit(self._end).result()
        self._executor.shutdown()

    def _open(self) -> None:
        try:
            from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415
        except ModuleNotFoundError:
            raise EnvError(HELP) from None
        with extra("server"):
            from highvoltage.server import run  # noqa: PLC0415
            from highvoltage.server.config import load_config, load_secret  # noqa: PLC0415
        self._folder = TemporaryDirectory(prefix="highvoltage")
        folder = Path(self._folder.name)
        (folder / "server.toml").write_text(LIMITS)
        self._server = run.Server(load_config(folder, port=0), load_secret(folder))
        opened = Event()
        self._server.on_ready = opened.set  # type: ignore[method-assign]
        self._thread = Thread(target=self._server.run, daemon=True)
        self._thread.start()
        opened.wait(TIMEOUT_MS / 1000)
        self._playwright = sync_playwright().start()
        try:
            self._browser = self._playwright.chromium.launch(
                executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"]
            )
        except Error as error:
            self._playwright.stop()
            self._stop_server()
            raise EnvError(f"{HELP} ({error.message.splitlines()[0]})") from None
        width, height = SIZE
        context = self._browser.new_context(
            base_url=self._server.address,
            viewport={"width": width, "height": height},
            reduced_motion="reduce",
        )
        context.set_default_timeout(TIMEOUT_MS)
        self._page = context.new_page()
        self._page.goto("/")

    def _take(self, record: str, moves: int) -> Pixels:
        page = self._page
        answer = page.request.post(
            "/api/import", data=record, headers={"content-type": "text/plain"}
        )
        page.goto(f"/replay/{answer.json()['id']}?move={moves}")
        page.get_by_role("slider", name="Move").wait_for()
        page.locator(".player").first.wait_for()
        png = b64encode(page.screenshot()).decode()
        bytes_ = b64decode(page.evaluate(PIXELS, png))
        width, height = SIZE
        pixels: Pixels = np.frombuffer(bytes_, np.uint8).reshape(height, width, 4)
        return pixels[:, :, :3].copy()

    def _end(self) -> None:
        self._browser.close()
        self._playwright.stop()
        self._stop_server()

    def _stop_server(self) -> None:
        self._server.should_exit = True
        self._thread.join(20)
        self._folder.cleanup()
