"""What a decision needs is in view, on every screen, with few players and with many.

Whether an element is visible is measured in the browser: its box is in the window, in every frame
around it, and above the bar, and nothing covers it.
"""

from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import Page

import highvoltage as hv
from browsing import PATIENCE, Player, show_in
from seating import seat_ann
from serving import Server

LAPTOPS = ((1280, 720), (1366, 768), (1440, 900))
ON_ITS_SIDE = (844, 390)
UPRIGHT = (768, 1024)
LATE = 4  # rounds: everybody owns something
HIDDEN = """(what) => {
    const within = (box, frame) =>
        box.left >= frame.left - 1 && box.right <= frame.right + 1 &&
        box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1
    const fault = (element) => {
        const box = element.getBoundingClientRect()
        if (!box.width || !box.height) return 'has no size'
        const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
        if (!within(box, screen)) return 'is off the screen'
        for (let frame = element.parentElement; frame; frame = frame.parentElement)
            if (getComputedStyle(frame).overflowY !== 'visible')
                if (!within(box, frame.getBoundingClientRect())) return `is cut: ${frame.className}`
        const middle = [box.left + box.width / 2, box.top + box.height / 2]
        const there = document.elementFromPoint(...middle)
        const seen = element.contains(there) || there?.contains(element)
        return seen ? '' : `is under ${there?.className}`
    }
    const found = [...document.querySelectorAll(what)]
        .filter((each) => getComputedStyle(each).display !== 'none')
    const words = (each) => each.textContent.trim().replace(/\\s+/g, ' ').slice(0, 40)
    if (!found.length) return [`${what}: there is none`]
    return found.filter(fault).map((each) => `${what} ${words(each)}: ${fault(each)}`)
}"""

EVERYBODY = [".player .name", ".player .cash", ".player .goods > *"]
BOARD = [*EVERYBODY, ".market .card", ".fuel .price"]
CARDS = [*EVERYBODY, ".tableau .card", ".tableau .cash", ".market .card", ".fuelcard", ".price"]
OUTPOST = [*EVERYBODY, ".market .card", ".labour", ".company .kind .card"]
LOW = {
    "classic": [".mine .money", ".mine .chip"],
    "recharged": [".mine .money", ".mine .chip"],
    "cardgame": [".tableau .cash", ".tableau .card"],
    "outpost": [".mine .money", ".mine .chip"],
}
"""A player's own pieces, on a phone in landscape."""
OWN = {
    "cardgame": [".tableau .card", ".tableau .cash", ".columns .price"],
    "outpost": [".company .kind .card", ".company .sheet", ".labour"],
}
"""A player's own pieces and choices, on a tablet in portrait, with a map or without."""
OFFER = ".market .row:not(.future) .card"
ASKED = {
    ("classic", "auction"): OFFER,
    ("classic", "fuel"): ".fuel .more",
    ("classic", "building"): ".bar .suggestions",
    ("recharged", "auction"): OFFER,
    ("recharged", "fuel"): ".fuel .more",
    ("cardgame", "auction"): OFFER,
    ("cardgame", "fuel"): ".columns .price",
    ("outpost", "auction"): OFFER,
    ("outpost", "company"): ".company .kind .card",
}
"""What the phase lets a player choose from, with its prices."""


def late(phase: str, game: hv.Game) -> bool:
    return game.state.round >= LATE and game.phase == phase


def _faults(page: Page, size: tuple[int, int], wanted: list[str]) -> list[str]:
    show_in(page, size)
    for _ in range(PATIENCE // 50):  # until the page has rendered it
        faults: list[str] = [fault for what in wanted for fault in page.evaluate(HIDDEN, what)]
        if not faults:
            break
        page.wait_for_timeout(50)
    page.evaluate("scrollTo(0, 500)")
    if page.evaluate("scrollY || document.documentElement.scrollHeight - innerHeight"):
        faults.append("the page scrolls")
    return faults


@pytest.mark.long
@pytest.mark.parametrize(
    ("rulebook", "seats", "wanted"),
    [
        ("classic", 6, BOARD),
        ("recharged", 2, [*BOARD, ".stranger > *"]),
        ("cardgame", 6, CARDS),
        ("cardgame", 2, [*CARDS, ".stranger > *"]),
        ("outpost", 6, OUTPOST),
        ("outpost", 2, [*OUTPOST, ".stranger > *"]),
    ],
)
def test_a_decision_has_everything_in_view(
    server: Server,
    page_of_ann: Callable[[], Page],
    rulebook: str,
    seats: int,
    wanted: list[str],
) -> None:
    page = page_of_ann()
    faults: dict[str, list[str]] = {}
    for phase in (phase for book, phase in ASKED if book == rulebook):
        table = seat_ann(server, partial(late, phase), rulebook, seats)
        Player(page).go(f"/table/{table}")
        page.locator(".bar .moves .button").first.wait_for()
        buttons = ".bar .moves .button:not(.suggestion)"
        for size in LAPTOPS:
            faults[f"{phase} {size}"] = _faults(page, size, [*wanted, buttons])
        mine = [*LOW[rulebook], ASKED[rulebook, phase], buttons]
        faults[f"{phase} {ON_ITS_SIDE}"] = _faults(page, ON_ITS_SIDE, mine)
        upright = [*OWN.get(rulebook, []), ".market .card", buttons]
        if phase != "company":
            upright = [what for what in upright if "sheet" not in what]
        faults[f"{phase} {UPRIGHT}"] = _faults(page, UPRIGHT, upright)
    assert {where: found for where, found in faults.items() if found} == {}
