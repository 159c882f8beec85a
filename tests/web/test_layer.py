"""What floats over the table covers nothing that the decision needs, on every screen."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

import highvoltage as hv
from browsing import DESKTOP, PATIENCE, PHONE, Player, Sit, Size, held, show_in
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
        const frame = element.closest('.tabbody, .sidebody, .pane, .moves')?.getBoundingClientRect()
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
    const NEEDED = '.offered, .hinted, .fuel .more:enabled, .bar button, .tableau .card'
    const faults = []
    for (const floating of shown('.notice, .notice p, .stage, .payday, .coach, .herald')) {
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
        for (const step of stage.querySelectorAll('.step'))
            for (const seat of stage.querySelectorAll('li'))
                if (overlap(step.getBoundingClientRect(), seat.getBoundingClientRect()))
                    faults.push(`${words(step)} covers ${words(seat)}`)
    }
    return faults
}"""

SMALL = """(least) => {
    const words = (each) =>
        `${each.className?.baseVal ?? each.className} ${each.textContent.trim().slice(0, 24)}`
    const isShown = (each) => each.checkVisibility() && each.getBoundingClientRect().width > 1
    const faults = []
    // Pieces on a shelf are bought with the buttons beside them too; links in a text are text.
    const buttons = 'button:not(.token), [role=button], [role=tab], summary'
    for (const each of document.querySelectorAll(`.page :is(${buttons})`)) {
        const { width, height } = each.getBoundingClientRect()
        if (isShown(each) && !each.closest('.sheet') && Math.min(width, height) < least - 0.5)
            faults.push(`${words(each)} is ${Math.round(width)} by ${Math.round(height)}`)
    }
    // The cards of a company are miniatures, as is what is sold where there is little room (it is
    // in the market too); and the name of a technology is as wide as its card.
    const small = '.sr, .company .card *, .lot .card *, .card .name, .aside *'
    for (const each of document.querySelectorAll(`.page *:not(${small})`)) {
        const isText = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
        if (!isText || !isShown(each)) continue
        const drawn = each.ownerSVGElement ? each.getScreenCTM().a : 1
        const size = drawn * parseFloat(getComputedStyle(each).fontSize)
        if (size < 10.8) faults.push(`${words(each)} is written in ${size.toFixed(1)} px`)
    }
    // What is cut says so.
    for (const each of document.querySelectorAll('.tabbody, .sidebody, .players, .mine'))
        if (each.scrollHeight - each.clientHeight - each.scrollTop > 4 && !each.dataset.more)
            faults.push(`${words(each)} does not say that there is more`)
    return faults
}"""
FINGER = 44
MOUSE = 24


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
    faults: list[str] = []
    for size in sizes:
        by_touch = size[0] < 1000
        page = page_of_ann(PHONE if by_touch else DESKTOP)
        least = FINGER if by_touch else MOUSE
        for rulebook, kind in decisions:
            where = f"{rulebook} {kind} {size}"

            def is_due(game: hv.Game, kind: str = kind) -> bool:
                return decision_kind(game) == kind and game.state.round > 2

            player = Player(page)
            player.go(f"/table/{seat_ann(server, is_due, rulebook, 4)}")
            assert player.wait() == kind
            show_in(page, size)
            faults += [f"{where}: {fault}" for fault in _settled(page, COVERED)]
            faults += [f"{where}: {fault}" for fault in _settled(page, SMALL, least)]
            page.locator(".bar [data-key=h]").click()
            page.locator(".notice .button").wait_for()
            faults += [f"{where} with a hint: {fault}" for fault in _settled(page, COVERED)]
            page.locator(".notice .close").click()
            page.locator(".notice").wait_for(state="detached")
    assert not faults, "\n".join(faults)


def _settled(page: Page, faults: str, least: int = 0) -> list[str]:
    """What is wrong once the page has taken its shape."""
    found: list[str] = []
    for _ in range(PATIENCE // 50):
        found = page.evaluate(faults, least)
        if not found:
            break
        page.wait_for_timeout(50)
    return found


@pytest.mark.long
def test_payday_leaves_ones_own_cards_in_sight(player_at: Sit) -> None:
    player = player_at("run", rulebook="cardgame", seats=4)
    page = player.page
    page.emulate_media(reduced_motion="no-preference")
    with held(page):
        player.button("[data-primary]").click()
        payday = page.get_by_role("region", name="Payday")
        for size in SCREENS:
            show_in(page, size)
            expect(payday).to_be_visible()
            assert not _settled(page, COVERED), size


@pytest.mark.long
def test_a_phone_shows_four_players_at_once_and_fuel_that_can_be_seen(player_at: Sit) -> None:
    page = player_at("bureaucracy", seats=4, size=(390, 844)).page
    expect(page.get_by_role("tab", name="Players")).to_have_attribute("aria-selected", "true")
    panel = page.locator("#tabbody").bounding_box()
    last = page.locator("#tabbody .player").nth(3).bounding_box()
    assert panel
    assert last
    assert last["y"] + last["height"] <= panel["y"] + panel["height"]
    page.get_by_role("tab", name="Fuel").click()
    page.locator(".fuel .token").first.wait_for()
    heights = page.locator(".fuel .token").evaluate_all(
        "all => all.map(each => parseFloat(getComputedStyle(each, '::before').height))"
    )
    assert heights
    assert min(heights) >= 11


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
