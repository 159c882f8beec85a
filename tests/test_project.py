import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import hatch_build
from spread import some

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
PLAY = (ROOT / "requirements-play.lock").read_text(encoding="utf-8")
RELEASE = (ROOT / "requirements-release.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS = PROJECT["project"]["optional-dependencies"]
GROUPS = PROJECT["dependency-groups"]


def pinned(lock: str) -> set[tuple[str, str]]:
    return set(re.findall(r"^([a-z0-9-]+)==(\S+)", lock, re.MULTILINE))


def names(requirements: list[object]) -> set[str]:
    found = {re.split(r"[^a-z0-9-]", line)[0] for line in requirements if isinstance(line, str)}
    return found - {"highvoltage"}


@pytest.mark.parametrize("lock", [LOCK, PLAY, RELEASE], ids=["all", "play", "release"])
def test_a_lock_names_no_url_and_no_option(lock: str) -> None:
    assert "://" not in lock
    assert not re.search(r"^-", lock, re.MULTILINE)


@pytest.mark.parametrize("lock", [LOCK, PLAY, RELEASE], ids=["all", "play", "release"])
def test_no_lock_holds_cuda_or_torch(lock: str) -> None:
    for name, _version in pinned(lock):
        assert not re.search(r"torch|nvidia|cuda|triton", name)


def test_the_lock_holds_every_dependency() -> None:
    wanted = names(PROJECT["project"]["dependencies"])
    for group in [*EXTRAS.values(), GROUPS["play"], GROUPS["dev"]]:
        wanted |= names(group)
    assert wanted <= {name for name, _version in pinned(LOCK)}
    assert names(GROUPS["release"]) <= {name for name, _version in pinned(RELEASE)}


def test_the_play_lock_holds_the_server_and_node_in_the_tested_versions() -> None:
    wanted = names(PROJECT["project"]["dependencies"] + EXTRAS["server"] + GROUPS["play"])
    held = {name for name, _version in pinned(PLAY)}
    assert wanted <= held
    assert held.isdisjoint({"ray", "psycopg", "jax", "pyarrow", "gymnasium", "sphinx", "pytest"})
    assert pinned(PLAY) <= pinned(LOCK)


def test_all_holds_every_extra() -> None:
    (everything,) = EXTRAS["all"]
    named = set(re.findall(r"[a-z]+", everything.removeprefix("highvoltage")))
    assert named == {*EXTRAS} - {"all"}


def python(code: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code, *words], capture_output=True, text=True, check=False
    )


def test_the_package_loads_without_optional_dependencies() -> None:
    loaded = python("import sys, highvoltage; print(*sys.modules)").stdout.split()
    heavy = {*names(EXTRAS["server"]), "numpy", "openskill", "rich", "typer", "psycopg"}
    later = {"importlib.metadata", "highvoltage.engine.parts.board"}  # loaded with the first game
    later |= {"copy", "dataclasses", "json", "pathlib", "pkgutil", "random"}  # as slow as ours
    assert "highvoltage" in loaded
    assert not (heavy | later).intersection(loaded)


def test_help_is_fast() -> None:
    code = (
        "import sys\nfrom highvoltage.cli import app\n"
        "try: app(['--help'])\nfinally: print('loaded:', *sys.modules)"
    )
    helped, _, loaded = python(code).stdout.partition("loaded:")
    assert "simulate    Let bots play many games." in helped
    assert "..." not in helped.replace("[ARGS]...", "")  # every line is complete
    assert not {"asyncio", "numpy", "rich", "importlib.metadata"}.intersection(loaded.split())


@pytest.mark.parametrize(
    ("module", "extra", "words"),
    some(
        ("uvicorn", "server", ["serve"]),
        of=[
            ("uvicorn", "server", ["serve"]),
            ("psycopg", "postgres", ["serve", "--database", "postgresql://somebody@nowhere/games"]),
            ("ray", "ray", ["tournament", "--ray", "local"]),
            ("mcp", "mcp", ["mcp"]),
            ("openskill", "tournament", ["arena", "--player", "clerk", "--file", "nowhere"]),
        ],
    ),
)
def test_a_command_whose_extra_is_missing_prints_the_command_that_installs_it(
    module: str, extra: str, words: list[str], tmp_path: Path
) -> None:
    where = ["--data", str(tmp_path)] if words[0] == "serve" else []
    without = f"import sys; sys.modules[{module!r}] = None\nfrom highvoltage.cli import app; app()"
    ended = python(without, *words, *where)
    assert ended.returncode == 1
    assert ended.stderr.strip() == (
        f"highvoltage: {module} is not installed. It comes with: pip install 'highvoltage[{extra}]'"
    )


@pytest.mark.parametrize(
    ("module", "extra", "part"),
    [
        ("gymnasium", "rl", "envs"),
        ("jax", "batch", "batch"),
        ("pyspiel", "openspiel", "openspiel"),
    ],
)
def test_so_does_an_import(module: str, extra: str, part: str) -> None:
    ended = python(f"import sys; sys.modules[{module!r}] = None\nimport highvoltage.{part}")
    assert f"MissingExtra: {module} is not installed." in ended.stderr
    assert f"pip install 'highvoltage[{extra}]'" in ended.stderr


def test_the_module_is_the_command() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "highvoltage", "--help"], capture_output=True, text=True, check=True
    ).stdout
    assert "Usage: highvoltage [OPTIONS] COMMAND" in shown


def test_checks_beside_the_tests_do_not_build_the_page_again() -> None:
    """It would be gone for seconds, and its engine for good: `make test` runs both at once."""
    print_them = "print-sources: ; @printf '%s\\n' $(PAGE_SOURCES)"
    words = ["make", "--silent", "--eval", print_them, "print-sources"]
    made_of = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    by_make = {ROOT / line for line in made_of.splitlines()}
    assert by_make == {*hatch_build.page_sources()}
    assert hatch_build.WEB / "scripts" / "geo.ts" in by_make
    assert hatch_build.WEB / "scripts" not in by_make  # Python leaves __pycache__ in it
    assert not [each for each in by_make if "__pycache__" in each.parts]


@pytest.mark.long
def test_types_are_exact() -> None:
    """Read without what mypy has kept, which takes its time."""
    subprocess.run(["make", "precision"], cwd=ROOT, check=True)
