"""The store, in SQLite or PostgreSQL."""

from highvoltage.server.store.database import StoreInUse
from highvoltage.server.store.people import MAX_ADDRESSES
from highvoltage.server.store.rows import (
    Account,
    Ban,
    BanList,
    Login,
    ProfileRow,
    ResultRow,
    Subscription,
)
from highvoltage.server.store.store import SqlStore

__all__ = [
    "MAX_ADDRESSES",
    "Account",
    "Ban",
    "BanList",
    "Login",
    "ProfileRow",
    "ResultRow",
    "SqlStore",
    "StoreInUse",
    "Subscription",
]
