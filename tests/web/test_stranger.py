"""A stranger's first evening: somebody who knows nothing but the words on the page."""

import re
from itertools import cycle

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from browsing import DESKTOP, PATIENCE, PHONE, Size, complaints, leave, open_page
from serving import Server
from spread import some

AT_ONCE = 2_000  # milliseconds: what was read a moment ago is pressed by then
TOOLS = {"Undo", "Hint", "What would a bot do here?"}  # its name where there is no room
BUTTON = re.compile(r"- '?button \"(.+?)\"'?(?: \[(\w+)\])?")


class Stranger:
    """Reads the page as it is read out, and presses what has a name."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, name: str | re.Pattern[str], role: str = "button") -> None:
        exact = isinstance(name, str)
        self.page.get_by_role(role, name=name, exact=exact).first.click()  # type: ignore[arg-type]

    def sees(self, words: str) -> bool:
        return self.page.get_by_text(words).first.is_visible()

    def buttons(self, text: str) -> list[str]:
        return [name for name, state in BUTTON.findall(text) if state != "disabled"]

    def is_over(self) -> bool:
        return self.page.get_by_role("button", name="Play again").first.is_visible()

    def decide(self) -> bool:
        """Make a decision, if one is asked for; a plain player takes what is first or passes."""
        tree = self.page.locator("body").aria_snapshot(timeout=PATIENCE)
        region = tree.partition('region "Your move":')[2].partition("\n- ")[0]
        choices = [name for name in self.buttons(region) if name not in TOOLS]
        if not choices and "put a plant up" in region:
            offered = tree.partition('group "Current market"')[2].partition('group "Future')[0]
            plants = [name for name in self.buttons(offered) if name.startswith("Plant ")]
            return bool(plants) and self.try_to_press(plants[-1])
        refusing = [name for name in choices if name in ("Pass", "I'm out")]
        return bool(choices) and self.try_to_press((refusing or choices)[-1])

    def try_to_press(self, name: str) -> bool:
        """False if it is not there any more: the page has changed since it was read."""
        try:
            self.page.get_by_role("button", name=name, exact=True).first.click(timeout=AT_ONCE)
        except PlaywrightTimeout:
            return False
        return True


def play(*strangers: Stranger, most: int = 3_000) -> int:
    """Play until the game is over; returns how often somebody pressed something."""
    pressed = idle = 0
    for stranger in cycle(strangers):
        if pressed >= most or any(each.is_over() for each in strangers):
            return pressed
        if stranger.decide():
            pressed, idle = pressed + 1, 0
        else:
            idle += 1
            assert idle < PATIENCE / 50, stranger.page.locator("body").inner_text()[-500:]
            stranger.page.wait_for_timeout(50)  # others decide, or what was decided is shown
    raise AssertionError


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "size", "most"),
    some(
        ("Power Grid: The Card Game", DESKTOP, 4),
        of=[
            ("Power Grid: The Card Game", DESKTOP, 4),
            ("Power Grid: The Card Game", PHONE, 3_000),
            ("Power Grid (2004)", DESKTOP, 3_000),
        ],
    ),
)
def test_from_home_to_a_finished_game(
    server: Server, browser: Browser, game: str, size: Size, most: int
) -> None:
    page = open_page(browser, server.url, size)
    page.goto("/")
    stranger = Stranger(page)
    stranger.press(re.compile("^Rulebook"))
    stranger.press(re.compile(re.escape(game)), "radio")
    stranger.press("Play")
    page.get_by_role("region", name="Your move").wait_for()
    pressed = play(stranger, most=most)
    assert pressed == most or stranger.is_over()
    assert complaints(page) == []
    leave(page)


@pytest.mark.long
def test_from_a_link_to_a_finished_game_with_a_friend(server: Server, browser: Browser) -> None:
    host, guest = (Stranger(open_page(browser, server.url, size)) for size in (DESKTOP, PHONE))
    host.page.goto("/")
    host.press(re.compile("^Rulebook"))
    host.press(re.compile("The Card Game"), "radio")
    host.press("Play with friends", "link")
    host.press("Make the table")
    host.page.wait_for_url("**/table/*")
    guest.page.goto(host.page.url)
    guest.page.get_by_text(re.compile("The Card Game")).first.wait_for()
    guest.page.wait_for_load_state("networkidle")
    assert not guest.sees("Let this network in")  # which is the host's
    guest.press(re.compile("^Sit"))
    for each in (host, guest):  # it begins once everybody is there
        each.page.get_by_text(re.compile("^Round 1")).first.wait_for()
    play(host, guest)
    for each in (host, guest):
        assert each.is_over()
        assert complaints(each.page) == []
        leave(each.page)


@pytest.mark.long
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=str)
def test_through_a_lesson(server: Server, browser: Browser, size: Size) -> None:
    page = open_page(browser, server.url, size)
    page.goto("/")
    stranger = Stranger(page)
    stranger.press(re.compile("^Lessons"), "link")
    stranger.press(re.compile("^The auction"), "link")
    coach = page.get_by_role("complementary", name="Coach")
    for _ in range(200):
        coach.or_(page.get_by_role("button", name="Ask the coach")).first.wait_for()
        if not coach.is_visible():
            break
        further = coach.get_by_role("button", name=re.compile("Next|Play on"))
        if further.is_visible():
            further.click()
            continue
        words = coach.inner_text()
        follow(stranger, words)
        expect(coach).not_to_have_text(words, use_inner_text=True)
    assert page.get_by_role("button", name="Ask the coach").is_visible()
    page.goto("/tutorial")
    expect(page.get_by_role("link", name=re.compile("The auction.*done"))).to_be_visible()
    leave(page)


def follow(stranger: Stranger, words: str) -> None:
    """Do what the coach says."""
    advice = words.partition("Now: ")[2]
    if found := re.match(r"Nominate (\w+) for", advice):
        chosen = stranger.page.get_by_role("button", name=re.compile(rf"^Plant {found[1]}:"))
        if not chosen.first.is_visible():
            stranger.press(re.compile("^Plants"), "tab")
        chosen.first.click()
        stranger.press(re.compile("^Nominate|Put up|auction"))
    elif found := re.search(r"Compare \w+ and (\w+):.*Tap your answer", words, re.DOTALL):
        stranger.press(re.compile(rf"^Plant {found[1]}:"))
    elif found := re.match(r"Bid (\d+)", advice):
        stranger.press(re.compile(rf"^Raise to {found[1]}"))
    elif advice.startswith("Pass"):
        stranger.press(re.compile("^(Pass|I'm out)"))
