"""Shared fixtures, and tests in shards: `--shard 2/5` runs the second fifth of them."""

import gc
import os
import sys
from asyncio.events import _get_running_loop, _set_running_loop
from collections import Counter
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer.testing
from hypothesis import HealthCheck, settings

from highvoltage.threads import one_thread

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from playwright.sync_api import Browser


# The same few examples every time, without deadlines: test machines are busy or suspended.
settings.register_profile(
    "repeatable",
    max_examples=30,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("repeatable")
# For `make test-long`: other examples every time; one that fails is kept and printed.
settings.register_profile(
    "new", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)


# All commands are put together once, not each time that one is called.
vars(typer.testing)["_get_command"] = cache(vars(typer.testing)["_get_command"])


def pytest_configure(config: pytest.Config) -> None:
    """NumPy's threads would spend more time waiting for each other than computing.

    What JAX compiles is compiled once: for all test processes, and for the next run.
    """
    one_thread()
    os.environ["HIGHVOLTAGE_LANG"] = "en"  # whatever the locale of the machine
    if not config.pluginmanager.hasplugin("cacheprovider"):
        return
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(config.cache.mkdir("jax")))
    os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.2")
    if "jax" in sys.modules:  # loaded by the conftest.py of tests that were named
        jax: Any = sys.modules["jax"]
        kept = os.environ["JAX_COMPILATION_CACHE_DIR"]
        jax.config.update("jax_compilation_cache_dir", kept)
        jax.config.update("jax_persistent_cache_min_compile_time_secs", 0.2)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shard", default="1/1", help="one part of the tests, such as 2/5")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> "Generator[None, list[pytest.Collector], list[pytest.Collector]]":
    """No module is loaded to look for examples where there are none: that takes seconds."""
    found = yield
    if file_path.suffix != ".py" or ">>>" in file_path.read_text("utf-8"):
        return found
    return [each for each in found if type(each) is pytest.Module]


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> "Generator[None, pytest.CollectReport, pytest.CollectReport]":
    """Each test process loads the modules from another one on, so that it finds most compiled.

    In a new checkout, all of them would compile all modules at the same time.
    """
    report = yield
    given = getattr(collector.config, "workerinput", None)
    if given and isinstance(collector, pytest.Directory):
        turn = int(given["workerid"].removeprefix("gw"))
        first = len(report.result) * turn // given["workercount"]
        report.result = [*report.result[first:], *report.result[:first]]
    return report


@pytest.hookimpl(wrapper=True)  # what is chosen by its marker is divided, not everything
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> "Generator[None]":
    items.sort(key=lambda item: (item.path, type(item).__name__))  # in every process alike
    yield
    part, parts = map(int, config.getoption("--shard").split("/"))
    if not 1 <= part <= parts:
        raise pytest.UsageError(f"--shard {part}/{parts}: there is no such part")
    left_out = [item for at, item in enumerate(items) if at % parts != part - 1]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = items[part - 1 :: parts]


def pytest_collection_finish() -> None:
    """What is loaded stays: nothing of it needs to be looked at again for garbage."""
    gc.freeze()


# What a run left out, and why, is in its last lines. Each worker knows the tests that were not
# chosen; which were skipped knows the process that they report to.
NOT_CHOSEN = pytest.StashKey[Counter[str]]()
RUN_BY = {"long": "make test-long", "other": "make test"}


def pytest_deselected(items: list[pytest.Item]) -> None:
    count = items[0].config.stash.setdefault(NOT_CHOSEN, Counter()) if items else Counter()
    count.update("long" if item.get_closest_marker("long") else "other" for item in items)


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workeroutput"):
        count = session.config.stash.get(NOT_CHOSEN, Counter[str]())
        session.config.workeroutput["not_chosen"] = dict(count)  # a Counter cannot be sent


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    known = getattr(node, "workeroutput", {}).get("not_chosen", {})  # the same in every worker
    node.config.stash[NOT_CHOSEN] = Counter(known)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    count = config.stash.get(NOT_CHOSEN, Counter[str]())
    shard = config.getoption("--shard")
    lines = [
        f"{number} {kind} tests: "
        + (f"this was part {shard}" if kind == "long" and shard != "1/1" else RUN_BY[kind])
        for kind, number in sorted(count.items())
    ]
    lines += [
        f"{skip.nodeid}: {skip.longrepr[2]}" for skip in terminalreporter.getreports("skipped")
    ]
    text = "".join(f"left out: {line}\n" for line in lines)
    terminalreporter.write(text)
    if config.pluginmanager.hasplugin("cacheprovider"):
        (config.cache.mkdir("run") / "left_out").write_text(text)


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """One for all tests: it takes a second to start, and cannot start twice in a process."""
    from browsing import chromium  # noqa: PLC0415

    with chromium() as running:
        yield running


# While it runs, the browser's event loop counts as running in this thread. Tests that have
# nothing to do with the browser run their own loops.


@contextmanager
def without_its_loop(item: pytest.Item) -> "Iterator[None]":
    loop = _get_running_loop()
    if loop is None or "browser" in getattr(item, "fixturenames", ()):
        yield
        return
    _set_running_loop(None)
    try:
        yield
    finally:
        _set_running_loop(loop)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> "Generator[None]":
    with without_its_loop(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> "Generator[None]":
    serving = sys.modules.get("serving")  # imported by tests of servers alone
    with without_its_loop(item), serving.no_server_left() if serving else nullcontext():
        return (yield)
