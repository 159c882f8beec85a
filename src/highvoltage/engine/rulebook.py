"""A rulebook, set up for one number of players, one map and one choice of options."""

from pathlib import Path
from typing import Any, ClassVar, Generic

from highvoltage.engine.chance import Chance
from highvoltage.engine.errors import OptionError
from highvoltage.engine.moves import Move
from highvoltage.engine.phase import Phase, S
from highvoltage.engine.state import Terms

MapSpec = str | Path | dict[str, Any] | None
"""A shipped map by name, a map file, what is in one, or whatever the rulebook takes first."""


class Rulebook(Terms, Generic[S]):
    """The terms of a game, and the loop that drives its phases. Games with equal terms share one.

    `lots` are drawn at set-up and recorded by the names of their events.
    """

    moves: ClassVar[tuple[type[Move], ...]]
    setup_draws: ClassVar[tuple[str, ...]] = ("order",)
    chance_events: ClassVar[tuple[str, ...]]  # every event that chance decides, lots and shuffles

    phases: tuple[Phase[S], ...]
    opening: int  # how many of the phases are played only once, before the first round
    kinds: frozenset[type[Move]]  # of moves; asked at every move

    def set_phases(self, opening: tuple[Phase[S], ...], each_round: tuple[Phase[S], ...]) -> None:
        self.phases = opening + each_round
        self.opening = len(opening)
        self.phase_names: tuple[str, ...] = tuple(phase.name for phase in self.phases)
        self.kinds = frozenset(self.moves)

    @classmethod
    def make(
        cls, about: Any, players: int, wish: MapSpec, options: dict[str, Any], version: int
    ) -> "Rulebook[S]":
        """The rulebook for a game, or the error that says what is wrong with the wishes."""
        raise NotImplementedError

    @classmethod
    def map_data(cls, about: Any, wish: MapSpec) -> dict[str, Any]:
        """What is on a map, as plain data."""
        raise OptionError(f"{about.title} has no map.")

    def numbers(self) -> tuple[tuple[str, Any, str], ...]:
        """What the rulebook has for so many players: name, value and rule of each line."""
        return ()

    @classmethod
    def map_faults(cls, about: Any, wish: MapSpec) -> list[str]:
        """What keeps a map from being played by this rulebook; nothing if it needs none."""
        return []

    @classmethod
    def can_drop_map_rules(cls, about: Any, wish: MapSpec) -> bool:
        """Whether a map has rules of its own that an option may switch off."""
        return False

    def setup(self, chance: Chance) -> S:
        raise NotImplementedError

    def view(self, s: S, seat: int | None) -> dict[str, Any]:
        """What a seat may know; a spectator for None."""
        raise NotImplementedError

    def lazy_view(self, s: S, seat: int) -> dict[str, Any]:
        """The view for one who reads it before the next move and changes nothing in it."""
        return self.view(s, seat)

    def cost(self, s: S, seat: int, move: Move) -> int | None:
        """What a legal move takes from the money of a seat; None where it is no price."""
        return None

    def run_income(self, s: S, seat: int) -> int | None:
        """What the plants of a seat would bring in if they ran now; None where nothing does."""
        return None

    def idle_plants(self, s: S, seat: int) -> tuple[int, ...]:
        """Plants that stand still although what a seat could buy now would make them earn."""
        return ()

    def meant(self, s: S, move: Move) -> Move:
        """The move that a text means in this position, where it may be written in several ways."""
        return move

    def ahead(self, s: S, seat: int) -> S | None:
        """A copy of the position in which it is time for this seat to build.

        For plans made beforehand; None where none can be made.
        """
        return None

    def usual(self, s: S, seat: int, verb: str) -> Move | None:
        """The legal move of a kind that is usually made, to be proposed; None where it is open."""
        legal = self.phases[s.phase].legal(s, seat).plain
        moves = [move for move in legal if move.verb == verb]
        return self.choose_usual(s, seat, moves) if moves else None

    def choose_usual(self, s: S, seat: int, moves: list[Move]) -> Move | None:
        """Of the legal moves of one kind the one that is usually made, if any is."""
        return moves[0] if len(moves) == 1 else None

    def card_back(self, card: object) -> str:
        """What the back of a card shows; nothing where all backs are alike."""
        return ""

    def top(self, s: S) -> str:
        """The back of the card on top of the deck, which everybody sees."""
        return ""

    def recorded_options(self) -> dict[str, Any]:
        """What a record needs to set the same game up again."""
        return self.options

    def start(self, chance: Chance) -> S:
        """A new game, brought to its first decision."""
        s = self.setup(chance)
        self.phases[0].begin(s)
        self.advance(s)
        return s

    def play(self, s: S, seat: int, move: Move) -> None:
        """Carry out a legal move of a seat and everything that follows by itself."""
        s.events = []
        self.phases[s.phase].apply(s, seat, move)
        self.advance(s)

    def advance(self, s: S) -> None:
        phase = self.phases[s.phase]
        while (actor := phase.actor(s)) is None:
            phase.end(s)
            if s.outcome is not None:
                break
            s.phase += 1
            if s.phase == len(self.phases):
                s.phase = self.opening
                s.round += 1
            phase = self.phases[s.phase]
            phase.begin(s)
        s.actor = actor
