"""The log of a game: a row for each decision."""

from msgspec import Struct

from highvoltage.engine.events import Event
from highvoltage.engine.moves import Move
from highvoltage.engine.record import Line, turned_tokens


class Row(Struct, frozen=True, gc=False):
    """A line of the log: who decided what, and the events that followed."""

    round: int
    phase: str
    seat: int
    move: Move
    events: tuple[Event, ...]

    @property
    def turned(self) -> tuple[str, ...]:
        """The cards that were turned up, as a record writes them."""
        return turned_tokens(self.events)

    @property
    def line(self) -> Line:
        """The same, as a line of a record."""
        return Line(self.round, self.phase, self.seat, str(self.move), self.turned)
