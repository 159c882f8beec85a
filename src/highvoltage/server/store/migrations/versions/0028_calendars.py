"""Secret addresses of calendars."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.create_table(
        "calendars",
        sa.Column("who", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, nullable=False, unique=True),
    )
