"""Every rulebook's codec, checked in whole random games."""

from typing import Any

import pytest

import highvoltage as hv
from highvoltage import codec
from highvoltage.engine.parts.board import load_map, shipped_maps
from highvoltage.testing import Setting, check_codec
from ours import RULEBOOKS, our_settings

FEW = {  # some of every rulebook, each with another map, number of players and option
    "classic-germany-2-demolition=True",
    "classic-usa-6-regions=draft",
    "classic-central_europe-3",
    "classic-korea-4",
    "classic-manhattan-4",
    "recharged-south_africa-3",
    "recharged-usa-5-standard_starting_cities=True",
    "cardgame-2-demolition=True",
    "outpost-planet-2",
}
EVERY = {str(setting): setting for name in RULEBOOKS for setting in our_settings(name)}


def every() -> list[Any]:
    return [
        pytest.param(setting, id=name, marks=() if name in FEW else pytest.mark.long)
        for name, setting in EVERY.items()
    ]


@pytest.mark.parametrize("setting", every())
def test_every_legal_move_has_one_index_and_every_legal_index_one_move(setting: Setting) -> None:
    code = codec.make(setting.rulebook, setting.map, setting.players, **setting.options)
    game = check_codec(code, setting, seed=1)
    assert game.outcome is not None


def test_the_selected_settings_exist() -> None:
    assert EVERY.keys() >= FEW


def test_the_codec_of_a_view_is_that_of_the_variant_that_is_played() -> None:
    played = 0
    for board in shipped_maps():
        for name, variant in load_map(board).variants.items():
            asked: Any = {"map": board, "players": max(variant.players or (4,))}
            game = hv.new("classic", **asked, variants=[name], seed=1)
            made: Any = codec.make("classic", **asked, variants=[name])
            found: Any = codec.of(game.view(0))
            assert found.spec == made.spec
            assert found.grounds.ruleset == made.grounds.ruleset
            played += 1
    assert played
