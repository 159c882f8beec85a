"""The action code of the card game."""

from collections.abc import Sequence
from typing import Any

from highvoltage.codec.cardgame.layout import COLUMNS, FUELS, HEADS, HYBRID, UNITS
from highvoltage.codec.plants import PlantActions, slots_of
from highvoltage.codec.spec import View
from highvoltage.engine.moves import Move, Run
from highvoltage.games.cardgame.moves import BuyCard


class CardActions(PlantActions):
    """Converts moves and indexes; fuel lies in one store, not on plants."""

    def __init__(self) -> None:
        super().__init__(FUELS, HYBRID, HEADS, central=True)
        first = self.first["buy"] - COLUMNS - 1
        self.buys: dict[tuple[str, int], int] = {
            (fuel, units): first + (kind * UNITS + units) * COLUMNS
            for kind, fuel in enumerate(FUELS)
            for units in range(1, UNITS + 1)
        }
        self.indexers[BuyCard] = self._buy_index
        self.namers["buy"] = self._buy_move

    def mark_legal(self, found: bytearray, view: View, seat: int, moves: Sequence[Any]) -> None:
        kind = type(moves[0])
        if kind is BuyCard:
            buys = self.buys
            for move in moves:
                found[buys[move.fuel, move.units] + move.column] = 1
        elif kind is Run:
            slots = slots_of(view, seat)
            for move in moves:
                found[self.run_index(slots, move)] = 1
        else:
            super().mark_legal(found, view, seat, moves)

    def _buy_index(self, view: View, move: BuyCard) -> int:
        return self.buys[move.fuel, move.units] + move.column

    def _buy_move(self, view: View, seat: int, at: int) -> Move:
        card, column = divmod(at, COLUMNS)
        fuel, units = divmod(card, UNITS)
        return BuyCard(FUELS[fuel], units + 1, column + 1)
