"""Tests in shards: `--shard 2/5` runs the second fifth of them. And what they share."""

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser


def pytest_configure(config: pytest.Config) -> None:
    """What JAX compiles is compiled once: for all processes of the tests, and for the next run."""
    if not config.pluginmanager.hasplugin("cacheprovider"):
        return
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(config.cache.mkdir("jax")))
    os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.2")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shard", default="1/1", help="one part of the tests, such as 2/5")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    part, parts = map(int, config.getoption("--shard").split("/"))
    if not 1 <= part <= parts:
        raise pytest.UsageError(f"--shard {part}/{parts}: there is no such part")
    left_out = [item for at, item in enumerate(items) if at % parts != part - 1]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = items[part - 1 :: parts]


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """One for all: it takes a second to start, and cannot be started twice in a process."""
    from browsing import chromium  # noqa: PLC0415

    with chromium() as running:
        yield running
