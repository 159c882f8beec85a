"""What a network says about a position: how likely each move is, and who will win."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Move
from highvoltage.views import View

NETWORKS = {
    "classic": ("classic", "classic-boards"),
    "recharged": ("recharged", "recharged-boards"),
    "cardgame": ("cardgame",),
    "outpost": ("outpost",),
}
"""The networks for a rulebook, by the names of their files: the first that covers a game plays it.

Those for boards were taught the boards with rules of their own, at the expense of the others."""
SETUP_PHASES = {"regions", "cartel", "marks"}  # decisions left to the engineer
IGNORED_MAP_RULES = {"start", "spaces", "deck.out", "deck.removed", "deck.step_2", "deck.top"}
"""Map rules that need no training: the observation shows the spaces of the fuel market and what is
on them, and which cards are in the deck matters little (France, Spain and Portugal, North America).
"""


class Candidate(NamedTuple):
    """A move, and how likely the network is to choose it."""

    move: Move
    probability: float


class Evaluation(NamedTuple):
    """A network's evaluation of one position."""

    candidates: list[Candidate]  # the most likely first
    win_chances: list[float]  # by seat


class Coverage(NamedTuple):
    """What a network was trained on, or plays well untaught: it plays nothing else."""

    players: list[int]
    rules: list[str]  # fields of the map form that change rules
    options: list[str]  # "demolition" and "money", which may be hidden

    @classmethod
    def read(cls, about: Mapping[str, str]) -> "Coverage":
        """From the metadata of a file of weights."""
        return cls(**{"options": [], **json.loads(about["taught"])})

    def includes(self, view: View, rules: Iterable[str]) -> bool:
        """Whether a game whose map changes these rules is of the kind it knows.

        One with a card file of the players is not.
        """
        players = view["players"]
        hidden = any(player["money"] is None for player in players)
        chosen = {"money"} if hidden else set()
        chosen |= {"demolition"} if view.get("demolition") is not None else set()
        return (
            len(players) in self.players
            and set(rules) <= {*self.rules, *IGNORED_MAP_RULES}
            and chosen <= {*self.options}
            and not view.get("own_cards")
        )


class Policy(Protocol):
    """A network for one rulebook."""

    def covers(self, view: View) -> bool:
        """Whether it was trained on such games."""

    def evaluate(self, view: View, legal: Moves, most: int = 3) -> Evaluation:
        """Up to `most` of the likeliest moves, and everybody's chance to win."""

    def evaluate_batch(
        self, positions: Sequence[tuple[View, Moves]], most: int
    ) -> list[Evaluation]:
        """Evaluate several positions of the same kind of game."""


def by_seat(chances: Sequence[float], view: View) -> list[float]:
    """Chances by seat, of those that begin with the viewer."""
    count, seat = len(view["players"]), view["seat"]
    return [float(chances[(each - seat) % count]) for each in range(count)]
