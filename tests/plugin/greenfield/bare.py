"""The 2004 edition with a view of its own kind, which nobody else knows how to draw."""

from typing import Any

from highvoltage.games.classic import EDITION as CLASSIC
from highvoltage.games.classic.rulebook import Classic
from highvoltage.games.classic.state import BoardState
from highvoltage.views.common import PlainView


class Bare(Classic):
    """Told in plain figures."""

    name = "bare"

    def view(self, s: BoardState, seat: int | None) -> dict[str, Any]:
        full = super().view(s, seat)
        told = {key: full[key] for key in PlainView.__annotations__ if key in full}
        purses = {f"seat_{at}": player["money"] for at, player in enumerate(full["players"])}
        return told | {"family": "bare", "purses": purses}


EDITION = CLASSIC.variant(Bare, family="bare")
