"""Teaches a network what looking ahead finds, on the twin.

    python -m learn.distil classic --tables germany:4 --minutes 3

All seats of many games search wherever there is doubt. The network learns to prefer at first sight
the moves that did better, and to expect what was seen; where there was no doubt, it stays as it
began. It goes on from `learn/RULEBOOK.safetensors`, leaves the same files as `learn.train`, and
every half minute plays against three of what it began with.
"""

import argparse
import json
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from highvoltage import batch
from highvoltage.batch.steps import win_share
from highvoltage.bots.tycoon.network import MASKED_LOGIT, forward
from learn.checkpoints import load_about, load_weights, save_resume, save_weights
from learn.lookahead import Search, doubtful, some_of, with_found
from learn.ppo import (
    MAX_ROUNDS,
    Arrays,
    choose,
    halve_large_arrays,
    observe,
    optimiser,
    seat_first,
)
from learn.train import Turn, make_env

HERE = Path(__file__).parent
SPREAD = 400  # decisions: about one game
SHARP = 80.0  # a move that wins one game in a hundred more should be twice as likely
MAX_GAIN = 0.1  # more is mostly luck
FOUND = 0.25  # weight of what was found in the loss
VALUE = 2.0  # weight of the chances to win in the loss
WARM = 200  # updates in which the rate rises


class Settings(NamedTuple):
    """The settings of a run."""

    games: int = 4096  # side by side
    room: int = 1024  # of these, how many search at once
    worlds: int = 8  # for each move that is tried
    depth: int = 60  # decisions played on
    steps: int = 4  # decisions of each game between two lessons


class Seen(NamedTuple):
    """Decisions that were searched, or clear."""

    observation: Arrays
    mask: jax.Array
    searched: jax.Array
    clear: jax.Array
    move: jax.Array  # what the search found
    tried: jax.Array  # moves
    gains: jax.Array  # how much better each of them is than what the network would have done
    worth: jax.Array  # the chances, beginning with the seat to move


class Teacher:
    """Games of one setting, in which every seat searches."""

    def __init__(self, env: batch.Env, settings: Settings) -> None:
        self.env = env
        self.settings = settings
        self.lookahead = Search(env, settings.worlds)
        self.gather: Any = jax.jit(self.gathered)
        self.learn: Any = jax.jit(self.learned)
        self.duel: Any = jax.jit(self.share_won)

    def games(self, weights: Arrays, key: jax.Array) -> Any:
        """Games of every age, played so far without searching."""
        games = self.fresh(key)
        age = jnp.arange(self.settings.games) * SPREAD // self.settings.games

        def on(count: Any, games: Any) -> Any:
            move = jnp.argmax(self.lookahead.think(weights, games)[0], -1)
            after = jax.vmap(self.env.step)(games, move)
            return choose((age > count) & ~after.terminated, after, games)

        return jax.lax.fori_loop(0, SPREAD, on, games)

    def fresh(self, key: jax.Array) -> Any:
        return jax.vmap(self.env.init)(jax.random.split(key, self.settings.games))

    def gathered(self, weights: Arrays, games: Any, key: jax.Array) -> tuple[Any, Seen]:
        """The games after some decisions, and what was seen at them."""
        begin, key = jax.random.split(key)
        step = partial(self.step, weights, self.fresh(begin))
        return jax.lax.scan(step, games, jax.random.split(key, self.settings.steps))

    def step(self, weights: Arrays, fresh: Any, games: Any, key: jax.Array) -> tuple[Any, Seen]:
        """One decision in all games; a game without room to search waits."""
        chosen, drawn = jax.random.split(key)
        logits, _ = self.lookahead.think(weights, games)
        doubt = doubtful(logits)
        at, wanted = some_of(doubt, self.settings.room, chosen)
        some = jax.tree.map(lambda each: each[at], games)
        found = self.lookahead.search(weights, some, logits[at], wanted, drawn, self.settings.depth)
        action, served = with_found(jnp.argmax(logits, -1), at, wanted, found)
        choice = games.legal_action_mask.sum(1) > 1
        clear, filled = some_of(choice & ~doubt, self.settings.room, chosen)
        rest = jax.tree.map(lambda each: each[clear], games)
        both = jax.tree.map(lambda *each: jnp.concatenate(each), some, rest)

        def zero_where_clear(part: jax.Array) -> jax.Array:
            return jnp.concatenate([part, jnp.zeros_like(part)])

        seen = Seen(
            {name: each.astype(jnp.float16) for name, each in observe(self.env, both).items()},
            both.legal_action_mask,
            zero_where_clear(wanted & found.complete),
            jnp.concatenate([jnp.zeros_like(filled), filled]),
            zero_where_clear(found.move),
            zero_where_clear(found.tried),
            zero_where_clear(found.gains),
            zero_where_clear(seat_first(found.worth, some.current_player, back=True)),
        )
        after = jax.vmap(self.env.step)(games, action)
        after = choose(after.terminated | (after.round > MAX_ROUNDS), fresh, after)
        return choose(doubt & ~served, games, after), seen

    def learned(
        self, weights: Arrays, moments: Any, begun: Arrays, seen: Seen, rate: jax.Array
    ) -> tuple[Arrays, Any, Arrays]:
        """The weights after an update for each step that was seen."""

        def update(carry: Any, seen: Seen) -> Any:
            weights, moments = carry
            slope, metrics = jax.grad(self.loss, has_aux=True)(weights, begun, seen)
            change, moments = optimiser().update(slope, moments)
            change = jax.tree.map(lambda each: -rate * each, change)
            return (optax.apply_updates(weights, change), moments), metrics

        (weights, moments), metrics = jax.lax.scan(update, (weights, moments), seen)
        return weights, moments, jax.tree.map(jnp.mean, metrics)

    def loss(self, weights: Arrays, begun: Arrays, seen: Seen) -> tuple[jax.Array, Arrays]:
        """How far moves that did better are from being as much likelier, and how far all has moved.

        A move should be likelier than it was by exp(SHARP · gain). As the logarithm is learned, not
        the best move of each search, luck in a few worlds cancels out over positions that look
        alike.
        """
        logs, worth = self.judge(weights, seen)
        before, expected = self.judge(begun, seen)
        gains = jnp.clip(seen.gains, -MAX_GAIN, MAX_GAIN)
        likelier = jnp.take_along_axis(logs - before, seen.tried, 1)
        tried = (gains != 0) & seen.searched[:, None]
        off = likelier - SHARP * gains
        off = jnp.where(tried, off - mean(off, tried, 1)[:, None], 0)
        more = jnp.take_along_axis(jnp.exp(logs) - jnp.exp(before), seen.tried, 1)
        moved = jnp.where(seen.mask, jnp.exp(before) * (before - logs), 0).sum(1)
        aims = jnp.where(seen.searched[:, None], seen.worth, expected)
        every = seen.searched | seen.clear
        metrics = {
            "off": mean((off**2).sum(1), seen.searched),
            "moved": mean(moved, every),
            "value": mean(((worth - aims) ** 2).sum(1), every),
            "gained": mean((more * gains).sum(1), seen.searched),
            "agreed": mean(logs.argmax(1) == seen.move, seen.searched),
            "agreed_before": mean(before.argmax(1) == seen.move, seen.searched),
        }
        return FOUND * metrics["off"] + metrics["moved"] + VALUE * metrics["value"], metrics

    def judge(self, weights: Arrays, seen: Seen) -> tuple[jax.Array, jax.Array]:
        """The logarithms of the moves' probabilities, and the chances to win."""
        logits, worth = forward(
            halve_large_arrays(weights), halve_large_arrays(seen.observation), self.env.spec, jnp
        )
        logs = jax.nn.log_softmax(jnp.where(seen.mask, logits, MASKED_LOGIT))
        return logs, worth[:, : self.env.num_players]

    def share_won(self, weights: Arrays, others: Arrays, key: jax.Array) -> jax.Array:
        """What one seat wins without searching, where others have all other seats."""
        seat = jnp.arange(self.settings.games) % self.env.num_players

        def on(games: Any) -> Any:
            mine, theirs = (self.lookahead.think(each, games)[0] for each in (weights, others))
            logits = jnp.where((games.current_player == seat)[:, None], mine, theirs)
            after = jax.vmap(self.env.step)(games, jnp.argmax(logits, -1))
            return choose(games.terminated, games, after)

        games = jax.lax.while_loop(
            lambda games: ~(games.terminated | (games.round > MAX_ROUNDS)).all(),
            on,
            self.fresh(key),
        )
        won = jnp.take_along_axis(jax.vmap(win_share)(games.place), seat[:, None], 1)[:, 0]
        return jnp.where(games.terminated, won, 0).mean()


class Distilling:
    """One run: the tables take turns, and everything seen is learned from several times."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.began = time.monotonic()
        self.keys = drawn(args.seed)
        self.rng = random.Random(args.seed)
        settings = Settings(args.games, args.room, args.worlds, args.depth)
        self.teachers = {
            turn: Teacher(make_env(args.rulebook, turn), settings)
            for turn in dict.fromkeys(args.tables)
        }
        file = args.resume or HERE / f"{args.rulebook}.safetensors"
        self.about = load_about(file)
        self.begun = jax.tree.map(jnp.asarray, load_weights(file))
        self.weights = self.begun
        self.moments = optimiser().init(self.begun)
        self.memory = list[tuple[Turn, Seen]]()
        self.updates = 0

    @property
    def left(self) -> float:
        """The share of the time that is left."""
        spent: float = (time.monotonic() - self.began) / (self.args.minutes * 60)
        return max(0.0, 1 - spent)

    def run(self) -> None:
        with ThreadPoolExecutor(len(self.teachers)) as pool:
            opened = dict(zip(self.teachers, pool.map(self.open, self.teachers), strict=True))
        since, metrics = time.monotonic(), list[Arrays]()
        while self.left or not self.memory:
            turn = self.args.tables[len(self.memory) % len(self.args.tables)]
            teacher = self.teachers[turn]
            opened[turn], seen = teacher.gather(self.weights, opened[turn], next(self.keys))
            self.memory.append((turn, seen))
            metrics.append(self.learn(turn, seen))
            for _ in range(self.args.passes - 1):
                self.learn(*self.rng.choice(self.memory))
            if time.monotonic() - since > self.args.every:
                self.log_progress(metrics)
                since, metrics = time.monotonic(), []
        if metrics:
            self.log_progress(metrics)

    def open(self, turn: Turn) -> Any:
        """Games to begin with. What is needed for them is compiled side by side."""
        teacher, key = self.teachers[turn], jax.random.key(self.args.seed)
        games = jax.eval_shape(teacher.games, self.begun, key)
        _, seen = jax.eval_shape(teacher.gathered, self.begun, games, key)
        lowered = [
            jax.jit(teacher.games).lower(self.begun, key),
            teacher.gather.lower(self.begun, games, key),
            teacher.learn.lower(self.begun, self.moments, self.begun, seen, jnp.zeros(())),
            teacher.duel.lower(self.begun, self.begun, key),
        ]
        with ThreadPoolExecutor(len(lowered)) as pool:
            begin, *rest = pool.map(lambda each: each.compile(), lowered)
        teacher.gather, teacher.learn, teacher.duel = rest
        return begin(self.begun, key)

    def learn(self, turn: Turn, seen: Seen) -> Arrays:
        self.updates += 1
        rate = self.args.rate * max(0.02, self.left) * min(1.0, self.updates / WARM)
        given = self.weights, self.moments, self.begun, seen, jnp.asarray(rate)
        metrics: Arrays
        self.weights, self.moments, metrics = self.teachers[turn].learn(*given)
        return metrics

    def log_progress(self, metrics: list[Arrays]) -> None:
        """A line of what was new in the lessons, and of games against the beginning."""
        found = jax.device_get(metrics)
        line: dict[str, Any] = {
            name: float(np.mean([one[name] for one in found])) for name in found[0]
        }
        line["lessons"] = len(self.memory)
        line["seconds"] = time.monotonic() - self.began
        name, out = self.args.rulebook, self.args.out
        line["against_begun"] = {
            turn.name(name): float(teacher.duel(self.weights, self.begun, next(self.keys)))
            for turn, teacher in self.teachers.items()
        }
        print(json.dumps(line), flush=True)
        with (out / f"distil-{name}.jsonl").open("a") as file:
            print(json.dumps(line), file=file)
        save_resume(out / f"{name}.safetensors", self.weights, self.moments[1], self.about)
        save_weights(out / f"tycoon-{name}.safetensors", self.weights, self.about)


def mean(values: jax.Array, some: jax.Array, axis: int | None = None) -> jax.Array:
    return jnp.where(some, values, 0).sum(axis) / jnp.maximum(1, some.sum(axis))


def drawn(seed: int) -> Iterator[jax.Array]:
    key = jax.random.key(seed)
    while True:
        key, sub = jax.random.split(key)
        yield sub


def read_arguments(given: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Teach a network what looking ahead finds.")
    parser.add_argument("rulebook")
    parser.add_argument("--tables", nargs="+", type=Turn.parse, required=True, help="germany:4")
    parser.add_argument("--minutes", type=float, default=4)
    parser.add_argument("--games", type=int, default=4096)
    parser.add_argument("--room", type=int, default=1024, help="games that search at once")
    parser.add_argument("--worlds", type=int, default=8, help="for each move that is tried")
    parser.add_argument("--depth", type=int, default=60, help="decisions played on")
    parser.add_argument("--passes", type=int, default=3, help="lessons from everything seen")
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--every", type=float, default=30, help="seconds between two lines")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", type=Path, help="go on from this file")
    parser.add_argument("--out", type=Path, default=HERE, help="where files are left")
    args = parser.parse_args(given)
    args.out.mkdir(parents=True, exist_ok=True)
    return args


if __name__ == "__main__":
    Distilling(read_arguments()).run()
