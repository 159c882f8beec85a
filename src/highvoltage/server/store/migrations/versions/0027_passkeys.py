"""Store the passkeys of accounts."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.create_table(
        "passkeys",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("signs", sa.BigInteger(), nullable=False),
        sa.Column("made", sa.Double(), nullable=False),
        sa.Column("used", sa.Double()),
    )
    op.create_index("passkeys_who", "passkeys", ["who"])
