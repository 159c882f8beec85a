"""The guided first game, and several people at one screen."""

import pytest
from playwright.sync_api import Browser, expect

from browsing import SCREENS, Player, complaints, open_page
from serving import Server
from spread import some


@pytest.mark.parametrize("screen", some("desktop", of=SCREENS))
def test_a_first_game_is_led_through(server: Server, browser: Browser, screen: str) -> None:
    page = open_page(browser, server.url, SCREENS[screen])
    page.goto("/")
    page.get_by_role("link", name="New to the game?").click()
    player = Player(page)
    player.bar.wait_for()
    page.get_by_role("complementary", name="First game").wait_for()
    heard = []
    for kind in ("nominate", "fuel", "building", "bureaucracy"):
        assert player.play(kind) == kind
        heard += player.listen()
    assert heard[0] == "Welcome"
    for title in (
        "Put a plant up for auction",
        "Buy fuel",
        "Your first city",
        "Power your cities",
    ):
        assert title in heard
    page.reload()  # what was heard is not told again
    player.wait()
    assert "Welcome" not in player.listen()
    player.button("[data-primary]").click()
    for _ in range(3):
        player.play("nominate")
        heard += player.listen()
        player.play("bureaucracy")
        heard += player.listen()
        player.button("[data-primary]").click()
    player.wait()
    heard += player.listen()
    assert heard[-1] == "You know the game"
    expect(page.get_by_role("complementary", name="First game")).to_be_hidden()
    assert complaints(page) == []
    page.context.close()


def test_the_screen_is_handed_over_where_money_is_hidden(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    player = Player(page)
    here = {"kind": "me"}
    player.make(
        rulebook="classic",
        options={"money": "hidden"},
        seats=[here, {"kind": "bot", "bot": "clerk"}, here],
    )
    money = page.locator(".player .cash .money")
    takers = set()
    take = page.get_by_role("button", name="I am ")
    for _ in range(12):
        player.wait()
        if take.count():
            assert money.count() == 0, "nothing is seen before somebody has taken the screen"
            takers.add(take.inner_text())
            take.click()
            expect(take).to_be_hidden()
        assert money.count() == 1, "one's own money, and nobody else's"
        player.play(most=1)
    assert len(takers) == 2
    page.context.close()
