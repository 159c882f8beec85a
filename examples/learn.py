"""A player that teaches itself the 2004 game for two, on one core, within minutes.

    python examples/learn.py --minutes 8        # prints its progress; writes learn.npz, learn.csv
    python examples/learn.py --play learn.npz   # 100 games against a random opponent
    python examples/learn.py --draw learn.csv   # the curve, as learn.svg

Minutes are processor time: a busy machine takes longer.

Proximal policy optimisation in plain JAX over `highvoltage.envs`: one network of two layers reads
the observation as one row, and outputs a preference for every action and the chance to win. The
only reward is that of the environment, 1 for a game won.
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
from highvoltage.codec import flatten

SETTING = {"rulebook": "classic", "map": "germany", "players": 2, "bots": "random"}
GAMES = 16  # in parallel
STEPS = 128  # of each, between two updates
EPOCHS, BATCHES = 4, 4
WIDTH = 128
RATE = 7e-4
LAMBDA = 0.97  # of the generalised advantages
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


def network(w: Weights, observation: jax.Array, mask: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The log-probability of every action, and the value."""
    hidden = jax.nn.relu(observation @ w["w1"] + w["b1"])
    hidden = hidden + jax.nn.relu(hidden @ w["w2"] + w["b2"])
    logits = jnp.where(mask > 0, hidden @ w["policy"], -1e9)
    return jax.nn.log_softmax(logits), hidden @ w["value"] + w["par"]


@jax.jit
def choose(w: Weights, observation: jax.Array, mask: jax.Array, key: jax.Array) -> Any:
    logs, value = network(w, observation, mask)
    action = jax.random.categorical(key, logs)
    return action, jnp.take_along_axis(logs, action[:, None], 1)[:, 0], value


# An update


def loss(w: Weights, minibatch: dict[str, jax.Array]) -> jax.Array:
    logs, value = network(w, minibatch["observation"], minibatch["mask"])
    log = jnp.take_along_axis(logs, minibatch["action"][:, None], 1)[:, 0]
    ratio, gain = jnp.exp(log - minibatch["log"]), minibatch["gain"]
    policy = jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain)
    entropy = -jnp.sum(jnp.where(minibatch["mask"] > 0, jnp.exp(logs) * logs, 0), axis=1)
    error = (value - minibatch["target"]) ** 2
    return jnp.mean(-policy + error - ENTROPY * entropy)


@jax.jit
def learn(w: Weights, moments: Any, count: jax.Array, minibatch: dict[str, jax.Array]) -> Any:
    """One step of Adam."""
    slope = jax.grad(loss)(w, minibatch)
    norm = jnp.sqrt(sum(jnp.sum(part**2) for part in jax.tree.leaves(slope)))
    slope = jax.tree.map(lambda part: part * jnp.minimum(1, 0.5 / (norm + 1e-8)), slope)
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, moments[0], slope)
    square = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, moments[1], slope)

    def step(part: jax.Array, m: jax.Array, v: jax.Array) -> jax.Array:
        return part - RATE * (m / (1 - 0.9**count)) / (jnp.sqrt(v / (1 - 0.999**count)) + 1e-5)

    return jax.tree.map(step, w, mean, square), (mean, square), count + 1


class Rollouts:
    """Games played in parallel, and their recorded decisions."""

    def __init__(self, seed: int) -> None:
        self.games = [envs.HighVoltageEnv(**SETTING, reward="win") for _ in range(GAMES)]  # type: ignore[arg-type]
        self.spec = self.games[0].episodes.spec
        starts = [game.reset(seed=seed + at) for at, game in enumerate(self.games)]
        self.observation = np.stack([flatten(observation) for observation, _ in starts])
        self.mask = np.stack([info["action_mask"] for _, info in starts])
        self.results: list[float] = []  # of finished games

    def gather(self, w: Weights, key: jax.Array) -> dict[str, np.ndarray[Any, Any]]:
        """Play for some steps; every array is [step, game]."""
        rows: dict[str, list[Any]] = {
            name: [] for name in ("observation", "mask", "action", "log", "value", "reward", "over")
        }
        for at in jax.random.split(key, STEPS):
            action, log, value = map(np.asarray, choose(w, self.observation, self.mask, at))
            before = (self.observation.copy(), self.mask.copy(), action, log, value)
            reward, over = self.step(action)
            for name, part in zip(rows, (*before, reward, over), strict=True):
                rows[name].append(part)
        memory = {name: np.stack(parts) for name, parts in rows.items()}
        last = np.asarray(choose(w, self.observation, self.mask, key)[2])
        memory["gain"] = gains(memory["value"], memory["reward"], memory["over"], last)
        memory["target"] = memory["gain"] + memory["value"]
        return memory

    def step(self, actions: Any) -> tuple[Any, Any]:
        rewards, over = np.zeros(GAMES, np.float32), np.zeros(GAMES, np.float32)
        for at, (game, action) in enumerate(zip(self.games, actions, strict=True)):
            observation, rewards[at], ended, cut, info = game.step(int(action))
            if ended or cut:
                over[at] = 1
                self.results.append(float(rewards[at]))
                observation, info = game.reset()
            self.observation[at], self.mask[at] = flatten(observation), info["action_mask"]
        return rewards, over


def gains(value: Any, reward: Any, over: Any, last: Any) -> Any:
    """The generalised advantage of each action."""
    found, after, ahead = np.zeros_like(value), np.zeros(GAMES, np.float32), last
    for at in reversed(range(STEPS)):
        goes_on = 1 - over[at]
        surprise = reward[at] + goes_on * ahead - value[at]
        after = surprise + goes_on * LAMBDA * after
        found[at], ahead = after, value[at]
    return found


def train(minutes: float, seed: int, out: Path) -> None:
    key = jax.random.key(seed)
    rollouts = Rollouts(seed)
    w = fresh(key, rollouts.spec.observation_size, rollouts.spec.num_actions)
    moments, count = (jax.tree.map(jnp.zeros_like, w),) * 2, jnp.ones(())
    began, spent, decisions = time.process_time(), 0.0, 0
    with out.with_suffix(".csv").open("w", newline="") as file:
        curve = csv.writer(file)
        curve.writerow(["seconds", "decisions", "games", "won"])
        while not decisions or spent < minutes * 60:
            key, now, order = jax.random.split(key, 3)
            memory = rollouts.gather(w, now)
            w, moments, count = update(w, moments, count, memory, order)
            decisions += GAMES * STEPS
            spent = time.process_time() - began
            latest = rollouts.results[-200:]
            won = sum(latest) / max(1, len(latest))
            curve.writerow([f"{spent:.1f}", decisions, len(rollouts.results), f"{won:.3f}"])
            file.flush()
            played = f"{decisions:8,} decisions  {len(rollouts.results):5} games"
            print(f"{spent:5.0f} s  {played}  won {won:.0%}", flush=True)
    np.savez(out, allow_pickle=False, **{name: np.asarray(part) for name, part in w.items()})


def update(w: Weights, moments: Any, count: Any, memory: dict[str, Any], key: jax.Array) -> Any:
    """Learn from the recorded decisions, several times, in minibatches."""
    rows = {name: part.reshape(-1, *part.shape[2:]) for name, part in memory.items()}
    rows["gain"] = (rows["gain"] - rows["gain"].mean()) / (rows["gain"].std() + 1e-6)
    for epoch in jax.random.split(key, EPOCHS):
        places = np.asarray(jax.random.permutation(epoch, GAMES * STEPS))
        for some in places.reshape(BATCHES, -1):
            minibatch = {name: part[some] for name, part in rows.items()}
            w, moments, count = learn(w, moments, count, minibatch)
    return w, moments, count


def draw(curve: Path, picture: Path) -> None:
    """Plot the share of games won over the minutes, as SVG."""
    with curve.open() as file:
        rows = [(float(row["seconds"]), float(row["won"])) for row in csv.DictReader(file)]
    wide, high, end = 640, 240, max(rows[-1][0], 1)
    line = " ".join(f"{40 + x / end * wide:.1f},{20 + (1 - y) * high:.1f}" for x, y in rows)
    levels = "".join(
        f'<path d="M40 {20 + (1 - y) * high}h{wide}" stroke="#9994"/>'
        f'<text x="34" y="{24 + (1 - y) * high}" text-anchor="end">{y:.0%}</text>'
        for y in (0, 0.25, 0.5, 0.75, 0.95, 1)
    )
    minutes = "".join(
        f'<text x="{40 + m * 60 / end * wide:.1f}" y="{high + 38}" text-anchor="middle">{m}</text>'
        for m in range(int(end // 60) + 1)
    )
    picture.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide + 60} {high + 64}"'
        ' font-family="sans-serif" font-size="11" fill="#888">'
        f'{levels}{minutes}<text x="{40 + wide / 2}" y="{high + 58}" text-anchor="middle">'
        "minutes of one core; games won of the latest 200, with chance in every choice</text>"
        f'<polyline points="{line}" fill="none" stroke="#d97706" stroke-width="2"/></svg>\n'
    )


def play(weights: Path, games: int, seed: int) -> float:
    """The share of games won, with the best action each time."""
    with np.load(weights) as file:
        w = {name: jnp.asarray(file[name]) for name in file}
    env = envs.HighVoltageEnv(**SETTING, reward="win")  # type: ignore[arg-type]
    evaluate: Any = jax.jit(network)
    won = 0.0
    for game in range(games):
        observation, info = env.reset(seed=seed + game)
        over = False
        while not over:
            logs, _ = evaluate(w, flatten(observation)[None], info["action_mask"][None])
            observation, reward, ended, cut, info = env.step(int(logs.argmax()))
            won, over = won + reward, ended or cut
    print(f"won {won:g} of {games} games against {SETTING['bots']}")
    return won / games


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("learn.npz"))
    parser.add_argument("--play", type=Path, help="weights to play with instead of learning")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--draw", type=Path, help="the curve to draw instead")
    args = parser.parse_args()
    if args.draw:
        draw(args.draw, args.draw.with_suffix(".svg"))
    elif args.play:
        play(args.play, args.games, seed=1_000_000)
    else:
        train(args.minutes, args.seed, args.out)
        play(args.out, args.games, seed=1_000_000)
