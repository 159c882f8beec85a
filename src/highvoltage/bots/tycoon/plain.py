"""The networks without NumPy: in a browser they are computed by `web/src/lib/local/network.ts`."""

import sys
from collections.abc import Mapping, Sequence
from math import exp
from typing import TYPE_CHECKING, Protocol

from highvoltage.bots.tycoon.evaluation import Candidate, Coverage, Evaluation, by_seat
from highvoltage.codec.actions import SHARED_HEADS
from highvoltage.codec.board.layout import CITIES, REGIONS, SEATS, action_heads
from highvoltage.codec.board.plain import plain_codec_of
from highvoltage.codec.plants import MIX_CHOICES
from highvoltage.codec.spec import check_version, heads
from highvoltage.engine.legal import Moves
from highvoltage.views import View

if TYPE_CHECKING:
    from array import array

HEADS = {head.name: head for head in heads(*SHARED_HEADS, *action_heads(1))}
CITY, REGION, RUN = HEADS["city"].first, HEADS["region"].first, HEADS["run"].first
PLAIN_LOGITS = CITY + REGIONS


class Network(Protocol):
    """Computes the outputs of a network."""

    def forward(self, others: "array[float]", cities: "array[float]") -> Sequence[float]:
        """Logits: plain ones, of all cities, of runs by plant and mix; then the seats' values.

        `others` are all parts of an observation but the cities.
        """


class PlainPolicy:
    """The network for one rulebook. `about` is the metadata of its weights."""

    def __init__(self, network: Network, about: Mapping[str, str]) -> None:
        self.network = network
        self.taught: Coverage = Coverage.read(about)
        check_version(int(about["codec"]))

    def covers(self, view: View) -> bool:
        """Whether it was trained on such games."""
        return self.taught.includes(view, plain_codec_of(view).grounds.rules.changed_fields())

    def evaluate(self, view: View, legal: Moves, most: int = 3) -> Evaluation:
        """Up to `most` of the likeliest moves, and everybody's chance to win."""
        code = plain_codec_of(view)
        outputs = self.network.forward(*code.observe(view))
        indexes = code.legal(view, legal)
        plants = view["plant_limit"]
        shares = softmax([logit(outputs, index, plants) for index in indexes])
        best = sorted(zip(indexes, shares, strict=True), key=lambda pair: -pair[1])[:most]
        candidates = [Candidate(code.move(view, index), share) for index, share in best if share]
        values = list(outputs[-SEATS:])[: len(view["players"])]
        return Evaluation(candidates, by_seat(softmax(values), view))

    def evaluate_batch(
        self, positions: Sequence[tuple[View, Moves]], most: int
    ) -> list[Evaluation]:
        """Evaluate several positions, one after the other."""
        return [self.evaluate(view, legal, most) for view, legal in positions]


policies: dict[str, PlainPolicy] | None = {} if sys.platform == "emscripten" else None
"""By rulebook; None where the networks of this package are used with NumPy."""


def add_network(rulebook: str, network: Network, about: Mapping[str, str]) -> None:
    """From now on let the tycoon use this network for a rulebook."""
    global policies  # noqa: PLW0603  # there is one tycoon in a process
    policies = {**(policies or {}), rulebook: PlainPolicy(network, about)}


def logit(outputs: Sequence[float], index: int, plants: int) -> float:
    """The logit of an index of the action code: of a run, the sum over up to `plants` plants."""
    if index < CITY:
        return outputs[index]
    if index < REGION:
        return outputs[PLAIN_LOGITS + index - CITY]
    if index < RUN:
        return outputs[index - CITIES]
    found, rest = 0.0, index - RUN
    for plant in range(plants):
        rest, mix = divmod(rest, MIX_CHOICES)
        found += outputs[PLAIN_LOGITS + CITIES + plant * MIX_CHOICES + mix]
    return found


def softmax(values: Sequence[float]) -> list[float]:
    highest = max(values)
    raised = [exp(value - highest) for value in values]
    whole = sum(raised)
    return [each / whole for each in raised]
