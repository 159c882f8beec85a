"""`highvoltage analyse`: the analysis of a game at the terminal."""

from collections.abc import Iterable, Sequence

import msgspec
from rich.console import Console
from rich.progress import Progress
from rich.table import Table as Grid
from rich.text import Text

from highvoltage.analysis import (
    Analysis,
    Judged,
    JudgedDecision,
    JudgeTask,
    judge_decision,
    plan_analysis,
    run_plan,
)
from highvoltage.engine.game import Game
from highvoltage.text.narration import Narrator, percent
from highvoltage.text.show import narrator_for
from highvoltage.words import say

BARS = " ▁▂▃▄▅▆▇█"


def analyse(game: Game, budget: str, seed: str, console: Console) -> Analysis:
    """Judge every open decision of a game; mistakes are printed as they are found."""
    narrator = narrator_for(game)
    with Progress(console=console, transient=True) as progress:
        bar = progress.add_task("", total=1.0)

        def answer(judge_task: JudgeTask) -> Judged | None:
            progress.update(bar, completed=judge_task.done)
            judged = judge_decision(game, judge_task)
            if judge_task.kind == "recheck" and isinstance(judged, JudgedDecision):
                progress.console.print(mistake_line(judged, narrator, game.rules.name))
            return judged

        return run_plan(plan_analysis(game, budget, seed), answer)


def mistake_line(judged: JudgedDecision, narrator: Narrator, rulebook: str) -> str:
    """A mistake in one line.

    >>> judged = JudgedDecision(9, 2, "fuel", 0, "done", 0.25, "buy coal 2", 0.5, 0.05)
    >>> mistake_line(judged, Narrator(["Ann"], {}), "classic")
    'Round 2, Ann: done. Better: buy coal 2 (15 to 35%).'
    """
    when, who = say("round", round=judged.round), narrator.name(judged.seat)
    better = say("analysis_better", move=narrator.notation(judged.best))
    why = f" {narrator.reason(judged.why, rulebook)}" if judged.why else ""
    return f"{when}, {who}: {narrator.notation(judged.played)}. {better} ({cost_of(judged)}).{why}"


def show(found: Analysis, game: Game, most: int, console: Console) -> None:
    """Print the costliest decisions, and everybody's chance to win in each round."""
    narrator = narrator_for(game)
    mistakes = found.decisions[:most]
    console.print(Text(f"{say('analysis_worst')}\n", "bold"))
    console.print(mistakes_table(mistakes, narrator) if mistakes else say("analysis_none"))
    console.print(Text(f"\n{say('terminal_chances')}\n", "bold"))
    for name, curve in zip(narrator.names, found.curves, strict=True):
        console.print(f"  {bars(curve)}  {name}")
    if found.turns:
        console.print(Text(f"\n{say('analysis_turns')}\n", "bold"))
    for turn in found.turns:
        chances = {"before": percent(turn.before), "after": percent(turn.after)}
        name = narrator.name(turn.seat)
        console.print(f"  {say('analysis_turn', round=turn.round, name=name, **chances)}")
    console.print(Text(f"\n{say('analysis_note')}", "dim"))


def mistakes_table(mistakes: Iterable[JudgedDecision], narrator: Narrator) -> Grid:
    grid = Grid(box=None, pad_edge=False)
    for head in ("terminal_column_loss", "replay_move", "terminal_column_round"):
        grid.add_column(say(head), justify="right")
    grid.add_column(say("terminal_column_player"))
    for head in ("terminal_column_played", "terminal_column_better"):
        grid.add_column(say(head))
        grid.add_column("%", justify="right")
    for judged in mistakes:
        grid.add_row(
            cost_of(judged),
            str(judged.move),
            str(judged.round),
            narrator.name(judged.seat),
            narrator.notation(judged.played),
            str(percent(judged.chance)),
            narrator.notation(judged.best),
            str(percent(judged.best_chance)),
        )
    return grid


def cost_of(judged: JudgedDecision) -> str:
    """What a decision cost at least and at most, in percent."""
    low, high = judged.cost
    return say("analysis_cost", low=percent(low), high=percent(high))


def bars(curve: Sequence[float]) -> str:
    """A bar for each round.

    >>> bars([0.25, 0.0, 1.0])
    '▂ █'
    """
    full = len(BARS) - 1
    return "".join(BARS[round(chance * full)] for chance in curve)


def as_json(found: Analysis) -> str:
    return msgspec.json.format(msgspec.json.encode(found), indent=2).decode()
