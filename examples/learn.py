"""A player that teaches itself the 2004 game for two, on one core, in some minutes.

    python examples/learn.py --minutes 8        # tells how it goes; writes learn.npz, learn.csv
    python examples/learn.py --play learn.npz   # 100 games against a random opponent

Minutes are those of the processor: a machine that is busy with other things takes longer.

Proximal policy optimisation in plain JAX over `highvoltage.envs`: one network of two layers reads
the observation as one row, and gives a preference for every action and the chance to win. The
reward is that of the environment, 1 for a game won; nothing else is told.
"""

import argparse
import csv
import time
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from highvoltage import envs
from highvoltage.codec import flat

SETTING = {"rulebook": "classic", "map": "germany", "players": 2, "bots": "random"}
GAMES = 16  # side by side
STEPS = 128  # of each, between two lessons
EPOCHS, BATCHES = 4, 4
WIDTH = 128
RATE = 7e-4
LAMBDA = 0.97  # how far a success is traced back
CLIP = 0.2
ENTROPY = 0.01

Weights = dict[str, jax.Array]


# The network


def fresh(key: jax.Array, numbers: int, actions: int) -> Weights:
    one, two, three = jax.random.split(key, 3)
    return {
        "w1": jax.random.normal(one, (numbers, WIDTH)) * (2 / numbers) ** 0.5,
        "b1": jnp.zeros(WIDTH),
        "w2": jax.random.normal(two, (WIDTH, WIDTH)) * (2 / WIDTH) ** 0.5,
        "b2": jnp.zeros(WIDTH),
        "policy": jax.random.normal(three, (WIDTH, actions)) * 0.01,
        "value": jnp.zeros(WIDTH),
        "par": jnp.asarray(0.5),
    }


def network(w: Weights, seen: jax.Array, mask: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The logarithm of the chance of every action, and the value."""
    hidden = jax.nn.relu(seen @ w["w1"] + w["b1"])
    hidden = hidden + jax.nn.relu(hidden @ w["w2"] + w["b2"])
    wishes = jnp.where(mask > 0, hidden @ w["policy"], -1e9)
    return jax.nn.log_softmax(wishes), hidden @ w["value"] + w["par"]


@jax.jit
def choose(w: Weights, seen: jax.Array, mask: jax.Array, key: jax.Array) -> Any:
    logs, value = network(w, seen, mask)
    action = jax.random.categorical(key, logs)
    return action, jnp.take_along_axis(logs, action[:, None], 1)[:, 0], value


# A lesson


def loss(w: Weights, lesson: dict[str, jax.Array]) -> jax.Array:
    logs, value = network(w, lesson["seen"], lesson["mask"])
    log = jnp.take_along_axis(logs, lesson["action"][:, None], 1)[:, 0]
    ratio, gain = jnp.exp(log - lesson["log"]), lesson["gain"]
    policy = jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain)
    entropy = -jnp.sum(jnp.where(lesson["mask"] > 0, jnp.exp(logs) * logs, 0), axis=1)
    error = (value - lesson["target"]) ** 2
    return jnp.mean(-policy + error - ENTROPY * entropy)


@jax.jit
def learn(w: Weights, moments: Any, count: jax.Array, lesson: dict[str, jax.Array]) -> Any:
    """One step of Adam."""
    slope = jax.grad(loss)(w, lesson)
    norm = jnp.sqrt(sum(jnp.sum(part**2) for part in jax.tree.leaves(slope)))
    slope = jax.tree.map(lambda part: part * jnp.minimum(1, 0.5 / (norm + 1e-8)), slope)
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], slope)
    square = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, moments[1], slope)

    def step(part: jax.Array, m: jax.Array, v: jax.Array) -> jax.Array:
        return part - RATE * (m / (1 - 0.9**count)) / (jnp.sqrt(v / (1 - 0.999**count)) + 1e-5)

    return jax.tree.map(step, w, mean, square), (mean, square), count + 1


class Classroom:
    """Games side by side, and what their players remember of them."""

    def __init__(self, seed: int) -> None:
        self.games = [envs.HighVoltageEnv(**SETTING, reward="win") for _ in range(GAMES)]  # type: ignore[arg-type]
        self.spec = self.games[0].table.spec
        starts = [game.reset(seed=seed + at) for at, game in enumerate(self.games)]
        self.seen = np.stack([flat(seen) for seen, _ in starts])
        self.mask = np.stack([info["action_mask"] for _, info in starts])
        self.results: list[float] = []  # of the games that have ended

    def gather(self, w: Weights, key: jax.Array) -> dict[str, np.ndarray[Any, Any]]:
        """Play for a while; everything as [step, game]."""
        rows: dict[str, list[Any]] = {
            name: [] for name in ("seen", "mask", "action", "log", "value", "reward", "over")
        }
        for at in jax.random.split(key, STEPS):
            action, log, value = map(np.asarray, choose(w, self.seen, self.mask, at))
            told = (self.seen.copy(), self.mask.copy(), action, log, value)
            reward, over = self.step(action)
            for name, part in zip(rows, (*told, reward, over), strict=True):
                rows[name].append(part)
        memory = {name: np.stack(parts) for name, parts in rows.items()}
        last = np.asarray(choose(w, self.seen, self.mask, key)[2])
        memory["gain"] = gains(memory["value"], memory["reward"], memory["over"], last)
        memory["target"] = memory["gain"] + memory["value"]
        return memory

    def step(self, actions: Any) -> tuple[Any, Any]:
        rewards, over = np.zeros(GAMES, np.float32), np.zeros(GAMES, np.float32)
        for at, (game, action) in enumerate(zip(self.games, actions, strict=True)):
            seen, rewards[at], ended, cut, info = game.step(int(action))
            if ended or cut:
                over[at] = 1
                self.results.append(float(rewards[at]))
                seen, info = game.reset()
            self.seen[at], self.mask[at] = flat(seen), info["action_mask"]
        return rewards, over


def gains(value: Any, reward: Any, over: Any, last: Any) -> Any:
    """How much better than expected it went after each action, traced back."""
    found, after, ahead = np.zeros_like(value), np.zeros(GAMES, np.float32), last
    for at in reversed(range(STEPS)):
        goes_on = 1 - over[at]
        surprise = reward[at] + goes_on * ahead - value[at]
        after = surprise + goes_on * LAMBDA * after
        found[at], ahead = after, value[at]
    return found


def train(minutes: float, seed: int, out: Path) -> None:
    key = jax.random.key(seed)
    room = Classroom(seed)
    w = fresh(key, room.spec.numbers, room.spec.actions)
    moments, count = (jax.tree.map(jnp.zeros_like, w),) * 2, jnp.ones(())
    began, decisions = time.process_time(), 0
    with out.with_suffix(".csv").open("w", newline="") as file:
        curve = csv.writer(file)
        curve.writerow(["seconds", "decisions", "games", "won"])
        while time.process_time() - began < minutes * 60:
            key, now, order = jax.random.split(key, 3)
            memory = room.gather(w, now)
            decisions += GAMES * STEPS
            flat_memory = {name: part.reshape(-1, *part.shape[2:]) for name, part in memory.items()}
            gain = flat_memory["gain"]
            flat_memory["gain"] = (gain - gain.mean()) / (gain.std() + 1e-6)
            for epoch in jax.random.split(order, EPOCHS):
                places = np.asarray(jax.random.permutation(epoch, GAMES * STEPS))
                for some in places.reshape(BATCHES, -1):
                    lesson = {name: part[some] for name, part in flat_memory.items()}
                    w, moments, count = learn(w, moments, count, lesson)
            latest = room.results[-200:]
            share = sum(latest) / max(1, len(latest))
            row = (time.process_time() - began, decisions, len(room.results), share)
            curve.writerow([f"{part:.3g}" if isinstance(part, float) else part for part in row])
            file.flush()
            print("{:5.0f} s  {:8,} decisions  {:5} games  won {:.0%}".format(*row), flush=True)
    np.savez(out, **{name: np.asarray(part) for name, part in w.items()})


def play(weights: Path, games: int, seed: int) -> float:
    """The share of games won, taking the best action each time."""
    with np.load(weights) as file:
        w = {name: jnp.asarray(file[name]) for name in file}
    env = envs.HighVoltageEnv(**SETTING, reward="win")  # type: ignore[arg-type]
    won = 0.0
    for game in range(games):
        seen, info = env.reset(seed=seed + game)
        over = False
        while not over:
            logs, _ = network(w, flat(seen)[None], info["action_mask"][None])
            seen, reward, ended, cut, info = env.step(int(logs.argmax()))
            won, over = won + reward, ended or cut
    print(f"won {won:g} of {games} games against {SETTING['bots']}")
    return won / games


if __name__ == "__main__":
    about = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    about.add_argument("--minutes", type=float, default=8)
    about.add_argument("--seed", type=int, default=1)
    about.add_argument("--out", type=Path, default=Path("learn.npz"))
    about.add_argument("--play", type=Path, help="weights to play with instead of learning")
    about.add_argument("--games", type=int, default=100)
    asked = about.parse_args()
    if asked.play:
        play(asked.play, asked.games, seed=1_000_000)
    else:
        train(asked.minutes, asked.seed, asked.out)
        play(asked.out, asked.games, seed=1_000_000)
