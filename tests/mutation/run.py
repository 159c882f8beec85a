"""Mutation: makes small faults in the rules and checks whether the tests notice.

    python tests/mutation/run.py [--rooms codec,bots] [--count 300] [--seed 1]
                                 [--only PART-OF-A-PATH] [--shard 1/16] [--kept FILE]

Rooms are folders or modules of the package: the rules, unless others are named.

Each fault is made in memory, in a process of its own, and run against the tests of its module until
one fails. Whole games, which notice much and explain little, are played only for faults that
survive the other tests. What survives those too is printed at the end; `equivalent.toml` lists the
faults that change nothing observable, with the reason.

Every verdict is written to FILE at once, and a fault that was noticed is not tried again: a stopped
run resumes, and a run after a new test tries what survived.
"""

import argparse
import os
import random
import resource
import sys
import tomllib
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

import hypothesis  # noqa: F401  # loaded once, before the forks
import msgspec  # noqa: F401
import pytest

from mutation.mutate import Mutant, mutants, mutated

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "highvoltage"
RULES = "engine,games,table"
OTHERS = {"__init__.py", "invariants.py", "laws.py", "meta.py", "messages.py"}
"""Checks, metadata and messages."""
DEMOLITION = "cardgame/test_demolition.py"  # for all rulebooks that have it
LAZY_VIEW = "bots/test_lazy_view.py"
SEEN = (LAZY_VIEW, "table/test_preview.py")  # what a rulebook shows
TESTS = {  # by the start of a module's path; the quickest first
    "engine/parts/mapfile.py": ("engine", "classic/test_maps.py"),
    "engine": (
        *("engine", "classic", "table", "recharged", "cardgame", "outpost", "atlas", "corpus"),
        "test_registry.py",
    ),
    "games/classic": (
        *("classic", "recharged", "atlas", "table", "engine", DEMOLITION, LAZY_VIEW, "corpus"),
    ),
    "games/recharged": ("recharged", "atlas", "engine", DEMOLITION, *SEEN, "corpus"),
    "games/cardgame": ("cardgame", "engine", *SEEN, "corpus"),
    "games/outpost": ("outpost", "engine", *SEEN, "corpus"),
    "games": ("engine", "classic", "cardgame", "outpost", *SEEN, "corpus"),
    "table": ("table", "engine"),
    "codec": ("codec",),
    "envs": ("envs",),
    "batch": ("batch",),
    "bots": ("bots",),
    "judge": ("judge",),
    "coaching": ("judge/test_coaching.py", "server/test_hints.py"),
    "analysis": ("bots/test_analyse.py", "judge", "server/test_analysis.py"),
    "puzzles": ("puzzles", "cli/test_puzzle.py", "server/test_puzzles.py"),
    "data": ("data",),
    "mapmaker": ("mapmaker", "server/test_mapmaking.py"),
    "cli": ("cli",),
    "rooms": ("server", "browser"),
    "server": ("server",),
    "tournament": ("tournament",),
    "arena": ("arena",),
    "mcp": ("mcp",),
}
WHOLE_GAMES = ("invariants", "test_games", "test_play", "test_corpus", "test_layout")
SURVIVED = "SURVIVED"
ENDED_WELL = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)  # a file without tests
SECONDS = 120
"""Of processor time: a fault that makes the tests run forever is noticed too."""
MEMORY = 4 << 30
"""In bytes: a fault that uses up memory is noticed too."""


def files_of(room: str) -> list[Path]:
    found = sorted((PACKAGE / room).rglob("*.py")) or [PACKAGE / f"{room}.py"]
    if room not in TESTS or not found[0].is_file():
        sys.exit(f"There is no room {room}: take some of {', '.join(TESTS)}.")
    return found


def candidates(rooms: str, only: str) -> list[Mutant]:
    files = [path for room in rooms.split(",") for path in files_of(room)]
    kept = [path for path in files if path.name not in OTHERS and only in str(path)]
    return [mutant for path in kept for mutant in mutants(path, PACKAGE)]


def part_of(mutant: Mutant) -> str:
    return next(part for part in TESTS if mutant.path.startswith(part))


def tests_of(part: str, stem: str) -> tuple[list[str], list[str]]:
    """The tests of a part and its whole games, those named after a module first."""
    places = [ROOT / "tests" / place for place in TESTS[part]]
    files = [
        file
        for place in places
        for file in ([place] if place.is_file() else sorted(place.glob("test_*.py")))
    ]
    files.sort(key=lambda file: stem not in file.stem)
    games = [file for file in files if any(word in file.stem for word in WHOLE_GAMES)]
    return [str(file) for file in files if file not in games], list(map(str, games))


class Faulty(MetaPathFinder, Loader):
    """Loads one module with its fault."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.path = PACKAGE / mutant.path
        self.module = ".".join(["highvoltage", *Path(mutant.path).with_suffix("").parts])

    def find_spec(self, fullname: str, path: Any, _target: ModuleType | None = None) -> Any:
        if fullname != self.module:
            return None
        found = PathFinder.find_spec(fullname, path)
        assert found is not None
        return ModuleSpec(fullname, self, origin=found.origin)

    def exec_module(self, module: ModuleType) -> None:
        tree = mutated(self.path.read_text("utf-8"), self.mutant.number)
        module.__file__ = str(self.path)
        exec(compile(tree, str(self.path), "exec"), vars(module))


def fails(tests: list[str], mutant: Mutant | None) -> bool:
    """Whether a test fails with a fault, or without any, in a process of its own."""
    child = os.fork()
    if child == 0:
        os.chdir(ROOT)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if mutant is not None:
            sys.meta_path.insert(0, Faulty(mutant))
        options = ["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist"]
        os._exit(int(pytest.main([*options, *tests])) not in ENDED_WELL)
    _, status = os.waitpid(child, 0)
    return status != 0


def judge(mutant: Mutant) -> str:
    tests, games = tests_of(part_of(mutant), Path(mutant.path).stem)
    if fails([str(PACKAGE / mutant.path), *tests], mutant):
        return "noticed"
    return "noticed by whole games" if games and fails(games, mutant) else SURVIVED


def equivalent() -> dict[str, str]:
    """The faults that change nothing, by name, with the reason."""
    text = (Path(__file__).parent / "equivalent.toml").read_text("utf-8")
    return {each["fault"]: each["reason"] for each in tomllib.loads(text).get("equivalent", [])}


def chosen(args: argparse.Namespace) -> list[Mutant]:
    """The faults of this shard of the random sample."""
    every = candidates(args.rooms, args.only)
    drawn = random.Random(args.seed).sample(every, min(args.count, len(every)))
    part, parts = map(int, args.shard.split("/"))
    print(f"{len(every)} faults can be made; {len(drawn)} are tried, in {parts} shards", flush=True)
    return drawn[part - 1 :: parts]


def verdicts(kept: Path | None) -> dict[str, str]:
    """What was noticed before, by the name of the fault."""
    if kept is None or not kept.exists():
        return {}
    lines = (line.split("\t") for line in kept.read_text("utf-8").splitlines())
    return {name: verdict for verdict, _line, name in lines if verdict != SURVIVED}


def refuse_broken(parts: set[str]) -> None:
    for part in sorted(parts):
        tests, games = tests_of(part, "")
        if fails(tests + games, None):
            sys.exit(f"The tests of {part} fail as it is: mend that first.")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--rooms", default=RULES)
    parser.add_argument("--only", default="")
    parser.add_argument("--shard", default="1/1")
    parser.add_argument("--kept", type=Path)
    args = parser.parse_args()
    sample = chosen(args)
    found = verdicts(args.kept) | dict.fromkeys(equivalent(), "equivalent")
    refuse_broken({part_of(mutant) for mutant in sample if mutant.name not in found})
    for number, mutant in enumerate(sample, 1):
        if mutant.name not in found:
            found[mutant.name] = judge(mutant)
            if args.kept:
                with args.kept.open("a", encoding="utf-8") as file:
                    file.write(f"{found[mutant.name]}\t{mutant.line}\t{mutant.name}\n")
        print(
            f"{number}/{len(sample)} {found[mutant.name]} line {mutant.line} {mutant.name}",
            flush=True,
        )
    survivors = [mutant for mutant in sample if found[mutant.name] == SURVIVED]
    print(f"{len(survivors)} survived")
    for mutant in survivors:
        print(f"  line {mutant.line} {mutant.name}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
