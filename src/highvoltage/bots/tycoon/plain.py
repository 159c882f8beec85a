"""The networks without NumPy: in a browser they are computed by `web/src/lib/local/network.ts`."""

import sys
from collections.abc import Mapping, Sequence
from math import exp
from typing import TYPE_CHECKING, Protocol

from highvoltage.bots.tycoon.evaluation import Candidate, Coverage, Evaluation, by_seat
from highvoltage.codec.board.layout import CITIES, only_some_maps
from highvoltage.codec.board.plain import PlainBoardCodec, plain_codec_of
from highvoltage.codec.plants import MIX_CHOICES
from highvoltage.codec.spec import Head, check_version
from highvoltage.engine.legal import Moves
from highvoltage.views import View

if TYPE_CHECKING:
    from array import array

OUTPUTS = {
    "city": ("city_wish", 0),
    "more_city": ("city_wish", CITIES),
    "start": ("city_start", 0),
    "run": ("run", 0),
}
"""Where the logits of a head are that has an output of its own."""


class Network(Protocol):
    """Computes the outputs of a network."""

    def forward(self, parts: "Mapping[str, array[float]]") -> Mapping[str, Sequence[float]]:
        """What each of the last layers says of an observation of `PlainBoardCodec`.

        `plain` has the logits of the heads of every map, `city_wish` and `city_start` those of all
        cities, `run` those of runs by plant and mix, `head_...` those of a head of some maps, and
        `value` the seats' values.
        """


class PlainPolicy:
    """A network that the browser computes. `about` is the metadata of its weights."""

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
        outputs = self.network.forward(code.observe(view))
        indexes = code.legal(view, legal)
        logits = Logits(code, outputs)
        shares = softmax([logits.of(index) for index in indexes])
        best = sorted(zip(indexes, shares, strict=True), key=lambda pair: -pair[1])[:most]
        candidates = [Candidate(code.move(view, index), share) for index, share in best if share]
        values = outputs["value"][: len(view["players"])]
        return Evaluation(candidates, by_seat(softmax(values), view))

    def evaluate_batch(
        self, positions: Sequence[tuple[View, Moves]], most: int
    ) -> list[Evaluation]:
        """Evaluate several positions, one after the other."""
        return [self.evaluate(view, legal, most) for view, legal in positions]


policies: dict[str, PlainPolicy] | None = {} if sys.platform == "emscripten" else None
"""By name; None where the networks of this package are used with NumPy."""


def add_network(name: str, network: Network, about: Mapping[str, str]) -> None:
    """From now on let the tycoon use the network of this name."""
    global policies  # noqa: PLW0603  # there is one tycoon in a process
    policies = {**(policies or {}), name: PlainPolicy(network, about)}


class Logits:
    """What the outputs of a network say of each index of the action code."""

    def __init__(self, code: PlainBoardCodec, outputs: Mapping[str, Sequence[float]]) -> None:
        self.outputs = outputs
        self.plants: int = code.grounds.ruleset.plant_limit
        self._heads: list[tuple[Head, str, int]] = []  # in which output, and where it begins there
        own, plain = only_some_maps(code.extras), 0
        for head in code.actions.heads:
            if head.name in OUTPUTS:
                self._heads.append((head, *OUTPUTS[head.name]))
            elif head.name in own:
                self._heads.append((head, f"head_{head.name}", 0))
            else:
                self._heads.append((head, "plain", plain))
                plain += head.size

    def of(self, index: int) -> float:
        head, name, first = next(each for each in self._heads if index < each[0].end)
        at = first + index - head.first
        return self.of_run(at) if name == "run" else self.outputs[name][at]

    def of_run(self, run: int) -> float:
        """The sum over the plants."""
        found = 0.0
        for plant in range(self.plants):
            run, mix = divmod(run, MIX_CHOICES)
            found += self.outputs["run"][plant * MIX_CHOICES + mix]
        return found


def softmax(values: Sequence[float]) -> list[float]:
    highest = max(values)
    raised = [exp(value - highest) for value in values]
    whole = sum(raised)
    return [each / whole for each in raised]
