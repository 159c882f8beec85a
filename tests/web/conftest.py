"""A server for the tests of the page, and somebody who sits at it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import highvoltage as hv
from browsing import Player, complaints, open_page
from serving import Process, Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Process(tmp_path_factory.mktemp("server"), settings='analysis_budget = "2"')
    yield running
    assert running.stop() == 0
    assert running.errors() == []


@pytest.fixture(scope="session")
def screens() -> dict[str, Page]:
    """A page in each language that stays: to load one takes longer than most tests."""
    return {}


@pytest.fixture
def player_at(
    server: Server,
    browser: Browser,
    screens: dict[str, Page],
    request: pytest.FixtureRequest,
) -> Iterator[Callable[..., Player]]:
    """Ann, who has to make such a decision, at a table of the rulebook that a module names."""
    rulebook: str = getattr(request.module, "RULEBOOK", "classic")
    used: list[Page] = []

    def sit(
        kind: str,
        *,
        seats: int = 3,
        when: Callable[[hv.Game], bool] = lambda _: True,
        language: str = "en",
        **setup: Any,
    ) -> Player:
        if language not in screens:
            screens[language] = open_page(browser, server.url, language=language)
        page = screens[language]
        complaints(page).clear()
        used.append(page)
        page.mouse.move(0, 0)
        player = Player(page)
        player.sit_at(server, kind, rulebook, seats, when=when, **setup)
        return player

    yield sit
    for page in used:
        assert complaints(page) == []
