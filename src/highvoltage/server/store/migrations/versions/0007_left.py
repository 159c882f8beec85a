"""Keep who has left a seat for good, so that it can be forgotten with the account."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("seats", sa.Column("left_by", sa.Text))
