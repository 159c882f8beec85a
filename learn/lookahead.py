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
from highvoltage.batch.dealing import deck_tables
from highvoltage.batch.state import ASIDE, IN_DECK, UNDER, State
from highvoltage.batch.steps import win_share
from highvoltage.bots.tycoon.network import MASKED_LOGIT, forward
from highvoltage.bots.tycoon.policy import NumpyPolicy, load_policy
from highvoltage.bots.tycoon.search import (
    CLEAR_PROBABILITY,
    MAX_MOVES,
    MIN_PROBABILITY,
    PREFER_SIGMA,
    PRIOR_SIGMA,
)
from learn.ppo import Arrays, choose, halve_large_arrays

STEPS_PER_CHECK = 16  # decisions between two checks whether all games are over
FINISHED_SHARE = 0.97  # share of finished games; the last would take as long as all others


class Table(NamedTuple):
    """The games, the number of searches so far, and how many changed a move."""

    games: State
    key: jax.Array
    searched: jax.Array
    changed: jax.Array


class LookaheadArena:
    """Games of one setting, in which one seat searches."""

    def __init__(self, env: batch.Env, weights: Arrays, games: int, worlds: int) -> None:
        self.env = env
        self.weights = halve_large_arrays(weights)
        self.games = games
        self.room = games // 8  # games that can search at once; the others wait
        self.worlds = worlds
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
        key, drawn = jax.random.split(table.key)
        logits, _ = self.think(games)
        likely = jax.lax.top_k(jax.nn.softmax(logits), 2)[0]
        doubtful = (likely[:, 0] <= CLEAR_PROBABILITY) & (likely[:, 1] >= MIN_PROBABILITY)
        wants = (games.current_player == self.seat) & doubtful & ~games.terminated
        at = jnp.nonzero(wants, size=self.room, fill_value=self.games - 1)[0]
        some = jax.tree.map(lambda each: each[at], games)
        found = self.search(some, logits[at], self.seat[at], drawn, depth)
        action = jnp.argmax(logits, -1)
        changed = wants[at] & (found != action[at])
        action = action.at[at].set(jnp.where(wants[at], found, action[at]))
        served = jnp.zeros(self.games, bool).at[at].set(wants[at])
        after = jax.vmap(self.env.step)(games, action)
        return Table(
            choose(wants & ~served, games, after),
            key,
            table.searched + served.sum(),
            table.changed + changed.sum(),
        )

    def think(self, games: State) -> tuple[jax.Array, jax.Array]:
        observations = jax.vmap(self.env.observe)(games)
        logits, chances = forward(
            self.weights, halve_large_arrays(observations), self.env.spec, jnp
        )
        mask = games.legal_action_mask
        return jnp.where(mask, logits.astype(jnp.float32), MASKED_LOGIT), chances

    def search(
        self, games: State, logits: jax.Array, seat: jax.Array, key: jax.Array, depth: jax.Array
    ) -> jax.Array:
        """The move of each game that does best in the same worlds."""
        shape = len(seat), MAX_MOVES, self.worlds
        likely, moves = jax.lax.top_k(jax.nn.softmax(logits), MAX_MOVES)
        keys = jax.random.split(key, (shape[0], self.worlds))
        drawn = jax.vmap(jax.vmap(self.world, (None, 0)))(games, keys)
        trials = jax.tree.map(
            lambda each: jnp.repeat(each[:, None], MAX_MOVES, 1).reshape(-1, *each.shape[2:]), drawn
        )
        trials = jax.vmap(self.env.step)(trials, jnp.repeat(moves, self.worlds, 1).reshape(-1))
        trials = jax.lax.fori_loop(
            0,
            depth,
            lambda _, on: jax.vmap(self.env.step)(on, jnp.argmax(self.think(on)[0], -1)),
            trials,
        )
        mine = jnp.broadcast_to(seat[:, None, None], shape).reshape(-1, 1)
        ahead = (mine - trials.current_player[:, None]) % self.env.num_players
        expected = jnp.take_along_axis(self.think(trials)[1].astype(jnp.float32), ahead, 1)[:, 0]
        won = jnp.take_along_axis(jax.vmap(win_share)(trials.place), mine, 1)[:, 0]
        chances = jnp.where(trials.terminated, won, expected).reshape(shape)
        best = better(chances - chances[:, :1], likely >= MIN_PROBABILITY)
        return jnp.take_along_axis(moves, best[:, None], 1)[:, 0]

    def world(self, game: State, key: jax.Array) -> State:
        """The game with another deck that fits what is known; card backs stay where they are."""
        first, second, third = jax.random.split(key, 3)
        pile, tables = game.pile, self.env.tables
        above = ((pile > 0) & (pile < UNDER)) | (pile == ASIDE)
        unknown = jnp.where(game.last == IN_DECK, above, pile < ASIDE)
        plugs = jnp.asarray(deck_tables(tables).low) & tables.recharged
        pile = shuffled_some(first, shuffled_some(second, pile, unknown & plugs), unknown & ~plugs)
        shuffle = shuffled_some(third, game.shuffle, jnp.ones_like(game.shuffle, bool))
        return game.replace(pile=pile, shuffle=shuffle)


def shuffled_some(key: jax.Array, row: jax.Array, some: jax.Array) -> jax.Array:
    """Some of the numbers of a row in another order."""
    draws = jax.random.uniform(key, row.shape)
    drawn = jnp.sum((draws[None] < draws[:, None]) & some[None], 1)
    places = jnp.cumsum(some) - 1
    here = (drawn[:, None] == places[None]) & some[None]
    taken = jnp.sum(jnp.where(here, row[None].astype(jnp.int32), 0), 1)
    return jnp.where(some, taken.astype(row.dtype), row)


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
