"""How fast the engine is on this machine, on one core.

Random legal play: each move is drawn from `legal_moves.choices`, all equally likely, so bids are
always the lowest. Times are process times, the best of several repeats.
"""

import json
import platform
import re
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from shutil import which
from statistics import fmean, median
from subprocess import run
from time import perf_counter_ns, process_time
from typing import Any

from rich.console import Console
from rich.table import Table

import highvoltage as hv
from highvoltage import bots
from highvoltage.bots.director import ROUND_SECONDS, Deadline, Search, read_budget
from highvoltage.bots.engineer import Engineer
from highvoltage.bots.tycoon.choosing import policy_for
from highvoltage.cli.build import build
from highvoltage.cli.series import Series, play_one

PLAYERS = 4
RECORD_MOVES = 500
COPIES = 100
MIDGAME_GAMES = 10  # games in which views, undo and so on are timed
PLAYOUTS = read_budget("12")  # for each decision of the director


def random_game(
    rulebook: str, seed: int, before: Callable[[hv.Game], None] | None = None
) -> hv.Game:
    """A game of random legal play; `before` is called with every position."""
    game = hv.new(rulebook, players=PLAYERS, seed=seed)
    draw = Random(seed).random
    while game.to_move is not None:
        if before:
            before(game)
        choices = game.legal_moves.choices
        game.play(choices[int(draw() * len(choices))])
    return game


def measure(rulebooks: Sequence[str], games: int, repeats: int) -> list[dict[str, Any]]:
    """The figures of each rulebook, measured in turns so that a busy machine slows all alike."""
    seconds: dict[str, list[float]] = {rulebook: [] for rulebook in rulebooks}
    simulated: dict[str, list[float]] = {rulebook: [] for rulebook in rulebooks}
    played: dict[str, list[hv.Game]] = {}
    for _ in range(repeats):
        for rulebook in rulebooks:
            began = process_time()
            played[rulebook] = [random_game(rulebook, seed) for seed in range(games)]
            seconds[rulebook].append((process_time() - began) / decisions_of(played[rulebook]))
            simulated[rulebook].append(simulated_decision(rulebook, -(-games // 4)))
    found = []
    for name in rulebooks:
        best = min(seconds[name])
        each = figures(name, played[name], best, repeats)
        each["simulate"] = round(best / min(simulated[name]), 2)
        found.append(each | query_figures(name, played[name][:MIDGAME_GAMES], repeats))
    for each in found:
        speeds = each["decisions_per_second"], found[0]["decisions_per_second"]
        each["ratio"] = round(speeds[0] / speeds[1], 2)
    return found


def decisions_of(played: list[hv.Game]) -> int:
    return sum(len(game.log) for game in played)


def simulated_decision(rulebook: str, games: int) -> float:
    """Seconds for a decision of the random bot, as `highvoltage simulate` plays it."""
    series = Series(rulebook, None, ("random",) * PLAYERS, {}, "1", None)
    began = process_time()
    decisions = sum(play_one(series, number).decisions for number in range(games))
    return (process_time() - began) / decisions


def figures(rulebook: str, played: list[hv.Game], best: float, repeats: int) -> dict[str, Any]:
    """The figures of a rulebook; `best` are the seconds of one decision."""
    decisions = decisions_of(played)
    moves, replay = replay_time(played, repeats)
    return {
        "rulebook": rulebook,
        "games": len(played),
        "decisions": decisions,
        "decisions_per_second": round(1 / best),
        "games_per_second": round(len(played) / decisions / best, 1),
        "copy_us": round(copy_time(played, repeats), 2),
        "legal_moves_us": round(legal_time(rulebook, min(10, len(played))), 2),
        "replay_moves": moves,
        "replay_ms": round(replay, 2),
    }


def query_figures(rulebook: str, played: list[hv.Game], repeats: int) -> dict[str, Any]:
    """Times of other queries in mid-game, in microseconds, and playouts per second."""
    games = [game.after(len(game.log) // 2) for game in played]

    def least(query: Callable[[hv.Game], object]) -> float:
        """The mean over all games of the least time in each."""
        times = [min(time_of(partial(query, game)) for _ in range(3 * repeats)) for game in games]
        return round(fmean(times) * 1e6, 1)

    return {
        "new_us": least(lambda _: hv.new(rulebook, players=PLAYERS, seed=1)),
        "view_us": least(lambda game: game.view(game.to_move)),
        "history_us": least(lambda game: game.view(game.to_move, history=True)),
        "undo_us": least(lambda game: game.copy().undo()),
        "resample_us": least(
            lambda game: hv.resample(game.view(game.to_move, history=True), Random(1))
        ),
        "playouts_per_second": round(playouts(games), 1),
        "tycoon_us": tycoon_time(games, repeats),
    }


def tycoon_time(games: list[hv.Game], repeats: int) -> float | None:
    """Microseconds for a decision of the tycoon by its network; None where it has none."""
    tycoon = bots.make("tycoon", 1)
    views = [(game.view(game.to_move), game.legal_moves) for game in games]
    asked = [partial(tycoon.choose, *each) for each in views if policy_for(each[0])]
    if not asked:
        return None
    times = [min(time_of(ask) for _ in range(3 * repeats)) for ask in asked]
    return round(fmean(times) * 1e6, 1)


def playouts(games: list[hv.Game]) -> float:
    """The director's playouts per second, in decisions with more than one plan."""
    made, seconds = 0, 0.0
    for seed, game in enumerate(games):
        view = game.view(game.to_move, history=True)
        began = process_time()
        engineer, clock = Engineer(Random(seed)), Deadline(PLAYOUTS)
        search = Search(view, engineer, Random(seed), clock, PLAYOUTS.effort(ROUND_SECONDS))
        plans = search.plans(game.legal_moves, engineer.choose(view, game.legal_moves))
        if len(plans) > 1:
            search.values = {plan: [] for plan in plans}
            while search.try_plans(plans):
                pass
            seconds += process_time() - began
            made += search.clock.played
    return made / seconds if seconds else 0.0


def copy_time(played: list[hv.Game], repeats: int) -> float:
    """Microseconds for a copy of a game in mid-game, with its log."""
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

    def measure_legal(game: hv.Game) -> None:
        tries = []
        for _ in range(3):
            began = perf_counter_ns()
            _ = game.legal_moves.choices
            tries.append(perf_counter_ns() - began)
        nanoseconds.append(min(tries))

    for seed in range(games):
        random_game(rulebook, seed, measure_legal)
    return median(nanoseconds) / 1e3


def replay_time(played: list[hv.Game], repeats: int) -> tuple[int, float]:
    """Moves and milliseconds to verify the record that is closest to 500 moves, from its text."""
    game = min(played, key=lambda game: abs(len(game.log) - RECORD_MOVES))
    text = str(game.record())
    return len(game.log), min(time_of(lambda: hv.replay(text)) for _ in range(3 * repeats)) * 1e3


def time_of(work: Callable[[], object]) -> float:
    began = process_time()
    work()
    return process_time() - began


def machine() -> dict[str, str]:
    python = f"{platform.python_implementation()} {platform.python_version()}"
    system = f"{platform.system()} {platform.machine()}"
    return {"cpu": cpu(), "system": system, "python": python, "build": build()}


def cpu() -> str:
    """The model of the processor, as far as the system reports it."""
    if lscpu := which("lscpu"):
        output = run([lscpu], capture_output=True, text=True, check=False).stdout  # noqa: S603  # fixed
        if model := re.search(r"^Model name: +(.+)$", output, re.MULTILINE):
            return model[1].strip()
    return platform.processor() or platform.machine()


def bench(rulebooks: Sequence[str], games: int, repeats: int) -> dict[str, Any]:
    """Everything that `highvoltage bench` reports; ratios are relative to the first rulebook."""
    return {
        "machine": machine(),
        "players": PLAYERS,
        "results": measure(rulebooks, games, repeats),
    }


def show_bench(found: dict[str, Any], console: Console) -> None:
    about = found["machine"]
    console.print(
        f"{about['cpu']}, {about['system']}, {about['python']}, {about['build']}, one core"
    )
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
    console.print("\nOther queries, in µs (and in decisions of the same rulebook)")
    console.print(query_table(found["results"]))


QUERY_COLUMNS = {
    "new game": "new_us",
    "view": "view_us",
    "view with history": "history_us",
    "undo": "undo_us",
    "resample": "resample_us",
}


def query_table(results: list[dict[str, Any]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for title in ("", *(each["rulebook"] for each in results)):
        table.add_column(title, justify="left" if not title else "right")
    for what, key in QUERY_COLUMNS.items():
        table.add_row(
            what, *(f"{each[key]:,.0f} ({in_decisions(each[key], each)})" for each in results)
        )
    table.add_row("simulate random", *(f"{each['simulate']:.0%}" for each in results))
    table.add_row("director", *map(director_pace, results))
    table.add_row("tycoon", *map(tycoon_pace, results))
    return table


def in_decisions(microseconds: float, each: dict[str, Any]) -> str:
    decisions = microseconds * each["decisions_per_second"] / 1e6
    return f"{decisions:,.0f}" if decisions >= 10 else f"{decisions:.1f}"


def director_pace(each: dict[str, Any]) -> str:
    pace = each["playouts_per_second"]
    return f"{pace:.0f}/s ({in_decisions(1e6 / pace, each)})" if pace else "-"


def tycoon_pace(each: dict[str, Any]) -> str:
    time = each["tycoon_us"]
    return f"{time:,.0f} ({in_decisions(time, each)})" if time else "-"


def as_json(found: dict[str, Any]) -> str:
    return json.dumps(found, indent=2)
