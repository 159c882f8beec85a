"""The 2004 edition, but nobody sells uranium: one phase differs."""

from pathlib import Path
from typing import ClassVar

from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Buy, Move
from highvoltage.engine.phase import Phase
from highvoltage.games.classic import EDITION as CLASSIC
from highvoltage.games.classic.phases import Fuel
from highvoltage.games.classic.rulebook import Classic
from highvoltage.games.classic.state import BoardState


class CleanFuel(Fuel[BoardState]):
    """Phase 3 without uranium, G-1.1."""

    def legal(self, s: BoardState, seat: int) -> Moves:
        moves = super().legal(s, seat)
        return Moves([move for move in moves if getattr(move, "fuel", "") != "uranium"])

    def check(self, s: BoardState, seat: int, move: Move) -> None:
        if isinstance(move, Buy) and move.fuel == "uranium":
            raise s.rules.refuse("uranium_is_not_sold", wanted=move.count)
        super().check(s, seat, move)


class Greenfield(Classic):
    """Power Grid without uranium."""

    name = "greenfield"
    cites: ClassVar = {**Classic.cites, "uranium_is_not_sold": "G-1.1"}

    def round_phases(self) -> tuple[Phase[BoardState], ...]:
        phases = super().round_phases()
        return tuple(CleanFuel() if isinstance(phase, Fuel) else phase for phase in phases)


TEXT = Path(__file__).with_name("greenfield.md")
EDITION = CLASSIC.variant(Greenfield, text=TEXT)
