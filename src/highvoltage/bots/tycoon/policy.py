"""What a network makes of a position: how much it wants each move, and who will win."""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from highvoltage import codec
from highvoltage.bots.tycoon.network import MASKED_LOGIT, forward
from highvoltage.codec.board import BoardCodec
from highvoltage.engine.moves import Move, Moves
from highvoltage.views import View

SETUP_PHASES = {"regions", "cartel", "marks"}  # decisions that were left to the engineer
IGNORED_MAP_RULES = {
    "start"
}  # a rule of a map that needs no teaching: it is seen in the fuel market
DTYPES: dict[str, type[np.floating[Any]]] = {"F16": np.float16, "F32": np.float32}


class Candidate(NamedTuple):
    """A move, and how likely the network is to choose it."""

    move: Move
    probability: float


class Evaluation(NamedTuple):
    """What a network makes of one position."""

    candidates: list[Candidate]  # the strongest first
    win_chances: list[float]  # to win, by seat


class Coverage(NamedTuple):
    """What a network was taught: it plays nothing else."""

    players: list[int]
    rules: list[str]  # fields of the map form that change rules

    def covers(self, view: View, code: BoardCodec) -> bool:
        """Whether a game is of the kind that it knows; hidden money and Demolition are not."""
        players = view["players"]
        return (
            len(players) in self.players
            and set(code.grounds.rules.changed_fields()) <= {*self.rules, *IGNORED_MAP_RULES}
            and all(player["money"] is not None for player in players)
            and view.get("demolition") is None
        )


class Policy:
    """The weights for one rulebook."""

    def __init__(self, data: bytes) -> None:
        weights, about = read_weights(data)
        self.weights: dict[str, Any] = weights
        told = json.loads(about["taught"])
        self.taught: Coverage = Coverage(told["players"], told["rules"])
        self.codec_version: int = int(about["codec"])

    def evaluate(self, view: View, legal: Moves, most: int = 3) -> Evaluation:
        """The moves that it wants most, so many at the most, and everybody's chance to win."""
        return self.evaluate_batch([(view, legal)], most)[0]

    def evaluate_batch(
        self, positions: Sequence[tuple[View, Moves]], most: int
    ) -> list[Evaluation]:
        """Several positions of games of one kind, which takes less than one after the other."""
        code = codec.of(positions[0][0])
        code.spec.check_version(self.codec_version)
        seen = [code.observe(view) for view, _ in positions]
        stacked = {name: np.stack([one[name] for one in seen]) for name in seen[0]}
        logits, chances = forward(self.weights, stacked, positions[0][0]["plant_limit"])
        masks = np.stack([code.mask(view, legal) for view, legal in positions])
        logits = np.where(masks, logits, MASKED_LOGIT)
        shares = np.exp(logits - logits.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        order = np.argsort(-shares, kind="stable")[:, :most]
        found = []
        for (view, _), share, best, worth in zip(positions, shares, order, chances, strict=True):
            count, seat = len(view["players"]), view["seat"]
            wishes = [
                Candidate(code.move(view, int(i)), float(share[i])) for i in best if share[i] > 0
            ]
            turned = [float(worth[(each - seat) % count]) for each in range(count)]
            found.append(Evaluation(wishes, turned))
        return found


def read_weights(data: bytes) -> tuple[dict[str, Any], dict[str, str]]:
    """The arrays of a safetensors file and what it says of them, with NumPy alone."""
    size = int.from_bytes(data[:8], "little")
    head = json.loads(data[8 : 8 + size])
    about: dict[str, str] = head.pop("__metadata__")
    arrays = {}
    for name, told in head.items():
        first, end = (8 + size + offset for offset in told["data_offsets"])
        flat = np.frombuffer(data[first:end], DTYPES[told["dtype"]])
        arrays[name] = flat.reshape(told["shape"]).astype(np.float32)
    return arrays, about


@cache
def load_policy(rulebook: str) -> Policy | None:
    """The mind that comes with the package, read when it is first asked for."""
    file = files("highvoltage.bots.tycoon") / "weights" / f"{rulebook}.safetensors"
    return Policy(file.read_bytes()) if file.is_file() else None
