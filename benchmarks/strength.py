"""How strong the bots are: `python -m benchmarks.strength --minutes 30 --jobs 2 --write`.

Plays the rows of the table in docs/bots.md, all of them in turn or those that contain the words of
`--only`, and keeps every game in benchmarks/strength.jsonl: the same command goes on. What earlier
networks played does not count any more. `--write` fills the table with what was played so far, and
`--left` says what is missing.
"""

import os
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import msgspec

import highvoltage as hv
from benchmarks import ROOT
from benchmarks.measuring import Report, parser, run_until
from highvoltage.bots.tycoon.choosing import policy_of_game
from highvoltage.bots.tycoon.evaluation import NETWORKS
from highvoltage.bots.tycoon.policy import load_policy
from highvoltage.engine.parts.board import maps_of, shipped_maps
from highvoltage.tournament import Result, Tournament
from highvoltage.tournament.games import entrants, play_one
from highvoltage.tournament.table import wilson
from learn.evaluate import OPTIONS

KEPT = ROOT / "benchmarks" / "strength.jsonl"
PAGE = ROOT / "docs" / "bots.md"
BEGIN, END = "<!-- strength -->\n", "<!-- end of strength -->\n"
HEAD = """| rulebook | line-up | games | won | 95 % | asked |
| --- | --- | --- | --- | --- | --- |
"""
UNSEEN = {"italy", "france", "north_america", "spain_portugal"}  # by the tycoon
AMONG_ENGINEERS = {2: 98, 3: 96, 4: 93, 5: 85, 6: 72}  # asked of the tycoon, by players
CARDS_AMONG_ENGINEERS = {2: 85, 4: 80}  # in the Card Game and Outpost
MIN_GAMES = 30  # fewer say too little to be shown


class Row(NamedTuple):
    """A line-up, of whose first bot a share of wins in per cent is asked."""

    rulebook: str
    line_up: str
    games: int
    asked: int | None = None
    board: str | None = None
    options: tuple[tuple[str, Any], ...] = ()
    seed: str = "fresh40"

    @property
    def title(self) -> str:
        """Its line-up as the table shows it."""
        more = [self.board or "", *(f"{name}={value}" for name, value in self.options)]
        return " ".join([f"`{self.line_up}`", *filter(None, more)])

    @property
    def cup(self) -> Tournament:
        bots = tuple(entrants(self.line_up))
        return Tournament(
            self.rulebook, bots, self.board, len(bots), self.games, self.seed, dict(self.options)
        )

    @property
    def key(self) -> str:
        """Who plays what: what earlier networks played has another one."""
        network = network_of(self.rulebook, self.board) if "tycoon" in self.line_up else ""
        return f"{self.rulebook} {self.title} {self.seed} {network}".rstrip()


@cache
def network_of(rulebook: str, board: str | None) -> str:
    """A digest of the network that plays there."""
    view = hv.new(rulebook, map=board, players=4).view(0)
    policy = policy_of_game(view)
    for name in NETWORKS[rulebook]:
        if policy and policy is load_policy(name):
            weights = files("highvoltage.bots.tycoon") / "weights" / f"{name}.safetensors"
            return sha256(weights.read_bytes()).hexdigest()[:8]
    return "untaught"


def rows() -> Iterator[Row]:
    for rulebook in ("classic", "recharged", "cardgame", "outpost"):
        yield from rows_of(rulebook)
    for rulebook in ("classic", "recharged"):
        for board, map_id in maps_of([rulebook]).items():
            if map_id in shipped_maps() and board != "germany":
                asked = 60 if board in UNSEEN else 75
                yield Row(rulebook, "tycoon,engineer*3", 60, asked, board)


def rows_of(rulebook: str) -> Iterator[Row]:
    """Those of every rulebook; the boards play on Germany."""
    boards = rulebook in {"classic", "recharged"}
    yield Row(rulebook, "apprentice,random*3", 400)
    yield Row(rulebook, "clerk,random", 400, 70)
    yield Row(rulebook, "clerk,random*3", 400, 60 if boards else None)
    yield Row(rulebook, "clerk,apprentice*3", 400)
    yield Row(rulebook, "engineer,clerk", 400, 70)
    yield Row(rulebook, "engineer,clerk*3", 400, 45 if boards else None)
    for players in range(2, 7):
        among = "tycoon,engineer" + (f"*{players - 1}" if players > 2 else "")
        wanted = (AMONG_ENGINEERS if boards else CARDS_AMONG_ENGINEERS).get(players)
        yield Row(rulebook, among, (480 if players == 6 else 300) if boards else 120, wanted)
    policy = load_policy(rulebook)
    for name in policy.taught.options if policy else ():
        yield Row(rulebook, "tycoon,engineer*3", 120, 70, None, ((name, OPTIONS[name]),))
    for line_up, asked in (
        ("director:16,engineer", 70),
        ("director:16,engineer*3", 40 if boards else None),
        ("tycoon,director:100*3", 80 if boards else 55),
        ("tycoon:72,director:100*3", 90),
        ("tycoon:72,tycoon*3", 60),
    ):
        yield Row(rulebook, line_up, 60, asked, seed="fresh41")


class Played:
    """The games that were kept: the share of a victory, by row and number."""

    def __init__(self, file: Path = KEPT) -> None:
        self.file = file
        self.won: dict[str, dict[int, float]] = {}
        for line in file.read_bytes().splitlines() if file.exists() else ():
            key, number, won = msgspec.json.decode(line)
            self.won.setdefault(key, {})[number] = won

    def of(self, row: Row) -> dict[int, float]:
        return self.won.setdefault(row.key, {})

    def add(self, row: Row, result: Result) -> None:
        won = share_won(result)
        self.of(row)[result.number] = won
        with self.file.open("ab") as file:
            file.write(msgspec.json.encode([row.key, result.number, won]) + b"\n")

    def missing(self, row: Row) -> list[int]:
        return [number for number in range(row.games) if number not in self.of(row)]


def share_won(result: Result) -> float:
    """Of the first bot of the line-up."""
    first = result.places[result.seats.index(0)] == 1
    return 1 / result.places.count(1) if result.finished and first else 0.0


def open_games(wanted: Sequence[Row], played: Played) -> list[tuple[Row, int]]:
    """What is missing, all rows side by side."""
    found = [(number / row.games, row, number) for row in wanted for number in played.missing(row)]
    return [(row, number) for _, row, number in sorted(found, key=lambda each: each[0])]


def play_game(task: tuple[Row, int]) -> Result:
    row, number = task
    return play_one(row.cup, number)


def play(report: Report, wanted: Sequence[Row], played: Played, jobs: int, until: float) -> None:
    for (row, _), result in run_until(until, jobs, play_game, open_games(wanted, played)):
        played.add(row, result)
        if not played.missing(row):
            report.row(line_of(row, played), row=row.key, won=played.of(row))


def line_of(row: Row, played: Played) -> str:
    """A line of the table."""
    games = [*played.of(row).values()]
    won, (low, high) = sum(games), wilson(sum(games), len(games))
    count = f"{len(games)}" if len(games) == row.games else f"{len(games)} of {row.games}"
    span = f"{100 * low:.1f} to {100 * high:.1f}"
    asked = "" if row.asked is None else f"{row.asked} %{verdict(row.asked / 100, low, high)}"
    cells = (row.rulebook, row.title, count, f"{100 * won / len(games):.1f} %", span, asked)
    return f"| {' | '.join(cells)} |"


def verdict(asked: float, low: float, high: float) -> str:
    """Whether it was reached beyond doubt.

    >>> [verdict(0.7, *span) for span in ((0.71, 0.8), (0.6, 0.69), (0.65, 0.75))]
    ['', ': not reached', ': not beyond doubt']
    """
    if low > asked:
        return ""
    return ": not reached" if high < asked else ": not beyond doubt"


def write(played: Played, page: Path = PAGE) -> None:
    text = page.read_text("utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    lines = "".join(
        f"{line_of(row, played)}\n" for row in rows() if len(played.of(row)) >= MIN_GAMES
    )
    page.write_text(f"{before}{BEGIN}\n{HEAD}{lines}\n{END}{after}", "utf-8")


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    arguments.add_argument("--minutes", type=float, default=0, help="play for so long")
    arguments.add_argument("--only", default="", help="rows that contain this")
    arguments.add_argument("--write", action="store_true", help="fill the table in docs/bots.md")
    arguments.add_argument("--left", action="store_true", help="only say what is missing")
    given = arguments.parse_args(words)
    report, played = Report(given), Played()
    wanted = [row for row in rows() if given.only in row.key]
    if not given.left:
        play(report, wanted, played, given.jobs, monotonic() + 60 * given.minutes)
    if given.write:
        write(played)
    left = {row.key: len(missing) for row in wanted if (missing := played.missing(row))}
    report.row(f"{sum(left.values())} games of {len(left)} rows are left", left=left)


if __name__ == "__main__":
    main()
