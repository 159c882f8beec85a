"""Keep what a list tells of a table apart from its map."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("games", sa.Column("listed", sa.Text))
