"""axe-core finds nothing serious, on any page, in both themes, at both sizes.

The result of a game is checked where whole games are played.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest
from playwright.sync_api import Browser

from browsing import SCREENS, Player, Sit, check_access, imported, leave, open_page, open_part
from highvoltage.analysis import Analysis, JudgedDecision, TurningPoint
from highvoltage.rooms.messages import AnalysisInfo
from serving import Server
from spread import some

T = TypeVar("T")
CORPUS = Path(__file__).parents[1] / "corpus"
MISTAKE = JudgedDecision(150, 3, "auction", 0, "bid 7", 0.2, "pass", 0.5, 0.05)
ANALYSIS = Analysis(
    names=("Ann", "Ben", "Cleo"),
    decisions=[MISTAKE],
    curves=[[0.2, 0.5, 1], [0.4, 0.3, 0], [0.4, 0.2, 0]],
    turns=[TurningPoint(1, 0, 0.2, 0.5)],
    judges=("network",),
    version=1,
)
ANALYSED = msgspec.to_builtins(AnalysisInfo("done", 1, ANALYSIS))


PANEL = "[role=tablist], [role=tabpanel]"
REPLAYS = ["classic-3-players", "cardgame-3-players", "outpost-4-players"]
PHASES = {
    ("classic", 3): "nominate fuel building bureaucracy",
    ("cardgame", 2): "nominate bid fuel_cards run scrap",
    ("outpost", 2): "syndicate nominate_forced nominate_card bid_card company bureaucracy",
}
WHAT_A_PHASE_CHANGES = ".bar, .offered, .fuel, .company, main button"


def on_screens(things: Iterable[T]) -> list[tuple[str, T]]:
    return [(screen, thing) for thing in things for screen in SCREENS]


@pytest.mark.parametrize("screen", some("desktop", of=SCREENS))
def test_pages(server: Server, browser: Browser, screen: str) -> None:
    page = open_page(browser, server.url, SCREENS[screen])
    player = Player(page)
    player.go("/")
    page.get_by_test_id("play").wait_for()
    check_access(page, "home")
    player.go("/new")
    page.get_by_role("button", name="Make the table").wait_for()
    check_access(page, "new table", themes=("day",))
    for part in ("Rulebook", "Map", "Options"):
        open_part(page, part)
        check_access(page, part, ".choosing", ("night",))
    player.make(rulebook="classic", seats=[{"kind": "me"}, {"kind": "open"}])
    page.get_by_role("button", name="Let this network in").wait_for()
    check_access(page, "lobby", themes=("night",))
    player.go("/rules/classic")
    page.get_by_role("heading", name="Power Grid").first.wait_for()
    check_access(page, "rules", themes=("day",))
    leave(page)


@pytest.mark.long
@pytest.mark.parametrize(
    ("screen", "record"),
    on_screens(REPLAYS),
)
def test_replay(server: Server, browser: Browser, screen: str, record: str) -> None:
    """All have the same tabs and so the same colours, which are checked only on a desktop."""
    page = open_page(browser, server.url, SCREENS[screen])
    table = imported(page, (CORPUS / f"{record}.txt").read_text())
    page.route("**/analysis", lambda route: route.fulfill(json=ANALYSED))
    page.goto(f"/replay/{table}?move=150")
    page.get_by_role("slider").wait_for()
    check_access(page, "replay")
    for tab, picture in (("Charts", "Money"), ("Log", ""), ("Analysis", "Chance")):
        page.get_by_role("tab", name=tab).click()
        if picture:
            page.get_by_role("img", name=picture).first.wait_for()
        check_access(page, tab, PANEL)
    leave(page)


@pytest.mark.parametrize(
    ("screen", "game"),
    some(("phone", ("cardgame", 2)), of=on_screens(PHASES)),
)
def test_each_phase(player_at: Sit, screen: str, game: tuple[str, int]) -> None:
    """The whole page in the first phase; then what each phase changes, alternately by day."""
    rulebook, seats = game
    options = {} if rulebook == "outpost" else {"demolition": True}
    for n, kind in enumerate(PHASES[game].split()):
        player = player_at(
            kind, rulebook=rulebook, seats=seats, size=SCREENS[screen], options=options
        )
        if n == 0:
            check_access(player.page, kind)
        else:
            check_access(player.page, kind, WHAT_A_PHASE_CHANGES, (("night", "day")[n % 2],))
    player.button("[data-key=h]").click()
    player.bar.get_by_role("button", name="Do that").wait_for()
    check_access(player.page, "hint", ".bar")
