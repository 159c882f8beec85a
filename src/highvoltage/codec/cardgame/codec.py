"""The codec of the card game."""

import numpy as np

from highvoltage.codec.cardgame.actions import CardActions
from highvoltage.codec.cardgame.layout import CARDS, PARTS
from highvoltage.codec.cardgame.observation import CardObserver
from highvoltage.codec.plants import check_hybrids
from highvoltage.codec.spec import CodecError, Mask, Observation, Spec, View
from highvoltage.engine.cards import label
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Move
from highvoltage.engine.parts.plant import Plant


class CardCodec:
    """For one number of players; indexes mean the same for all of them."""

    def __init__(self, rulebook: str, players: int, plants: dict[int, Plant]) -> None:
        check_hybrids(plants)
        for card, plant in plants.items():
            if plant.number >= CARDS:
                raise CodecError(f"plant {label(card)} is beyond {CARDS - 1}, the last of the code")
        self.actions: CardActions = CardActions()
        self.observer: CardObserver = CardObserver()
        self.spec: Spec = Spec(rulebook, None, players, self.actions.heads, PARTS)

    def mask(self, view: View, legal: Moves) -> Mask:
        return np.frombuffer(self.actions.flags(view, legal), np.bool_)

    def index(self, view: View, move: Move) -> int:
        return self.actions.index(view, move)

    def move(self, view: View, index: int) -> Move:
        return self.actions.move(view, index)

    def observe(self, view: View) -> Observation:
        return self.observer.observe(view)
