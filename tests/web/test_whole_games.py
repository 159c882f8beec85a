"""Whole games against bots, played with the mouse."""

import pytest
from playwright.sync_api import Browser, expect

from browsing import DESKTOP, PHONE, Player, complaints, open_page
from serving import Server


@pytest.mark.parametrize(
    ("rulebook", "bots", "size"),
    [
        ("Power Grid (2004)", 3, DESKTOP),
        ("Power Grid Recharged (2018)", 1, PHONE),
        ("Power Grid (2004)", 1, DESKTOP),
        ("Power Grid Recharged (2018)", 3, DESKTOP),
    ],
)
def test_a_whole_game_can_be_played(
    server: Server, browser: Browser, rulebook: str, bots: int, size: tuple[int, int]
) -> None:
    page = open_page(browser, server.url, size)
    page.goto("/")
    page.get_by_role("radio", name=rulebook).click()
    page.get_by_role("radio", name=str(bots), exact=True).click()
    page.get_by_test_id("play").click()
    player = Player(page)
    player.play()
    expect(page.get_by_role("button", name="Play again")).to_be_visible()
    assert {"nominate", "fuel", "building", "bureaucracy"} <= player.seen
    assert complaints(page) == []
    page.context.close()
