"""The guided first game, lessons, and several people at one screen."""

from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import SCREENS, Player, complaints, leave, open_page
from serving import Server
from spread import some

LANGUAGES = ("en", "pl", "cs", "sr-Latn", "de")
PUPIL = (Path(__file__).parent / "pupil.js").read_text()
CHOSEN = ("cardgame", "desktop", "cs")
OPENS = {"classic": 3, "recharged": 4, "cardgame": 3, "outpost": 3}  # steps before the first move
TOPICS = ("auction", "fuel", "network", "steps", "end", "cartel", "demolition")


def follow(page: Page, last: str, most: int = 400) -> list[str]:
    """Press what the coach points at until this step appears; return the steps read."""
    read: list[str] = page.evaluate(PUPIL, {"last": last, "most": most})["read"]
    return read


@pytest.mark.parametrize(
    ("rulebook", "screen", "language"),
    some(CHOSEN, of=product(OPENS, SCREENS, LANGUAGES)),
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
    last = "know" if rulebook in ("classic", "recharged") else "know_any"
    read = follow(page, last)
    assert not {*begun} & {*read}
    assert read[-1] == last
    assert page.locator(".bar").get_attribute("data-seq") != "0"
    expect(page.locator(".coach")).to_be_hidden()
    Player(page).wait()
    page.locator(".again").click()  # the coach speaks on request
    expect(page.locator(".coach .now")).to_be_visible()
    assert complaints(page) == []
    leave(page)


@pytest.mark.long
@pytest.mark.parametrize(
    ("topic", "screen", "language"),
    [*product(TOPICS, SCREENS, LANGUAGES)],
)
def test_a_lesson_of_five_minutes_is_chosen_and_followed(
    server: Server, browser: Browser, topic: str, screen: str, language: str
) -> None:
    page = open_page(browser, server.url, SCREENS[screen], language=language)
    page.goto("/tutorial")
    page.locator(f'a[href$="/tutorial/{topic}"]').click()
    page.locator(".coach").wait_for()
    assert follow(page, f"{topic}_end")[-1] == f"{topic}_end"
    page.goto("/tutorial")
    expect(page.locator(f'a[href$="/tutorial/{topic}"] small')).to_be_visible()
    assert complaints(page) == []
    leave(page)


def test_the_next_lesson_is_the_one_to_start_with(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    page.goto("/tutorial")
    start = page.locator("main a.now")
    expect(start).to_have_attribute("href", "/tutorial/classic")
    expect(start).to_contain_text("Start here")
    others = page.get_by_role("link", name="Outpost")
    expect(others).to_be_hidden()
    page.get_by_text("First games of the other editions").click()
    expect(others).to_be_visible()
    page.evaluate("localStorage.setItem('hv-lessons-finished', '[\"classic\"]')")
    page.goto("/tutorial")
    expect(page.get_by_text("Done: 1 of 11")).to_be_visible()
    expect(start).to_have_attribute("href", "/tutorial/auction")
    leave(page)


@pytest.mark.long
def test_the_cheapest_city_is_lit_and_tapped(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url, (1280, 720))
    page.goto("/tutorial/network")
    page.locator("[data-lesson=network_intro]").click()
    lit = page.locator(".city[data-pointed]")
    expect(lit).to_have_attribute("data-city", "aachen")
    expect(page.locator(".coach")).to_contain_text(
        "Look at Aachen: it is the cheapest city for you"
    )
    assert page.locator(".map .price.later").count() == 0  # nothing that cannot be built yet
    lit.click()
    expect(page.locator("[data-step=decide_connect]")).to_be_visible()
    assert page.locator(".city .ghost").count() == 0  # it answered the coach, and is not a move
    leave(page)


@pytest.mark.long
def test_a_question_is_answered_by_tapping(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    page.goto("/tutorial/auction")
    page.locator("[data-lesson=auction_intro]").click()
    coach = page.locator("[data-step=auction_question]")
    expect(coach).to_contain_text("Tap your answer.")
    page.locator('.market .card[data-card="5"]').click()
    expect(coach).to_contain_text("Not quite")
    right = page.locator('.market .card[data-card="9"]')
    expect(right).to_have_attribute("data-pointed", "")
    right.press("Enter")
    expect(page.locator("[data-step=auction_compare]")).to_contain_text("the other burns 1 oil")
    assert page.locator(".card.chosen").count() == 0
    leave(page)


@pytest.mark.long
def test_a_decision_of_ones_own_is_answered(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    page.goto("/tutorial/classic")
    page.locator(".coach").wait_for()
    follow(page, "", most=OPENS["classic"])
    expect(page.locator(".coach .now")).to_be_visible()
    page.locator(".card.offered:not([data-pointed])").first.click()
    page.locator(".bar [data-primary]").click()
    answer = page.locator("[data-step=otherwise_nominate]")
    expect(answer).to_contain_text("You put 3 up and not ")
    page.locator("[data-lesson=otherwise_nominate]").click()
    expect(answer).to_be_hidden()
    leave(page)


@pytest.mark.long
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
    leave(page)
