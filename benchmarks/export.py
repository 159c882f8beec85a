"""How fast games are exported as data sets: `python -m benchmarks.export`.

Decisions per second of processor time, for each game the fastest of several, so that a busy machine
does not count.
"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import highvoltage as hv
from benchmarks.measuring import Report, parser
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


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--games", type=int, default=10, help="of each rulebook (10)")
    options = arguments.parse_args(words)
    report = Report(options)
    with TemporaryDirectory() as folder:
        for rulebook in hv.games():
            games = [played(rulebook, seed) for seed in range(options.games)]
            for kind in (".parquet", ".jsonl"):
                file = Path(folder) / f"games{kind}"
                plain = speed(games, file, observations=False)
                observed = speed(games, file, observations=True)
                report.row(
                    f"{rulebook:10} {kind:9} {plain:9,.0f}/s {observed:9,.0f}/s with observations",
                    rulebook=rulebook,
                    format=kind.lstrip("."),
                    decisions_per_second=plain,
                    with_observations_per_second=observed,
                )


if __name__ == "__main__":
    main()
