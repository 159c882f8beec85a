"""How fast games are exported as data sets: `python benchmarks/export.py [games]`.

Decisions per second of processor time, for each game the fastest of several, so that a busy machine
does not count.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import highvoltage as hv
from highvoltage import bots, data

REPEATS = 7


def played(rulebook: str, seed: int) -> data.SourceGame:
    game = hv.new(rulebook, players=4, seed=seed)
    bots.play_game(game, [bots.make("clerk", f"{seed}/{seat}") for seat in range(4)])
    return data.SourceGame(str(seed), game.record())


def speed(games: list[data.SourceGame], file: Path, *, observations: bool) -> float:
    decisions, seconds = 0, 0.0
    for game in games:
        best = float("inf")
        for _ in range(REPEATS):
            began = process_time()
            exported = data.export([game], file, observations=observations)
            best = min(best, process_time() - began)
        decisions, seconds = decisions + exported.decisions, seconds + best
    return decisions / seconds


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with TemporaryDirectory() as folder:
        for rulebook in hv.games():
            games = [played(rulebook, seed) for seed in range(count)]
            for kind in (".parquet", ".jsonl"):
                file = Path(folder) / f"games{kind}"
                plain = speed(games, file, observations=False)
                observed = speed(games, file, observations=True)
                print(
                    f"{rulebook:10} {kind:9} {plain:9,.0f}/s {observed:9,.0f}/s with observations"
                )


if __name__ == "__main__":
    main()
