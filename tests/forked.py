"""`highvoltage serve` without its startup: modules are loaded once, and every server is a fork.

Otherwise killing a thousand servers would mostly mean loading modules. Requests arrive as lines of
JSON: a command with the files for its output, or the id of a process to wait for.
"""

import gc
import json
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import highvoltage.server.run  # noqa: F401  # loaded by `serve`
from highvoltage import bots
from highvoltage.cli import app
from highvoltage.games import metas
from highvoltage.server.app import build
from highvoltage.server.config import load_config
from highvoltage.server.guard.passwords import dummy_hash
from highvoltage.server.lobby.page_build import PageBuild
from highvoltage.server.store import SqlStore
from highvoltage.server.store.database import migrate


def become(command: list[str], out: str, log: str) -> NoReturn:
    """Run this command in the current process."""
    code = 1
    try:
        os.setpgid(0, 0)  # Ctrl+C is not for it
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # later requests are not for it
        os.dup2(os.open(out, os.O_WRONLY), 1)
        os.dup2(os.open(log, os.O_WRONLY | os.O_APPEND), 2)
        app(command)
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        os._exit(code)


def warm_up() -> None:
    """Do what a server does once at startup, so that its forks need not."""
    metas()
    bots.names()
    dummy_hash()
    with TemporaryDirectory() as folder:
        build(load_config(Path(folder)), b"", PageBuild())
    store = SqlStore("sqlite://")
    with store.engine.begin() as connection:
        migrate(connection)
    store.engine.dispose()
    gc.collect()
    gc.freeze()


def main() -> None:
    warm_up()
    print("ready", flush=True)
    for line in iter(sys.stdin.readline, ""):
        request: Any = json.loads(line)
        if isinstance(request, int):
            answer = os.waitstatus_to_exitcode(os.waitpid(request, 0)[1])
        else:
            answer = os.fork() or become(*request)
        print(answer, flush=True)


if __name__ == "__main__":
    main()
