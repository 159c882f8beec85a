"""Makes the pictures in docs/screenshots: the page as people see it.

With words behind the command only the pictures whose names begin with one of them.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page

from browsing import DESKTOP, PHONE, Player, Size, chromium, imported, open_page
from serving import Server

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "screenshots"
CORPUS = ROOT / "tests" / "corpus"
LANGUAGES = ("en", "pl", "cs", "sr-Latn", "de")
SEED = 8


def take(page: Page, name: str) -> None:
    page.wait_for_timeout(400)
    page.screenshot(path=PICTURES / f"{name}.png", scale="css" if "phone" not in name else "device")
    print(f"docs/screenshots/{name}.png")


def home(page: Page, name: str) -> None:
    page.goto("/")
    page.get_by_test_id("play").wait_for()
    take(page, name)


def phases(page: Page, prefix: str) -> None:
    """A game until the middle, and then each of its decisions."""
    player = Player(page, seed=3)
    player.sit_down(seats=4, seed=SEED)
    player.play(most=20)
    wanted = {"nominate", "fuel", "building", "bureaucracy"}
    while wanted:  # a phase in which there is nothing to decide is seen in another round
        kind = player.play(*wanted)
        wanted.remove(kind)
        if kind == "nominate":
            page.locator(".card.offered:visible").last.click()
        elif kind == "fuel":
            page.locator(".fuel:visible .more:enabled").first.click()
        elif kind == "building" and page.locator(".suggestion").count():
            page.locator(".suggestion").first.click()
        take(page, f"{prefix}{kind}")


def cards(page: Page, prefix: str) -> None:
    """The card game, for two with the Bank."""
    player = Player(page, seed=3)
    player.sit_down("cardgame", seats=2, seed=SEED, options={"demolition": True})
    player.play(most=16)
    for kind, picked in (("nominate", ".card"), ("fuel_cards", ".fuelcard"), ("run", None)):
        assert player.play(kind) == kind
        if picked and page.locator(f"{picked}.offered:visible").count():
            page.locator(f"{picked}.offered:visible").last.click()
        take(page, f"{prefix}{kind}")
    assert player.play() == "over"
    take(page, f"{prefix}result")


def advised(player: Player) -> None:
    """One decision, as the bot would make it."""
    seq = player.seq()
    player.page.keyboard.press("h")
    player.bar.get_by_role("button", name="Do that").click()
    player.until_moved(seq)


def outpost(page: Page, prefix: str, seats: int = 4) -> None:
    """Outpost, played with the bot's advice until the middle, and then each of its decisions."""
    player = Player(page)
    player.sit_down("outpost", seats=seats, seed=SEED)
    player.wait()
    while page.locator(".round").inner_text() < "Round 5":
        advised(player)
        player.wait()
    wanted = {"nominate_card", "company", "bureaucracy"}
    while wanted:
        kind = player.wait()
        if kind in wanted:
            wanted.remove(kind)
            if kind == "nominate_card":
                page.locator(".card.offered:visible").last.click()
            for _ in range(2 if kind == "company" else 0):
                if page.locator(".suggestion").count():
                    page.locator(".suggestion").first.evaluate("button => button.click()")
            take(page, f"{prefix}{kind}")
        advised(player)


def syndicate(page: Page, prefix: str) -> None:
    """Outpost for two, with the Syndicate."""
    outpost(page, prefix, seats=2)


def outpost_replay(page: Page, name: str) -> None:
    replay(page, name, "outpost", 250)


def replay(page: Page, name: str, rulebook: str = "classic", move: int = 330) -> None:
    table = imported(page, (CORPUS / f"{rulebook}-4-players.txt").read_text())
    page.goto(f"/replay/{table}?move={move}")
    page.get_by_role("tab", name="Charts").click()
    page.get_by_role("img", name="Money at the end").wait_for()
    take(page, name)


def cards_replay(page: Page, name: str) -> None:
    replay(page, name, "cardgame", 150)


def tutorial(page: Page, name: str) -> None:
    page.goto("/tutorial")
    page.get_by_role("complementary").wait_for()
    take(page, name)


def rules(page: Page, name: str) -> None:
    page.goto("/rules/classic/C-4.5.1")
    page.get_by_text("The winner pays the bid to the bank").wait_for()
    take(page, name)


def speaking(page: Page, name: str) -> None:
    player = Player(page, seed=3)
    player.sit_down(seats=4, seed=SEED)
    player.play(most=16)
    player.play("building")
    take(page, name)


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, chromium() as browser:
        server = Server(Path(folder))
        try:
            _all(browser, server.url)
        finally:
            server.stop()


def _all(browser: Browser, url: str) -> None:
    def show(
        what: Callable[[Page, str], None],
        name: str,
        size: Size = DESKTOP,
        theme: str = "night",
        language: str = "en",
    ) -> None:
        if sys.argv[1:] and not name.startswith(tuple(sys.argv[1:])):
            return
        page = open_page(browser, url, size, theme, language)
        what(page, name)
        page.context.close()

    show(home, "home")
    show(home, "home-day", theme="day")
    show(home, "home-phone", PHONE)
    show(phases, "")
    show(phases, "phone-", PHONE)
    show(replay, "replay")
    show(cards, "cardgame-")
    show(cards, "phone-cardgame-", PHONE)
    show(cards_replay, "cardgame-replay")
    show(tutorial, "tutorial", theme="day")
    show(rules, "rules", theme="day")
    show(outpost, "outpost-")
    show(syndicate, "phone-outpost-", PHONE)
    show(outpost_replay, "outpost-replay", theme="day")
    for language in LANGUAGES:
        show(speaking, f"language-{language}", theme="day", language=language)


if __name__ == "__main__":
    main()
