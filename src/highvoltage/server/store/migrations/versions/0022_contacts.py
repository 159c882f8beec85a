"""Keep whom people follow and block, and invitations to tables."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.create_table(
        "contacts",
        sa.Column("who", sa.Text),
        sa.Column("other", sa.Text),
        sa.Column("kind", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("who", "other"),
    )
    op.create_index("contacts_other", "contacts", ["other"])
    op.create_table(
        "invitations",
        sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE")),
        sa.Column("who", sa.Text),
        sa.Column("by", sa.Text),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("declined", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("game", "who", "by"),
    )
    op.create_index("invitations_who", "invitations", ["who"])
    op.create_index("invitations_by", "invitations", ["by"])
