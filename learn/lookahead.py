"""How far to search ahead: on the twin, one seat that searches against others that do not.

    python -m learn.lookahead classic --worlds 16 --depth 12 30 60

plays a batch of games for each depth with the bot's weights, or newer ones. The seat that searches
tries its candidate moves in the same worlds, as `bots/tycoon/search.py` does at the table.
"""

import argparse
import time
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from highvoltage import batch
from highvoltage.batch.steps import win_share
from highvoltage.bots.tycoon.network import MASKED_LOGIT, forward
from highvoltage.bots.tycoon.policy import NumpyPolicy, load_policy
from highvoltage.bots.tycoon.search import (
    MAX_MOVES,
    MIN_PROBABILITY,
    PREFER_SIGMA,
    PRIOR_SIGMA,
)
from learn.ppo import Arrays, choose, halve_large_arrays, observe, seat_first

STEPS_PER_CHECK = 16  # decisions between two checks whether all games are over
MEAN_MOVES = 3  # moves tried in a search on average, at most; those beyond wait
FINISHED_SHARE = 0.97  # share of finished games; the last would take as long as all others


class Found(NamedTuple):
    """What searches found, for each game."""

    move: jax.Array
    tried: jax.Array  # moves, the likeliest first
    gains: jax.Array  # by how much each is better than what the network would do; 0 if not tried
    worth: jax.Array  # the chances of all seats, as they are after the likeliest move
    complete: jax.Array  # whether there was room to try all moves


class Search:
    """Searches in games of one setting, many at once."""

    def __init__(self, env: batch.Env, worlds: int) -> None:
        self.env = env
        self.worlds = worlds

    def think(self, weights: Arrays, games: Any) -> tuple[jax.Array, jax.Array]:
        """The network's logits, and its chances beginning with the seat to move."""
        observations = halve_large_arrays(observe(self.env, games))
        logits, chances = forward(halve_large_arrays(weights), observations, self.env.spec, jnp)
        logits = jnp.where(games.legal_action_mask, logits.astype(jnp.float32), MASKED_LOGIT)
        return logits, chances[:, : self.env.num_players].astype(jnp.float32)

    def search(
        self,
        weights: Arrays,
        games: Any,
        logits: jax.Array,
        wants: jax.Array,
        key: jax.Array,
        depth: jax.Array | int,
    ) -> Found:
        """The move of each game that does best in the same worlds."""
        likely, moves = jax.lax.top_k(jax.nn.softmax(logits), MAX_MOVES)
        wanted = (likely >= MIN_PROBABILITY) & wants[:, None]
        game, rank = jnp.nonzero(wanted, size=len(wants) * MEAN_MOVES, fill_value=0)
        tried = jnp.zeros_like(wanted).at[game, rank].set(wanted[game, rank])
        keys = jax.random.split(key, (len(wants), self.worlds))[game].reshape(-1)
        trials = jax.tree.map(lambda each: jnp.repeat(each[game], self.worlds, 0), games)
        trials = jax.vmap(self.env.redraw)(trials, keys)
        move = jnp.repeat(moves[game, rank], self.worlds)

        def on(played: Any, trials: Any) -> Any:
            likeliest = jnp.argmax(self.think(weights, trials)[0], -1)
            return jax.vmap(self.env.step)(trials, jnp.where(played, likeliest, move))

        trials = jax.lax.fori_loop(0, depth + 1, on, trials)
        expected = seat_first(self.think(weights, trials)[1], trials.current_player)
        won = jax.vmap(win_share)(trials.place)
        worth = jnp.where(trials.terminated[:, None], won, expected)
        worth = worth.reshape(-1, self.worlds, self.env.num_players)
        mine = jnp.take_along_axis(worth, games.current_player[game, None, None], 2)[..., 0]
        chances = jnp.zeros((*wanted.shape, self.worlds)).at[game, rank].set(mine)
        best = better(chances - chances[:, :1], tried)[:, None]
        means, prior = chances.mean(-1), likely * tried
        usual = (prior * means).sum(1) / jnp.maximum(prior.sum(1), MIN_PROBABILITY)
        likeliest = jnp.zeros((len(wants), worth.shape[2]))
        likeliest = likeliest.at[jnp.where(rank == 0, game, len(wants))].set(worth.mean(1))
        return Found(
            jnp.take_along_axis(moves, best, 1)[:, 0],
            moves,
            jnp.where(tried, means - usual[:, None], 0),
            likeliest,
            (tried == wanted).all(1),
        )


class Table(NamedTuple):
    """The games, the number of searches so far, and how many changed a move."""

    games: Any
    key: jax.Array
    searched: jax.Array
    changed: jax.Array


class LookaheadArena:
    """Games of one setting, in which one seat searches."""

    def __init__(self, env: batch.Env, weights: Arrays, games: int, worlds: int) -> None:
        self.env = env
        self.weights = weights
        self.games = games
        self.room = games // 8  # games that can search at once; the others wait
        self.lookahead = Search(env, worlds)
        self.seat = jnp.arange(games) % env.num_players
        self._steps = jax.jit(self.steps)

    def play(self, depth: int, seed: int) -> tuple[Any, Table]:
        """What the seat has won in each game that is over, and the table at the end."""
        key = jax.random.key(seed)
        none = jnp.zeros((), jnp.int32)
        games = jax.vmap(self.env.init)(jax.random.split(key, self.games))
        table = Table(games, key, none, none)
        while table.games.terminated.mean() < FINISHED_SHARE:
            table = self._steps(table, depth)
        won = jax.vmap(win_share)(table.games.place)[jnp.arange(self.games), self.seat]
        return np.asarray(won)[np.asarray(table.games.terminated)], table

    def steps(self, table: Table, depth: jax.Array) -> Table:
        played: Table = jax.lax.fori_loop(
            0, STEPS_PER_CHECK, lambda _, on: self.step(on, depth), table
        )
        return played

    def step(self, table: Table, depth: jax.Array) -> Table:
        """One decision in all games; a game without room to search waits."""
        games = table.games
        key, chosen, drawn = jax.random.split(table.key, 3)
        logits, _ = self.lookahead.think(self.weights, games)
        wants = (games.current_player == self.seat) & doubtful(logits) & ~games.terminated
        at, wanted = some_of(wants, self.room, chosen)
        some = jax.tree.map(lambda each: each[at], games)
        found = self.lookahead.search(self.weights, some, logits[at], wanted, drawn, depth)
        action, served = with_found(jnp.argmax(logits, -1), at, wanted, found)
        changed = served & (action != jnp.argmax(logits, -1))
        after = jax.vmap(self.env.step)(games, action)
        return Table(
            choose(wants & ~served, games, after),
            key,
            table.searched + served.sum(),
            table.changed + changed.sum(),
        )


def doubtful(logits: jax.Array) -> jax.Array:
    """Whether there is a second move worth a try."""
    likely = jax.lax.top_k(jax.nn.softmax(logits), 2)[0]
    return likely[:, 1] >= MIN_PROBABILITY


def some_of(some: jax.Array, room: int, key: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The places of some games, and which of these places are filled.

    Chance says where to begin, so that none waits for long: games that wait stay behind, and those
    that are learned from would all be as old.
    """
    begin = jax.random.randint(key, (), 0, len(some))
    at = jnp.nonzero(jnp.roll(some, -begin), size=room, fill_value=len(some))[0]
    return (at + begin) % len(some), at < len(some)


def with_found(
    action: jax.Array, at: jax.Array, wanted: jax.Array, found: Found
) -> tuple[jax.Array, jax.Array]:
    """The actions of all games with those that were found, and in which games they were."""
    at = jnp.where(wanted & found.complete, at, len(action))  # what is out of range is dropped
    served = jnp.zeros(len(action), bool).at[at].set(True)
    return action.at[at].set(found.move), served


def better(gains: jax.Array, tried: jax.Array) -> jax.Array:
    """The best move by its gain over the first; the first unless the gain is beyond chance."""
    mean = gains.mean(-1)
    spread = PRIOR_SIGMA**2 + ((gains - mean[..., None]) ** 2).sum(-1)
    sure = tried & (mean > PREFER_SIGMA * jnp.sqrt(spread) / gains.shape[-1])
    return jnp.argmax(jnp.where(sure, mean, 0.0), -1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rulebook")
    parser.add_argument("--map", default=None)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--worlds", type=int, default=16, help="for each move that is tried")
    parser.add_argument("--depth", type=int, nargs="+", default=[30], help="decisions played on")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    policy = NumpyPolicy(args.weights.read_bytes()) if args.weights else load_policy(args.rulebook)
    if policy is None:
        parser.error(f"no weights come with {args.rulebook}: name a file with --weights")
    env = batch.make(args.rulebook, map=args.map, players=args.players)
    weights = {name: jnp.asarray(value) for name, value in policy.weights.items()}
    arena = LookaheadArena(env, weights, args.games, args.worlds)
    for depth in args.depth:
        began = time.monotonic()
        won, table = arena.play(depth, args.seed)
        print(
            f"{depth} decisions ahead in {args.worlds} worlds: {won.mean():.1%} of {len(won)} games"
            f" (standard error {won.std() / len(won) ** 0.5:.1%}, par {1 / args.players:.0%}),"
            f" {table.searched / args.games:.0f} searches a game changed"
            f" {table.changed / args.games:.0f} moves, {time.monotonic() - began:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
