"""The game without a server: the same rooms, in a worker of a browser."""

from highvoltage.browser.app import App, open_app
from highvoltage.browser.storage import NewerFormat, Storage, StorageFull, StorageRefused
from highvoltage.browser.thinking import Thinker

__all__ = [
    "App",
    "NewerFormat",
    "Storage",
    "StorageFull",
    "StorageRefused",
    "Thinker",
    "open_app",
]
