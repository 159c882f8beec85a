"""The codec of the board games."""

from highvoltage.codec.board.actions import BoardActions
from highvoltage.codec.board.ground import Grounds
from highvoltage.codec.board.layout import PLAIN, Trade, parts_of
from highvoltage.codec.board.sight import BoardSight
from highvoltage.codec.spec import Mask, Observation, Spec, View
from highvoltage.engine.moves import Move, Moves
from highvoltage.engine.parts.board import Map


class BoardCodec:
    """For one rulebook, map and number of players; indexes mean the same for all of them."""

    def __init__(
        self, rulebook: str, board: Map, players: int, plant_limit: int, trade: Trade = PLAIN
    ) -> None:
        self.grounds: Grounds = Grounds(board, rulebook)
        self.actions: BoardActions = BoardActions(self.grounds, plant_limit, trade)
        self.sight: BoardSight = BoardSight(self.grounds, trade)
        self.spec: Spec = Spec(rulebook, board.id, players, self.actions.heads, parts_of(trade))

    def mask(self, view: View, legal: Moves) -> Mask:
        return self.actions.mask(view, legal)

    def index(self, view: View, move: Move) -> int:
        return self.actions.index(view, move)

    def move(self, view: View, index: int) -> Move:
        return self.actions.move(view, index)

    def observe(self, view: View) -> Observation:
        return self.sight.observe(view)
