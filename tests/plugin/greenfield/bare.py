"""The 2004 edition with its own kind of view, which no page knows how to draw."""

from typing import Any

from highvoltage.games.classic import EDITION as CLASSIC
from highvoltage.games.classic.rulebook import Classic
from highvoltage.games.classic.state import BoardState
from highvoltage.views.common import PlainView


class Bare(Classic):
    """Shown as plain figures."""

    name = "bare"

    def view(self, s: BoardState, seat: int | None) -> dict[str, Any]:
        full = super().view(s, seat)
        shown = {key: full[key] for key in PlainView.__annotations__ if key in full}
        purses = {f"seat_{at}": player["money"] for at, player in enumerate(full["players"])}
        return shown | {"family": "bare", "purses": purses}


EDITION = CLASSIC.variant(Bare, family="bare")
