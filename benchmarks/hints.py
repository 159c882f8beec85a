"""How long the judge's first word takes: `python -m benchmarks.hints`, in seconds of one core."""

import os
from statistics import median
from time import process_time

from benchmarks.mixed_games import MixedGame
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


def main() -> None:
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    for rulebook in RULEBOOKS:
        times = first_words(rulebook)
        print(f"{rulebook}: {len(times)} hints, median {median(times):.3f}, most {max(times):.3f}")


if __name__ == "__main__":
    main()
