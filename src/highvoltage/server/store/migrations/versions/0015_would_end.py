"""Keep who agrees to end a game before it is over."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    agreed = sa.Column("would_end", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("seats", agreed)
