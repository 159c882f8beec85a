"""Store for how long and why somebody is banned, and from which addresses, as keyed marks."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("outcasts", sa.Column("until", sa.Double))
    op.add_column(
        "outcasts", sa.Column("address", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.add_column("outcasts", sa.Column("reason", sa.Text, nullable=False, server_default=""))
    op.create_table(
        "banned_origins",
        sa.Column("who", sa.Text),
        sa.Column("origin", sa.Text),
        sa.PrimaryKeyConstraint("who", "origin"),
    )
    for table in ("seats", "logins", "chat"):
        op.add_column(table, sa.Column("origin", sa.Text, nullable=False, server_default=""))
