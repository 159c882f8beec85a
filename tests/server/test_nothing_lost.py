"""Kill servers and stores at any moment: acknowledged moves are stored once, and bots continue.

On SQLite the server is killed, and the disk is full; on PostgreSQL one of two servers is killed,
and PostgreSQL itself. `make kill` does so a thousand times, in rounds of ten, and resumes where it
was interrupted; without KILLS in the environment there are few. Migrations are killed at every
statement in `test_migrations.py`.

A move counts as acknowledged as soon as anybody has received it (`playing.py`).
"""

import asyncio
import os
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from pieces import piece, sizes
from playing import Player, compare_with_the_store, disturb
from serving import BOT, ME, OPEN, Forked, Forks, Person, Process

KILLS = int(os.environ.get("KILLS", "3"))
ROUND = 10
GAMES = 8 if "KILLS" in os.environ else 3
QUICK_BOTS = "bot_seconds = 2"
FULL = 256 * 1024
"""Size limit of a file on a full disk, in bytes: enough for the log, not for the games."""
NOT_WRITTEN = {"not written", "move not written", "store failed", "begun again"}
"""Errors that a server may log while its store is full or gone."""


def rounds(store: str, kills: int) -> list[Any]:
    """Split the kills into rounds: the number of each, and how many kills are in it."""
    return [
        pytest.param(number, size, id=f"{store}-{number}") for number, size in sizes(kills, ROUND)
    ]


def restart(server: Process) -> None:
    server.kill()
    server.start()


def fill_disk(server: Process, ann: Person, players: list[Player]) -> None:
    """Keep the disk full until people have been sent errors, in games and in the lobby."""
    limit = partial(resource.prlimit, server.pid, resource.RLIMIT_FSIZE)
    before, most = sum(player.refused for player in players), limit()
    limit((FULL, most[1]))
    while sum(player.refused for player in players) == before:
        sleep(0.05)
    setup = {"rulebook": "classic", "seats": [ME, BOT]}
    ann.base_url = server.url
    while (answer := ann.post("/api/tables", json=setup)).status_code == 201:
        sleep(0.05)  # a small write may still have fitted
    assert answer.status_code == 503
    assert answer.json()["code"] == "no_store"
    limit(most)
    assert ann.post("/api/tables", json=setup).status_code == 201


def kill_postgresql(running: Any) -> None:
    postmaster = running.get_postmaster_info().process
    children = postmaster.children(recursive=True)
    postmaster.kill()
    for process in (postmaster, *children):  # which exit when they lose it
        process.wait(30)
    for _ in range(20):
        # On a busy machine it takes longer to recover than the ten seconds that it is given.
        with suppress(subprocess.TimeoutExpired, AssertionError):
            running.ensure_postgres_running()
            return
        sleep(1)
    pytest.fail("PostgreSQL did not start again.")


def one_of(servers: Sequence[Process], n: int) -> Process:
    return servers[n % len(servers)]


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    running = Forks()
    yield running
    running.end()


@pytest.mark.parametrize(("number", "kills"), rounds("sqlite", KILLS - KILLS // 2))
def test_killed_on_sqlite(forks: Forks, tmp_path: Path, number: int, kills: int) -> None:
    with piece("kill", f"sqlite {number}") as results:
        server = Forked(forks, tmp_path, None, QUICK_BOTS)
        with Person(server, "Ann") as ann:
            players = []
            for seed in range(number * GAMES, (number + 1) * GAMES):
                seats = [ME, BOT] if seed % GAMES else [ME, ME]  # one table has no bot to wait for
                table = ann.table(seats, seed=seed)["id"]
                players.append(Player(table, ann.cookie, lambda: server, seed))
            kill = "servers", partial(restart, server)
            fill = "disks", partial(fill_disk, server, ann, players)
            order = list(islice(cycle([kill, fill, kill]), kills))
            asyncio.run(disturb(players, order, number))
        assert sum(player.cuts for player in players) >= GAMES
        compare_with_the_store(server, players)
        assert server.stop() == 0
        assert {line["what"] for line in server.errors()} <= NOT_WRITTEN
        results.update(Counter(what for what, _ in order))


@pytest.mark.long
@pytest.mark.parametrize(("number", "kills"), rounds("postgresql", KILLS // 2))
def test_killed_on_postgresql(
    forks: Forks, postgres_server: Any, tmp_path: Path, number: int, kills: int
) -> None:
    with piece("kill", f"postgresql {number}") as results:
        postgres = postgres_server.get_uri()
        servers = [Forked(forks, tmp_path / "data", postgres, QUICK_BOTS) for _ in range(2)]
        with Person(servers[0], "Ann") as ann, Person(servers[1], "Bob") as bob:
            players = []
            for seed in range(number * GAMES, (number + 1) * GAMES):
                table = ann.table([ME, OPEN, BOT], seed=seed)["id"]
                assert bob.post(f"/api/tables/{table}/join", json={}).status_code == 201
                # Ann and Bob are always at different servers
                for who, at in ((ann, seed), (bob, seed + 1)):
                    players.append(Player(table, who.cookie, partial(one_of, servers, at), seed))
        kill_store = "postgresqls", partial(kill_postgresql, postgres_server)
        first, second = (("servers", partial(restart, server)) for server in servers)
        order = list(islice(cycle([kill_store, first, kill_store, second]), kills))
        asyncio.run(disturb(players, order, number))
        if kills > 1:  # the first is that of PostgreSQL, which closes no connection
            assert sum(player.cuts for player in players) >= GAMES
        compare_with_the_store(servers[0], players)
        assert [server.stop() for server in servers] == [0, 0]
        assert {line["what"] for line in servers[0].errors()} <= NOT_WRITTEN  # both write one log
        results.update(Counter(what for what, _ in order))


def test_a_bot_that_loses_its_server_prints_nothing() -> None:
    """Its output would end up among the lines of the log."""
    command = [sys.executable, "-m", "highvoltage.server.bots.worker", "0"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as bot:
        assert bot.stdout is not None
        assert bot.stderr is not None
        bot.stdout.close()  # before it is ready
        assert bot.stderr.read() == b""
        assert bot.wait() == 0
