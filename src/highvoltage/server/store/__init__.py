"""What is kept, in SQLite or PostgreSQL."""

from highvoltage.server.store.database import StoreTaken
from highvoltage.server.store.people import DELETED, RENEWED, SENT_AWAY
from highvoltage.server.store.rows import (
    UNFINISHED,
    Account,
    AnalysisRow,
    GameRow,
    News,
    SeatRow,
    Subscription,
    Write,
    new_id,
)
from highvoltage.server.store.store import CHAT_KEPT, Store

__all__ = [
    "CHAT_KEPT",
    "DELETED",
    "RENEWED",
    "SENT_AWAY",
    "UNFINISHED",
    "Account",
    "AnalysisRow",
    "GameRow",
    "News",
    "SeatRow",
    "Store",
    "StoreTaken",
    "Subscription",
    "Write",
    "new_id",
]
