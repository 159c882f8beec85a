"""Mutation: makes small faults in the package and checks whether the tests notice.

    python tests/mutation/run.py [--rooms codec,bots] [--count 300] [--seed 1]
                                 [--only PART-OF-A-PATH] [--shard 1/16] [--kept FILE]

Rooms are folders or modules of the package, such as codec, bots/tycoon or analysis: the rules,
unless others are named. As many faults are made in each.

Each fault is made in memory, in a process of its own, and run against the quickest tests that run
its line, by `reach.py`, until one fails that passes without the fault. What survives is printed at
the end; `equivalent.toml` lists the faults that change nothing observable, with the reason.

Every verdict is written to FILE at once, with the test that noticed; a fault that was noticed is
not tried again: a stopped run resumes, and a run after a new test tries what survived.
"""

import argparse
import os
import random
import resource
import signal
import sys
import tomllib
from collections.abc import Iterable, Mapping
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

import hypothesis  # noqa: F401  # loaded once, before the forks
import msgspec  # noqa: F401
import pytest

from mutation.mutate import Mutant, mutants, mutated
from mutation.reach import Reach

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "highvoltage"
RULES = "engine,games,table"
OTHERS = {"__init__.py", "invariants.py", "laws.py", "meta.py", "messages.py"}
"""Checks, metadata and messages."""
SURVIVED = "SURVIVED"
ENDED_WELL = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)  # a file without tests
SECONDS = 120
"""Of processor time: a fault that makes the tests run forever is noticed too."""
WAITING = 2 * SECONDS
"""Of waiting, likewise."""
MEMORY = 8 << 30
"""In bytes: a fault that uses up memory is noticed too."""
LONGEST = 1 << 16
"""What a pipe holds: more than the names of all tests of one fault."""
COMPILED = ROOT / ".pytest_cache" / "d" / "jax"
"""What JAX has compiled for the tests is not compiled for every fault."""


def files_of(room: str) -> list[Path]:
    found = sorted((PACKAGE / room).rglob("*.py")) or [PACKAGE / f"{room}.py"]
    if not found[0].is_file():
        sys.exit(f"There is no room {room} in {PACKAGE}.")
    return [path for path in found if path.name not in OTHERS]


def faults_in(room: str, only: str) -> list[Mutant]:
    files = [path for path in files_of(room) if only in str(path)]
    return [mutant for path in files for mutant in mutants(path, PACKAGE)]


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


class Begun:
    """A plugin of pytest that tells which test begins."""

    def __init__(self, pipe: int) -> None:
        self.pipe = pipe

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        os.write(self.pipe, f"{nodeid}\n".encode())


def failing(tests: list[str], mutant: Mutant | None, *options: str) -> list[str] | None:
    """The tests up to the one that fails with a fault, or without any, in a process of its own.

    None if all pass, and none of them if they cannot even be loaded.
    """
    told, pipe = os.pipe()
    child = os.fork()
    if child == 0:
        os.chdir(ROOT)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.alarm(WAITING)
        if mutant is not None:
            sys.meta_path.insert(0, Faulty(mutant))
        usual = ["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", "-p", "no:xdist"]
        ended = pytest.main([*usual, *options, *tests], plugins=[Begun(pipe)])
        os._exit(int(ended) not in ENDED_WELL)
    _, status = os.waitpid(child, 0)
    os.write(pipe, b"\n")  # not to wait for what no test has told
    os.close(pipe)
    begun = os.read(told, LONGEST).decode().splitlines()[:-1]
    os.close(told)
    return begun if status != 0 else None


def judge(mutant: Mutant, tests: list[str]) -> tuple[str, str]:
    """The verdict, and the test that noticed."""
    while tests:
        begun = failing(tests, mutant)
        if begun is None:
            break
        if not begun:
            return "noticed", "loading"
        if failing(begun[-1:], None) is None:
            return "noticed", begun[-1]
        tests = [test for test in tests if test != begun[-1]]
    return SURVIVED, "" if tests else "no test"


def equivalent() -> dict[str, str]:
    """The faults that change nothing, by name, with the reason."""
    text = (Path(__file__).parent / "equivalent.toml").read_text("utf-8")
    return {each["fault"]: each["reason"] for each in tomllib.loads(text).get("equivalent", [])}


def chosen(args: argparse.Namespace) -> list[Mutant]:
    """The faults of this shard of the random sample: as many of each room."""
    rooms = [faults_in(room, args.only) for room in args.rooms.split(",")]
    rng, each = random.Random(args.seed), -(-args.count // len(rooms))
    drawn = [mutant for room in rooms for mutant in rng.sample(room, min(each, len(room)))]
    part, parts = map(int, args.shard.split("/"))
    every = sum(map(len, rooms))
    print(f"{every} faults can be made; {len(drawn)} are tried, in {parts} shards", flush=True)
    return drawn[part - 1 :: parts]


def verdicts(kept: Path | None) -> dict[str, str]:
    """What was noticed before, by the name of the fault."""
    if kept is None or not kept.exists():
        return {}
    lines = (line.split("\t") for line in kept.read_text("utf-8").splitlines())
    return {name: verdict for verdict, _by, _line, name in lines if verdict != SURVIVED}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--rooms", default=RULES)
    parser.add_argument("--only", default="")
    parser.add_argument("--shard", default="1/1")
    parser.add_argument("--kept", type=Path)
    args = parser.parse_args()
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(COMPILED))
    sample = chosen(args)
    found = verdicts(args.kept) | dict.fromkeys(equivalent(), "equivalent")
    tried = [mutant for mutant in sample if mutant.name not in found]
    reach = Reach({mutant.path for mutant in tried})
    asked = {mutant.name: reach.of(mutant.path, mutant.line, mutant.place) for mutant in tried}
    every = sorted({test for tests in asked.values() for test in tests})
    if failing(every, None, "--collect-only") is not None:
        sys.exit("Some of the tests that reach these faults cannot be found.")
    for number, mutant in enumerate(sample, 1):
        if mutant.name not in found:
            verdict, by = judge(mutant, asked[mutant.name])
            found[mutant.name] = verdict
            keep(args.kept, mutant, verdict, by)
        print(
            f"{number}/{len(sample)} {found[mutant.name]} line {mutant.line} {mutant.name}",
            flush=True,
        )
    return report(sample, found)


def keep(file: Path | None, mutant: Mutant, verdict: str, by: str) -> None:
    """Add a verdict to the file of those that are not asked for again."""
    if file:
        with file.open("a", encoding="utf-8") as lines:
            lines.write(f"{verdict}\t{by}\t{mutant.line}\t{mutant.name}\n")


def report(sample: Iterable[Mutant], found: Mapping[str, str]) -> int:
    """Print the survivors; the exit status is 1 if there are any."""
    survivors = [mutant for mutant in sample if found[mutant.name] == SURVIVED]
    print(f"{len(survivors)} survived")
    for mutant in survivors:
        print(f"  line {mutant.line} {mutant.name}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
