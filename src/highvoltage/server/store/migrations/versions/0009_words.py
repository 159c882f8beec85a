"""Store who wrote each line of a chat, whatever name they had, and each line that is reported."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("chat", sa.Column("who", sa.Text))
    op.create_index("chat_who", "chat", ["who"])
    op.add_column("reports", sa.Column("author", sa.Text))
    # Lines from a seat are those of its owner; whose the others are is not known.
    op.execute(
        "UPDATE chat SET who = (SELECT COALESCE(seats.owner, seats.left_by) FROM seats"
        " WHERE seats.game = chat.game AND seats.seat = chat.seat)"
    )
    op.execute(
        "UPDATE reports SET author = (SELECT chat.who FROM chat"
        " WHERE chat.game = reports.game AND chat.n = reports.n)"
    )
