"""Whole games of the 2018 edition."""

from typing import Any

import pytest

import highvoltage as hv
from positions import wander
from spread import sizes, some

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"standard_starting_cities": True},
    {"refill_row_two_players": 3},
    {"regions": "draft"},
)


@pytest.mark.rule("R-3.1", "R-10.1")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("players", some(2, 5, of=[2, 3, 4, 5, 6]))
@pytest.mark.parametrize("place", ["germany", "usa"])
@pytest.mark.parametrize("games", sizes(2, 5))
def test_games_end_by_the_rules_and_replay(
    place: str, players: int, options: dict[str, Any], games: int
) -> None:
    for seed in range(games):
        game = hv.new("recharged", map=place, players=players, seed=seed, **options)
        for _ in wander(game, seed):
            assert game.state.round < 60
        assert game.outcome is not None
        assert game.outcome.reason == "cities"
        most = max(len(player["cities"]) for player in game.view()["players"])
        assert most >= game.view()["end_cities"]
    record = game.record()
    assert hv.replay(str(record)).record() == record
    assert hv.replay(record.json(), seed=2).view(0) == game.view(0)


def test_options_that_do_not_exist_are_refused() -> None:
    for options in ({"standard_starting_cities": 1}, {"map_rules": True}):
        with pytest.raises(hv.OptionError):
            hv.new("recharged", players=3, **options)
    with pytest.raises(hv.OptionError, match="2 to 6"):
        hv.new("recharged", players=1)
