"""Store the analyses of finished games."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("done", sa.Double, nullable=False),
        sa.Column("found", sa.Text),
    )
