"""A round is a list of phases, and a phase answers four questions.

Who is to move? Which moves are legal? What does this move do? Is the phase over (nobody to move)?
Phases are stateless: everything that changes lives in the state.
"""

from typing import ClassVar, Generic, TypeVar

from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Done, Move
from highvoltage.engine.state import State

S = TypeVar("S", bound=State)


class Phase(Generic[S]):
    """One part of a round. A phase in which nobody decides only has a `begin`."""

    name: ClassVar[str]

    def begin(self, s: S) -> None:
        """What happens before anybody moves."""

    def actor(self, s: S) -> int | None:
        """The seat to move; None ends the phase."""
        return None

    def legal(self, s: S, seat: int) -> Moves:
        raise NotImplementedError

    def check(self, s: S, seat: int, move: Move) -> None:
        """Raise IllegalMove if the move is not legal; agrees with `legal`, changes nothing."""
        raise NotImplementedError

    def apply(self, s: S, seat: int, move: Move) -> None:
        """Carry out a legal move."""
        raise NotImplementedError

    def apply_unturned(self, s: S, seat: int, move: Move) -> S | None:
        """The state after a move that turns up cards, with the market as it was before the move.

        For previews: None if the rest of the turn depends on the cards turned up.
        """
        return None

    def end(self, s: S) -> None:
        """What happens when everybody is done."""


class TurnPhase(Phase[S]):
    """Everybody has one turn, in turn order or, if `reverse`, from last to first."""

    reverse: ClassVar[bool] = False

    def begin(self, s: S) -> None:
        s.turn = 0

    def actor(self, s: S) -> int | None:
        if s.turn == len(s.order):
            return None
        seat: int = s.order[-1 - s.turn if self.reverse else s.turn]
        return seat

    def check_verb(self, s: S, move: Move, *kinds: type[Move]) -> None:
        """Refuse a move that does not belong to this phase."""
        if not isinstance(move, kinds):
            raise s.rules.refuse(
                "not_now", move=move.verb, expected=", ".join(kind.verb for kind in kinds)
            )

    def next_turn(self, s: S) -> None:
        s.turn += 1


DONE = Done()
