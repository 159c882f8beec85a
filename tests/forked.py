"""`highvoltage serve` without its start: all is loaded once, and every server is a fork of that.

Whoever kills a thousand servers would otherwise mostly load modules. What is asked comes in as
lines of JSON: a command with the files for its output, or the id of a process to be waited for.
"""

import json
import os
import sys
from typing import Any, NoReturn

import highvoltage.server.run  # noqa: F401  # what `serve` loads when it is called
from highvoltage import bots
from highvoltage.cli import app
from highvoltage.games import metas


def become(command: list[str], out: str, log: str) -> NoReturn:
    """Be what was started with this command."""
    code = 1
    try:
        os.setpgid(0, 0)  # Ctrl+C is not for it
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # what is asked next is not for it
        os.dup2(os.open(out, os.O_WRONLY), 1)
        os.dup2(os.open(log, os.O_WRONLY | os.O_APPEND), 2)
        app(command)
    except SystemExit as end:
        code = int(end.code or 0)
    finally:
        os._exit(code)


def main() -> None:
    metas()
    bots.names()
    print("ready", flush=True)
    for line in iter(sys.stdin.readline, ""):
        asked: Any = json.loads(line)
        if isinstance(asked, int):
            answer = os.waitstatus_to_exitcode(os.waitpid(asked, 0)[1])
        else:
            answer = os.fork() or become(*asked)
        print(answer, flush=True)


if __name__ == "__main__":
    main()
