"""Find finished games of public tables, one row for each."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

COLUMNS = ["at", "game", "rulebook", "board", "players", "plant", "city", "bot", "rated_as"]


def upgrade() -> None:
    shown = sa.Column("shown", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("results", shown)
    op.create_index(
        "results_shown",
        "results",
        COLUMNS,
        sqlite_where=sa.text("shown = 1"),
        postgresql_where=sa.text("shown"),
    )
    op.execute(
        "INSERT INTO uncounted (game) SELECT id FROM games WHERE public AND status = 'finished'"
        " AND opening IS NOT NULL AND id NOT IN (SELECT game FROM uncounted)"
    )
