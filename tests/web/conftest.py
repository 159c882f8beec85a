"""A server and a browser for the tests of the page."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from browsing import Player, chromium, complaints, open_page
from serving import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"), settings='analysis_budget = "2"')
    yield running
    running.stop()
    assert running.errors() == []


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def player_at(
    server: Server, browser: Browser, request: pytest.FixtureRequest
) -> Iterator[Callable[..., Player]]:
    """Somebody who has to make such a decision, at a table of the rulebook that a module names."""
    rulebook: str = getattr(request.module, "RULEBOOK", "classic")
    players: list[Player] = []

    def sit(kind: str, *, seats: int = 3, language: str = "en", **setup: Any) -> Player:
        player = Player(open_page(browser, server.url, language=language))
        players.append(player)
        player.sit_down(rulebook, seats, **setup)
        assert player.play(kind) == kind
        return player

    yield sit
    for player in players:
        assert complaints(player.page) == []
        player.page.context.close()
