"""Trains a network by self-play, some minutes per run.

    python -m learn.train classic --map germany --players 4 --minutes 8

Resumes from `learn/NAME.safetensors` if it exists and replaces it with a newer one, writes the
weights for the bot next to it, and a line every half a minute to `learn/NAME.jsonl`. The name is
the rulebook's if none is given.
"""

import argparse
import json
import random
import re
import time
from collections.abc import Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from highvoltage import batch
from highvoltage.batch.env import BoardEnv
from highvoltage.bots.tycoon.evaluation import Coverage
from highvoltage.bots.tycoon.network import shapes
from highvoltage.codec import VERSION, Spec
from learn.checkpoints import load_about, load_resume, load_weights, save_resume, save_weights
from learn.evaluate import OPTIONS
from learn.ppo import Arrays, Hyperparameters, Learner, Settings, Trainer, optimiser

HERE = Path(__file__).parent
MAX_PAST_SELVES = 12  # past selves in the pool
MAX_COMPILING = 8  # tables compiled at once
# What says nearly the same of everything at first: moves, chances, and what only some maps have.
SMALL_INIT = ("plain.", "run.", "value.", "city_wish.", "city_start", "part_", "head_")


class Turn(NamedTuple):
    """The table at which a lesson is learned."""

    map: str | None
    players: int
    options: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Turn":
        """Read germany:6, :6 in a game without maps, or germany:4:demolition:money."""
        found = re.fullmatch(rf"(.*):(\d)((?::(?:{'|'.join(OPTIONS)}))*)", text)
        if not found:
            raise ValueError(text)
        options = found[3].split(":")[1:]
        return cls(found[1] or None, int(found[2]), tuple(sorted(options)))

    def name(self, rulebook: str) -> str:
        return " ".join((f"{self.map or rulebook} with {self.players}", *self.options))


def make_env(rulebook: str, turn: Turn) -> batch.Env:
    options = {name: OPTIONS[name] for name in turn.options}
    return batch.make(rulebook, map=turn.map, players=turn.players, **options)


class Table:
    """A setting in which games are played, and its games."""

    def __init__(self, rulebook: str, turn: Turn, settings: Settings) -> None:
        self.name = turn.name(rulebook)
        self.env = make_env(rulebook, turn)
        self.trainer = Trainer(self.env, settings)
        self.states: Any = None

    def open(self, weights: Arrays, moments: Any, others: list[Arrays], key: jax.Array) -> None:
        """Deal, and compile an update: half a minute in which other tables can be trained."""
        self.states = jax.jit(self.trainer.games)(key)
        self.trainer.compile(
            Learner(weights, moments, self.states, key), others, Hyperparameters(0.0, 0.0)
        )


class Training:
    """One training run: the tables take turns, and past selves are kept as opponents."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.began = time.monotonic()
        self.key = jax.random.key(args.seed)
        self.rng = random.Random(args.seed)
        alike = 1 + len(args.company) + args.engineers
        settings = Settings(
            games=args.games,
            past=int(args.games * args.others) // alike * alike,
            engineers=args.engineers,
            steps=args.steps,
            kept=args.kept,
            stress=args.stress,
        )
        self.turns: list[Turn] = args.tables or [
            Turn(where, each) for each in args.players for where in args.map
        ]
        once = dict.fromkeys(self.turns)
        self.tables = {turn: Table(args.rulebook, turn, settings) for turn in once}
        self.decisions = settings.games * settings.steps  # of one lesson
        self.taught = Coverage([], [], [])  # by earlier pieces
        self.weights, self.moments = self.resumed()
        self.company = self.read_company()
        self.pool = [self.weights]
        self.lessons = 0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def drawn(self) -> jax.Array:
        keys: jax.Array = jax.random.split(self.key)
        self.key = keys[0]
        return keys[1]

    def resumed(self) -> tuple[Arrays, Any]:
        """Weights that read all tables; those that the file lacks begin anew."""
        file = self.args.resume or HERE / f"{self.args.name}.safetensors"
        weights = initial_weights([each.env.spec for each in self.tables.values()], self.drawn())
        clip, adam = optimiser().init(weights)
        if not file.exists():
            return weights, (clip, adam)
        known, adam = jax.tree.map(jnp.asarray, load_resume(file, adam))
        about = load_about(file)
        if about.get("rulebook") == self.args.rulebook:
            self.taught = Coverage.read(about)
        return weights | known, (clip, adam)

    def run(self) -> None:
        begun = self.weights, self.moments, self.others()
        with ThreadPoolExecutor(MAX_COMPILING) as pool:
            opened = {
                turn: pool.submit(table.open, *begun, self.drawn())
                for turn, table in self.tables.items()
            }
            wait(opened.values(), return_when=FIRST_COMPLETED)
            since, remembered, metrics = self.seconds, self.seconds, list[dict[str, Any]]()
            while self.seconds < self.args.minutes * 60:
                ready = [turn for turn in self.turns if done(opened[turn])]
                metrics.append(self.learn(self.tables[ready[self.lessons % len(ready)]]))
                if self.seconds - since > self.args.every:
                    self.log_progress(metrics, since)
                    since, metrics = self.seconds, []
                    if since - remembered > self.args.remember:
                        self.pool, remembered = (
                            [*self.pool[1 - MAX_PAST_SELVES :], self.weights],
                            since,
                        )
                    self.company = self.read_company()
                    self.save_checkpoint()
        self.save_checkpoint()

    def learn(self, table: Table) -> dict[str, Any]:
        """One update from games of one setting."""
        left = max(0.0, 1 - self.seconds / (self.args.minutes * 60)) if self.args.fade else 1.0
        self.lessons += 1
        risen = min(1.0, self.lessons / self.args.warm) ** 2 if self.args.warm else 1.0
        hyper = Hyperparameters(
            self.args.rate * max(0.02, left * risen), self.args.entropy * max(0.1, left)
        )
        learner = Learner(self.weights, self.moments, table.states, self.drawn())
        learner, metrics = table.trainer(learner, self.others(), hyper)
        self.weights, self.moments, table.states = learner[:3]
        return {"table": table.name} | metrics

    def others(self) -> list[Arrays]:
        """The opponents: a past self, and the fixed opponents."""
        return [self.rng.choice(self.pool), *(weights for _, weights in self.company)]

    def read_company(self) -> list[tuple[str, Arrays]]:
        """The fixed opponents by name. They are read again with every line, so files may change.

        They look past what they have no weights for.
        """
        blind = jax.tree.map(jnp.zeros_like, self.weights)
        return [
            (file.stem, blind | jax.tree.map(jnp.asarray, load_weights(file)))
            for file in self.args.company
        ]

    def log_progress(self, metrics: list[dict[str, Any]], since: float) -> None:
        metrics = jax.device_get(metrics)
        names = [name for name in metrics[0] if name not in ("table", "against_past")]
        line: dict[str, Any] = {name: mean(metrics, name) for name in names}
        line["decisions"] = len(metrics) * self.decisions
        line["per_second"] = line["decisions"] / (self.seconds - since)
        line["seconds"] = self.seconds
        print(" ".join(f"{name} {value:.4g}" for name, value in line.items()), flush=True)
        others = ["against_past", *(name for name, _ in self.company)]
        others += ["engineers"] if self.args.engineers else []
        for at, name in enumerate(others):
            line[name] = {
                table: mean([one for one in metrics if one["table"] == table], "against_past", at)
                for table in dict.fromkeys(one["table"] for one in metrics)
            }
            print(f"  {name}", " ".join(f"{k} {v:.3f}" for k, v in line[name].items()), flush=True)
        with (self.args.out / f"{self.args.name}.jsonl").open("a") as file:
            print(json.dumps(line), file=file)

    def save_checkpoint(self) -> None:
        """Save the checkpoint to resume from, and the weights for the bot."""
        name, out = self.args.name, self.args.out
        rules = {rule for each in self.tables.values() for rule in changed_rules(each.env)}
        taught = Coverage(
            sorted({turn.players for turn in self.turns}.union(self.taught.players)),
            sorted(rules.union(self.taught.rules)),
            sorted(
                {each for turn in self.turns for each in turn.options}.union(self.taught.options)
            ),
        )
        about = {
            "rulebook": self.args.rulebook,
            "codec": str(VERSION),
            "taught": json.dumps(taught._asdict()),
        }
        save_resume(out / f"{name}.safetensors", self.weights, self.moments[1], about)
        save_weights(out / f"tycoon-{name}.safetensors", self.weights, about)


def done(opening: Future[None]) -> bool:
    """Whether a table is open; raises the error if opening failed."""
    return opening.done() and opening.result() is None


def changed_rules(env: batch.Env) -> Iterable[str]:
    """The fields of the map form that change rules in these games."""
    return env.tables.rules.map_rules.changed_fields() if isinstance(env, BoardEnv) else ()


def mean(metrics: list[dict[str, Any]], name: str, at: Any = ()) -> float:
    return float(np.mean([one[name][at] for one in metrics]))


def initial_weights(specs: Iterable[Spec], key: jax.Array) -> Arrays:
    """Initial weights for all these tables: every move and every seat is about as good."""
    weights = {}
    every = {name: shape for spec in specs for name, shape in shapes(spec).items()}
    for name, shape in every.items():
        key, sub = jax.random.split(key)
        if name.endswith(".w"):
            small = name.startswith(SMALL_INIT)
            size = 0.01 if small else float(np.sqrt(2 / shape[0]))
            weights[name] = jax.random.normal(sub, shape) * size
        else:
            weights[name] = jnp.full(shape, float(name.endswith(".g")))
    return weights


def read_arguments(given: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Teach a network by self-play.")
    parser.add_argument("rulebook")
    parser.add_argument("--name", help="of the network, if the rulebook has several")
    parser.add_argument("--map", nargs="+", default=[None])
    parser.add_argument(
        "--players", nargs="+", type=int, default=[4], help="a number given twice has two turns"
    )
    parser.add_argument(
        "--tables",
        nargs="+",
        type=Turn.parse,
        help="instead of every map with every number of players: germany:6 usa:4:demolition:money;"
        " one that is given twice has two turns",
    )
    parser.add_argument(
        "--company", nargs="*", type=Path, default=[], help="weights to be played against"
    )
    parser.add_argument(
        "--engineers", type=int, default=0, help="as many shares of these games against engineers"
    )
    parser.add_argument("--others", type=float, default=0.25, help="share of games against others")
    parser.add_argument("--stress", type=float, default=1, help="weight of decisions in these")
    parser.add_argument("--kept", type=float, default=1, help="share of decisions learned from")
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--games", type=int, default=8192)
    parser.add_argument("--steps", type=int, default=64)
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--fade", action="store_true", help="let the rate fall towards the end")
    parser.add_argument(
        "--warm", type=int, default=400, help="lessons in which the rate rises: all games are young"
    )
    parser.add_argument("--every", type=float, default=30, help="seconds between two lines")
    parser.add_argument("--remember", type=float, default=60, help="seconds between past selves")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", type=Path, help="go on from this file")
    parser.add_argument("--out", type=Path, default=HERE, help="where files are left")
    args = parser.parse_args(given)
    args.name = args.name or args.rulebook
    args.out.mkdir(parents=True, exist_ok=True)
    return args


if __name__ == "__main__":
    Training(read_arguments()).run()
