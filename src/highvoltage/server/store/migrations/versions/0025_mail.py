"""Store addresses for e-mail, and of which turns word was sent there."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0023"


def upgrade() -> None:
    op.create_table(
        "addresses",
        sa.Column("who", sa.Text(), primary_key=True),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("mailbox", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("digest", sa.Boolean(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False, unique=True),
        sa.Column("asked", sa.Double(), nullable=False),
        sa.Column("proof", sa.Text(), unique=True),
        sa.Column("confirmed", sa.Double()),
        sa.Column("due", sa.Double()),
        sa.Column("tries", sa.Integer(), nullable=False),
    )
    op.create_index("addresses_due", "addresses", ["due"])
    op.create_index("addresses_mailbox", "addresses", ["mailbox", "asked"])
    op.create_table(
        "turn_mails",
        sa.Column(
            "game", sa.Text(), sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("who", sa.Text(), primary_key=True),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("due", sa.Double()),
        sa.Column("tries", sa.Integer(), nullable=False),
    )
    op.create_index("turn_mails_due", "turn_mails", ["due"])
    op.create_index("turn_mails_who", "turn_mails", ["who"])
