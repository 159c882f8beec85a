"""Keep the ratings of people, after each rated game and the latest."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("results", sa.Column("rated_as", sa.Text))
    op.add_column("results", sa.Column("mu", sa.Double))
    op.add_column("results", sa.Column("sigma", sa.Double))
    op.create_index("results_rated", "results", ["rulebook", "at", "game"])
    op.create_index("results_rated_as", "results", ["rated_as", "rulebook", "at", "game"])
    op.create_table(
        "ratings",
        sa.Column("rulebook", sa.Text),
        sa.Column("player", sa.Text),
        sa.Column("who", sa.Text),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.PrimaryKeyConstraint("rulebook", "player"),
    )
    op.create_index("ratings_who", "ratings", ["who"])
    op.create_index("ratings_mu", "ratings", ["rulebook", "mu"])
    op.create_table(
        "unrated",
        sa.Column("rulebook", sa.Text, primary_key=True),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("from_game", sa.Text, nullable=False),
    )
