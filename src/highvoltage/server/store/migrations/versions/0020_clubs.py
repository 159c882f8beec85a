"""Keep clubs, with their members, chat and cups."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.create_table(
        "clubs",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("host", sa.Text, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_index("clubs_host", "clubs", ["host"])
    op.create_index("clubs_origin", "clubs", ["origin"])
    op.create_table(
        "club_members",
        _of_club(),
        sa.Column("n", sa.Integer),
        sa.Column("who", sa.Text),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("club", "n"),
    )
    op.create_index("club_members_who", "club_members", ["who", "club"], unique=True)
    op.create_table(
        "club_lines",
        _of_club(),
        sa.Column("n", sa.Integer),
        sa.Column("member", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("club", "n"),
    )
    op.add_column("cups", sa.Column("club", sa.Text))
    op.create_index("cups_club", "cups", ["club"])


def _of_club() -> "sa.Column[str]":
    return sa.Column("club", sa.Text, sa.ForeignKey("clubs.id", ondelete="CASCADE"))
