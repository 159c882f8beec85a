"""No number of an observation says more than 1, however large what it tells of is."""

from typing import Any

import numpy as np
import pytest

import highvoltage as hv
from codec.columns import differences
from codec.test_columns import computed
from highvoltage import codec
from highvoltage.codec import observation as observing
from highvoltage.codec.board import areas
from highvoltage.codec.board.areas import AreaRows, city_features, region_rows
from highvoltage.codec.board.layout import REGIONS as MOST
from highvoltage.codec.board.layout import SEATS
from highvoltage.codec.board.some_maps import MANY_HOUSES, MANY_MINES, mines, outage
from highvoltage.codec.observation import PartCache
from highvoltage.games.classic.state import BoardState

REGIONS = ("west", "middle", "east")


def in_round_three(rulebook: str) -> hv.Game:
    """The first legal moves that end something bring a game forward; the others are bought."""
    game = hv.new(rulebook, players=2, seed=4)
    while game.state.round < 3:
        game.play(game.legal_moves[-1])
    return game


@pytest.mark.parametrize("rulebook", ["cardgame", "outpost"])
def test_what_is_beyond_all_measure_counts_as_one(rulebook: str) -> None:
    game = in_round_three(rulebook)
    code = codec.make(rulebook, None, 2)
    view: Any = game.view(game.to_move)
    view["round"] = 99
    view["auction"]["bid"] = 5_000
    for player in view["players"]:
        player["money"] = 10_000
    if rulebook == "outpost":
        place, *_ = view["market"]["current"]
        place |= {"minimum": 99, "tokens": [9, 9], "below": [place["card"]] * 4}
        view["labour"] |= {"workers": 99, "prices": [90] * 8}
        view |= {"robots": 99, "end_cities": 99}
        for link in view["connections"]:
            link["cost"] = 0
    else:
        view["market"] |= {"deck": 99, "above_end": 99}
        view["fuel"] |= {"pile": 99, "reshuffles": 9, "column_size": 9}
        view["players"][0]["income"] = 99
    columns = {part.name: part.columns for part in code.spec.parts}
    expected = computed(game, view)
    for part, found in code.observe(view).items():
        assert differences(part, found, expected[part], columns[part]) == []
        assert found.max() <= 1


def star(**rules: Any) -> dict[str, Any]:
    """A map with a city in the middle of ten, and another one far away."""
    near = [f"n{at}" for at in range(10)]
    regions = dict.fromkeys(["hub", *near], "middle") | {"far": "east", "west": "west"}
    return {
        "id": "star",
        "name": "Star",
        "regions": list(REGIONS),
        "cities": [
            {"id": name, "name": name, "region": region, "lon": at, "lat": 50}
            for at, (name, region) in enumerate(regions.items())
        ],
        "connections": [
            *(["hub", name, 20] for name in near),
            *(["n0", "n1", 300], ["hub", "far", 90], ["hub", "west", 30]),
        ],
        "rules": rules,
    }


def test_a_city_in_the_middle_of_many_and_one_far_away_stay_within_bounds() -> None:
    cheap = [{"city": "hub", "fuel": fuel, "amount": 3} for fuel in ("oil", "coal")]
    cheap.append({"city": "far", "fuel": "oil", "amount": 2})
    game = hv.new("classic", map=star(discounts=cheap), players=3, seed=1)
    assert isinstance(game.state, BoardState)
    s = game.state
    features = dict(zip(s.area.cities, city_features(s.area, s.rules.map_rules), strict=True))
    assert features["hub"] == [1, 1 - 20 / 40, True, 1]
    assert features["far"] == [1 / 8, 0, True, 2 / 5]
    assert features["n2"] == pytest.approx([1 / 8, 1 - (20 + 4 * 40) / 5 / 40, True, 0])
    rows = dict(zip(REGIONS, region_rows(s.rules.ruleset), strict=False))
    assert rows["middle"] == [1, 0, 1, 1]  # eleven cities, connections of 45 on average
    assert rows["east"] == [1, 0, 1 / 10, 1]  # without a connection there is none cheap
    assert region_rows(s.rules.ruleset)[len(REGIONS) :] == [[0] * 4] * (MOST - len(REGIONS))


def test_what_only_some_maps_have_stays_within_bounds() -> None:
    assert outage({"built": 99, "most": 98}) == [1, 1, True]
    assert not outage({"built": 6, "most": 6})[2]
    built, most, out = outage({"built": 3, "most": 6})
    assert (most, out) == (2 * built, False)
    shown = {"ladder": [9, 8, 7, 6], "stock": 2, "price": 7, "used": 1}
    view: Any = {"mines": shown, "market": {"current": [{"mine": 99}, {}], "future": [{}]}}
    owners: Any = [{"mines": [{"mine": 9}] * 9}, {"mines": [{"mine": 1}]}]
    found = mines(view, owners)
    assert found["mine_market"] == [2 / 4, 7 / 10, 1 / 4]
    assert found["market_mines"] == [1, *[0] * 7]
    many, few = found["mines"][:2], found["mines"][2:4]
    assert many == [1, 1]
    assert few == [1 / MANY_MINES, 1 / MANY_HOUSES]
    assert found["mines"][4:] == [0] * 2 * (SEATS - 2)
    shown |= {"stock": 9, "price": 99, "used": 9}
    assert mines(view, owners)["mine_market"] == [1, 1, 1]
    shown |= {"ladder": [], "price": None}
    assert mines(view, owners)["mine_market"] == [1, 0, 1]


def test_only_so_many_networks_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(areas, "CACHE_SIZE", 3)
    game = hv.new("classic", players=3, seed=1)
    assert isinstance(game.state, BoardState)
    area = game.state.area
    rows = AreaRows(area, game.state.rules.map_rules, 60)
    for city in area.cities:
        reach = rows.reach((area.cities[0], city))
        expected = np.minimum(area.distance[0], area.distance[area.index[city]])
        expected[[0, area.index[city]]] = areas.UNREACHABLE
        assert reach == expected.tolist()
        assert 0 < len(rows._reach) <= 3


def test_only_so_many_parts_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observing, "CACHE_SIZE", 3)
    made: list[int] = []

    def make(_: object, part: int) -> int:
        made.append(part)
        return 10 * part

    cache = PartCache(make, lambda part: part)
    assert [cache.of({}, (), part) for part in (1, 2, 3, 1, 3)] == [10, 20, 30, 10, 30]
    assert made == [1, 2, 3]
    assert [cache.of({}, (), part) for part in (4, 1)] == [40, 10]
    assert made == [1, 2, 3, 4, 1]
    assert len(cache._known) == 2
