"""A rulebook, set up for a number of players, a map and a set of options."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, ClassVar, Generic

from highvoltage.engine.chance import Chance
from highvoltage.engine.errors import OptionError
from highvoltage.engine.moves import Move
from highvoltage.engine.phase import Phase, S
from highvoltage.engine.state import Terms
from highvoltage.words import say

MapSpec = str | PathLike[str] | dict[str, Any] | None
"""A shipped map by name, a map file, the data of one, or None for the rulebook's first map."""


class Rulebook(Terms, Generic[S]):
    """The terms of a game, and the loop that drives its phases. Games with equal terms share one.

    `setup_draws` are the chance events of the set-up, whose results a record lists by name.
    """

    moves: ClassVar[tuple[type[Move], ...]]
    setup_draws: ClassVar[tuple[str, ...]] = ("order",)
    chance_events: ClassVar[tuple[str, ...]]  # every random event: set-up draws and shuffles

    phases: tuple[Phase[S], ...]
    opening: int  # how many of the phases are played only once, before the first round
    kinds: frozenset[type[Move]]  # of moves; a set because every move is looked up

    def set_phases(self, opening: tuple[Phase[S], ...], each_round: tuple[Phase[S], ...]) -> None:
        self.phases = opening + each_round
        self.opening = len(opening)
        self.phase_names: tuple[str, ...] = tuple(phase.name for phase in self.phases)
        self.kinds = frozenset(self.moves)

    @classmethod
    def make(
        cls, about: Any, players: int, map_spec: MapSpec, options: dict[str, Any], version: int
    ) -> "Rulebook[S]":
        """The rulebook for a game; an error says what is wrong with the map or the options."""
        raise NotImplementedError

    @classmethod
    def map_data(cls, about: Any, map_spec: MapSpec) -> dict[str, Any]:
        """A map as plain data."""
        raise OptionError(say("terminal_no_map"))

    def numbers(self) -> tuple[tuple[str, Any, str], ...]:
        """The rulebook's numbers for this many players: name, value and rule of each."""
        return ()

    @classmethod
    def map_faults(cls, about: Any, map_spec: MapSpec) -> list[str]:
        """Why a map cannot be played by this rulebook; empty if it can, or if no map is used."""
        return []

    @classmethod
    def can_drop_map_rules(cls, about: Any, map_spec: MapSpec) -> bool:
        """Whether a map has rules of its own that an option may switch off."""
        return False

    def setup(self, chance: Chance) -> S:
        raise NotImplementedError

    def view(self, s: S, seat: int | None) -> dict[str, Any]:
        """What a seat may know; None is a spectator."""
        raise NotImplementedError

    def lazy_view(self, s: S, seat: int) -> dict[str, Any]:
        """The view for a caller that only reads it, and only before the next move."""
        return self.view(s, seat)

    def cost(self, s: S, seat: int, move: Move) -> int | None:
        """What a legal move costs a seat; None if the move has no price."""
        return None

    def run_income(self, s: S, seat: int) -> int | None:
        """The income if the plants of a seat ran now; None if plants earn nothing."""
        return None

    def idle_plants(self, s: S, seat: int) -> tuple[int, ...]:
        """Plants that cannot run but would earn money with fuel that the seat could buy now."""
        return ()

    def resolve_move(self, s: S, move: Move) -> Move:
        """The exact move in this position, where the notation allows several spellings."""
        return move

    def ahead(self, s: S, seat: int) -> S | None:
        """A copy of the position in which it is time for this seat to build.

        For planning ahead; None where that is not possible.
        """
        return None

    def usual(self, s: S, seat: int, verb: str) -> Move | None:
        """The usual legal move with this verb, as a default; None if there is none."""
        legal = self.phases[s.phase].legal(s, seat).plain
        moves = [move for move in legal if move.verb == verb]
        return self.choose_usual(s, seat, moves) if moves else None

    def choose_usual(self, s: S, seat: int, moves: list[Move]) -> Move | None:
        """The usual one among legal moves with the same verb, if there is one."""
        return moves[0] if len(moves) == 1 else None

    def card_back(self, card: object) -> str:
        """What the back of a card shows; empty where all backs are alike."""
        return ""

    def covers_deck(self, turned: Sequence[str]) -> bool:
        """Whether a card that set-up laid on the shuffled ones is still there after these."""
        return False

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
        """Carry out a legal move of a seat and everything that follows automatically."""
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
