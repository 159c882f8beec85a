"""The first schema of the store."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def _of_game() -> "sa.Column[str]":
    return sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"))


def upgrade() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("rulebook", sa.Text, nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("started", sa.Double),
        sa.Column("opening", sa.Text),
        sa.Column("turn", sa.Integer),
        sa.Column("due", sa.Double),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("record", sa.Text),
        sa.Column("rematch", sa.Text),
    )
    op.create_index("games_due", "games", ["due"])
    op.create_index("games_public", "games", ["public", "status"])
    op.create_table(
        "seats",
        _of_game(),
        sa.Column("seat", sa.Integer),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("owner", sa.Text),
        sa.Column("bot", sa.Text),
        sa.Column("key", sa.Text),
        sa.PrimaryKeyConstraint("game", "seat"),
    )
    op.create_index("seats_owner", "seats", ["owner"])
    op.create_table(
        "entries",
        _of_game(),
        sa.Column("seq", sa.Integer),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("turned", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("game", "seq"),
    )
    op.create_table(
        "wishes",
        _of_game(),
        sa.Column("seat", sa.Integer),
        sa.Column("card", sa.Integer),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("limit", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", "seat", "card"),
    )
    op.create_table(
        "chat",
        _of_game(),
        sa.Column("n", sa.Integer),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("game", "n"),
    )
    op.create_table(
        "accounts",
        sa.Column("login", sa.Text, primary_key=True),
        sa.Column("who", sa.Text, nullable=False, unique=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("password", sa.Text, nullable=False),
    )
