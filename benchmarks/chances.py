"""Plays what proves the judge's chances: `python -m benchmarks.chances FOLDER`.

Games among mixed levels, on which the corrections are fitted and their form was chosen; then fresh
ones, on which they are measured at first sight and looking ahead; and reproaches, from which games
are played on. Goes on where it was stopped: what FOLDER holds is not played again. `--write` fits
the corrections of the package on the first games, and the fresh ones measure those; without it they
measure the shipped ones. `python -m benchmarks.calibration FOLDER` measures.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import msgspec

from benchmarks.calibration import FITTED_PARTS, Cell, fit_corrections, read_games
from benchmarks.measuring import Report, parser, run_until
from benchmarks.mixed_games import CELLS, ahead_game, estimated_game, judged_game
from benchmarks.reproaches import reproach

RULEBOOKS = dict.fromkeys(rulebook for rulebook, _ in CELLS)
HARD_CELLS: list[Cell] = [("recharged", 2), ("cardgame", 6), ("outpost", 2)]
"""Those where a thousand games were too few to fit on, and five hundred to measure."""


class Part(NamedTuple):
    """A kind of games: how many files of how many games there are for each cell."""

    play: Callable[[str, int, str], Any]
    files: dict[Cell, int]
    games: int


PARTS = {
    "fit": Part(estimated_game, dict.fromkeys(CELLS, 25), 20),
    "test": Part(estimated_game, dict.fromkeys(CELLS, 25), 20),
    "more": Part(estimated_game, dict.fromkeys(HARD_CELLS, 100), 20),
    "fresh": Part(judged_game, dict.fromkeys(CELLS, 25) | dict.fromkeys(HARD_CELLS, 100), 20),
    "ahead": Part(ahead_game, dict.fromkeys(CELLS, 20), 5),
    "reproach": Part(reproach, {(rulebook, 4): 4 for rulebook in RULEBOOKS}, 1),
}
STAGES = (FITTED_PARTS, ("fresh", "reproach", "ahead"))


class Task(NamedTuple):
    """The games of one file."""

    part: str
    rulebook: str
    players: int
    number: int

    @property
    def name(self) -> str:
        return f"{self.part}-{self.rulebook}-{self.players}-{self.number}"


def tasks(part: str) -> Iterator[Task]:
    """All cells in turn."""
    files = PARTS[part].files
    for number in range(max(files.values())):
        for (rulebook, players), many in files.items():
            if number < many:
                yield Task(part, rulebook, players, number)


def stage_tasks(stage: tuple[str, ...]) -> list[Task]:
    """Those of all parts, in turn."""
    rows = zip_longest(*(tasks(part) for part in stage))
    return [each for row in rows for each in row if each is not None]


def run(task: Task) -> bytes:
    part = PARTS[task.part]
    names = (f"{task.name}/{game}" for game in range(part.games))
    found = [part.play(task.rulebook, task.players, name) for name in names]
    return msgspec.json.encode([each for each in found if each is not None])


def run_stage(
    report: Report, stage: tuple[str, ...], folder: Path, jobs: int, until: float
) -> bool:
    """Play what is missing; whether all is done."""
    left = [task for task in stage_tasks(stage) if not file_of(folder, task).exists()]
    for task, found in run_until(until, jobs, run, left):
        partial = folder / f"{task.name}.partial"
        partial.write_bytes(found)
        partial.replace(file_of(folder, task))
        report.row(task.name, played=task.name)
    return all(file_of(folder, task).exists() for task in left)


def file_of(folder: Path, task: Task) -> Path:
    return folder / f"{task.name}.json"


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    arguments.add_argument("--minutes", type=float, default=600, help="stop then")
    arguments.add_argument("--write", action="store_true", help="write corrections.json")
    given = arguments.parse_args(words)
    report = Report(given)
    given.folder.mkdir(parents=True, exist_ok=True)
    until = monotonic() + 60 * given.minutes
    for stage in STAGES:
        if not run_stage(report, stage, given.folder, given.jobs, until):
            report.row("not done: run it again", done=False)
            return
        if stage == STAGES[0] and given.write:
            fit_corrections(read_games(given.folder, *FITTED_PARTS))


if __name__ == "__main__":
    main()
