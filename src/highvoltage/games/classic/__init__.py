"""Power Grid, the edition of 2004."""

from highvoltage.games.classic.meta import META
from highvoltage.games.edition import Edition
from highvoltage.rules import FOLDER

EDITION = Edition(
    META,
    rules="highvoltage.games.classic.rulebook:Classic",
    invariants="highvoltage.games.classic.invariants:check",
    text=FOLDER / "classic.md",
)
