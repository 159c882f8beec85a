"""Compiling takes longer than playing, so the tests share what is compiled."""

import pytest

from highvoltage.batch.lockstep import Checker
from highvoltage.testing import Setting


@pytest.fixture(scope="session")
def classic() -> Checker:
    return Checker(Setting("classic", "central_europe", 3, {"demolition": True}), batch=4)
