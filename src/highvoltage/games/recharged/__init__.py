"""Power Grid, the edition of 2018, implemented as its differences from the one of 2004."""

from highvoltage.games.edition import Edition
from highvoltage.games.recharged.meta import META
from highvoltage.texts import RULE_TEXTS

EDITION = Edition(
    META,
    rules="highvoltage.games.recharged.rulebook:Recharged",
    invariants="highvoltage.games.recharged.invariants:check",
    text=RULE_TEXTS / "recharged.md",
)
