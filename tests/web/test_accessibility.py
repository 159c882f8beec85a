"""axe-core finds nothing serious, on any page, in both themes, at both sizes.

The result of a game is looked at where whole games are played.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from browsing import DESKTOP, PHONE, Player, Size, check_access, open_page
from serving import Server

CORPUS = Path(__file__).parents[1] / "corpus"
MISTAKE = {
    "move": 150,
    "round": 3,
    "phase": "auction",
    "seat": 0,
    "played": "bid 7",
    "chance": 0.2,
    "best": "pass",
    "best_chance": 0.5,
}
ANALYSED = {
    "status": "done",
    "done": 1,
    "found": {"names": ["Ann"], "decisions": [MISTAKE], "curves": [[0.2, None, 1]]},
}


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def size(request: pytest.FixtureRequest) -> Size:
    found: Size = request.param
    return found


def test_pages(server: Server, browser: Browser, size: Size) -> None:
    page = open_page(browser, server.url, size)
    page.goto("/")
    page.get_by_test_id("play").wait_for()
    check_access(page, "home")
    page.goto("/new")
    page.get_by_role("button", name="Make the table").wait_for()
    check_access(page, "new table")
    player = Player(page)
    player.make(rulebook="classic", seats=[{"kind": "me"}, {"kind": "open"}])
    page.get_by_text("make play LAN=1").wait_for()
    check_access(page, "lobby")
    page.goto("/rules/classic")
    page.get_by_role("heading", name="Power Grid").first.wait_for()
    check_access(page, "rules")
    page.context.close()


@pytest.mark.parametrize("record", ["classic-3-players", "cardgame-3-players", "outpost-4-players"])
def test_replay(server: Server, browser: Browser, size: Size, record: str) -> None:
    page = open_page(browser, server.url, size)
    page.goto("/")
    text = (CORPUS / f"{record}.txt").read_text()
    table = page.request.post("/api/import", data=text, headers={"content-type": "text/plain"})
    page.route("**/analysis", lambda route: route.fulfill(json=ANALYSED))
    page.goto(f"/replay/{table.json()['id']}?move=150")
    page.get_by_role("slider").wait_for()
    check_access(page, "replay")
    page.get_by_role("tab", name="Charts").click()
    page.get_by_role("img", name="Money").first.wait_for()
    check_access(page, "charts")
    page.get_by_role("tab", name="Log").click()
    check_access(page, "log")
    page.get_by_role("tab", name="Analysis").click()
    page.get_by_role("img", name="Chance").wait_for()
    check_access(page, "analysis")
    page.context.close()


@pytest.mark.parametrize(
    ("rulebook", "seats", "kinds", "options"),
    [
        ("classic", 3, ("nominate", "fuel", "building", "bureaucracy"), {"demolition": True}),
        ("cardgame", 2, ("nominate", "bid", "fuel_cards", "run", "scrap"), {"demolition": True}),
        ("outpost", 2, ("syndicate", "nominate_forced", "company"), {}),
    ],
)
def test_each_phase(
    server: Server,
    browser: Browser,
    size: Size,
    rulebook: str,
    seats: int,
    kinds: tuple[str, ...],
    options: dict[str, bool],
) -> None:
    page = open_page(browser, server.url, size)
    player = Player(page)
    player.sit_down(rulebook, seats, options=options, seed=5)
    for kind in kinds:
        assert player.play(kind) == kind
        check_access(page, kind)
    player.button("[data-key=h]").click()
    player.bar.get_by_role("button", name="Do that").wait_for()
    check_access(page, "hint")
    page.context.close()
