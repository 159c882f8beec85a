"""Many games between bots: who wins, how long they last, how fast they are played."""

import json
import time
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from highvoltage.cli.series import GameCounts, Series, play_all


def simulate(series: Series, games: int, jobs: int, console: Console) -> dict[str, Any]:
    """Play a series, with a progress bar on the given console, and sum it up."""
    began = time.perf_counter()
    played: list[GameCounts] = []
    columns = (BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn())
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as bar:
        task = bar.add_task("", total=games)
        for each in play_all(series, games, jobs):
            played.append(each)
            bar.advance(task)
    return summary(series, played, time.perf_counter() - began)


def summary(series: Series, played: Sequence[GameCounts], seconds: float) -> dict[str, Any]:
    """The figures to report. Seats that tie for the win share it."""
    ended = [each for each in played if each.finished]
    rounds = [each.rounds for each in ended]
    decisions = sum(each.decisions for each in played)
    wins = dict.fromkeys(series.bots, Fraction(0))
    for each in ended:
        for bot in each.winners:
            wins[series.bots[bot]] += Fraction(1, len(each.winners))
    return {
        "rulebook": series.rulebook,
        "map": series.map,
        "players": len(series.bots),
        "bots": list(series.bots),
        "seed": series.seed,
        "games": len(played),
        "finished": len(ended),
        "decisions": decisions,
        "seconds": round(seconds, 3),
        "decisions_per_second": round(decisions / seconds, 1),
        "games_per_second": round(len(played) / seconds, 2),
        "rounds": {
            "min": min(rounds, default=0),
            "mean": round(sum(rounds) / len(rounds), 2) if rounds else 0,
            "max": max(rounds, default=0),
        },
        "wins": {
            bot: int(won) if won.denominator == 1 else float(won) for bot, won in wins.items()
        },
    }


def show_summary(found: dict[str, Any], console: Console) -> None:
    table = Table.grid(padding=(0, 2, 0, 0))
    rounds = found["rounds"]
    table.add_row("games", f"{found['games']}, finished {found['finished']}")
    table.add_row("rounds", f"{rounds['min']} to {rounds['max']}, on average {rounds['mean']}")
    table.add_row(
        "speed", f"{found['decisions_per_second']} decisions/s, {found['games_per_second']} games/s"
    )
    for bot, won in found["wins"].items():
        seats = found["bots"].count(bot)
        share = won / found["finished"] if found["finished"] else 0
        table.add_row(
            f"won by {bot}", f"{won:g} ({share:.1%}, with {seats} of {found['players']} seats)"
        )
    console.print(table)


def as_json(found: dict[str, Any]) -> str:
    return json.dumps(found, indent=2)
