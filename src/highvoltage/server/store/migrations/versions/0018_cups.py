"""Keep cups: who plays in them, and where they sit and come in at the tables of each round."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "cups",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("played", sa.Integer, nullable=False),
        sa.Column("due", sa.Double),
    )
    op.create_index("cups_due", "cups", ["due"])
    op.create_index("cups_host", "cups", ["host", "status"])
    op.create_index("cups_origin", "cups", ["origin", "status"])
    op.create_table(
        "cup_players",
        _of_cup(),
        sa.Column("n", sa.Integer),
        sa.Column("who", sa.Text),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("cup", "n"),
    )
    op.create_index("cup_players_who", "cup_players", ["who", "cup"], unique=True)
    op.create_table(
        "cup_seats",
        _of_cup(),
        sa.Column("round", sa.Integer),
        sa.Column("table_id", sa.Text),
        sa.Column("seat", sa.Integer),
        sa.Column("player", sa.Integer),
        sa.Column("place", sa.Integer),
        sa.Column("left", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("cup", "round", "table_id", "seat"),
    )
    op.create_index("cup_seats_table", "cup_seats", ["table_id", "seat"])


def _of_cup() -> "sa.Column[str]":
    return sa.Column("cup", sa.Text, sa.ForeignKey("cups.id", ondelete="CASCADE"))
