"""A table in brief: what a seat may know, in plain English and few bytes, for a language model.

Everything is made from a seat's view and what the table offers it, never from the game.

>>> import highvoltage as hv
>>> from highvoltage.table import offers
>>> game = hv.new("classic", players=["Ann", "Bob"], seed=1)
>>> print(position(game.view(0)).splitlines()[0])
Power Grid (2004) on germany, round 1, auction, Step 1. You are Ann; it is your turn.
>>> print(moves(game.view(0), offers(game)).splitlines()[0])
nominate 3 @BID, BID 3 to 50: put 3 (2 oil: 1 city) up for auction
"""

from highvoltage.brief.history import history
from highvoltage.brief.moves import moves
from highvoltage.brief.network import network
from highvoltage.brief.position import position

__all__ = ["history", "moves", "network", "position"]
