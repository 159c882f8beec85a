"""Files that only their owner may read: the store, its copies, and secrets."""

import os
from contextlib import suppress
from pathlib import Path


def create_private(file: Path, content: str = "") -> None:
    """Create a file that only its owner may read; FileExistsError if there is one.

    What root creates belongs to whoever owns the folder: the server, which runs as that user, has
    to read it.
    """
    descriptor = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
        opened.write(content)
    folder = file.parent.stat()
    if is_root() and folder.st_uid != 0:
        os.chown(file, folder.st_uid, folder.st_gid)


def hide_from_others(file: Path) -> None:
    """Let nobody read a file but its owner and group; the group is the operator's choice."""
    with suppress(FileNotFoundError, PermissionError):
        mode = file.stat().st_mode
        if mode & 0o007:
            file.chmod(mode & 0o770)


def is_root() -> bool:
    """Whether this process may do anything; never on systems without users of that kind."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def owner_name(folder: Path) -> str:
    """The user that a folder belongs to."""
    try:
        return folder.owner()
    except KeyError:  # a user without a name
        return f"#{folder.stat().st_uid}"
