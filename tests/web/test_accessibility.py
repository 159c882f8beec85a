"""axe-core finds nothing serious, on any page, in both themes, at both sizes."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browsing import DESKTOP, PHONE, Player, Size, open_page
from serving import Server

AXE = (Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js").read_text()
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


def check(page: Page, where: str) -> None:
    """No violation that keeps somebody out, by day and by night."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    for theme, rules in (("night", []), ("day", ["color-contrast"])):  # all else is the same by day
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        found: list[list[str]] = page.evaluate(
            """async (rules) => {
                const only = rules.length ? { runOnly: rules } : {}
                const { violations } = await axe.run({ resultTypes: ['violations'], ...only })
                return violations
                  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
                  .map(({ id, nodes }) => [id, ...nodes.map((n) => n.html + n.failureSummary)])
            }""",
            rules,
        )
        assert found == [], f"{where}, {theme}"


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def size(request: pytest.FixtureRequest) -> Size:
    found: Size = request.param
    return found


def test_pages(server: Server, browser: Browser, size: Size) -> None:
    page = open_page(browser, server.url, size)
    page.goto("/")
    page.get_by_test_id("play").wait_for()
    check(page, "home")
    page.goto("/new")
    page.get_by_role("button", name="Make the table").wait_for()
    check(page, "new table")
    player = Player(page)
    player.make(rulebook="classic", seats=[{"kind": "me"}, {"kind": "open"}])
    page.get_by_text("make play LAN=1").wait_for()
    check(page, "lobby")
    page.goto("/rules/classic")
    page.get_by_role("heading", name="Power Grid").first.wait_for()
    check(page, "rules")
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
    check(page, "replay")
    page.get_by_role("tab", name="Charts").click()
    page.get_by_role("img", name="Money").first.wait_for()
    check(page, "charts")
    page.get_by_role("tab", name="Log").click()
    check(page, "log")
    page.get_by_role("tab", name="Analysis").click()
    page.get_by_role("img", name="Chance").wait_for()
    check(page, "analysis")
    page.context.close()


@pytest.mark.parametrize(
    ("rulebook", "seats", "kinds", "options"),
    [
        ("classic", 3, ("nominate", "fuel", "building", "bureaucracy"), {"demolition": True}),
        ("cardgame", 2, ("nominate", "bid", "fuel_cards", "run", "scrap"), {"demolition": True}),
        ("outpost", 2, ("syndicate", "nominate_forced", "company", "bureaucracy", "bid_card"), {}),
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
        check(page, kind)
    player.button("[data-key=h]").click()
    player.bar.get_by_role("button", name="Do that").wait_for()
    check(page, "hint")
    assert player.play() == "over"
    page.get_by_role("dialog").wait_for()
    check(page, "result")
    page.context.close()
