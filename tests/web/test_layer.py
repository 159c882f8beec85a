"""What floats over the table covers nothing that the decision needs, on every screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

import highvoltage as hv
from browsing import PHONE, Player, Sit, Size, show_in
from seating import decision_kind, seat_ann
from serving import Server

SCREENS: tuple[Size, ...] = (
    (360, 640),
    (390, 844),
    (844, 390),
    (820, 1180),
    (1280, 720),
    (1440, 900),
    (1920, 1080),
    (2560, 1440),
)
KINDS = {
    "classic": ("nominate", "bid", "fuel", "building", "bureaucracy"),
    "recharged": ("nominate", "bid", "fuel", "building", "bureaucracy"),
    "cardgame": ("nominate", "bid", "fuel_cards", "run"),
    "outpost": ("nominate_card", "bid_card", "company", "bureaucracy"),
}
ALL = [(rulebook, kind) for rulebook, kinds in KINDS.items() for kind in kinds]
USUAL = [("classic", "nominate"), ("classic", "bid")]

COVERED = """() => {
    const box = (element) => {
        let { left, top, right, bottom } = element.getBoundingClientRect()
        const frame = element.closest('.tabbody, .sidebody, .map, .moves')?.getBoundingClientRect()
        if (frame) {
            [left, top] = [Math.max(left, frame.left), Math.max(top, frame.top)];
            [right, bottom] = [Math.min(right, frame.right), Math.min(bottom, frame.bottom)]
        }
        return { left, top, right, bottom }
    }
    const shown = (what) => [...document.querySelectorAll(what)].filter((each) => {
        const { left, top, right, bottom } = box(each)
        return right - left > 1 && bottom - top > 1
    })
    const overlap = (a, b) =>
        Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 &&
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2
    const within = (a, b, slack) =>
        a.left >= b.left - slack && a.right <= b.right + slack &&
        a.top >= b.top - slack && a.bottom <= b.bottom + slack
    const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
    const words = (each) =>
        `${each.className?.baseVal ?? each.className} ${each.textContent.trim().slice(0, 24)}`
    const NEEDED = '.offered, .hinted, .fuel .more:enabled, .bar button'
    const faults = []
    for (const floating of shown('.notice, .notice p, .stage, .coach, .herald')) {
        const place = box(floating)
        for (const needed of shown(NEEDED))
            if (!floating.contains(needed) && overlap(place, box(needed)))
                faults.push(`${words(floating)} covers ${words(needed)}`)
        if (!within(place, screen, 1))
            faults.push(`${words(floating)} is off the screen`)
    }
    for (const stage of shown('.stage')) {
        const place = stage.getBoundingClientRect()
        for (const part of stage.querySelectorAll('.card, .bid, li, .step'))
            if (!within(part.getBoundingClientRect(), place, 9))
                faults.push(`${words(part)} is cut off the stage`)
        const [step] = stage.querySelectorAll('.step')
        for (const seat of stage.querySelectorAll('li'))
            if (overlap(step.getBoundingClientRect(), seat.getBoundingClientRect()))
                faults.push(`${words(step)} covers ${words(seat)}`)
    }
    return faults
}"""


@pytest.mark.parametrize(
    ("decisions", "sizes"),
    [
        pytest.param(USUAL, ((390, 844), (1280, 720)), id="usual"),
        *(
            pytest.param(ALL, (size,), id="x".join(map(str, size)), marks=pytest.mark.long)
            for size in SCREENS
        ),
    ],
)
def test_nothing_covers_what_is_decided(
    server: Server,
    page_of_ann: Callable[..., Page],
    decisions: list[tuple[str, str]],
    sizes: tuple[Size, ...],
) -> None:
    page = page_of_ann()
    player = Player(page)
    faults: list[str] = []
    for rulebook, kind in decisions:

        def is_due(game: hv.Game, kind: str = kind) -> bool:
            return decision_kind(game) == kind and game.state.round > 2

        player.go(f"/table/{seat_ann(server, is_due, rulebook, 4)}")
        assert player.wait() == kind
        for size in sizes:
            show_in(page, size)
            for hint in (False, True):
                if hint:
                    page.locator(".bar [data-key=h]").click()
                    page.locator(".notice .close").wait_for()
                where = f"{rulebook} {kind} {size}{' with a hint' if hint else ''}"
                faults += [f"{where}: {fault}" for fault in _settled(page)]
                if hint:
                    page.locator(".notice .close").click()
                    page.locator(".notice").wait_for(state="detached")
    assert not faults, "\n".join(faults)


def _settled(page: Page) -> list[str]:
    """What is covered once the page has taken its shape."""
    found: list[str] = []
    for _ in range(40):
        found = page.evaluate(COVERED)
        if not found:
            break
        page.wait_for_timeout(50)
    return found


def test_a_touch_beside_a_city_means_that_city(player_at: Sit) -> None:
    player = player_at("building", size=PHONE)
    page = player.page
    city = page.locator(".city.offered").first
    box = city.locator(".ring").bounding_box()
    assert box is not None
    reach = box["width"] / 2 + 4
    assert reach < 22
    page.mouse.click(box["x"] + box["width"] / 2 - reach, box["y"] + box["height"] / 2)
    page.locator(f'[data-city="{city.get_attribute("data-city")}"] .ghost').wait_for()
