"""Keep the handles that people have chosen, and whether others see more than that."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "profiles",
        sa.Column("who", sa.Text, primary_key=True),
        sa.Column("handle", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("key", sa.Text, nullable=False, unique=True),
    )
