"""Every control of every page but the table: the list is taken from the page.

A control that no test in controls.toml is named for fails, and so does a test there that is gone or
does not speak of it. Those of a decision at the table are in test_controls.py.
"""

import ast
import re
import tomllib
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase as fnmatch
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browsing import Player, imported, leave, open_page
from serving import ME, OPEN, Server

HERE = Path(__file__).parent
CORPUS = HERE.parent / "corpus"
CONTROLS: dict[str, dict[str, list[str]]] = tomllib.loads((HERE / "controls.toml").read_text())
"""Of each page: the tests, and what they press there."""

FOUND = """() => {
    const seen = (each) => each.checkVisibility() && !each.closest('[inert], [role=application]')
    const line = (text) => text.split('\\n').find((each) => /\\p{L}{2}/u.test(each)) ?? text.trim()
    const words = (each) => line([...each.childNodes]
        .filter((one) => !one.matches?.('select, input'))
        .map((one) => one.nodeType === 3 ? one.data : one.innerText).join(''))
    const named = (each) => each.ariaLabel ||
        (each.labels?.length ? words(each.labels[0]) : line(each.innerText ?? '')) ||
        each.title || each.placeholder || each.querySelector?.('title')?.textContent || ''
    const what = `button, input, select, textarea, summary, a[href],
        [role=slider], [role=button], [contenteditable]`
    const top = document.querySelector('dialog[open]') ?? document
    const all = [...top.querySelectorAll(what)].filter(seen)
    return [...new Set(all.map((each) => named(each).replace(/[0-9]+/g, '#').trim()))]
}"""


@pytest.fixture
def page(server: Server, browser: Browser) -> Iterator[Page]:
    page = open_page(browser, server.url)
    yield page
    leave(page)


def lobby(player: Player) -> None:
    player.make(rulebook="classic", seats=[ME, OPEN])


def replay(player: Player) -> None:
    table = imported(player.page, (CORPUS / "classic-3-players.txt").read_text())
    player.go(f"/replay/{table}?move=150")


def account(player: Player) -> None:
    player.go("/")
    player.page.get_by_role("button", name="Account").click()


PAGES: dict[str, tuple[str | Callable[[Player], None], str]] = {
    "home": ("/", "[data-testid=play]"),
    "new table": ("/new", "button:has-text('Make the table')"),
    "lobby": (lobby, "button:has-text('Let this network in')"),
    "replay": (replay, "[role=slider], input[type=range]"),
    "account": (account, "dialog[open] button"),
    "rules": ("/rules/classic", "button:has-text('Print the summary')"),
    "lessons": ("/tutorial", "summary"),
    "puzzles": ("/puzzles", "main a, article a"),
    "finished games": ("/games", "input[type=search]"),
    "public games": ("/games/public", "select"),
    "profile": ("/u", "input[type=date]"),
    "leaderboard": ("/leaderboard", "main select"),
    "cups": ("/cups", "button:has-text('Make a cup')"),
    "tonight": ("/tonight", "button:has-text('Find me a game')"),
    "map maker": ("/maker", "button:has-text('Cities')"),
    "map library": ("/library", "input[type=search]"),
    "link": ("/link", "button:has-text('Play here')"),
}
"""Where each page is, and what shows that it is there."""


def test_every_control_has_a_test(page: Page) -> None:
    player = Player(page)
    page.request.get("/api/me")
    unknown = {}
    for name, (place, there) in PAGES.items():
        player.go(place) if isinstance(place, str) else place(player)
        page.locator(there).first.wait_for()
        known = [*pressed("everywhere"), *pressed(name)]
        found: list[str] = page.evaluate(FOUND)
        unknown[name] = [each for each in found if not any(fnmatch(each, one) for one in known)]
        if name == "account":
            page.keyboard.press("Escape")
    assert unknown == {name: [] for name in PAGES}, "no test presses these"


def pressed(name: str) -> Iterator[str]:
    for names in CONTROLS.get(name, {}).values():
        yield from names


def test_what_is_named_is_pressed() -> None:
    """Each of these tests is there, and its module speaks of what it is named for."""
    for tests in CONTROLS.values():
        for test, names in tests.items():
            file, _, function = test.partition("::")
            source = (HERE / file).read_text()
            defined = {each.name for each in ast.walk(ast.parse(source)) if hasattr(each, "name")}
            assert function in defined, test
            for name in names:
                assert re.split(r" ?[#*]", name)[0] in source, f"{test}: {name}"
