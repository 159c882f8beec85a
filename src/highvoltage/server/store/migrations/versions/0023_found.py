"""Find names, public openings and the number of rated games in an index alone."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"

ON = ("sqlite_where", "postgresql_where")
PLAYED: dict[str, Any] = dict.fromkeys(ON, sa.text("who IS NOT NULL"))
RATED: dict[str, Any] = dict.fromkeys(ON, sa.text("rated_as IS NOT NULL"))
SHOWN: dict[str, Any] = {"sqlite_where": sa.text("shown = 1"), "postgresql_where": sa.text("shown")}
CHOSEN = ["at", "game", "rulebook", "board", "players", "bot", "rated_as"]


def upgrade() -> None:
    for name in ("results_who", "results_rated_as"):
        op.drop_index(name, "results")
    found = ["who", "at", "game", "extra_seat", "words"]
    op.create_index("results_who", "results", found, **PLAYED)
    counted = ["rated_as", "rulebook", "at", "game", "mu"]
    op.create_index("results_rated_as", "results", counted, **RATED)
    op.create_index("results_shown_plant", "results", ["plant", *CHOSEN, "city"], **SHOWN)
    op.create_index("results_shown_city", "results", ["city", *CHOSEN, "plant"], **SHOWN)
