"""`highvoltage analyse`: the analysis of a game at the terminal."""

from collections.abc import Sequence

import msgspec
from rich.console import Console
from rich.progress import Progress
from rich.table import Table as Grid

from highvoltage.analysis import (
    Analysis,
    JudgedDecision,
    JudgeTask,
    judge_decision,
    plan_analysis,
    run_plan,
)
from highvoltage.cli.narration import many
from highvoltage.engine.game import Game

BARS = " ▁▂▃▄▅▆▇█"


def analyse(game: Game, budget: str, seed: str, console: Console) -> Analysis:
    """Judge every open decision of a game; mistakes are printed as they are found."""
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task("", total=1.0)

        def answer(judge_task: JudgeTask) -> JudgedDecision | None:
            progress.update(bar, completed=judge_task.done)
            judged = judge_decision(game, judge_task)
            if judge_task.recheck and judged and judged.loss > 0:
                progress.console.print(mistake_line(judged, game.names))
            return judged

        return run_plan(plan_analysis(game, budget, seed), answer)


def mistake_line(judged: JudgedDecision, names: Sequence[str]) -> str:
    """A mistake in one line.

    >>> mistake_line(JudgedDecision(9, 2, "fuel", 0, "done", 0.25, "buy coal 2", 0.5), ["Ann"])
    'Round 2, Ann: done 25%, buy coal 2 50%'
    """
    why = f". {judged.why}" if judged.why else ""
    return (
        f"Round {judged.round}, {names[judged.seat]}: {judged.played} {judged.chance:.0%},"
        f" {judged.best} {judged.best_chance:.0%}{why}"
    )


def show(found: Analysis, most: int, console: Console) -> None:
    decisions = many(len(found.decisions), "open decision", "open decisions")
    console.print(f"{decisions}. The largest differences:\n")
    grid = Grid(box=None, pad_edge=False)
    for head in ("loss", "move", "round", "who", "played", "chance", "better", "chance"):
        grid.add_column(head, justify="left" if head in {"who", "played", "better"} else "right")
    for judged in found.decisions[:most]:
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
    for name, curve in zip(found.names, found.curves, strict=True):
        console.print(f"  {bars(curve)}  {name}")


def bars(curve: list[float | None]) -> str:
    """A bar for each round; a dot for a round without open decisions.

    >>> bars([0.25, None, 1.0])
    '▂·█'
    """
    full = len(BARS) - 1
    return "".join("·" if chance is None else BARS[round(chance * full)] for chance in curve)


def as_json(found: Analysis) -> str:
    return msgspec.json.format(msgspec.json.encode(found), indent=2).decode()
