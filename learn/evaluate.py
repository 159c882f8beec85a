"""Plays the bot's weights, or newer ones, on the engine, against bots or other weights.

python -m learn.evaluate classic --games 100
python -m learn.evaluate classic --weights learn/tycoon-classic.safetensors --against director:16
python -m learn.evaluate classic --against learn/0.1/classic.safetensors --jobs 2
python -m learn.evaluate classic --bot tycoon:72 --against tycoon --seconds 600
"""

import argparse
import time
from collections.abc import Iterator
from functools import cache, partial
from math import inf
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import highvoltage as hv
from highvoltage import bots
from highvoltage.bots.tycoon.evaluation import NETWORKS, SETUP_PHASES
from highvoltage.bots.tycoon.policy import NumpyPolicy
from highvoltage.engine.legal import Moves
from highvoltage.tournament.table import wilson
from highvoltage.views import View

WEIGHTS = ".safetensors"
OPTIONS: dict[str, Any] = {"demolition": True, "money": "hidden"}  # that a table may be taught with


def main() -> None:
    args = read_arguments()
    began, won = time.monotonic(), 0.0
    for number, share in enumerate(shares(args), 1):
        won += share
        low, high = wilson(won, number)
        print(
            f"{number} games: {won / number:.1%}, 95 % {low:.1%} to {high:.1%}"
            f" (par {1 / args.players:.0%})",
            flush=True,
        )
        if time.monotonic() - began > args.seconds:
            break


def read_arguments(given: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rulebook")
    parser.add_argument("--map", default=None)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument(
        "--options", nargs="*", default=[], choices=[*OPTIONS], help="that are taught beside maps"
    )
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--bot", default="tycoon", help="who plays if there are no weights")
    parser.add_argument("--against", default="engineer", help="a bot, or a file of weights")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=inf, help="stop after so many")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    args = parser.parse_args(given)
    if args.weights is None and args.bot == "tycoon" and args.rulebook not in NETWORKS:
        parser.error(f"no weights come with {args.rulebook}: name a file with --weights")
    return args


def shares(args: argparse.Namespace) -> Iterator[float]:
    """What is won in each of the games."""
    if args.jobs == 1:
        yield from map(partial(play, args), range(args.games))
        return
    with get_context("spawn").Pool(args.jobs) as pool:
        yield from pool.imap(partial(play, args), range(args.games))


def play(args: argparse.Namespace, number: int) -> float:
    """One of the games; every deal is played once from each seat."""
    deal, seat = divmod(number, args.players)
    game = hv.new(
        args.rulebook,
        map=args.map,
        players=args.players,
        seed=f"{args.seed}/{deal}",
        **{name: OPTIONS[name] for name in args.options},
    )
    at_table = [seated(args.against, f"{number}/{each}") for each in range(args.players)]
    at_table[seat] = seated(str(args.weights or args.bot), f"{seat}")
    return win_share(game, seat, at_table)


def seated(name: str, seed: str) -> bots.Bot:
    """A bot, or a tycoon with the weights of a file."""
    if name.endswith(WEIGHTS):
        return WeightsBot(read_policy(Path(name)), seed)
    return bots.make(name, seed)


@cache
def read_policy(file: Path) -> NumpyPolicy:
    return NumpyPolicy(file.read_bytes())


class WeightsBot:
    """A tycoon with given weights."""

    def __init__(self, policy: NumpyPolicy, seed: str) -> None:
        self._policy = policy
        self._engineer = bots.make("engineer", seed)

    def choose(self, view: View, legal: Moves) -> bots.Choice:
        if len(legal) == 1 or view["phase"] in SETUP_PHASES:
            return self._engineer.choose(view, legal)
        move = self._policy.evaluate(view, legal, 1).candidates[0].move
        return bots.Choice(move, bots.Reason("tycoon_sure"))


def win_share(game: hv.Game, seat: int, at_table: list[bots.Bot]) -> float:
    """Play one game to its end; a shared win counts in part."""
    while game.to_move is not None:
        game.play(bots.ask(at_table[game.to_move], game).move)
    assert game.outcome is not None
    first = game.outcome.winners
    return (seat in first) / len(first)


if __name__ == "__main__":
    main()
