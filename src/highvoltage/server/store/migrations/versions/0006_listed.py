"""Store the setup for lists separately from a table's custom map."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("games", sa.Column("listed", sa.Text))
