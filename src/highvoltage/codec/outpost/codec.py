"""The codec of Outpost."""

import numpy as np

from highvoltage.codec.outpost.actions import Deck, OutpostActions, check_workers
from highvoltage.codec.outpost.layout import CITIES, PARTS
from highvoltage.codec.outpost.observation import OutpostObserver
from highvoltage.codec.spec import CodecError, Mask, Observation, Spec, View
from highvoltage.engine.cards import LAST_CARD, rank_of
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Move
from highvoltage.games.outpost.rulebook import Outpost
from highvoltage.games.outpost.view import card_views


class OutpostCodec:
    """For one planet, deck and number of players; indexes mean the same for all of them."""

    def __init__(self, rules: Outpost, players: int) -> None:
        board = rules.map
        if len(board.cities) > CITIES:
            raise CodecError(
                f"{board.id} has {len(board.cities)} cities; the code has room for {CITIES}"
            )
        cards = tuple(sorted((card for card in rules.faces if card != LAST_CARD), key=rank_of))
        deck: Deck = {card: rules.kinds_of(card) for card in cards}
        shown = [dict(card) for card in card_views(rules, cards)]
        check_workers(max(rules.faces[card].workers for card in cards))
        self.actions: OutpostActions = OutpostActions(deck)
        self.observer: OutpostObserver = OutpostObserver(shown)
        self.spec: Spec = Spec(rules.name, board.id, players, self.actions.heads, PARTS)

    def mask(self, view: View, legal: Moves) -> Mask:
        return np.frombuffer(self.actions.flags(view, legal), np.bool_)

    def index(self, view: View, move: Move) -> int:
        return self.actions.index(view, move)

    def move(self, view: View, index: int) -> Move:
        return self.actions.move(view, index)

    def observe(self, view: View) -> Observation:
        return self.observer.observe(view)
