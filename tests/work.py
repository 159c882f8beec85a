"""Work counted in function calls: the same on a fast machine and on a busy one."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def max_calls(calls: int) -> Iterator[None]:
    """Stop the code inside as soon as it has called more functions than that."""
    made = 0

    def count(_frame: Any, event: str, _value: Any) -> None:
        nonlocal made
        made += event == "call"
        if made > calls:
            raise AssertionError(f"this takes more than {calls:,} calls")

    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(None)
