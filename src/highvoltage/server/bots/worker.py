"""A process in which bots think, and users' files are read.

A request and a reply are one line of JSON each.
"""

import os
import sys
from typing import BinaryIO

from highvoltage.rooms.thinking import answer
from highvoltage.threads import one_thread

READY = b"ready\n"


def main() -> None:
    os.nice(int(sys.argv[1]))
    one_thread()
    lines = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(
        sys.stderr.fileno(), sys.stdout.fileno()
    )  # a bot that prints does not disturb the replies
    _write(lines, READY)
    for line in sys.stdin.buffer:
        _write(lines, answer(line) + b"\n")


def _write(lines: BinaryIO, line: bytes) -> None:
    try:
        lines.write(line)
        lines.flush()
    except BrokenPipeError:
        os._exit(0)  # the server has been killed


if __name__ == "__main__":
    main()
