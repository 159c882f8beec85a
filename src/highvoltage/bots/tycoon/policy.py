"""The networks with NumPy."""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from highvoltage import codec
from highvoltage.bots.tycoon.evaluation import Candidate, Coverage, Evaluation, by_seat
from highvoltage.bots.tycoon.network import MASKED_LOGIT, forward
from highvoltage.codec.board.codec import BoardCodec
from highvoltage.engine.legal import Moves
from highvoltage.views import View

DTYPES: dict[str, type[np.floating[Any]]] = {"F16": np.float16, "F32": np.float32}


class NumpyPolicy:
    """A network with NumPy."""

    def __init__(self, data: bytes) -> None:
        weights, about = read_weights(data)
        self.weights: dict[str, Any] = weights
        self.taught: Coverage = Coverage.read(about)
        self.codec_version: int = int(about["codec"])

    def covers(self, view: View) -> bool:
        """Whether it was trained on such games."""
        code = codec.of(view)
        rules = code.grounds.rules.changed_fields() if isinstance(code, BoardCodec) else ()
        return self.taught.includes(view, rules)

    def evaluate(self, view: View, legal: Moves, most: int = 3) -> Evaluation:
        """Up to `most` of the likeliest moves, and everybody's chance to win."""
        return self.evaluate_batch([(view, legal)], most)[0]

    def evaluate_batch(
        self, positions: Sequence[tuple[View, Moves]], most: int
    ) -> list[Evaluation]:
        """Evaluate several positions of the same kind of game, faster than one by one."""
        code = codec.of(positions[0][0])
        code.spec.check_version(self.codec_version)
        observations = [code.observe(view) for view, _ in positions]
        stacked = {name: np.stack([one[name] for one in observations]) for name in observations[0]}
        with blas().limit(limits=1):  # arrays too small to share among threads
            logits, chances = forward(self.weights, stacked, code.spec)
        masks = np.stack([code.mask(view, legal) for view, legal in positions])
        logits = np.where(masks, logits, MASKED_LOGIT)
        shares = np.exp(logits - logits.max(-1, keepdims=True))
        shares /= shares.sum(-1, keepdims=True)
        order = np.argsort(-shares, kind="stable")[:, :most]
        found = []
        for (view, _), share, best, worth in zip(positions, shares, order, chances, strict=True):
            candidates = [
                Candidate(code.move(view, int(i)), float(share[i])) for i in best if share[i] > 0
            ]
            found.append(Evaluation(candidates, by_seat(worth, view)))
        return found


@cache
def blas() -> ThreadpoolController:
    """The library that multiplies NumPy's matrices."""
    return ThreadpoolController().select(user_api="blas")


def read_weights(data: bytes) -> tuple[dict[str, Any], dict[str, str]]:
    """The arrays of a safetensors file and its metadata, with NumPy alone."""
    size = int.from_bytes(data[:8], "little")
    head = json.loads(data[8 : 8 + size])
    about: dict[str, str] = head.pop("__metadata__")
    arrays = {}
    for name, entry in head.items():
        first, end = (8 + size + offset for offset in entry["data_offsets"])
        flat = np.frombuffer(data[first:end], DTYPES[entry["dtype"]])
        arrays[name] = flat.reshape(entry["shape"]).astype(np.float32)
    return arrays, about


@cache
def load_policy(name: str) -> NumpyPolicy | None:
    """One of the policies that come with the package, read on first use."""
    file = files("highvoltage.bots.tycoon") / "weights" / f"{name}.safetensors"
    return NumpyPolicy(file.read_bytes()) if file.is_file() else None
