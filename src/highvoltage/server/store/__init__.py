"""What is kept, in SQLite or PostgreSQL."""

from highvoltage.server.store.rows import (
    Account,
    AnalysisRow,
    Change,
    ChatLine,
    GameRow,
    SeatRow,
    Write,
)
from highvoltage.server.store.store import Store

__all__ = [
    "Account",
    "AnalysisRow",
    "Change",
    "ChatLine",
    "GameRow",
    "SeatRow",
    "Store",
    "Write",
]
