"""A finished game under the eyes of the director: what it would have done instead."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.progress import track
from rich.table import Table as Grid

from highvoltage.bots.director import read_budget, weigh
from highvoltage.cli.replaying import position
from highvoltage.engine.game import Game

BARS = " ▁▂▃▄▅▆▇█"


class Judged(Struct, frozen=True):
    """A decision: the chance to win after what was played, and after what was best."""

    move: int  # its number in the game
    round: int
    phase: str
    seat: int
    played: str
    chance: float
    best: str
    best_chance: float

    @property
    def loss(self) -> float:
        return self.best_chance - self.chance


class Analysis(Struct, frozen=True):
    """All decisions that were open, and each seat's chance to win by round."""

    names: tuple[str, ...]
    decisions: list[Judged]
    curves: list[dict[int, float]]


def analyse(game: Game, budget: str, seed: str, console: Console) -> Analysis:
    """Judge every decision of a game that was worth a thought."""
    allowed = read_budget(budget)
    numbers = range(len(game.log))
    decisions = [
        judged
        for number in track(numbers, "", console=console, transient=True)
        if (judged := _judge(game, number, allowed, seed))
    ]
    return Analysis(game.names, decisions, list(_curves(game, decisions)))


def _judge(game: Game, number: int, allowed: Any, seed: str) -> Judged | None:
    row = game.log[number]
    then = position(game, number)
    view = then.view(row.seat, history=True)
    chances = weigh(view, then.legal_moves, row.move, allowed, Random(f"{seed}/{number}"))
    if chances is None:
        return None
    best = max(chances, key=lambda move: (chances[move], move == row.move))
    return Judged(
        number + 1,
        row.round,
        row.phase,
        row.seat,
        str(row.move),
        round(chances[row.move], 3),
        str(best),
        round(chances[best], 3),
    )


def _curves(game: Game, decisions: list[Judged]) -> Iterator[dict[int, float]]:
    """The mean of what was played, by round; at the end what came of it."""
    for seat in range(len(game.names)):
        by_round: dict[int, list[float]] = {}
        for judged in decisions:
            if judged.seat == seat:
                by_round.setdefault(judged.round, []).append(judged.chance)
        yield {number: round(sum(some) / len(some), 3) for number, some in by_round.items()}


def show(found: Analysis, most: int, console: Console) -> None:
    console.print(f"{len(found.decisions)} open decisions. The largest differences:\n")
    grid = Grid(box=None, pad_edge=False)
    for head in ("loss", "move", "round", "who", "played", "chance", "better", "chance"):
        grid.add_column(head, justify="left" if head in {"who", "played", "better"} else "right")
    worst = sorted(found.decisions, key=lambda judged: -judged.loss)
    for judged in worst[:most]:
        if judged.loss > 0:
            grid.add_row(
                f"{judged.loss:.0%}",
                str(judged.move),
                str(judged.round),
                found.names[judged.seat],
                judged.played,
                f"{judged.chance:.0%}",
                judged.best,
                f"{judged.best_chance:.0%}",
            )
    console.print(grid)
    console.print("\nChance to win, round by round:\n")
    last = max((judged.round for judged in found.decisions), default=0)
    for name, curve in zip(found.names, found.curves, strict=True):
        console.print(f"  {curve_of(curve, last)}  {name}")


def curve_of(curve: dict[int, float], last: int) -> str:
    """A line of bars, one for each round; a dot where nothing was to be decided.

    >>> curve_of({1: 0.25, 3: 1.0}, 3)
    '▂·█'
    """
    return "".join(
        BARS[round(curve[number] * (len(BARS) - 1))] if number in curve else "·"
        for number in range(1, last + 1)
    )


def as_json(found: Analysis) -> str:
    return msgspec.json.format(msgspec.json.encode(found), indent=2).decode()
