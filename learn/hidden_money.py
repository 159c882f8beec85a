"""Teaches a network to play where money is hidden, and leaves what it says of open money.

    python -m learn.hidden_money cardgame --minutes 10

The network plays against itself with hidden money. At every decision it should say what it says of
the same position when it sees what everybody has. All that it learns is what unknown money adds to
its first layer, so a processor is enough. It goes on from `learn/RULEBOOK.safetensors` and leaves
the same weights as `learn.train`.
"""

import argparse
import json
import time
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

import highvoltage as hv
from highvoltage import codec
from highvoltage.bots.tycoon.evaluation import Coverage
from highvoltage.bots.tycoon.network import MASKED_LOGIT, forward
from highvoltage.codec import Codec, Spec
from learn.checkpoints import load_about, load_resume, load_weights, save_resume, save_weights
from learn.ppo import Arrays, optimiser

HERE = Path(__file__).parent
PLAYERS = (2, 3, 4, 5, 6)
SIDE_BY_SIDE = 24  # games
WATCHED = 0.5  # share of the time; the rest is for learning
MAX_MOVES = 1_500  # of a game; a longer one is left
TEMPERS = (1.0, 1.0, 1.5, 3.0)  # the higher, the wilder: by game
LESSON = 384  # decisions
VALUE = 3.0  # weight of the chances to win in the loss
MIN_CHANCE = 1e-5
MIN_LOG = -60_000.0  # half precision holds no less
RATE = 4e-3
SAID_EVERY = 30  # seconds
STRANGERS = slice(1, None)  # the rows of players after the viewer's own


class Seen(NamedTuple):
    """Decisions with hidden money, and what the network says when it sees all money."""

    observation: dict[str, Any]
    mask: Any
    logs: Any  # of the moves' probabilities
    worth: Any  # the chances, beginning with the seat to move

    def some(self, at: Any) -> "Seen":
        found: Seen = jax.tree.map(lambda part: jnp.asarray(part[at], jnp.float32), self)
        return found._replace(mask=found.mask > 0)


class Table:
    """Games that hide money, with as many players, all of whom are the network."""

    def __init__(self, rulebook: str, players: int, seed: int) -> None:
        self.rulebook, self.players = rulebook, players
        self.rng = np.random.default_rng((seed, players))
        self.games = [self.new() for _ in range(SIDE_BY_SIDE)]

    def new(self) -> hv.Game:
        seed = int(self.rng.integers(2**62))
        return hv.new(self.rulebook, players=self.players, seed=seed, money="hidden")

    def step(self, weights: dict[str, Any]) -> Seen:
        """The next decision of every game, which the network makes seeing all money."""
        views = [game.view(game.to_move) for game in self.games]
        code = codec.of(views[0])
        pairs = [*zip(views, self.games, strict=True)]
        mask = np.stack([code.mask(view, game.legal_moves) for view, game in pairs])
        opened = stacked(code, [with_open_money(view, game) for view, game in pairs])
        logs, worth = say(weights, opened, mask, code.spec, np)
        for number, (view, game) in enumerate(pairs):
            likely = np.exp(logs[number] / TEMPERS[number % len(TEMPERS)])
            game.play(code.move(view, int(self.rng.choice(len(likely), p=likely / likely.sum()))))
            if game.to_move is None or len(game.log) > MAX_MOVES:
                self.games[number] = self.new()
        hidden = stacked(code, views)
        half = {name: part.astype(np.float16) for name, part in hidden.items()}
        return Seen(half, mask, np.maximum(logs, MIN_LOG).astype(np.float16), worth)


def stacked(code: Codec, views: list[Any]) -> dict[str, Any]:
    seen = [code.observe(view) for view in views]
    return {name: np.stack([one[name] for one in seen]) for name in seen[0]}


def with_open_money(view: Any, game: hv.Game) -> Any:
    """The view of a game that hides money, with everybody's."""
    owners = zip(view["players"], game.state.players, strict=True)
    return {**view, "players": [{**row, "money": owner.money} for row, owner in owners]}


def say(weights: Any, observation: Any, mask: Any, spec: Spec, xp: Any) -> tuple[Any, Any]:
    """The logarithms of the moves' probabilities, and the chances to win."""
    logits, worth = forward(weights, observation, spec, xp)
    logits = xp.where(mask, logits, MASKED_LOGIT)
    raised = logits - logits.max(-1, keepdims=True)
    logs = raised - xp.log(xp.exp(raised).sum(-1, keepdims=True))
    return logs, xp.maximum(worth[:, : spec.players], MIN_CHANCE)


def with_unknown(weights: Arrays, unknown: Any, spec: Spec) -> Arrays:
    """The weights with this added to the first layer for each stranger whose money is not known.

    Whoever is there adds it, and whose money is known takes it away again.
    """
    first, columns = player_rows(spec)
    strangers = first[STRANGERS]
    present = strangers + columns.index("present")
    known = strangers + columns.index("money_known")
    layer = jnp.asarray(weights["layer0.w"])
    return weights | {"layer0.w": layer.at[present].add(unknown).at[known].add(-unknown)}


def player_rows(spec: Spec) -> tuple[Any, tuple[str, ...]]:
    """Where the row of each player begins in the first layer, and its columns."""
    names = [part.name for part in spec.parts]
    players = spec.parts[names.index("players")]
    before = sum(prod(part.shape) for part in spec.parts[: names.index("players")])
    rows, size = players.shape
    return before + size * np.arange(rows), players.columns


def loss(unknown: Any, weights: Arrays, seen: Seen, spec: Spec) -> tuple[Any, Arrays]:
    """How far it is from what it says when it sees all money."""
    logs, worth = say(with_unknown(weights, unknown, spec), seen.observation, seen.mask, spec, jnp)
    moves = jnp.where(seen.mask, jnp.exp(seen.logs) * (seen.logs - logs), 0).sum(1)
    chances = (seen.worth * (jnp.log(seen.worth) - jnp.log(worth))).sum(1)
    choice = seen.mask.sum(1) > 1
    metrics = {
        "moves": (moves * choice).sum() / jnp.maximum(1, choice.sum()),
        "chances": chances.mean(),
        "too_sure": (worth - seen.worth)[:, 0].mean(),
    }
    return metrics["moves"] + VALUE * metrics["chances"], metrics


def watch(tables: list[Table], weights: Arrays, seconds: float) -> list[Seen]:
    """All decisions of some time, by table."""
    plain = {name: np.asarray(part) for name, part in weights.items()}
    found: list[list[Seen]] = [[] for _ in tables]
    began = time.monotonic()
    while not found[-1] or time.monotonic() - began < seconds:
        for table, seen in zip(tables, found, strict=True):
            seen.append(table.step(plain))
    return [jax.tree.map(lambda *parts: np.concatenate(parts), *seen) for seen in found]


def learn(rulebook: str, weights: Arrays, lessons: list[Seen], seconds: float, seed: int) -> Any:
    """What unknown money adds to the first layer."""
    specs = [codec.spec(rulebook, players=players) for players in PLAYERS]
    slope = jax.jit(jax.grad(loss, has_aux=True), static_argnames="spec")
    first, _ = player_rows(specs[0])
    unknown = jnp.zeros((len(first[STRANGERS]), weights["layer0.w"].shape[1]))
    adam = optax.scale_by_adam()
    moments = adam.init(unknown)
    rng = np.random.default_rng(seed)
    began = said = time.monotonic()
    metrics: list[Arrays] = []
    while (spent := (time.monotonic() - began) / seconds) < 1 or len(metrics) < len(PLAYERS):
        at = len(metrics) % len(PLAYERS)
        rows = rng.integers(len(lessons[at].mask), size=LESSON)
        change, found = slope(unknown, weights, lessons[at].some(rows), spec=specs[at])
        change, moments = adam.update(change, moments)
        unknown -= RATE * max(0.01, 1 - spent) * change
        metrics.append(found)
        if time.monotonic() - said > SAID_EVERY:
            recent = jax.device_get(metrics[-10 * len(PLAYERS) :])
            line = {name: float(np.mean([one[name] for one in recent])) for name in recent[0]}
            print(len(metrics), *(f"{name} {mean:.4f}" for name, mean in line.items()), flush=True)
            said = time.monotonic()
    return unknown


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rulebook", choices=("cardgame", "outpost"))
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", type=Path, help="go on from this file")
    parser.add_argument("--out", type=Path, default=HERE, help="where files are left")
    args = parser.parse_args(words)
    if args.minutes <= 0:
        parser.error("--minutes: more than 0, please")
    file = args.resume or HERE / f"{args.rulebook}.safetensors"
    about = load_about(file)
    weights, adam = load_resume(file, optimiser().init(load_weights(file))[1])
    tables = [Table(args.rulebook, players, args.seed) for players in PLAYERS]
    lessons = watch(tables, weights, 60 * args.minutes * WATCHED)
    print(f"{sum(len(seen.mask) for seen in lessons):,} decisions to learn from", flush=True)
    seconds = 60 * args.minutes * (1 - WATCHED)
    unknown = learn(args.rulebook, weights, lessons, seconds, args.seed)
    weights = with_unknown(weights, unknown, codec.spec(args.rulebook))
    taught = Coverage.read(about)
    taught = taught._replace(options=sorted({*taught.options, "money"}))
    about |= {"taught": json.dumps(taught._asdict())}
    save_resume(args.out / f"{args.rulebook}.safetensors", weights, adam, about)
    save_weights(args.out / f"tycoon-{args.rulebook}.safetensors", weights, about)


if __name__ == "__main__":
    main()
