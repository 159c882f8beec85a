"""A server and a browser for the tests of the page."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from browsing import Player, chromium, complaints, open_page
from serving import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"), settings='analysis_budget = "1"')
    yield running
    running.stop()
    assert running.errors() == []


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running


@pytest.fixture
def player_at(server: Server, browser: Browser) -> Iterator[Callable[[str], Player]]:
    """Somebody at a table of the classic game who has to make such a decision."""
    players: list[Player] = []

    def sit(kind: str) -> Player:
        player = Player(open_page(browser, server.url))
        players.append(player)
        player.sit_down()
        assert player.play(kind) == kind
        return player

    yield sit
    for player in players:
        assert complaints(player.page) == []
        player.page.context.close()
