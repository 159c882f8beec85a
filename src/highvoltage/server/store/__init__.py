"""What is kept, in SQLite or PostgreSQL."""

from highvoltage.server.store.database import StoreTaken
from highvoltage.server.store.people import RENEWED, SENT_AWAY
from highvoltage.server.store.rows import (
    Account,
    AnalysisRow,
    Change,
    ChatLine,
    GameRow,
    SeatRow,
    Write,
)
from highvoltage.server.store.store import CHAT_KEPT, Store

__all__ = [
    "CHAT_KEPT",
    "RENEWED",
    "SENT_AWAY",
    "Account",
    "AnalysisRow",
    "Change",
    "ChatLine",
    "GameRow",
    "SeatRow",
    "Store",
    "StoreTaken",
    "Write",
]
