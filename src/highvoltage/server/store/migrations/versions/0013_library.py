"""Keep a library of maps that people publish, who likes them, and what is reported."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "library",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("licence", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("map", sa.Text, nullable=False),
        sa.Column("picture", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("cities", sa.Integer, nullable=False),
        sa.Column("regions", sa.Integer, nullable=False),
        sa.Column("ruled", sa.Boolean, nullable=False),
        sa.Column("played", sa.Integer, nullable=False),
    )
    op.create_index("library_who", "library", ["who"])
    op.create_index("library_origin", "library", ["origin"])
    for table, person in (("likes", "who"), ("map_reports", "by")):
        op.create_table(
            table,
            sa.Column(
                "map", sa.Text, sa.ForeignKey("library.id", ondelete="CASCADE"), primary_key=True
            ),
            sa.Column(person, sa.Text, primary_key=True),
            sa.Column("at", sa.Double, nullable=False),
            *([sa.Column("text", sa.Text, nullable=False)] if table == "map_reports" else []),
        )
    op.add_column("games", sa.Column("library", sa.Text))
