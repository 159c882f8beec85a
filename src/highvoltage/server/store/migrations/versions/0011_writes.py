"""Keep which writes were carried out, so that one that is repeated is not carried out again."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "writes",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("result", sa.Text),
    )
    op.create_index("writes_at", "writes", ["at"])
    op.add_column("entries", sa.Column("write", sa.Text))
    # tables that are full and were never dealt are taken up
    op.execute(
        "UPDATE games SET due = 0 WHERE status = 'open' AND NOT EXISTS"
        " (SELECT * FROM seats WHERE seats.game = games.id AND seats.kind = 'open')"
    )
