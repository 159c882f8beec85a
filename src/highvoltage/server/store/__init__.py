"""The store, in SQLite or PostgreSQL."""

from highvoltage.server.store.database import StoreInUse
from highvoltage.server.store.people import DELETED, MAX_ADDRESSES, RENEWED, SENT_AWAY
from highvoltage.server.store.rows import (
    UNFINISHED,
    Account,
    AnalysisRow,
    Ban,
    BanList,
    GameRow,
    JournalWrite,
    SeatRow,
    StoreChange,
    Subscription,
    new_id,
)
from highvoltage.server.store.store import CHAT_KEPT, Store

__all__ = [
    "CHAT_KEPT",
    "DELETED",
    "MAX_ADDRESSES",
    "RENEWED",
    "SENT_AWAY",
    "UNFINISHED",
    "Account",
    "AnalysisRow",
    "Ban",
    "BanList",
    "GameRow",
    "JournalWrite",
    "SeatRow",
    "Store",
    "StoreChange",
    "StoreInUse",
    "Subscription",
    "new_id",
]
