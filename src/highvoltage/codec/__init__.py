"""Games as numbers: one action code and one observation per rulebook.

A codec is made for a rulebook, a map and a number of players. It reads views, so it uses only what
a seat may know:

>>> import highvoltage as hv
>>> from highvoltage import codec
>>> game = hv.new("classic", map="germany", players=4, seed=7)
>>> code = codec.make("classic", map="germany", players=4)
>>> view, legal = game.view(game.to_move), game.legal_moves
>>> mask = code.mask(view, legal)
>>> mask.shape, int(mask.sum())
((377,), 36)
>>> move = code.move(view, 1)
>>> str(move), code.index(view, move)
('nominate 3 @3', 1)
>>> code.observe(view)["cities"].shape
(49, 22)

`docs/machines.md` explains every index and every number.
"""

from functools import lru_cache
from typing import Any

from highvoltage.codec.bids import BIDS, STEPS
from highvoltage.codec.spec import (
    VERSION,
    Array,
    Codec,
    CodecError,
    Head,
    Mask,
    Observation,
    Part,
    Spec,
    View,
)
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Move
from highvoltage.engine.rulebook import MapSpec
from highvoltage.extras import extra
from highvoltage.games import edition
from highvoltage.games import rulebook as rulebook_of

__all__ = [
    "BIDS",
    "STEPS",
    "VERSION",
    "Codec",
    "CodecError",
    "Head",
    "Mask",
    "Observation",
    "Part",
    "Spec",
    "View",
    "flatten",
    "index",
    "make",
    "mask",
    "move",
    "observe",
    "of",
    "spec",
]


def make(rulebook: str, map: MapSpec = None, players: int = 4, **options: Any) -> Codec:  # noqa: A002
    """The codec of a rulebook, for a map (a name, a file or its data) and a number of players.

    >>> make("classic", map="usa", players=3).spec.num_actions
    377
    """
    # Imported here, because a browser has no NumPy and uses other parts of this package.
    with extra("tycoon"):
        from highvoltage.codec.board.codec import BoardCodec  # noqa: PLC0415
        from highvoltage.codec.cardgame import CardCodec  # noqa: PLC0415
        from highvoltage.codec.outpost import OutpostCodec  # noqa: PLC0415
    rules: Any = rulebook_of(rulebook, players, map, options)
    family = edition(rulebook).family
    if family == "board":
        return BoardCodec(rules.ruleset)
    if family == "cardgame":
        return CardCodec(rules.name, players, rules.cards.plants)
    if family == "outpost":
        return OutpostCodec(rules, players)
    raise CodecError(f"there is no codec for the rulebook '{rulebook}', of the family '{family}'")


def spec(rulebook: str, map: MapSpec = None, players: int = 4, **options: Any) -> Spec:  # noqa: A002
    """What the indexes and the numbers of a rulebook mean."""
    return make(rulebook, map, players, **options).spec


def of(view: View) -> Codec:
    """The codec for a view of a game on a map that comes with the package."""
    own_rules, variants = view.get("map_rules", True), tuple(view.get("variants", ()))
    return _of(view["rulebook"], view.get("map"), len(view["players"]), own_rules, variants)


@lru_cache(maxsize=64)
def _of(
    rulebook: str, board: str | None, players: int, own_rules: bool, variants: tuple[str, ...]
) -> Codec:
    options: dict[str, Any] = {"variants": variants} if variants else {}
    options |= {} if own_rules else {"map_rules": False}
    return make(rulebook, board, players, **options)


def mask(view: View, legal: Moves) -> Mask:
    """For every index, whether it is a legal move; see `Codec.mask`."""
    return of(view).mask(view, legal)


def index(view: View, move: Move) -> int:
    """The index of a legal move; see `Codec.index`."""
    return of(view).index(view, move)


def move(view: View, index: int) -> Move:
    """The move that an index names."""
    return of(view).move(view, index)


def observe(view: View) -> Observation:
    """What the seat may know, part by part."""
    return of(view).observe(view)


def flatten(observation: Observation) -> Array:
    """All numbers of an observation in one row, in the order of the parts."""
    import numpy as np  # noqa: PLC0415  # as in `make`

    return np.concatenate([array.ravel() for array in observation.values()])
