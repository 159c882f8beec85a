"""Keep how games went by round and by how much they were won, and who solved which puzzles."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.add_column("results", sa.Column("rounds", sa.Text))
    op.add_column("results", sa.Column("margin", sa.Integer))
    op.add_column("results", sa.Column("tie_margin", sa.Integer))
    kind = ["who", "extra_seat", "rulebook", "players"]
    op.create_index("results_margin", "results", [*kind, "margin", "tie_margin", "place", "game"])
    op.create_table(
        "solved_puzzles",
        sa.Column("who", sa.Text, primary_key=True),
        sa.Column("puzzle", sa.Text, primary_key=True),
        sa.Column("day", sa.Integer, primary_key=True),
        sa.Column("daily", sa.Boolean, nullable=False),
    )
    op.execute(
        "INSERT INTO uncounted (game) SELECT id FROM games WHERE status = 'finished'"
        " AND opening IS NOT NULL AND id NOT IN (SELECT game FROM uncounted)"
    )
