"""Store who has left a seat permanently, so that it can be deleted with the account."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("seats", sa.Column("left_by", sa.Text))
