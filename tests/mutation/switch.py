"""A plugin of pytest: the tests in a browser of a page that has all faults in it, by a switch.

With MEASURED=FILE it runs every test without a fault, and writes which faults each test reaches.
With TRIED=FILE, a list of faults with the tests that reach them, it runs these against each fault
until one fails that passes without the fault, and prints the verdicts.
"""

import json
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

import browsing

PATIENCE = 15_000  # milliseconds: a fault may make a test wait for what never comes
SWITCH = "globalThis.__stryker__ = { activeMutant: '%s', hitCount: 0, hitLimit: 1e6 }"
REPORT = """{
    const report = () => {
        const covered = globalThis.__stryker__.mutantCoverage
        const found = Object.keys(covered?.static ?? {})
        if (covered) covered.static = {}
        return found
    }
    globalThis.reportReached = report
    addEventListener('pagehide', () => reached(report()))
    setInterval(() => reached(report()), 200)
}"""
CLEAN = """() => {
    const language = localStorage.getItem('PARAGLIDE_LOCALE') ?? 'en'
    localStorage.clear()
    localStorage.setItem('PARAGLIDE_LOCALE', language)
    localStorage.setItem('hv-theme', 'night')
}"""

contexts: list[BrowserContext] = []
active = ""
reached: set[str] = set()
measured: dict[str, tuple[float, list[int]]] = {}
new_context = Browser.new_context


def pytest_configure() -> None:
    browsing.PATIENCE = PATIENCE
    expect.set_options(timeout=PATIENCE)
    Browser.new_context = with_switch  # type: ignore[assignment]


def with_switch(browser: Browser, **options: Any) -> BrowserContext:
    """A context whose pages have the fault of the moment."""
    context = new_context(browser, **options)
    context.add_init_script(SWITCH % active)
    if "MEASURED" in os.environ:
        context.expose_binding("reached", lambda _, found: reached.update(found))
        context.add_init_script(REPORT)
    contexts.append(context)
    return context


def pages() -> Iterator[Page]:
    for context in contexts:
        yield from context.pages


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = [item for item in items if "browser" in getattr(item, "fixturenames", ())]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    before = process_time()
    reached.clear()
    result = yield
    if "MEASURED" in os.environ:
        for page in pages():
            try:
                reached.update(page.evaluate("() => globalThis.reportReached?.() ?? []"))
            except Error:  # it was closed just now
                continue
        measured[item.nodeid] = (process_time() - before, sorted(map(int, reached)))
    return result


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        failed.add(report.nodeid)


failed: set[str] = set()


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Instead of all tests once: for each fault those that reach it."""
    if "TRIED" not in os.environ:
        return None
    by_name = {item.nodeid: item for item in session.items}
    for number, names in json.loads(Path(os.environ["TRIED"]).read_text("utf-8")):
        items = [by_name[name] for name in names if name in by_name]
        found = next(
            (
                item
                for item in items
                if fails(session, item, str(number)) and not fails(session, item, "")
            ),
            None,
        )
        verdict = "SURVIVED" if found is None else "noticed"
        print(f"\nverdict {number} {verdict} {found.nodeid if found else ''}", flush=True)
    return True


def fails(session: pytest.Session, item: pytest.Item, fault: str) -> bool:
    """Whether a test fails with this fault. What belongs to the session, as it follows, is kept."""
    turn(fault)
    failed.clear()
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=session)
    return bool(failed)


def turn(fault: str) -> None:
    """Every page that is loaded from now on has this fault."""
    global active  # noqa: PLW0603
    if fault == active:
        return
    active = fault
    for context in contexts:
        try:
            context.add_init_script(SWITCH % fault)
        except Error:  # it was closed
            continue
    for page in pages():
        try:
            page.goto(browsing.NOTHING)
            page.evaluate(CLEAN)
        except Error:
            continue


def pytest_sessionfinish() -> None:
    if "MEASURED" in os.environ:
        passed = {name: found for name, found in measured.items() if name not in failed}
        Path(os.environ["MEASURED"]).write_text(json.dumps(passed), "utf-8")
