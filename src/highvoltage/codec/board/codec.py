"""The codec of the board games."""

import numpy as np

from highvoltage.codec.board.actions import BoardActions
from highvoltage.codec.board.areas import Areas, extras_of
from highvoltage.codec.board.layout import only_some_maps, parts_of
from highvoltage.codec.board.observation import BoardObserver
from highvoltage.codec.spec import Mask, Observation, Spec, View
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Move
from highvoltage.games.classic.ruleset import BoardRuleset


class BoardCodec:
    """For one ruleset; indexes mean the same for all rulebooks, maps and numbers of players."""

    def __init__(self, rules: BoardRuleset) -> None:
        extras = extras_of(rules)
        self.grounds: Areas = Areas(rules)
        self.actions: BoardActions = BoardActions(self.grounds, rules.plant_limit, extras)
        self.observer: BoardObserver = BoardObserver(self.grounds, extras)
        self.spec: Spec = Spec(
            rules.rulebook,
            rules.map.id,
            rules.players,
            self.actions.heads,
            parts_of(extras),
            only_some_maps(extras),
        )

    def mask(self, view: View, legal: Moves) -> Mask:
        return np.frombuffer(self.actions.flags(view, legal), np.bool_)

    def index(self, view: View, move: Move) -> int:
        return self.actions.index(view, move)

    def move(self, view: View, index: int) -> Move:
        return self.actions.move(view, index)

    def observe(self, view: View) -> Observation:
        return self.observer.observe(view)
