"""How soon the page responds to a press, and what its frames cost during an animation.

    python -m benchmarks.paint
    python -m benchmarks.paint --parts staged    (table, staged or elsewhere alone)

At the busiest table there is: six players, late, on the map with most to draw, in a browser whose
processor is slowed down four times. The time of a press is that until the next paint, as reported
by the browser (Event Timing, in steps of 8 ms); presses it does not report took less than 16 ms.
The work of a frame is the processor time of the main thread in a sixtieth of a second, by a trace.
Frames in which a script of the page runs, and the first drawn after it, have new content; all
others only move existing content.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page

import highvoltage as hv
from benchmarks import ROOT
from benchmarks.measuring import Report, parser
from browsing import Player, chromium, imported, open_page
from serving import Server

MAP = "northern_europe"
SEATS = 6
LATE = 7  # rounds
SLOWER = 4
PRESSES = 5
FRAME = 1000 / 60
BUDGET = 8  # milliseconds of a frame
SETTLED = 400  # milliseconds after which a press has been handled completely
SHOW = 8000  # milliseconds to record an animation
TASK = "ThreadControllerImpl::RunTask"
CORPUS = ROOT / "tests" / "corpus"

WATCH = """() => {
    window.presses = []
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
            if (entry.interactionId) window.presses.push(entry.duration)
    }).observe({ type: 'event', durationThreshold: 16 })
}"""

# Makes the move once the page is idle, and notes whether it was animated.
PLAY = """([there, later]) => {
    window.shown = false
    addEventListener('animationstart', ({ target }) => { shown ||= target.matches(there) })
    setTimeout(() => document.querySelector('.bar [data-primary]').click(), later)
}"""


class Presser:
    """A user with a slow machine who presses one control after the other."""

    def __init__(self, page: Page, report: Report) -> None:
        self.page = page
        self.report = report
        self.slow = page.context.new_cdp_session(page)
        page.add_init_script(f"({WATCH})()")

    def start(self) -> None:
        self.slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})

    def stop(self) -> None:
        self.slow.send("Emulation.setCPUThrottlingRate", {"rate": 1})

    def time(self, name: str, press: Callable[[], None], back: Callable[[], None]) -> None:
        times = []
        for _ in range(PRESSES):
            self.page.evaluate("presses.length = 0")
            press()
            self.page.wait_for_timeout(SETTLED)
            times.append(max(self.page.evaluate("presses"), default=8))
            back()
            self.page.wait_for_timeout(SETTLED)
        self.report.row(
            f"{name:32} {median(times):5.0f} {max(times):5.0f}",
            press=name,
            median_ms=median(times),
            most_ms=max(times),
        )

    def toggle(self, name: str, what: Locator) -> None:
        """Time a control that returns to its previous state when pressed again."""
        self.time(name, lambda: self.click(what), lambda: self.click(what))

    def click(self, what: Locator) -> None:
        what.scroll_into_view_if_needed()
        box = what.bounding_box()
        assert box is not None
        self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.wait_for_timeout(200)
        self.page.mouse.down()
        self.page.mouse.up()

    def key(self, name: str) -> Callable[[], None]:
        return lambda: self.page.keyboard.press(name)


def late(game: hv.Game) -> bool:
    return game.state.round >= LATE


def table(report: Report, server: Server, page: Page, board: str) -> None:
    player = Player(page)
    presser = Presser(page, report)

    def sit(kind: str) -> None:
        presser.stop()
        player.sit_at(server, kind, seats=SEATS, when=late, map=board)
        presser.start()
        page.wait_for_timeout(SETTLED)

    def button(name: str) -> Locator:
        return page.get_by_role("button", name=name, exact=True)

    sit("building")
    menu = button("The table")
    presser.time("the menu of the table", lambda: presser.click(menu), presser.key("Escape"))
    presser.time("what every city costs (C)", presser.key("c"), presser.key("c"))
    city = page.locator(".city.offered").last
    presser.toggle("a city", city)
    plus, whole = button("Zoom in"), button("Show everything")
    presser.time("zoom in", lambda: presser.click(plus), lambda: presser.click(whole))
    presser.toggle("what just happened", page.locator(".happened button"))
    log, chat = (page.get_by_role("tab", name=name) for name in ("Log", "Chat"))
    presser.time("the log", lambda: presser.click(log), lambda: presser.click(chat))
    presser.toggle("day and night", page.locator(".settings button"))
    rules = button("Rules")
    presser.time("the rules", lambda: presser.click(rules), presser.key("Escape"))
    sit("nominate")
    card = page.locator(".card.offered:visible")
    presser.time("a plant", lambda: presser.click(card.last), lambda: presser.click(card.first))
    sit("fuel")
    fuel = page.locator(".fuel .more:enabled").first
    less = page.locator(".fuel .stepper button:enabled").first
    presser.time("fuel", lambda: presser.click(fuel), lambda: presser.click(less))
    presser.stop()


def back(page: Page) -> None:
    page.go_back()
    page.get_by_test_id("play").wait_for()


def elsewhere(report: Report, _: Server, page: Page, __: str) -> None:
    presser = Presser(page, report)
    page.goto("/")
    page.get_by_test_id("play").wait_for()
    presser.start()
    games = page.locator(".worlds button")
    presser.time(
        "home: a game", lambda: presser.click(games.last), lambda: presser.click(games.first)
    )
    maps = page.locator(".maps button")
    presser.time(
        "home: a map", lambda: presser.click(maps.nth(3)), lambda: presser.click(maps.first)
    )
    new = page.get_by_role("link", name="With friends")
    presser.time("home: a new table", lambda: presser.click(new), lambda: back(page))
    presser.stop()
    game = imported(page, (CORPUS / "classic-6-players.txt").read_text())
    page.goto(f"/replay/{game}?move=600")
    page.get_by_role("slider").wait_for()
    presser.start()
    page.wait_for_timeout(SETTLED)
    first = page.get_by_role("tab").first
    for name in ("Log", "Charts", "Analysis"):
        press = partial(presser.click, page.get_by_role("tab", name=name))
        presser.time(f"replay: {name}", press, lambda: presser.click(first))
    presser.stop()


def staged(report: Report, server: Server, page: Page, board: str) -> None:
    player = Player(page)
    presser = Presser(page, report)
    for name, kind, there in (
        ("an auction", "nominate", ".stage"),
        ("payday", "bureaucracy", ".payday"),
    ):
        presser.stop()
        player.sit_at(server, kind, seats=SEATS, when=late, map=board)
        page.emulate_media(reduced_motion="no-preference")
        if kind == "nominate":
            page.locator(".card.offered:visible").last.click()
        player.button("[data-primary]").hover()
        presser.start()
        page.wait_for_timeout(SETTLED)
        page.evaluate(PLAY, [there, SETTLED])
        with trace(page) as tasks:
            page.wait_for_timeout(SETTLED + SHOW)
        assert page.evaluate("shown"), f"{name} was not staged"
        page.emulate_media(reduced_motion="reduce")
        frames = frames_of(tasks)
        for what, new in (("something new", True), ("only motion", False)):
            work = [frame.work for frame in frames if frame.new == new]
            over = sum(each > BUDGET for each in work)
            most = quantiles(work, n=20)[-1]
            report.row(
                f"{name}, {what}: {len(work)} frames, {over} of them over {BUDGET} ms,"
                f" 95 % within {most:.1f} ms, at most {max(work):.1f} ms",
                animation=name,
                new=new,
                frames=len(work),
                over_budget=over,
                p95_ms=most,
                most_ms=max(work),
            )
    presser.stop()


class Task(NamedTuple):
    """One task of the main thread; times in milliseconds."""

    start: float
    work: float
    scripted: bool
    drawn: bool


class Frame(NamedTuple):
    work: float
    new: bool


def frames_of(tasks: list[Task]) -> list[Frame]:
    work: dict[int, float] = defaultdict(float)
    fresh: set[int] = set()
    new = False
    for task in tasks:
        frame = int(task.start // FRAME)
        work[frame] += task.work
        new = new or task.scripted
        if new:
            fresh.add(frame)
        new = new and not task.drawn
    return [Frame(each, frame in fresh) for frame, each in work.items()]


@contextmanager
def trace(page: Page) -> Iterator[list[Task]]:
    """Record the tasks of the main thread of a page."""
    browser = page.context.browser
    assert browser is not None
    browser.start_tracing(
        page=page,
        categories=["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"],
    )
    tasks: list[Task] = []
    yield tasks
    raw = browser.stop_tracing()
    events = [event for event in json.loads(raw)["traceEvents"] if event["ph"] in "XM"]
    mains = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    threads: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
    for event in events:
        if event["ph"] == "X" and (event["pid"], event["tid"]) in mains:
            threads[event["pid"], event["tid"]].append(event)
    busiest = max(threads.values(), key=len)
    busiest.sort(key=lambda event: (event["ts"], -event["dur"]))
    for event in busiest:
        if event["name"] == TASK and "tdur" in event:  # not one that began before the trace
            tasks.append(Task(event["ts"] / 1000, event["tdur"] / 1000, False, False))
        elif tasks and event["name"] == "FunctionCall":
            tasks[-1] = tasks[-1]._replace(scripted=True)
        elif tasks and event["name"] == "Commit":
            tasks[-1] = tasks[-1]._replace(drawn=True)


PARTS = {"table": table, "staged": staged, "elsewhere": elsewhere}


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--map", default=MAP, help=f"({MAP})")
    arguments.add_argument("--parts", nargs="+", choices=[*PARTS], default=[*PARTS])
    options = arguments.parse_args(words)
    report = Report(options)
    if options.parts != ["staged"]:
        report.heading(f"{'milliseconds to the next paint':32} median  most")
    with TemporaryDirectory() as folder, chromium() as browser:
        server = Server(Path(folder))
        try:
            for part in options.parts:
                page = open_page(browser, server.url)
                PARTS[part](report, server, page, options.map)
                page.context.close()
        finally:
            server.stop()


if __name__ == "__main__":
    main()
