"""Rooms without a server leave nobody behind in what a server of other tests counts."""

from collections.abc import Iterator

import pytest

from highvoltage.rooms.counters import PRESENT


@pytest.fixture(autouse=True)
def nobody_is_left() -> Iterator[None]:
    before = {**PRESENT}
    yield
    PRESENT.clear()
    PRESENT.update(before)
