"""Trains a network to imitate another bot, as an opponent on the twin.

    python -m learn.habits classic --of engineer --minutes 15 --out build/engineer.safetensors

The bot plays on the engine with one tycoon among copies of itself. Every real choice of the bot is
recorded, and the network learns to choose the same, starting from the tycoon's weights.
"""

import argparse
import json
import multiprocessing
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from msgspec.structs import replace

import highvoltage as hv
from highvoltage import bots, codec
from highvoltage.bots.tycoon.evaluation import SETUP_PHASES
from highvoltage.bots.tycoon.network import MASKED_LOGIT, forward
from highvoltage.bots.tycoon.policy import NumpyPolicy, load_policy
from highvoltage.codec import Spec
from learn.checkpoints import load_weights, save_weights

Arrays = dict[str, Any]

WEIGHTS = Path(bots.__file__).parent / "tycoon" / "weights"
BATCH = 1024
SHARP = 1.5  # a bot is surer of its choice than a network that predicts it
HELD = 20  # one decision of so many is held out to measure the predictions


class Chosen(NamedTuple):
    """An observation, the legal actions, and the action that was chosen."""

    observation: Arrays
    mask: Any
    action: Any


class WatchJob(NamedTuple):
    """Games to be recorded by one process."""

    rulebook: str
    of: str
    maps: list[str | None]
    minutes: float
    weights: Path | None
    seed: str


def watched(job: WatchJob) -> dict[Spec, Chosen]:
    """What the bot chose in games for so many minutes, by the form of observation and action."""
    policy = NumpyPolicy(job.weights.read_bytes()) if job.weights else load_policy(job.rulebook)
    assert policy is not None
    rng = random.Random(job.seed)
    until = time.monotonic() + job.minutes * 60
    found: dict[Spec, list[Chosen]] = {}
    while time.monotonic() < until:
        players = rng.choice([2, 3, 4, 4, 5, 6, 6])
        game = hv.new(
            job.rulebook, map=rng.choice(job.maps), players=players, seed=str(rng.random())
        )
        others = [bots.make(job.of, str(rng.random())) for _ in range(players)]
        for spec, chosen in watch(game, policy, rng, others):
            found.setdefault(spec, []).append(chosen)
    return {spec: stacked(chosen) for spec, chosen in found.items()}


def watch(
    game: hv.Game, policy: NumpyPolicy, rng: random.Random, others: list[bots.Bot]
) -> Iterator[tuple[Spec, Chosen]]:
    """One game, in which one seat is the tycoon's."""
    seat = rng.randrange(len(others))
    while game.to_move is not None:
        me, legal = game.to_move, game.legal_moves
        if len(legal) > 1 and me == seat and game.phase not in SETUP_PHASES:
            candidates = policy.evaluate(game.view(me), legal, 6).candidates
            game.play(
                rng.choices([c.move for c in candidates], [c.probability for c in candidates])[0]
            )
            continue
        move = bots.ask(others[me], game).move
        if len(legal) > 1 and me != seat:
            view = game.view(me)
            code = codec.of(view)
            observation = {
                name: part.astype(np.float16) for name, part in code.observe(view).items()
            }
            chosen = Chosen(observation, code.mask(view, legal), code.index(view, move))
            yield replace(code.spec, map=None, players=0), chosen
        game.play(move)


class Habits:
    """A network that learns to imitate choices."""

    def __init__(self, weights: Arrays, steps: int, rate: float = 3e-4) -> None:
        self.weights = jax.tree.map(jnp.asarray, weights)
        self.rule = optax.chain(
            optax.clip_by_global_norm(1.0), optax.adamw(optax.cosine_decay_schedule(rate, steps))
        )
        self.moments = self.rule.init(self.weights)

        def step(weights: Any, moments: Any, chosen: Any, spec: Spec) -> Any:
            (loss, right), slope = jax.value_and_grad(missed, has_aux=True)(weights, chosen, spec)
            change, moments = self.rule.update(slope, moments, weights)
            return optax.apply_updates(weights, change), moments, loss, right

        self.step = jax.jit(step, static_argnums=3)
        self.missed = jax.jit(missed, static_argnums=2)

    def learn(self, chosen: Any, spec: Spec) -> None:
        self.weights, self.moments, *_ = self.step(self.weights, self.moments, chosen, spec)


def missed(weights: Arrays, chosen: Any, spec: Spec) -> tuple[jax.Array, jax.Array]:
    """The negative log-likelihood of what was chosen, and how often the network would choose it."""
    observation, mask, action = chosen
    observation = {name: part.astype(jnp.float32) for name, part in observation.items()}
    logits = jnp.where(mask, forward(weights, observation, spec, jnp)[0], MASKED_LOGIT)
    logs = jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], 1)
    return -logs.mean(), (logits.argmax(1) == action).mean()


def stacked(chosen: list[Chosen]) -> Chosen:
    observation = {
        name: np.stack([one.observation[name] for one in chosen]) for name in chosen[0].observation
    }
    actions = np.array([one.action for one in chosen])
    return Chosen(observation, np.stack([one.mask for one in chosen]), actions)


def together(parts: list[dict[Spec, Chosen]]) -> dict[Spec, Chosen]:
    """The choices recorded by several processes."""
    specs = {each for one in parts for each in one}
    return {
        each: jax.tree.map(
            lambda *some: np.concatenate(some), *(p[each] for p in parts if each in p)
        )
        for each in sorted(specs, key=lambda spec: spec.num_actions)
    }


def taught(weights: Arrays, found: dict[Spec, Chosen], epochs: int, seed: int = 1) -> Arrays:
    """The weights of a network that imitates the recorded choices."""
    rng = np.random.default_rng(seed)
    shown, held = dict[Spec, Any](), dict[Spec, Any]()
    for spec, chosen in found.items():
        order = rng.permutation(len(chosen.mask))
        shown[spec], held[spec] = order[len(order) // HELD :], order[: len(order) // HELD]
    batches = [
        (spec, at) for spec, rows in shown.items() for at in range(0, len(rows) - BATCH + 1, BATCH)
    ]
    habits = Habits(weights, max(1, epochs * len(batches)))
    for epoch in range(epochs):
        for rows in shown.values():
            rng.shuffle(rows)
        for at in rng.permutation(len(batches)):
            spec, first = batches[at]
            habits.learn(part(found[spec], shown[spec][first : first + BATCH]), spec)
        scores = {
            spec.num_actions: [float(each) for each in habits.missed(habits.weights, held_of, spec)]
            for spec, rows in held.items()
            if len(rows)
            for held_of in [part(found[spec], rows[:8192])]
        }
        print(f"epoch {epoch + 1}, by the number of actions:", scores, flush=True)
    return sharper(jax.tree.map(np.asarray, habits.weights), SHARP)


def part(chosen: Chosen, rows: Any) -> Chosen:
    found: Chosen = jax.tree.map(lambda each: each[rows], chosen)
    return found


def sharper(weights: Arrays, factor: float) -> Arrays:
    """The same weights, with the logits multiplied by a factor."""
    last = ("plain.", "run.", "city_wish.")
    return {
        name: value * factor if name.startswith(last) else value for name, value in weights.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rulebook")
    parser.add_argument("--of", default="engineer", help="the bot whose habits are learned")
    parser.add_argument("--map", nargs="+", default=[None])
    parser.add_argument("--minutes", type=float, default=15, help="of games that are watched")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--jobs", type=int, default=2, help="processes that play")
    parser.add_argument("--weights", type=Path, help="begin with these, and play against them")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    jobs = [
        WatchJob(args.rulebook, args.of, args.map, args.minutes, args.weights, f"{args.seed}/{job}")
        for job in range(args.jobs)
    ]
    with multiprocessing.get_context("spawn").Pool(args.jobs) as pool:
        found = together(pool.map(watched, jobs))
    print(sum(len(chosen.mask) for chosen in found.values()), "decisions", flush=True)
    file = args.weights or WEIGHTS / f"{args.rulebook}.safetensors"
    about = {"rulebook": args.rulebook, "codec": str(codec.VERSION), "habits": args.of}
    coverage = NumpyPolicy(file.read_bytes()).taught
    about["taught"] = json.dumps(coverage._asdict())
    save_weights(args.out, taught(load_weights(file), found, args.epochs), about)


if __name__ == "__main__":
    main()
