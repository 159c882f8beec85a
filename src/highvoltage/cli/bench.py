"""How fast the engine is on this machine, on one core.

Random legal play: each move is drawn from `legal_moves.choices`, every one as likely as the next,
so bids are always the lowest. Times are those of the process, the best of several repeats.
"""

import json
import platform
import re
from collections.abc import Callable, Sequence
from random import Random
from shutil import which
from statistics import median
from subprocess import run
from time import perf_counter_ns, process_time
from typing import Any

from rich.console import Console
from rich.table import Table

import highvoltage as hv

PLAYERS = 4
RECORD_MOVES = 500
COPIES = 100


def random_game(
    rulebook: str, seed: int, before: Callable[[hv.Game], None] | None = None
) -> hv.Game:
    """A game of random legal play; `before` looks at every position."""
    game = hv.new(rulebook, players=PLAYERS, seed=seed)
    draw = Random(seed).random
    while game.to_move is not None:
        if before:
            before(game)
        choices = game.legal_moves.choices
        game.play(choices[int(draw() * len(choices))])
    return game


def measure(rulebooks: Sequence[str], games: int, repeats: int) -> list[dict[str, Any]]:
    """The figures of each rulebook. They take turns, so that a busy machine slows all alike."""
    seconds: dict[str, list[float]] = {rulebook: [] for rulebook in rulebooks}
    played: dict[str, list[hv.Game]] = {}
    for _ in range(repeats):
        for rulebook in rulebooks:
            began = process_time()
            played[rulebook] = [random_game(rulebook, seed) for seed in range(games)]
            seconds[rulebook].append(process_time() - began)
    found = [figures(name, played[name], min(seconds[name]), repeats) for name in rulebooks]
    for each in found:
        speeds = each["decisions_per_second"], found[0]["decisions_per_second"]
        each["ratio"] = round(speeds[0] / speeds[1], 2)
    return found


def figures(rulebook: str, played: list[hv.Game], best: float, repeats: int) -> dict[str, Any]:
    decisions = sum(len(game.log) for game in played)
    moves, replay = replay_time(played, repeats)
    return {
        "rulebook": rulebook,
        "games": len(played),
        "decisions": decisions,
        "decisions_per_second": round(decisions / best),
        "games_per_second": round(len(played) / best, 1),
        "copy_us": round(copy_time(played, repeats), 2),
        "legal_moves_us": round(legal_time(rulebook, min(10, len(played))), 2),
        "replay_moves": moves,
        "replay_ms": round(replay, 2),
    }


def copy_time(played: list[hv.Game], repeats: int) -> float:
    """Microseconds for a copy of a game in the middle of play, with its log."""
    games = [game.after(len(game.log) // 2) for game in played[:20]]

    def copy_each() -> None:
        for game in games:
            for _ in range(COPIES):
                game.copy()

    best = min(time_of(copy_each) for _ in range(3 * repeats))
    return best / (COPIES * len(games)) * 1e6


def legal_time(rulebook: str, games: int) -> float:
    """Microseconds for the list of legal moves: the median over all positions of some games."""
    nanoseconds: list[int] = []

    def look(game: hv.Game) -> None:
        tries = []
        for _ in range(3):
            began = perf_counter_ns()
            _ = game.legal_moves.choices
            tries.append(perf_counter_ns() - began)
        nanoseconds.append(min(tries))

    for seed in range(games):
        random_game(rulebook, seed, look)
    return median(nanoseconds) / 1e3


def replay_time(played: list[hv.Game], repeats: int) -> tuple[int, float]:
    """Moves and milliseconds of the record that is nearest to 500 moves, verified from its text."""
    game = min(played, key=lambda game: abs(len(game.log) - RECORD_MOVES))
    text = str(game.record())
    return len(game.log), min(time_of(lambda: hv.replay(text)) for _ in range(3 * repeats)) * 1e3


def time_of(work: Callable[[], object]) -> float:
    began = process_time()
    work()
    return process_time() - began


def machine() -> dict[str, str]:
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return {"cpu": cpu(), "system": f"{platform.system()} {platform.machine()}", "python": python}


def cpu() -> str:
    """The model of the processor, as far as the system tells."""
    if lscpu := which("lscpu"):
        told = run([lscpu], capture_output=True, text=True, check=False).stdout  # noqa: S603  # fixed
        if model := re.search(r"^Model name: +(.+)$", told, re.MULTILINE):
            return model[1].strip()
    return platform.processor() or platform.machine()


def bench(rulebooks: Sequence[str], games: int, repeats: int) -> dict[str, Any]:
    """Everything that `highvoltage bench` tells; the first rulebook is what others are held to."""
    return {
        "machine": machine(),
        "players": PLAYERS,
        "results": measure(rulebooks, games, repeats),
    }


def show_bench(found: dict[str, Any], console: Console) -> None:
    about = found["machine"]
    console.print(f"{about['cpu']}, {about['system']}, {about['python']}, one core")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("", "decisions/s", "games/s", "ratio", "copy µs", "legal µs", "replay"):
        table.add_column(title, justify="left" if not title else "right")
    for each in found["results"]:
        table.add_row(
            each["rulebook"],
            f"{each['decisions_per_second']:,}",
            f"{each['games_per_second']:,}",
            f"{each['ratio']:.2f}",
            f"{each['copy_us']:.1f}",
            f"{each['legal_moves_us']:.1f}",
            f"{each['replay_ms']:.1f} ms ({each['replay_moves']} moves)",
        )
    console.print(table)


def as_json(found: dict[str, Any]) -> str:
    return json.dumps(found, indent=2)
