"""A real browser and somebody who plays in it, for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from shutil import which
from time import monotonic
from weakref import WeakKeyDictionary

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, sync_playwright

CHROMIUM = next(filter(None, map(which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync"
)
DESKTOP = (1440, 900)
PHONE = (360, 740)
PATIENCE = 60_000  # milliseconds; the machines that test are busy


@contextmanager
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium here: install it to test the page")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        yield browser
        browser.close()


def open_page(
    browser: Browser,
    url: str,
    size: tuple[int, int] = DESKTOP,
    theme: str = "night",
    language: str = "en",
) -> Page:
    """A person of their own, at their own screen; what the page complains about fails the test."""
    phone = size == PHONE
    context = browser.new_context(
        base_url=url,
        viewport={"width": size[0], "height": size[1]},
        has_touch=phone,
        is_mobile=phone,
        device_scale_factor=2 if phone else 1,
        reduced_motion="reduce",
    )
    context.add_init_script(
        f"localStorage.setItem('hv-theme', '{theme}');"
        f"localStorage.setItem('PARAGLIDE_LOCALE', '{language}')"
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    said = COMPLAINTS[page] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error":
            said.append(message.text)

    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", hear)
    return page


COMPLAINTS: WeakKeyDictionary[Page, list[str]] = WeakKeyDictionary()


def complaints(page: Page) -> list[str]:
    return COMPLAINTS[page]


class Player:
    """Plays a whole game with the buttons that the page offers, and nothing else."""

    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page = page
        self.rng = Random(seed)
        self.bar = page.locator(".bar")
        self.seen: set[str] = set()  # what was decided at least once

    def button(self, what: str) -> Locator:
        return self.bar.locator(what)

    def play(self, seconds: float = 600, stop: str | None = None) -> None:
        """Until the game is over, or this kind of decision is due."""
        end = monotonic() + seconds
        while monotonic() < end:
            kind = self.wait()
            if kind in {"over", stop}:
                return
            self.seen.add(kind)
            self.decide(kind)
        raise AssertionError(f"not over after {seconds} s: {self.bar.inner_text()}")

    def wait(self) -> str:
        """What is asked of this player, once something is."""
        state = self.page.wait_for_function(
            """() => {
                const bar = document.querySelector('.bar')
                if (!bar || bar.querySelector('.busy')) return null
                return bar.dataset.asks || null
            }""",
            polling=30,
        )
        kind: str = state.json_value()
        return kind

    def decide(self, kind: str) -> None:
        before = self.page.evaluate("document.querySelector('.bar').dataset.seq")
        getattr(self, kind)()
        self.page.wait_for_function(
            "seq => document.querySelector('.bar')?.dataset.seq !== seq", arg=before, polling=20
        )

    def nominate(self) -> None:
        cards = self.page.locator(".market:visible .card.offered")
        mine = self.page.locator(".player.you:visible .chip").count()
        passing = self.button("[data-key=p]")
        if passing.count() and mine >= 2 and self.rng.random() < 0.6:
            passing.click()
            return
        cards.nth(cards.count() - 1).click()
        self.button("[data-primary]").click()

    def bid(self) -> None:
        if self.rng.random() < 0.2:
            self.button("[data-primary]").click()
        else:
            self.button("[data-key=p]").click()

    def scrap(self) -> None:
        self.button(".moves button").first.click()

    def fuel(self) -> None:
        for more in self.page.locator(".fuel:visible .more").all():
            for _ in range(2):
                if self.rng.random() < 0.7 and more.is_enabled():
                    more.click()
        buy = self.button("[data-primary]")
        buy.click()
        if self.button(".doubt").count():
            buy.click()

    def building(self) -> None:
        nearest = self.button(".suggestion")
        if nearest.count():
            nearest.first.click()
            self.button("[data-primary]").click()
        else:
            self.button("[data-key=d]").click()

    def bureaucracy(self) -> None:
        self.button("[data-primary]").click()

    def regions(self) -> None:
        self.button(".moves button").first.click()

    def city(self) -> None:
        self.page.locator(".city.offered").first.dispatch_event("click")
        self.button("[data-primary]").click()

    cartel = marks = city
