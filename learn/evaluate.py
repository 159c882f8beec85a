"""The bot's weights, or newer ones, at the engine's table against bots.

python -m learn.evaluate classic --games 100
python -m learn.evaluate classic --weights learn/tycoon-classic.safetensors --against director:16
"""

import argparse
from pathlib import Path

import highvoltage as hv
from highvoltage import bots
from highvoltage.bots.tycoon.choosing import chosen
from highvoltage.bots.tycoon.mind import Mind, mind_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulebook")
    parser.add_argument("--map", default=None)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--against", default="engineer")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", default="1")
    args = parser.parse_args()
    mind = Mind(args.weights.read_bytes()) if args.weights else mind_of(args.rulebook)
    if mind is None:
        parser.error(f"no weights come with {args.rulebook}: name a file with --weights")
    won = 0.0
    for number in range(args.games):
        deal, seat = divmod(number, args.players)
        game = hv.new(args.rulebook, map=args.map, players=args.players, seed=f"{args.seed}/{deal}")
        others = [bots.make(args.against, f"{number}/{each}") for each in range(args.players)]
        won += win_share(game, mind, seat, others)
        print(
            f"{number + 1} games: {won / (number + 1):.1%} (par {1 / args.players:.0%})", flush=True
        )


def win_share(game: hv.Game, mind: Mind, seat: int, others: list[bots.Bot]) -> float:
    """Play one game out; a win that is shared counts as a part."""
    while game.to_move is not None:
        legal = game.legal_moves
        if game.to_move == seat and len(legal) > 1:
            view = game.view(seat)
            game.play(chosen(view, mind.think(view, legal)).move)
        else:
            game.play(bots.ask(others[game.to_move], game).move)
    assert game.outcome is not None
    first = game.outcome.winners
    return (seat in first) / len(first)


if __name__ == "__main__":
    main()
