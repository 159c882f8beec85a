"""A real browser and somebody who plays in it, for tests."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from weakref import WeakKeyDictionary

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Locator,
    Page,
    expect,
    sync_playwright,
)
from playwright.sync_api import TimeoutError as PlaywrightTimeout

import highvoltage as hv
from highvoltage.envs.page import find_browser
from seating import cookie, decision_kind, seat_ann
from serving import Server

CHROMIUM = find_browser()
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync --disable-dev-shm-usage"
    " --js-flags=--no-turbofan"  # no page lives long enough to pay for two compilers
)
DESKTOP = (1440, 900)
PHONE = (360, 740)
SCREENS = {"desktop": DESKTOP, "phone": PHONE}
NOTHING = "/favicon.svg"  # from the same server, so that the browser keeps what it has compiled
BAR_OF_PHONE = 150  # pixels: the sentence and two rows of buttons
PATIENCE = 60_000  # milliseconds; test machines are busy
AXE = Path(__file__).parents[1] / "web/node_modules/axe-core/axe.min.js"
# Whether everything is inside landmarks is checked for every node, and is never serious to axe.
NO_REGIONS = {"region": {"enabled": False}}
ALL = {"rules": NO_REGIONS}
NO_COLOURS = {"rules": {**NO_REGIONS, "color-contrast": {"enabled": False}}}
PLAYER = (Path(__file__).parent / "web" / "player.js").read_text()

UNPAINTED = """
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('html { opacity: 0 }')
    document.adoptedStyleSheets = [sheet]
"""
"""All has its place and can be pressed; painting, which nobody looks at, is a fifth of the work."""

HOLD = "real => { setTimeout = (f, ms) => real(f, ms > 50 ? 1e8 : ms) }"

STEP = """(ms) => {
    window.stepped ??= new WeakSet()
    for (const each of document.getAnimations()) {
        each.pause()
        each.currentTime = stepped.has(each) ? each.currentTime + ms : 0
        stepped.add(each)
    }
}"""
"""Advances animations by so many milliseconds, however long the screenshot takes."""

Size = tuple[int, int]
Workers = Literal["allow", "block"]
expect.set_options(timeout=PATIENCE)


@contextmanager
def chromium() -> Iterator[Browser]:
    assert CHROMIUM, "The page is tested in chromium, which is not installed: `make browser`"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        yield browser
        browser.close()


def open_page(
    browser: Browser,
    url: str,
    size: Size = DESKTOP,
    theme: str = "night",
    language: str = "en",
    scale: int = 1,
    workers: Workers = "block",
    *,
    painted: bool = False,
) -> Page:
    """Open a page for a new person: on a screen that another has left, or on a new one.

    Few tests need a service worker, which would load the whole app beside each of them.
    """
    screen = (url, size, scale, workers, painted)
    left = LEFT.setdefault(browser, {}).setdefault(screen, [])
    page = left.pop() if left else _new_page(browser, *screen)
    SCREEN[page] = screen
    page.evaluate(
        """([theme, language]) => {
            localStorage.setItem('hv-theme', theme)
            localStorage.setItem('PARAGLIDE_LOCALE', language)
        }""",
        [theme, language],
    )
    complaints(page).clear()
    return page


def leave(page: Page) -> None:
    """Remove every trace of this person, so that the next one can use the same screen.

    A new screen has to fetch and compile everything again, which takes longer than most tests.
    """
    page.unroute_all()
    page.goto(NOTHING)
    page.evaluate("localStorage.clear()")
    page.mouse.move(0, 0)
    page.emulate_media(media="null", reduced_motion="reduce")
    page.context.clear_cookies()
    page.context.clear_permissions()
    screen = SCREEN[page]
    show_in(page, screen[1])
    browser = page.context.browser
    assert browser is not None
    LEFT[browser][screen].append(page)


@contextmanager
def held(page: Page) -> Iterator[None]:
    """Stop whatever is being shown in here: a busy machine could look only after it.

    The next test uses the same page, and its clocks run again.
    """
    real = page.evaluate_handle("() => setTimeout")
    page.evaluate(HOLD, real)
    try:
        yield
    finally:
        page.evaluate("real => { setTimeout = real }", real)


def open_part(page: Page, part: str) -> None:
    """On the first page, open a part of what will be played: game, map, opponents, options."""
    button = page.locator(".door .part", has=page.get_by_text(part, exact=True))
    if button.get_attribute("aria-expanded") == "false":
        button.click()


def choose(page: Page, part: str, choice: str) -> None:
    open_part(page, part)
    page.locator(".choosing").get_by_role("radio", name=choice, exact=True).click()


def show_in(page: Page, size: Size) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})


def _new_page(
    browser: Browser, url: str, size: Size, scale: int, workers: Workers, painted: bool
) -> Page:
    phone = size == PHONE
    context = browser.new_context(
        base_url=url,
        viewport={"width": size[0], "height": size[1]},
        has_touch=phone,
        is_mobile=phone,
        device_scale_factor=scale,
        reduced_motion="reduce",
        service_workers=workers,
    )
    context.set_default_timeout(PATIENCE)
    if not painted:
        context.add_init_script(UNPAINTED)
    page = context.new_page()
    messages = COMPLAINTS[page] = []

    def on_console(message: ConsoleMessage) -> None:
        if message.type == "error":
            messages.append(message.text)

    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("console", on_console)
    page.goto(NOTHING)
    return page


Screen = tuple[str, Size, int, Workers, bool]
SCREEN: WeakKeyDictionary[Page, Screen] = WeakKeyDictionary()
LEFT: WeakKeyDictionary[Browser, dict[Screen, list[Page]]] = WeakKeyDictionary()
COMPLAINTS: WeakKeyDictionary[Page, list[str]] = WeakKeyDictionary()


def complaints(page: Page) -> list[str]:
    """What the page wrote to the console and should not have."""
    return COMPLAINTS[page]


def check_access(
    page: Page, where: str, part: str = "html", themes: tuple[str, ...] = ("night", "day")
) -> None:
    """Check that axe-core finds no serious violation, in a part of the page or in all of it.

    By day only colours differ, and on a phone they are the same as on a desktop. Drawings outside
    the part are removed: a map has more elements than all the rest, and axe would visit each.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    size = page.viewport_size or {"width": 0}
    phone = size["width"] <= PHONE[0]
    worn = page.evaluate("document.documentElement.dataset.theme")
    page.evaluate("document.documentElement.style.opacity = 1")  # for its colours
    for theme in themes[:1] if phone else themes:
        colours = theme != themes[0]
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        found: list[list[str]] = page.evaluate(
            """async ([part, options]) => {
                const only = { resultTypes: ['violations'], preload: false, ...options }
                const parts = [...document.querySelectorAll(part)]
                const apart = (svg) => (one) => !one.contains(svg) && !svg.contains(one)
                const outside = [...document.querySelectorAll('svg')]
                  .filter((svg) => parts.every(apart(svg)))
                const drawn = outside.map((svg) => [...svg.childNodes])
                outside.forEach((svg) => svg.replaceChildren())
                const { violations } = await axe.run(part, only)
                outside.forEach((svg, at) => svg.replaceChildren(...drawn[at]))
                return violations
                  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
                  .map(({ id, nodes }) => [id, ...nodes.map((n) => n.html + n.failureSummary)])
            }""",
            [part, {"runOnly": ["color-contrast"]} if colours else NO_COLOURS if phone else ALL],
        )
        assert found == [], f"{where}, {theme}: {found}"
    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", worn)
    page.evaluate("document.documentElement.style.opacity = ''")


def costs(page: Page, what: str = ".city") -> dict[str, int]:
    """What places on the map cost, as screen readers announce it."""
    settle(page)
    found: list[tuple[str, int]] = page.locator(what).evaluate_all(
        """(places) => places.flatMap((place) => {
            const cost = /costs you (\\d+)$/.exec(place.getAttribute('aria-label') ?? '')
            return cost ? [[place.dataset.city, Number(cost[1])]] : []
        })"""
    )
    return dict(found)


def settle(page: Page) -> None:
    page.locator(".bar:not([data-previewing])").wait_for()


def who_decides(*players: "Player") -> "Player":
    """The one of them who is asked, once somebody is."""
    for _ in range(PATIENCE // 30):
        for player in players:
            if player.bar.get_attribute("data-asks"):
                player.wait()
                return player
        players[0].page.wait_for_timeout(30)
    raise AssertionError("nobody is asked")


def imported(page: Page, record: str) -> str:
    """The table of a game that was played elsewhere."""
    page.request.get("/api/me")
    answer = page.request.post("/api/import", data=record, headers={"content-type": "text/plain"})
    table: str = answer.json()["id"]
    return table


class Player:
    """Somebody at a table, who presses the buttons that are there."""

    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page = page
        self.seed = seed
        self.bar = page.locator(".bar")
        self.seen: set[str] = set()  # every kind of decision made at least once

    def sit_down(self, rulebook: str = "classic", seats: int = 3, **setup: Any) -> str:
        """Sit at a new table with bots, without going through the first page."""
        bots = [{"kind": "bot", "bot": "clerk"}] * (seats - 1)
        return self.make(rulebook=rulebook, seats=[{"kind": "me"}, *bots], **setup)

    def sit_at(
        self,
        server: Server,
        kind: str,
        rulebook: str = "classic",
        seats: int = 3,
        when: Callable[[hv.Game], bool] = lambda _: True,
        **setup: Any,
    ) -> str:
        """Sit in the middle of a game, where a decision of this kind is due."""
        self.page.context.add_cookies([cookie(server)])
        table = seat_ann(
            server, lambda at: decision_kind(at) == kind and when(at), rulebook, seats, **setup
        )
        self.go(f"/table/{table}")
        assert self.wait() == kind
        return table

    def go(self, path: str) -> None:
        """Follow a link: the page is not loaded again."""
        if self.page.url.endswith(NOTHING):
            self.page.goto(path)
        else:
            self.page.evaluate(
                """async (path) => {
                    history.pushState(null, '', path)
                    dispatchEvent(new PopStateEvent('popstate'))
                    await new Promise((shown) => setTimeout(shown))
                }""",
                path,
            )

    def make(self, **setup: Any) -> str:
        """Make a table with these seats, and go there."""
        self.page.request.get("/api/me")
        answer = self.page.request.post("/api/tables", data={"seed": 5, **setup})
        assert answer.ok, answer.text()
        table: str = answer.json()["id"]
        self.go(f"/table/{table}")
        return table

    def button(self, what: str) -> Locator:
        return self.bar.locator(what)

    def play(self, *stops: str, most: int = 10_000) -> str:
        """Play until the game is over, one of these decisions is due, or this many were made."""
        given = {"stops": stops, "seed": self.seed, "most": most, "patience": PATIENCE}
        found = self.page.evaluate(PLAYER, given)
        self.seen.update(found["seen"])
        kind: str = found["kind"]
        return kind

    def wait(self) -> str:
        """Wait for a decision of this player, with its numbers, or the end; return its kind."""
        state = self.page.wait_for_function(
            """() => {
                const bar = document.querySelector('.bar:not([data-previewing])')
                const asks = bar?.dataset.asks
                const ready = bar?.querySelector('.moves > *') && !bar.querySelector('.busy')
                return ((asks === 'over' || ready) && asks) || null
            }""",
            polling=30,
        )
        kind: str = state.json_value()
        return kind

    def settle(self) -> None:
        """Wait until the server has said what the plan comes to: numbers may change until then."""
        settle(self.page)

    def decide(self, what: str) -> None:
        """Press it, and again if the page asks for confirmation."""
        seq = self.seq()
        self.button(what).click()
        moved = self.page.locator(f".bar:not([data-seq='{seq}'])")
        moved.or_(self.bar.locator(".doubt")).first.wait_for()
        if self.seq() == seq:
            self.button(what).click()
        self.until_moved(seq)

    def seq(self) -> int:
        return int(self.bar.get_attribute("data-seq") or 0)

    def until_moved(self, before: int, timeout: float | None = None) -> None:
        self.page.wait_for_function(
            "seq => Number(document.querySelector('.bar')?.dataset.seq) > seq",
            arg=before,
            polling=20,
            timeout=timeout,
        )

    def tab_to(self, what: str) -> None:
        """Press Tab until such an element has the focus."""
        for _ in range(80):
            if self.page.evaluate("what => !!document.activeElement?.matches(what)", what):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not lead to {what}")

    # What holds at every table

    def check_hand_over(self, rulebook: str, seats: int, decisions: int) -> None:
        """On a shared screen nobody sees the money of another where money is hidden."""
        here = [{"kind": "me"}] * seats
        self.make(rulebook=rulebook, options={"money": "hidden"}, seats=here, seed=5)
        take = self.page.get_by_role("button", name="I am ")
        shown = self.page.locator(".player .cash .money")
        takers = set()
        for _ in range(decisions):
            self.wait()
            if take.count():
                assert shown.or_(self.page.locator(".tableau dd .money")).count() == 0
                takers.add(take.inner_text())
                take.click()
                expect(take).to_be_hidden()
            assert shown.count() == 1
            self.play(most=1)
        assert len(takers) == seats


# What holds at every table, for any player that a fixture provides.


def check_bar(player_at: "Sit", kinds: Sequence[str], **setup: Any) -> None:
    """The action bar keeps its place for every decision, and cuts nothing off.

    On a phone it is only as high as it needs to be. Suggestions are accepted, which fills the bar.
    """
    boxes = []
    for kind in kinds:
        player = player_at(kind, **setup)
        if player.button(".suggestion").count():
            player.button(".suggestion").first.evaluate("button => button.click()")
            player.settle()
        box = player.bar.bounding_box()
        assert box is not None
        assert box["height"] <= BAR_OF_PHONE
        phone = setup.get("size") == PHONE
        boxes.append((box["x"], box["width"], box["y"] + box["height"], phone or box["height"]))
        assert player.bar.evaluate("bar => bar.scrollWidth <= bar.clientWidth")
        assert player.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert boxes == boxes[:1] * len(kinds)


def check_keys(
    player_at: "Sit", kinds: Sequence[str], decide: Callable[[Player, str], None]
) -> None:
    """Every decision can be made with keys alone."""
    for kind in kinds:
        player = player_at(kind)
        player.page.evaluate("() => { onmousedown = () => { throw Error('no mouse') } }")
        try:
            seq = player.seq()
            decide(player, kind)
            try:
                player.until_moved(seq, timeout=15_000)
            except PlaywrightTimeout:  # the connection was renewed in between, on a busy machine
                decide(player, kind)
                player.until_moved(seq)
        finally:
            player.page.evaluate("() => { onmousedown = null }")
        assert complaints(player.page) == []


Sit = Callable[..., Player]
