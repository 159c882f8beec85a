"""From an estimate to chances that come true.

An estimate takes everybody for its like. The correction knows who sits there: for each rulebook,
number of players and kind of estimate it has a scale, a bonus for every level of play, and the
weight of the skill that people have shown, all changing in the course of the game. They were fitted
on games of mixed levels (`benchmarks/calibration.py`).
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import exp
from statistics import fmean

import msgspec
from msgspec import Struct

from highvoltage.judge.estimates import Kind

TYPICAL_ROUNDS = 10  # the length of a game, after which a correction changes no more
UNKNOWN = "unknown"
"""The level of people, and of bots that were not measured."""
LIKE = {"random": "apprentice", "director": "tycoon"}
"""Bots that were not measured, and the level whose bonus they get."""
STRONGEST = ("tycoon", "engineer")  # without a network, the tycoon plays as the engineer


class Correction(Struct, frozen=True):
    """A scale of the logits, a bonus for every level, and the weight of the skill of others.

    All of them at the start, and how far they grow. `lead` is the weight of a lead squared, and
    `skill_squared` that of skill squared.
    """

    scale: tuple[float, float]
    bonus: dict[str, tuple[float, float]]
    skill: tuple[float, float] = (0.0, 0.0)
    lead: float = 0.0
    skill_squared: float = 0.0

    def chances(
        self,
        logits: Sequence[float],
        round_: int,
        players: Sequence[str | None],
        skills: Sequence[float],
    ) -> list[float]:
        """The chances of all seats; they sum to 1."""
        late = lateness(round_)
        scale = self.scale[0] + self.scale[1] * late
        weight = self.skill[0] + self.skill[1] * late
        mean = fmean(logits)
        corrected = []
        for logit, player, skill in zip(logits, players, skills, strict=True):
            level = self.level(player)
            if level == UNKNOWN:
                bonus = weight * skill + self.skill_squared * skill**2
            else:
                early, growth = self.bonus[level]
                bonus = early + growth * late
            lead = logit - mean
            corrected.append(scale * logit + self.lead * lead * abs(lead) + bonus)
        return softmax(corrected)

    def level(self, player: str | None) -> str:
        """The level that a bot counts as here, by its name."""
        name = (player or UNKNOWN).partition(":")[0]
        name = LIKE.get(name, name)
        if name in STRONGEST:
            name = next(each for each in STRONGEST[STRONGEST.index(name) :] if each in self.bonus)
        return name if name in self.bonus else UNKNOWN


class FittedCorrection(Struct, frozen=True):
    """A line of the file: which games a correction is for."""

    rulebook: str
    players: int
    kind: Kind
    known: bool  # whether all levels at the table are known
    correction: Correction


NO_CORRECTION = Correction(
    (0.1, 0.9), dict.fromkeys(("apprentice", "clerk", "engineer"), (0.0, 0.0))
)
"""For games that were not measured: an early lead in a forecast counts for little."""


def lateness(round_: int) -> float:
    """How far a game has got, from 0 to 1."""
    return min(1.0, round_ / TYPICAL_ROUNDS)


def softmax(logits: Sequence[float]) -> list[float]:
    highest = max(logits)
    raised = [exp(each - highest) for each in logits]
    whole = sum(raised)
    return [each / whole for each in raised]


@cache
def correction_for(
    rulebook: str, players: int, kind: Kind, known: bool
) -> Correction:  # as in the file
    """The correction for such a game, or for the nearest number of players that was measured."""
    wanted = rulebook, kind, known
    found = [each for each in fitted() if (each.rulebook, each.kind, each.known) == wanted]
    if not found:
        return NO_CORRECTION
    return min(found, key=lambda each: abs(each.players - players)).correction


@cache
def fitted() -> tuple[FittedCorrection, ...]:
    """All corrections of this package."""
    data = files(__package__).joinpath("corrections.json").read_bytes()
    return msgspec.json.decode(data, type=tuple[FittedCorrection, ...])
