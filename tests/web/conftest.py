"""A server and a browser for the tests of the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from browsing import chromium
from serving import Server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.stop()
    assert running.errors() == []


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as running:
        yield running
