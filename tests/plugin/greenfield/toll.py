"""The 2004 edition with a toll on every connection, unknown to everything else."""

from collections.abc import Iterator
from typing import Any

import msgspec

from highvoltage.engine.parts.mapform import Connection
from highvoltage.engine.ruleset import Line
from highvoltage.games.classic import EDITION as CLASSIC
from highvoltage.games.classic.rulebook import Classic
from highvoltage.games.classic.ruleset import BoardRuleset

TOLL = 30


class TollRuleset(BoardRuleset, frozen=True, kw_only=True, eq=False):
    """A board whose connections cost more."""

    def lines(self) -> Iterator[Line]:
        yield Line("border_toll", TOLL, "rulebook", "G-1.1")
        yield from super().lines()


class Toll(Classic):
    """Connections cost more."""

    name = "toll"

    @classmethod
    def resolve(cls, *given: Any) -> BoardRuleset:
        plain = super().resolve(*given)
        dearer = (
            Connection(a, b, cost + TOLL)
            for a, b, cost in map(msgspec.structs.astuple, plain.connections)
        )
        fields = msgspec.structs.asdict(plain) | {"connections": tuple(dearer)}
        return TollRuleset(**fields)


EDITION = CLASSIC.variant(Toll, title="Toll", about="Connections cost more.")
