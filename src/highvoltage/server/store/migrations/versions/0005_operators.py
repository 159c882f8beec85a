"""Store bans, signs of life of servers, and notes to a server from other processes."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "outcasts",
        sa.Column("who", sa.Text, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "servers",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
    )
    op.create_table(
        "notes",
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("note", sa.Text, nullable=False),
    )
