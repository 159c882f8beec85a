"""Count one's games for a profile from an index alone, and index only rated games as rated."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    counted = ["rulebook", "board", "players", "plant", "city", "place", "game"]
    op.create_index("results_played", "results", ["who", "extra_seat", *counted])
    rated = sa.text("rated_as IS NOT NULL")
    for name, columns in (
        ("results_rated", ["rulebook", "at", "game"]),
        ("results_rated_as", ["rated_as", "rulebook", "at", "game"]),
    ):
        op.drop_index(name, "results")
        op.create_index(name, "results", columns, sqlite_where=rated, postgresql_where=rated)
