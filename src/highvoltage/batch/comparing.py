"""How states of one kind of game are held against the engine's; `lockstep` plays the games."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from highvoltage.batch.codes import Table
from highvoltage.engine.chance import Chance
from highvoltage.engine.state import State

M = TypeVar("M", bound=State)
Fields = dict[str, Any]


class Comparison(ABC, Generic[M]):
    """What differs from game to game: what is compared, and what the engine calls it."""

    kind: type[M]  # of the engine's states
    rules: ClassVar[dict[str, str]]  # where to look when a field differs

    def __init__(self, tables: Any) -> None:
        self.tables = tables

    @abstractmethod
    def chance(self, drawn: Any) -> Chance:
        """The engine's chance for what the twin has drawn."""

    def seat_view(self, s: M) -> Fields:
        """The part of a view that every decision needs."""
        return {"seat": s.actor, "to_move": s.actor, "phase": s.rules.phase_names[s.phase]}

    @abstractmethod
    def fields(self, s: M) -> Fields:
        """The fields of the twin that stand for a position."""

    def fields_in_view(self, s: M, state: Any) -> Fields:
        """The same, and what else of a state can be read from a view."""
        return self.fields(s)

    @abstractmethod
    def hidden(self, s: M) -> Fields:
        """Cards whose order nobody knows."""

    @abstractmethod
    def hidden_in(self, arrays: dict[str, Table]) -> Fields:
        """The same in a state of the twin."""

    def in_order(self, view: Fields) -> Fields:
        """A view without what a position does not show: in which order things happened."""
        market = view["market"]
        market["removed"].sort()
        if len(market["slid"]) == market["deck"]:  # shuffled
            market["slid"].sort()
        if view["auction"]["card"] is None:
            view["auction"]["bid"] = 0
        return {name: value for name, value in view.items() if name != "seq"}

    def scarce(self, state: Any, rng: np.random.Generator) -> Any:
        """The start of a game with few cards, where what is rare happens; None if there is none."""
        return None

    def endings(self, s: M) -> Iterator[str]:
        """What is counted of a game that is over."""
        return iter(())
