"""Store the back of the card on top of the deck with each entry."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("entries", sa.Column("top", sa.Text, nullable=False, server_default=""))
