"""Measure what tycoons earn and build by round, which profiles compare people with.

    python benchmarks/tycoon_rounds.py                write the averages of 10 games of each kind
    python benchmarks/tycoon_rounds.py --games 2      less exact, sooner

Tycoons that do not search play each other by every rulebook that they were trained for, with every
number of players, on the board that comes first. The seeds are fixed, so that whoever measures
again comes to the same.
"""

import argparse
from time import perf_counter

import msgspec

import highvoltage as hv
from highvoltage import bots
from highvoltage.games import metas
from highvoltage.rooms.strengths import strengths
from highvoltage.server.people.rounds import TYCOON_FILE, RoundAverages, averages, rounds_of


def played(rulebook: str, players: int, seed: int) -> hv.Game:
    """A game among tycoons."""
    game = hv.new(rulebook, players=players, seed=seed)
    bots.play_game(game, [bots.make("tycoon", seed=f"{seed} {seat}") for seat in range(players)])
    return game


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--games", type=int, default=10)
    games = parser.parse_args().games
    found: dict[str, dict[int, RoundAverages]] = {}
    for rulebook, meta in metas().items():
        if "tycoon" not in strengths(rulebook):
            continue
        for players in meta.players:
            began = perf_counter()
            rounds = [
                seat for seed in range(games) for seat in rounds_of(played(rulebook, players, seed))
            ]
            found.setdefault(rulebook, {})[players] = averages(rounds)
            print(f"{rulebook}, {players} players: {perf_counter() - began:.0f} s", flush=True)
    TYCOON_FILE.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=0) + b"\n")


if __name__ == "__main__":
    main()
