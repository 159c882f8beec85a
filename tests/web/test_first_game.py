"""The guided first game, and several people at one screen."""

from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import SCREENS, Player, complaints, leave, open_page
from highvoltage import words
from serving import Server
from spread import sizes, some

LANGUAGES = ("en", "pl", "cs", "sr-Latn", "de")
PUPIL = (Path(__file__).parent / "pupil.js").read_text()
# The lessons of the 2004 edition are those of 2018, less one.
CHOSEN = (
    ("recharged", "phone", "de"),
    ("cardgame", "desktop", "cs"),
    ("outpost", "desktop", "sr-Latn"),
)
OPENS = {"classic": 3, "recharged": 4, "cardgame": 3, "outpost": 3}  # lessons before the first move


def follow(page: Page, last: str, most: int = 400) -> list[str]:
    """Press what the coach points at until this title appears; return the titles seen."""
    found = page.evaluate(PUPIL, {"last": last, "most": most})
    titles: list[str] = found["titles"]
    return titles


def title(language: str, lesson: str) -> str:
    with words.speaking(language):
        return words.say(f"lesson_{lesson}_title")


@pytest.mark.parametrize(
    ("rulebook", "screen", "language"),
    some(*CHOSEN, of=product(OPENS, SCREENS, LANGUAGES)),
)
def test_a_first_game_is_played_by_following_the_coach(
    server: Server, browser: Browser, rulebook: str, screen: str, language: str
) -> None:
    page = open_page(browser, server.url, SCREENS[screen], language=language)
    page.goto(f"/tutorial/{rulebook}")
    page.locator(".coach").wait_for()
    table = page.url
    begun = follow(page, "", most=OPENS[rulebook])
    assert len(begun) == OPENS[rulebook]
    Player(page).go("/")  # left, and resumed where it was
    page.goto(f"/tutorial/{rulebook}")
    page.locator(".coach").wait_for()
    assert page.url == table
    titles = follow(page, "alone")
    assert not {*begun} & {*titles}
    assert titles[-1] == title(language, "alone")
    assert page.locator(".bar").get_attribute("data-seq") != "0"
    player = Player(page)
    end = page.locator("[data-lesson=on_your_own]")
    for _ in range(60):  # a round without the coach
        if end.is_visible():
            break
        player.play(most=1)
        player.wait()
    assert follow(page, "on_your_own")[-1] == title(language, "on_your_own")
    expect(page.locator(".coach")).to_be_hidden()
    assert complaints(page) == []
    leave(page)


@pytest.mark.parametrize("decisions", sizes(6, 12))
def test_the_screen_is_handed_over_where_money_is_hidden(
    server: Server, browser: Browser, decisions: int
) -> None:
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
    for _ in range(decisions):
        player.wait()
        if take.count():
            assert money.count() == 0, "nothing is seen before somebody has taken the screen"
            takers.add(take.inner_text())
            take.click()
            expect(take).to_be_hidden()
        assert money.count() == 1, "one's own money, and nobody else's"
        player.play(most=1)
    assert len(takers) == 2
    leave(page)
