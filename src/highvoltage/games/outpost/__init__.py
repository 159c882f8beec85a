"""Power Grid: Outpost."""

from pathlib import Path

from highvoltage.games.edition import Edition
from highvoltage.games.outpost.meta import META
from highvoltage.texts import RULE_TEXTS

EDITION = Edition(
    META,
    rules="highvoltage.games.outpost.rulebook:Outpost",
    invariants="highvoltage.games.outpost.invariants:check",
    text=RULE_TEXTS / "outpost.md",
    data=Path(__file__).parent / "data",
)
