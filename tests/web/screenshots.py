"""Makes the pictures in docs/screenshots: the page as people see it.

With arguments, only the pictures whose names begin with one of them.
"""

import sys
from base64 import b64decode
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, Page

import highvoltage as hv
from browsing import DESKTOP, PHONE, STEP, Player, Size, chromium, imported, open_page
from seating import is_last
from serving import Server
from webp import animated

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "screenshots"
CORPUS = ROOT / "tests" / "corpus"
LANGUAGES = ("en", "pl", "cs", "sr-Latn", "de")
SEED = 8
MIDDLE = 5  # rounds
FILM = 0.7  # relative to the size of the page
FRAME = 100  # milliseconds
SOLD, LONGEST = 18, 90  # frames: after the hammer has fallen, and in total


def take(page: Page, name: str) -> None:
    page.wait_for_timeout(400)
    keep(f"{name}.webp", picture(page))


def keep(name: str, data: bytes) -> None:
    (PICTURES / name).write_bytes(data)
    print(f"docs/screenshots/{name}, {len(data) // 1024} kB")


def picture(page: Page, clip: Mapping[str, float] | None = None, scale: float = 1) -> bytes:
    """The page as WebP, encoded by the browser; or a part of it, for an animation."""
    whole = {"x": 0, "y": 0, **(page.viewport_size or {})}
    taken = page.context.new_cdp_session(page).send(
        "Page.captureScreenshot",
        {
            "format": "webp",
            "quality": 40 if clip else 82,
            "clip": {**(clip or whole), "scale": scale},
        },
    )
    return b64decode(taken["data"])


def auction(server: Server, page: Page, name: str) -> None:
    """A card is nominated, bid for and sold, frame by frame."""
    page.clock.install()
    player = Player(page)
    player.sit_at(server, "nominate", seats=4)
    page.emulate_media(reduced_motion="no-preference")
    page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))
    page.locator(".card.offered:visible").last.evaluate("card => card.click()")
    page.locator("[data-primary]").evaluate("button => button.click()")
    page.wait_for_function("() => Number(document.querySelector('.bar').dataset.seq) > 2")
    player.bar.get_by_role("button", name="Skip").wait_for()  # the others have decided
    clip = {"x": 290, "y": 220, "width": 700, "height": 460}  # the stage, and a little around it
    frames: list[tuple[bytes, int]] = []
    sold = 0
    while sold < SOLD and len(frames) < LONGEST:
        page.clock.run_for(FRAME)
        page.evaluate(STEP, FRAME)
        shot = picture(page, clip, FILM)
        sold += page.locator(".stage.sold").count()
        if frames and frames[-1][0] == shot:
            frames[-1] = (shot, frames[-1][1] + FRAME)
        else:
            frames.append((shot, FRAME))
    sizes = (round(clip[side] * FILM) for side in ("width", "height"))
    keep(f"{name}.webp", animated(frames, *sizes))


def home(_: Server, page: Page, name: str) -> None:
    page.goto("/")
    page.get_by_test_id("play").wait_for()
    take(page, name)


def middle(game: hv.Game) -> bool:
    return game.state.round >= MIDDLE


def phases(server: Server, page: Page, prefix: str) -> None:
    """Each decision in the middle of a game."""
    player = Player(page)
    for kind in ("nominate", "bid", "fuel", "building", "bureaucracy"):
        player.sit_at(server, kind, seats=4, when=middle)
        if kind == "nominate":
            page.locator(".card.offered:visible").last.click()
        elif kind == "fuel":
            page.locator(".fuel:visible .more:enabled").first.click()
        elif kind == "building" and page.locator(".suggestion").count():
            page.locator(".suggestion").first.click()
        take(page, f"{prefix}{kind}")


def result(server: Server, page: Page, name: str) -> None:
    player = Player(page)
    player.sit_at(server, "building", seats=4, when=is_last)
    player.button("[data-key=d]").click()
    page.get_by_role("dialog").wait_for()
    take(page, name)


def cards(server: Server, page: Page, prefix: str) -> None:
    """The card game, for two with the Bank."""
    player = Player(page)
    for kind, picked in (("nominate", ".card"), ("fuel_cards", ".fuelcard"), ("run", None)):
        player.sit_at(server, kind, "cardgame", 2, when=middle, options={"demolition": True})
        if picked and page.locator(f"{picked}.offered:visible").count():
            page.locator(f"{picked}.offered:visible").last.click()
        take(page, f"{prefix}{kind}")


def outpost(server: Server, page: Page, prefix: str, seats: int = 4) -> None:
    """Each decision in the middle of a game of Outpost."""
    player = Player(page)
    for kind in ("nominate_card", "company", "bureaucracy"):
        player.sit_at(server, kind, "outpost", seats, when=middle)
        if kind == "nominate_card":
            page.locator(".card.offered:visible").last.click()
        for _ in range(2 if kind == "company" else 0):
            if page.locator(".suggestion").count():
                page.locator(".suggestion").first.evaluate("button => button.click()")
        take(page, f"{prefix}{kind}")


def syndicate(server: Server, page: Page, prefix: str) -> None:
    """Outpost for two, with the Syndicate."""
    outpost(server, page, prefix, seats=2)


def board_replay(_: Server, page: Page, name: str) -> None:
    replay(page, name)


def outpost_replay(_: Server, page: Page, name: str) -> None:
    replay(page, name, "outpost", 250)


def replay(page: Page, name: str, rulebook: str = "classic", move: int = 330) -> None:
    table = imported(page, (CORPUS / f"{rulebook}-4-players.txt").read_text())
    page.goto(f"/replay/{table}?move={move}")
    page.get_by_role("tab", name="Charts").click()
    page.get_by_role("img", name="Money at the end").wait_for()
    take(page, name)


def cards_replay(_: Server, page: Page, name: str) -> None:
    replay(page, name, "cardgame", 150)


def tutorial(_: Server, page: Page, name: str) -> None:
    page.goto("/tutorial/classic")
    page.get_by_role("complementary").wait_for()
    take(page, name)


def rules(_: Server, page: Page, name: str) -> None:
    page.goto("/rules/classic/C-4.5.1")
    page.get_by_text("The winner pays the bid to the bank").wait_for()
    take(page, name)


def speaking(server: Server, page: Page, name: str) -> None:
    Player(page).sit_at(server, "building", seats=4, when=middle)
    take(page, name)


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder, chromium() as browser:
        server = Server(Path(folder))
        try:
            _all(browser, server)
        finally:
            server.stop()


def _all(browser: Browser, server: Server) -> None:
    def show(
        what: Callable[[Server, Page, str], None],
        name: str,
        size: Size = DESKTOP,
        theme: str = "night",
        language: str = "en",
    ) -> None:
        wanted = sys.argv[1:]
        if wanted and not any(name.startswith(word) or word.startswith(name) for word in wanted):
            return
        scale = 2 if size == PHONE else 1
        page = open_page(browser, server.url, size, theme, language, scale, painted=True)
        what(server, page, name)
        page.context.close()

    show(auction, "auction")
    show(home, "home")
    show(home, "home-day", theme="day")
    show(home, "home-phone", PHONE)
    show(phases, "")
    show(phases, "phone-", PHONE)
    show(result, "result")
    show(board_replay, "replay")
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
