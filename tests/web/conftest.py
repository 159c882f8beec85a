"""A server for the tests of the page, and a player who uses it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import highvoltage as hv
from browsing import DESKTOP, Player, Sit, Size, complaints, open_page, show_in
from seating import cookie
from serving import Process, Server
from static_site import Site, build_site


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Process(tmp_path_factory.mktemp("server"), settings='analysis_budget = "2"')
    yield running
    assert running.stop() == 0
    assert running.errors() == []


@pytest.fixture(scope="session")
def screens() -> dict[tuple[Size, str], Page]:
    """A page in each size and language, kept open: loading one takes longer than most tests."""
    return {}


@pytest.fixture
def page_of_ann(
    server: Server, browser: Browser, screens: dict[tuple[Size, str], Page]
) -> Iterator[Callable[..., Page]]:
    used: list[Page] = []

    def turn_to(size: Size = DESKTOP, language: str = "en") -> Page:
        if (size, language) not in screens:
            new = open_page(browser, server.url, size, language=language)
            new.context.add_cookies([cookie(server)])
            screens[size, language] = new
        page = screens[size, language]
        if page not in used:
            complaints(page).clear()
            used.append(page)
        page.mouse.move(0, 0)
        show_in(page, size)
        return page

    yield turn_to
    for page in used:
        page.unroute_all()
        page.emulate_media(media="null", reduced_motion="reduce")
        page.context.clear_permissions()
        assert complaints(page) == []


@pytest.fixture
def player_at(
    server: Server, page_of_ann: Callable[..., Page], request: pytest.FixtureRequest
) -> Sit:
    """Ann, who has to make such a decision, at a table of the module's rulebook."""
    usual: str = getattr(request.module, "RULEBOOK", "classic")

    def sit(
        kind: str,
        *,
        rulebook: str = usual,
        seats: int = 3,
        when: Callable[[hv.Game], bool] = lambda _: True,
        size: Size = DESKTOP,
        language: str = "en",
        **setup: Any,
    ) -> Player:
        player = Player(page_of_ann(size, language))
        player.sit_at(server, kind, rulebook, seats, when=when, **setup)
        return player

    return sit


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_site(tmp_path_factory.mktemp("static"))


@pytest.fixture
def site(built: Path) -> Iterator[Site]:
    running = Site(built)
    yield running
    running.stop()
