"""Power Grid: The Card Game (2016), with the Bank for two and the Demolition expansion."""

from pathlib import Path

from highvoltage.games.cardgame.meta import META
from highvoltage.games.edition import Edition
from highvoltage.texts import RULE_TEXTS

EDITION = Edition(
    META,
    rules="highvoltage.games.cardgame.rulebook:CardGame",
    invariants="highvoltage.games.cardgame.invariants:check",
    text=RULE_TEXTS / "cardgame.md",
    data=Path(__file__).parent / "data",
)
