"""How long the judge's first word takes, and an analysis: `python -m benchmarks.hints`.

In seconds of one core.
"""

import os
from collections.abc import Sequence
from statistics import median
from time import process_time

import highvoltage as hv
from benchmarks.measuring import Report, parser
from benchmarks.mixed_games import MixedGame
from benchmarks.reproaches import BUDGET
from highvoltage import bots
from highvoltage.analysis import judge_decision, plan_analysis, run_plan
from highvoltage.judge import advise

RULEBOOKS = ("classic", "recharged", "cardgame", "outpost")
GAMES = 4
SEATED = [None, "engineer", "clerk", "clerk"]  # a person among bots


def first_words(rulebook: str) -> list[float]:
    """The time of a hint at first sight, in a position of each round of some games."""
    found = []
    for number in range(GAMES):
        for game in MixedGame(rulebook, len(SEATED), f"hint/{number}").rounds():
            assert game.to_move is not None
            view = game.view(game.to_move, history=True)
            began = process_time()
            advise(view, game.legal_moves, players=SEATED, budget=None)
            found.append(process_time() - began)
    return found


def analysis(rulebook: str) -> tuple[int, float]:
    """The moves of a game, and the time of its analysis for the person in the first seat."""
    game = hv.new(rulebook, players=len(SEATED), seed=1)
    bots.play_game(game, [bots.make(name or "engineer", 1) for name in SEATED])
    own = [row.seat == 0 for row in game.log]
    began = process_time()
    run_plan(plan_analysis(game, BUDGET, "1", SEATED, own), lambda task: judge_decision(game, task))
    return len(game.log), process_time() - began


def main(words: Sequence[str] | None = None) -> None:
    report = Report(parser(__doc__).parse_args(words))
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    for rulebook in RULEBOOKS:
        times = first_words(rulebook)
        report.row(
            f"{rulebook}: {len(times)} hints, median {median(times):.3f}, most {max(times):.3f}",
            rulebook=rulebook,
            hints=len(times),
            median_seconds=median(times),
            most_seconds=max(times),
        )
        moves, seconds = analysis(rulebook)
        report.row(
            f"{rulebook}: a game of {moves} moves is analysed in {seconds:.1f}",
            rulebook=rulebook,
            moves=moves,
            analysis_seconds=seconds,
        )


if __name__ == "__main__":
    main()
