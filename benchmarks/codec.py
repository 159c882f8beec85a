"""What a codec costs compared with the engine: `python -m benchmarks.codec`.

Random games of every rulebook; processor time per decision. Legal moves and mask are timed in turn
at every decision, so that both see the same load; the fastest of several repeats counts.
"""

import sys
from collections.abc import Callable, Sequence
from random import Random
from time import process_time_ns

from benchmarks.measuring import Report, parser
from highvoltage import codec
from highvoltage.testing import Setting, random_move

SETTINGS = (
    Setting("classic", "germany", 4),
    Setting("classic", "germany", 2),
    Setting("recharged", "usa", 4),
    Setting("cardgame", None, 4),
    Setting("outpost", None, 4),
)
REPEATS = 5


def fastest(calls: list[Callable[[], object]]) -> list[int]:
    """The least time of each call, measured in turn."""
    best = [sys.maxsize] * len(calls)
    for _ in range(REPEATS):
        for at, call in enumerate(calls):
            began = process_time_ns()
            call()
            best[at] = min(best[at], process_time_ns() - began)
    return best


def measure(setting: Setting, games: int) -> list[float]:
    """Microseconds for legal moves, mask, view and observation."""
    code = codec.make(setting.rulebook, setting.map, setting.players)
    total, decisions = [0, 0, 0, 0], 0
    for seed in range(games):
        rng, game = Random(seed), setting.new(seed)
        while (seat := game.to_move) is not None:
            view, legal = game.view(seat), game.legal_moves
            calls: list[Callable[[], object]] = [
                lambda game=game: game.legal_moves,  # type: ignore[misc]
                lambda view=view, legal=legal: code.mask(view, legal),  # type: ignore[misc]
                lambda game=game, seat=seat: game.view(seat),  # type: ignore[misc]
                lambda view=view: code.observe(view),  # type: ignore[misc]
            ]
            total = [sum(pair) for pair in zip(total, fastest(calls), strict=True)]
            decisions += 1
            game.play(random_move(legal, rng))
    return [nanoseconds / decisions / 1000 for nanoseconds in total]


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--games", type=int, default=5, help="of each setting (5)")
    options = arguments.parse_args(words)
    report = Report(options)
    head = f"{'legal':>8}{'mask':>8}{'ratio':>8}{'view':>8}{'observe':>9}"
    report.heading(f"{'setting':24}{head}  µs")
    for setting in SETTINGS:
        legal, mask, view, observe = measure(setting, options.games)
        report.row(
            f"{setting!s:24}{legal:8.1f}{mask:8.1f}{mask / legal:8.2f}{view:8.1f}{observe:9.1f}",
            setting=str(setting),
            legal_us=legal,
            mask_us=mask,
            view_us=view,
            observe_us=observe,
        )


if __name__ == "__main__":
    main()
