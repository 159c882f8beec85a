"""The compiled build plays the very same games. It takes a C compiler and some minutes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TESTS = [
    f"tests/{name}"
    for name in (
        *("engine", "classic", "recharged", "cardgame", "outpost", "table", "corpus", "golden"),
        *("atlas", "conformance", "bots", "plugin"),
    )
]
# What a compiled class does not accept: a patched fault, and a seat that is not a number, which
# is refused with another message.
OTHERWISE = ("test_what_is_not_a_seat", "test_kit")

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not shutil.which("cc"), reason="there is no C compiler"),
]


@pytest.fixture(scope="module", autouse=True)
def _built() -> None:
    subprocess.run(["make", "compiled"], cwd=ROOT, check=True)


def output_of(*words: str) -> str:
    """What Python prints with the compiled build on its path."""
    ended = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "build" / "compiled" / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-5000:] + ended.stderr[-5000:]
    return ended.stdout


def test_it_says_that_it_is_compiled() -> None:
    assert output_of("highvoltage", "--version").endswith(", compiled\n")


def test_it_passes_the_tests_of_the_games_and_plays_all_golden_games() -> None:
    others = " and ".join(f"not {name}" for name in OTHERWISE)
    output_of("pytest", "-q", "-n", "2", "-k", others, *TESTS)
