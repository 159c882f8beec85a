"""What a seat may know: plain data, typed, with a tag for the family of games.

Bots, terminal, page and the machine-readable protocol read these types and choose by the tag. Other
packages may add families of their own; those get the plain renderer.

>>> import highvoltage as hv
>>> seen = known_view(hv.new("recharged", players=2, seed=1).view(0))
>>> seen["family"]
'board'
"""

from typing import Any, cast

from highvoltage.views.board import BoardView
from highvoltage.views.cardgame import CardGameView
from highvoltage.views.choice import Choice, Reason
from highvoltage.views.common import (
    AuctionView,
    CommonView,
    DemolitionView,
    OutcomeView,
    PlainView,
    View,
)
from highvoltage.views.outpost import OutpostView

__all__ = [
    "FAMILIES",
    "AuctionView",
    "BoardView",
    "CardGameView",
    "Choice",
    "CommonView",
    "DemolitionView",
    "KnownView",
    "OutcomeView",
    "OutpostView",
    "PlainView",
    "Reason",
    "View",
    "known_view",
]

KnownView = BoardView | CardGameView | OutpostView

FAMILIES: dict[str, Any] = {
    "board": BoardView,
    "cardgame": CardGameView,
    "outpost": OutpostView,
}
"""The types of views by their tag."""


def known_view(view: View) -> KnownView | None:
    """The view typed as one of our families; None if it belongs to another.

    >>> known_view({"family": "chess"}) is None
    True
    """
    return cast("KnownView", view) if view["family"] in FAMILIES else None
