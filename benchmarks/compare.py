"""Whether one checkout is faster than another: `python -m benchmarks.compare A B`.

A and B are folders with a checkout, or names that git knows (`main`, `v0.1.0`, a commit). Both are
measured in one run, in turn and always in fresh processes, so that a busy machine slows both alike
and no memory layout favours one for long. Times are processor times; the best of every game counts.
A ratio below 1 means that B is faster; its median is printed with the 95 % interval. Exits with 1
if the median of any measurement exceeds the tolerance.
"""

import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import mean, median
from tempfile import TemporaryDirectory
from time import process_time_ns
from typing import Any

from benchmarks import ROOT
from benchmarks.measuring import Report, parser

GAMES = 10
REPEATS = 5  # in each process; the best of every game counts
FAST_REPEATS = 100  # for calls that take only microseconds
PLAYERS = 4

Times = dict[str, list[float]]
"""Microseconds of a decision, a copy and so on, by rulebook and name; game by game."""


def random_game(hv: Any, rulebook: str, seed: int) -> Any:
    """A game of random legal play, as `highvoltage bench` plays it."""
    game = hv.new(rulebook, players=PLAYERS, seed=seed)
    draw = Random(seed).random
    while game.to_move is not None:
        choices = game.legal_moves.choices
        game.play(choices[int(draw() * len(choices))])
    return game


def least(works: Iterable[Callable[[], object]]) -> list[float]:
    """Microseconds of each, the least of several repeats."""
    works = [*works]
    found = [float("inf")] * len(works)
    for _ in range(REPEATS):
        for at, work in enumerate(works):
            began = process_time_ns()
            work()
            found[at] = min(found[at], (process_time_ns() - began) / 1e3)
    return found


def measured(hv: Any, rulebook: str) -> Times:
    games = [random_game(hv, rulebook, seed) for seed in range(GAMES)]
    halfway = [game.after(len(game.log) // 2) for game in games]
    records = [str(game.record()) for game in games]
    decisions = [len(game.log) for game in games]

    def often(ask: Callable[[Any], object]) -> list[float]:
        def ask_often(game: Any) -> None:
            for _ in range(FAST_REPEATS):
                ask(game)

        return [time / FAST_REPEATS for time in least(partial(ask_often, game) for game in halfway)]

    def each_move(works: Iterable[Callable[[], object]]) -> list[float]:
        return [time / count for time, count in zip(least(works), decisions, strict=True)]

    return {
        f"{rulebook} decision": each_move(
            partial(random_game, hv, rulebook, seed) for seed in range(GAMES)
        ),
        f"{rulebook} copy": often(lambda game: game.copy()),
        f"{rulebook} view": often(lambda game: game.view(game.to_move)),
        f"{rulebook} replayed move": each_move(partial(hv.replay, text) for text in records),
    }


def measure_here(rulebooks: list[str]) -> None:
    """Measure the checkout that this process runs on, and print the times as JSON."""
    import highvoltage as hv  # noqa: PLC0415  # that of the checkout

    found: Times = {}
    for rulebook in rulebooks or hv.games():
        found |= measured(hv, rulebook)
    json.dump(found, sys.stdout)


def process_on(source: Path, rulebooks: list[str]) -> Times:
    path = {"PYTHONPATH": str(source), "PYTHONHASHSEED": "0"}
    child = subprocess.run(
        [sys.executable, "-m", "benchmarks.compare", "--here", *rulebooks],
        cwd=ROOT,
        env=os.environ | path,
        stdout=subprocess.PIPE,
        check=True,
    )
    found: Times = json.loads(child.stdout)
    return found


def source_of(name: str, scratch: Path) -> Path:
    """The sources of a checkout, or of a commit, which is extracted into `scratch`."""
    if (folder := Path(name) / "src").is_dir():
        return folder.resolve()
    archive = ["git", "-C", str(ROOT), "archive", name, "src"]
    git = subprocess.run(archive, capture_output=True, check=False)
    if git.returncode:
        sys.exit(f"'{name}' is neither a checkout nor known to git: {git.stderr.decode().strip()}")
    folder = scratch / name.replace("/", "-")
    with tarfile.open(fileobj=io.BytesIO(git.stdout)) as tar:
        tar.extractall(folder, filter="data")
    return folder / "src"


def in_turn(sources: tuple[Path, Path], rounds: int, rulebooks: list[str]) -> Iterator[list[Times]]:
    """The times of A and B, in alternating order."""
    for number in range(rounds):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        found = {side: process_on(sources[side], rulebooks) for side in order}
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {rounds} ", end="\r", file=sys.stderr, flush=True)
        yield [found[0], found[1]]


def interval(ratios: list[float]) -> tuple[float, float]:
    """The 95 % interval of the median, by bootstrap."""
    draw = Random(1)
    medians = sorted(median(draw.choices(ratios, k=len(ratios))) for _ in range(2000))
    return medians[50], medians[-51]


def compared(report: Report, pairs: list[list[Times]], tolerance: float) -> list[str]:
    """Report each measurement; returns those in which B is slower."""
    slower = []
    report.heading(f"{'':26}{'A best':>9}{'B best':>9}{'B/A':>7}{'median':>8}  95 %")
    for what in pairs[0][0]:
        if what not in pairs[0][1]:
            continue
        times = [[pair[side][what] for pair in pairs] for side in (0, 1)]
        ratios = [sum(b) / sum(a) for a, b in zip(*times, strict=True)]
        low, high = interval(ratios)
        a, b = (mean(map(min, zip(*each, strict=True))) for each in times)
        late = median(ratios) > 1 + tolerance
        slower += [what] * late
        report.row(
            f"{what:26}{a:9.2f}{b:9.2f}{b / a:7.3f}{median(ratios):8.3f}"
            f"  {low:.3f} to {high:.3f}{'  slower' if late else ''}",
            what=what,
            a_us=a,
            b_us=b,
            median_ratio=median(ratios),
            low=low,
            high=high,
            slower=late,
        )
    return slower


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    arguments.add_argument("a", help="a checkout, or a name that git knows")
    arguments.add_argument("b", help="the other, compared with it")
    arguments.add_argument("--rounds", type=int, default=12, help="processes for each (12)")
    arguments.add_argument(
        "--rulebook", "-r", action="append", default=[], help="only this; repeat"
    )
    arguments.add_argument("--tolerance", type=float, default=0.03, help="slower by more fails")
    args = arguments.parse_args(words)
    report = Report(args)
    with TemporaryDirectory() as scratch:
        a, b = (source_of(name, Path(scratch)) for name in (args.a, args.b))
        pairs = [*in_turn((a, b), args.rounds, args.rulebook)]
    report.heading(f"microseconds of processor time; A: {args.a}, B: {args.b}")
    if slower := compared(report, pairs, args.tolerance):
        sys.exit(f"{args.b} is more than {args.tolerance:.0%} slower: {', '.join(slower)}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--here"]:  # what process_on starts
        measure_here(sys.argv[2:])
    else:
        main()
