"""The clerk: a short, sensible player that can explain every move."""

from random import Random

from highvoltage.bots.clerk.board import BoardClerk
from highvoltage.bots.clerk.cards import CardClerk
from highvoltage.bots.clerk.outpost import OutpostClerk
from highvoltage.bots.clerk.temper import temper_called
from highvoltage.bots.protocol import Choice, Needs, Reason
from highvoltage.bots.random import random_choice
from highvoltage.engine.legal import Moves
from highvoltage.views import View, known_view


class Clerk:
    """Estimates what a plant, a token or a city brings in, and buys what pays.

    Each family of games has its own clerk; in a game of another family it plays at random. It may
    have a temper: `clerk:bold`, `clerk:hoarder`, `clerk:miser`, `clerk:builder`,
    `clerk:blocker`.
    """

    level = 2
    needs: Needs = "parts"

    def __init__(self, rng: Random, temper: str = "") -> None:
        self._rng = rng
        self.temper = temper_called(temper, type(self).__name__.lower())
        self._board = BoardClerk(rng, self.temper)
        self._cards = CardClerk(rng)
        self._outpost = OutpostClerk(rng)

    def choose(self, view: View, legal: Moves) -> Choice:
        if len(legal) == 1:
            return Choice(legal[0], Reason("forced"))
        known = known_view(view)
        if known is None:
            return random_choice(legal, self._rng)
        if known["family"] == "board":
            choice = self._board.choose(known, legal)
        elif known["family"] == "cardgame":
            choice = self._cards.choose(known, legal)
        else:
            choice = self._outpost.choose(known, legal)
        return self.temper.bid(choice, legal)
