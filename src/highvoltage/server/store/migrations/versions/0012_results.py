"""Keep who finished which game in what place, and which games are still to be counted."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "results",
        sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE")),
        sa.Column("seat", sa.Integer),
        sa.Column("who", sa.Text),
        sa.Column("bot", sa.Text),
        sa.Column("left", sa.Boolean, nullable=False),
        sa.Column("extra_seat", sa.Boolean, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("rulebook", sa.Text, nullable=False),
        sa.Column("board", sa.Text, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("plant", sa.Text, nullable=False),
        sa.Column("city", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game", "seat"),
    )
    op.create_index("results_who", "results", ["who", "at", "game"])
    op.create_table(
        "uncounted",
        sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    )
    op.execute(
        "INSERT INTO uncounted (game)"
        " SELECT id FROM games WHERE status = 'finished' AND opening IS NOT NULL"
    )
