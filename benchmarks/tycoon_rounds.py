"""Measure what tycoons earn and build by round, which profiles compare people with.

    python -m benchmarks.tycoon_rounds --write        write the averages of 10 games of each kind
    python -m benchmarks.tycoon_rounds --games 2      less exact, sooner, written nowhere

Tycoons that do not search play each other by every rulebook that they were trained for, with every
number of players, on the board that comes first. The seeds are fixed, so that whoever measures
again comes to the same.
"""

from collections.abc import Sequence
from time import perf_counter

import msgspec

import highvoltage as hv
from benchmarks.measuring import Report, parser
from highvoltage import bots
from highvoltage.games import metas
from highvoltage.rooms.strengths import strengths
from highvoltage.server.people.rounds import TYCOON_FILE, RoundAverages, averages, rounds_of


def played(rulebook: str, players: int, seed: int) -> hv.Game:
    """A game among tycoons."""
    game = hv.new(rulebook, players=players, seed=seed)
    bots.play_game(game, [bots.make("tycoon", seed=f"{seed} {seat}") for seat in range(players)])
    return game


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--games", type=int, default=10, help="of each kind (10)")
    arguments.add_argument("--write", action="store_true", help=f"write {TYCOON_FILE.name}")
    options = arguments.parse_args(words)
    report = Report(options)
    found: dict[str, dict[int, RoundAverages]] = {}
    for rulebook, meta in metas().items():
        if "tycoon" not in strengths(rulebook):
            continue
        for players in meta.players:
            began = perf_counter()
            rounds = [
                seat
                for seed in range(options.games)
                for seat in rounds_of(played(rulebook, players, seed))
            ]
            found.setdefault(rulebook, {})[players] = averages(rounds)
            report.row(
                f"{rulebook}, {players} players: {perf_counter() - began:.0f} s",
                rulebook=rulebook,
                players=players,
                averages=msgspec.to_builtins(found[rulebook][players]),
            )
    if options.write:
        TYCOON_FILE.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=0) + b"\n")


if __name__ == "__main__":
    main()
