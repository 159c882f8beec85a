"""The compiled build plays the very same games. It takes a C compiler and some minutes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
TESTS = [
    f"tests/{name}"
    for name in (
        *("engine", "classic", "recharged", "cardgame", "outpost", "table", "corpus", "golden"),
        *("atlas", "conformance", "bots", "plugin"),
    )
]
# These break the rules by replacing methods, which compiled code calls without looking them up.
OTHERWISE = "test_kit"
WHEEL = os.environ.get("COMPILED_WHEEL")

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not WHEEL and not shutil.which("cc"), reason="there is no C compiler"),
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the compiled package: of the wheel that is named, or built here."""
    if WHEEL:
        folder = tmp_path_factory.mktemp("compiled")
        ZipFile(WHEEL).extractall(folder)
        return folder
    subprocess.run(["make", "compiled"], cwd=ROOT, check=True)
    return ROOT / "build" / "compiled" / "src"


def output_of(path: Path, *words: str) -> str:
    """What Python prints with the compiled build on its path."""
    ended = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-5000:] + ended.stderr[-5000:]
    return ended.stdout


def test_it_says_that_it_is_compiled(path: Path) -> None:
    assert output_of(path, "highvoltage", "--version").endswith(", compiled\n")


def test_it_passes_the_tests_of_the_games_and_plays_all_golden_games(path: Path) -> None:
    print(output_of(path, "pytest", "-q", "-n", "2", "-k", f"not {OTHERWISE}", *TESTS)[-300:])
