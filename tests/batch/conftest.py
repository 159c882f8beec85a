"""Compiling takes longer than playing, so the tests share what is compiled."""

import json
from pathlib import Path
from typing import Any

import pytest

from highvoltage.batch.lockstep import Checker
from highvoltage.testing import Setting
from spread import some

MAPS = Path(__file__).parents[2] / "src" / "highvoltage" / "maps"


@pytest.fixture(scope="session")
def classic() -> Checker:
    return Checker(Setting("classic", "central_europe", 3, {"demolition": True}), batch=4)


@pytest.fixture(scope="session")
def recharged(tmp_path_factory: pytest.TempPathFactory) -> Checker:
    """With the cartel, which only two players meet, marks, a phase-out and fuel from the supply."""
    board: Any = json.loads((MAPS / "germany_recharged.json").read_text("utf-8"))
    board["rules"]["storage_price"] = {"coal": 8}
    file = tmp_path_factory.mktemp("maps") / "germany.json"
    file.write_text(json.dumps(board), "utf-8")
    marks = {"standard_starting_cities": True}
    return Checker(Setting("recharged", str(file), 2, marks), batch=7)


@pytest.fixture(scope="session")
def cardgame() -> Checker:
    """With the Bank, which only two players meet, and Demolition."""
    return Checker(Setting("cardgame", players=2, options={"demolition": True}), batch=7)


@pytest.fixture(scope="session")
def outpost() -> Checker:
    """With the Syndicate, which only two players meet."""
    return Checker(Setting("outpost", players=2), batch=7)


@pytest.fixture(params=some("classic", of=["classic", "cardgame", "outpost"]))
def either(request: pytest.FixtureRequest) -> Checker:
    """Each of them in turn."""
    found: Checker = request.getfixturevalue(request.param)
    return found
