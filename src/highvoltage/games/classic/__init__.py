"""Power Grid, the edition of 2004."""

from highvoltage.games.classic.meta import META
from highvoltage.games.edition import Edition
from highvoltage.texts import RULE_TEXTS

EDITION = Edition(
    META,
    rules="highvoltage.games.classic.rulebook:Classic",
    invariants="highvoltage.games.classic.invariants:check",
    text=RULE_TEXTS / "classic.md",
)
