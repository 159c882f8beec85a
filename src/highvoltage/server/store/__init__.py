"""The store, in SQLite or PostgreSQL."""

from highvoltage.rooms.rows import (
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
    write_mark,
)
from highvoltage.server.store.database import StoreInUse
from highvoltage.server.store.people import DELETED, MAX_ADDRESSES, RENEWED, SENT_AWAY
from highvoltage.server.store.store import CHAT_KEPT, Store
from highvoltage.server.store.writing import NotWritten, WriteInDoubt

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
    "NotWritten",
    "SeatRow",
    "Store",
    "StoreChange",
    "StoreInUse",
    "Subscription",
    "WriteInDoubt",
    "new_id",
    "write_mark",
]
