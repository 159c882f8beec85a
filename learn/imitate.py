"""A baseline on the data set: imitate its players, and count how often the first guess is right.

    highvoltage dataset games --games 800 --observations
    python -m learn.imitate games --rulebook classic

A network with two hidden layers sees the observation as one row and is trained on the moves of the
clerks and engineers in the training split. The table has its share of right first guesses among
the legal moves of the test split, by phase, beside that of guessing at random.
"""

import argparse
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from pyarrow import parquet  # type: ignore[import-untyped]

from highvoltage import data

TEACHERS = ("clerk", "engineer")
HIDDEN = 256
BATCH = 512
LEARNING_RATE = 1e-3
MASKED = -1e9

Array = np.ndarray[Any, Any]
Weights = list[tuple[jax.Array, jax.Array]]


class Lessons(NamedTuple):
    """Decisions of the teachers: what they saw, what was legal, what they chose, in which phase."""

    seen: Array
    legal: Array
    action: Array
    phase: Array


def read(folder: Path, rulebook: str, split: str, actions: int = 0) -> Lessons:
    """One split of a rulebook; masks have at least so many actions."""
    found: list[Lessons] = []
    for file in sorted(folder.glob(f"data/{rulebook}/{split}-*.parquet")):
        lessons = data.load(file)
        about = parquet.read_table(file, columns=["phase", "player"]).to_pydict()
        taught = np.isin(about["player"], TEACHERS) & (lessons.legal.sum(1) > 1)
        seen = [each.reshape(len(taught), -1) for each in lessons.observation.values()]
        found.append(
            Lessons(
                np.concatenate(seen, axis=1)[taught],
                lessons.legal[taught],
                lessons.action[taught].astype(np.int32),
                np.array(about["phase"])[taught],
            )
        )
    if not found:
        raise SystemExit(f"{folder} has no {split} split of {rulebook}: make more games.")
    size = max(actions, *(each.legal.shape[1] for each in found))
    legal = [np.pad(each.legal, ((0, 0), (0, size - each.legal.shape[1]))) for each in found]
    return Lessons(
        np.concatenate([each.seen for each in found]),
        np.concatenate(legal),
        np.concatenate([each.action for each in found]),
        np.concatenate([each.phase for each in found]),
    )


def new_weights(sizes: tuple[int, ...], seed: int) -> Weights:
    keys = jax.random.split(jax.random.key(seed), len(sizes) - 1)
    return [
        (jax.random.normal(key, (one, two)) * jnp.sqrt(2 / one), jnp.zeros(two))
        for key, one, two in zip(keys, sizes[:-1], sizes[1:], strict=True)
    ]


def logits(weights: Weights, seen: jax.Array, legal: jax.Array) -> jax.Array:
    for matrix, bias in weights[:-1]:
        seen = jax.nn.relu(seen @ matrix + bias)
    matrix, bias = weights[-1]
    return jnp.where(legal, seen @ matrix + bias, MASKED)


def train(lessons: Lessons, epochs: int, seed: int = 0) -> Weights:
    weights = new_weights((lessons.seen.shape[1], HIDDEN, HIDDEN, lessons.legal.shape[1]), seed)
    optimiser = optax.adam(LEARNING_RATE)
    state = optimiser.init(weights)

    def loss(weights: Weights, seen: jax.Array, legal: jax.Array, action: jax.Array) -> jax.Array:
        guess = logits(weights, seen, legal)
        mean: jax.Array = optax.softmax_cross_entropy_with_integer_labels(guess, action).mean()
        return mean

    @jax.jit
    def step(weights: Weights, state: Any, *batch: jax.Array) -> tuple[Weights, Any]:
        updates, state = optimiser.update(jax.grad(loss)(weights, *batch), state)
        return optax.apply_updates(weights, updates), state

    rng = np.random.default_rng(seed)
    for _ in range(epochs):
        order = rng.permutation(len(lessons.action))
        for first in range(0, len(order) - BATCH + 1, BATCH):
            rows = order[first : first + BATCH]
            batch = lessons.seen[rows], lessons.legal[rows], lessons.action[rows]
            weights, state = step(weights, state, *map(jnp.asarray, batch))
    return weights


def first_guesses(weights: Weights, lessons: Lessons) -> Array:
    """Whether the most likely move is the one that was made, for every decision."""
    guess = jax.jit(lambda seen, legal: logits(weights, seen, legal).argmax(1))
    parts = [
        np.asarray(guess(lessons.seen[at : at + BATCH], lessons.legal[at : at + BATCH]))
        for at in range(0, len(lessons.action), BATCH)
    ]
    right: Array = np.concatenate(parts) == lessons.action
    return right


def table(right: Array, lessons: Lessons) -> list[str]:
    lines = ["| phase | decisions | right at first | at random |", "| --- | --: | --: | --: |"]
    chance = 1 / lessons.legal.sum(1)
    for phase in [*dict.fromkeys(lessons.phase), "all"]:
        here = (lessons.phase == phase) | (phase == "all")
        share, luck = right[here].mean(), chance[here].mean()
        lines.append(f"| {phase} | {here.sum():,} | {share:.1%} | {luck:.1%} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="a data set with observations")
    parser.add_argument("--rulebook", default="classic")
    parser.add_argument("--epochs", type=int, default=10)
    given = parser.parse_args()
    lessons = read(given.folder, given.rulebook, "train")
    test = read(given.folder, given.rulebook, "test", lessons.legal.shape[1])
    weights = train(lessons, given.epochs)
    print(f"{len(lessons.action):,} decisions to learn from, {given.epochs} epochs")
    print("\n".join(table(first_guesses(weights, test), test)))


if __name__ == "__main__":
    main()
