"""Every rulebook's code, held against whole random games."""

import os

import pytest

from highvoltage import codec
from highvoltage.games import editions
from highvoltage.testing import Setting, check_codec, settings

LONG = bool(os.environ.get("LONG"))


def few() -> list[Setting]:
    """Of every rulebook some games, each with another map, number of players and option."""
    return [
        Setting("classic", "germany", 2, {"demolition": True}),
        Setting("classic", "usa", 6, {"regions": "draft"}),
        Setting("classic", "central_europe", 3),
        Setting("classic", "korea", 4),
        Setting("recharged", "south_africa", 3),
        Setting("recharged", "germany", 2),
        Setting("recharged", "usa", 5, {"standard_starting_cities": True}),
        Setting("recharged", "germany", 4, {"money": "hidden"}),
        Setting("cardgame", None, 2, {"demolition": True}),
        Setting("cardgame", None, 5, {"money": "hidden"}),
        Setting("outpost", None, 2),
        Setting("outpost", None, 3),
    ]


def every() -> list[Setting]:
    return [setting for name in editions() for setting in settings(name)]


@pytest.mark.parametrize("setting", every() if LONG else few(), ids=str)
def test_every_legal_move_has_one_index_and_every_legal_index_one_move(setting: Setting) -> None:
    code = codec.make(setting.rulebook, setting.map, setting.players, **setting.options)
    game = check_codec(code, setting, seed=1)
    assert game.outcome is not None
