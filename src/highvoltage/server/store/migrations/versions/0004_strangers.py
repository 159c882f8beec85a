"""Store logins, reports and bans, the origin of tables, and the last webhook event."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def _of_game() -> "sa.Column[str]":
    return sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"))


def upgrade() -> None:
    op.add_column("games", sa.Column("origin", sa.Text, nullable=False, server_default=""))
    op.add_column("games", sa.Column("told", sa.Text, nullable=False, server_default=""))
    op.create_index("games_origin", "games", ["origin", "status"])
    op.create_index("games_host", "games", ["host", "status"])
    op.create_table(
        "logins",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_index("logins_who", "logins", ["who"])
    op.create_table(
        "bans",
        _of_game(),
        sa.Column("who", sa.Text),
        sa.PrimaryKeyConstraint("game", "who"),
    )
    op.create_table(
        "reports",
        _of_game(),
        sa.Column("n", sa.Integer),
        sa.Column("by", sa.Text),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("game", "n", "by"),
    )
