"""Carries out docs/cluster.md: two nodes of Ray, one of which dies while it plays."""

import os
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil  # type: ignore[import-untyped]  # it brings none
import pytest

from highvoltage.tournament.file import read_results
from pages import blocks

PATIENCE = 300  # seconds; test machines are busy
PORT = 26379
COMMANDS = [block.body.strip() for block in blocks("docs/cluster.md")]
BIN = Path(sys.executable).parent


def words_of(name: str, containing: str = "") -> list[str]:
    """The words of a command on the page, with our own port."""
    (found,) = [each for each in COMMANDS if each.startswith(name) and containing in each]
    words = shlex.split(found.replace("6379", str(PORT)))
    return [str(BIN / words[0]), *words[1:]]


@contextmanager
def node(words: list[str], log: Path) -> Iterator[psutil.Process]:
    """A node that has started, with all its processes; killed in the end if it still runs."""
    with log.open("w") as output:
        process = psutil.Popen(words, stdout=output, stderr=subprocess.STDOUT, cwd=log.parent)
    try:
        until = time.monotonic() + PATIENCE
        while "--block" not in log.read_text():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.2)
        yield process
    finally:
        kill(process)


def kill(process: psutil.Process) -> None:
    """As if somebody had pulled the plug of the machine."""
    if process.is_running():
        for each in [process, *process.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                each.kill()
        process.wait(PATIENCE)


def timeless(file: Path) -> list[tuple[object, ...]]:
    _cup, results = read_results(file)
    return sorted((r.number, r.seats, r.places, r.rounds, r.decisions) for r in results)


@pytest.fixture
def short() -> Iterator[str]:
    """A folder with a path that is short enough for sockets."""
    with TemporaryDirectory(prefix="ray") as folder:
        yield folder


@pytest.mark.long  # starting a cluster takes far longer than the games
def test_a_node_that_dies_in_the_middle_changes_no_result(
    tmp_path: Path, short: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, make_token = COMMANDS[0].splitlines()
    for name, value in re.findall(r"(\w+)=(\S+)", settings):
        monkeypatch.setenv(name, value.replace("$PWD", str(tmp_path)))
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_TMPDIR", short)  # otherwise other tests would use this cluster
    monkeypatch.setenv("RAY_raylet_start_wait_time_s", str(PATIENCE))
    path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(make_token, shell=True, check=True, cwd=tmp_path, env={"PATH": path})
    with (
        node(words_of("ray start --head"), tmp_path / "head.log"),
        node(words_of("ray start --address"), tmp_path / "node.log") as second,
    ):
        cup = tmp_path / "cup.jsonl"
        played = subprocess.Popen(words_of("highvoltage", "--ray"), cwd=tmp_path)
        while not cup.exists() or len(cup.read_text().splitlines()) < 3:
            assert played.poll() is None
            time.sleep(0.05)
        kill(second)
        assert len(cup.read_text().splitlines()) < 50, "it died too late"
        assert played.wait(PATIENCE) == 0
    subprocess.run(words_of("highvoltage", "--jobs"), cwd=tmp_path, check=True)
    assert timeless(cup) == timeless(tmp_path / "alone.jsonl")
    assert len(timeless(cup)) == 60
