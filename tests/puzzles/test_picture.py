"""A picture shows the position of a puzzle."""

from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from highvoltage import puzzles
from highvoltage.engine.parts.board import load_map
from highvoltage.puzzles import Puzzle
from highvoltage.puzzles.picture import _board, _cards, _fitted, _houses, picture_of

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("rulebook", ["classic", "recharged", "cardgame", "outpost"])
def test_it_shows_every_house_or_card(rulebook: str) -> None:
    of_rulebook = [each for each in puzzles.shipped() if each.rulebook == rulebook]
    assert of_rulebook
    for puzzle in of_rulebook[:5]:
        drawn = ET.fromstring(picture_of(puzzle.game().view(puzzle.seat)))
        houses = [each for each in drawn.iter(f"{SVG}circle") if each.get("r") == "3.4"]
        cards = [each.text for each in drawn.iter(f"{SVG}text")]
        assert (len(houses), cards) == _shown(puzzle)


def _shown(puzzle: Puzzle) -> tuple[int, list[str]]:
    view = puzzle.game().view(puzzle.seat)
    if view["family"] == "board":
        return sum(len(seats) for seats in view["houses"].values()), []
    if view["family"] == "outpost":
        return sum(len(city["stations"]) for city in view["cities"].values()), []
    rows = (
        view["market"]["current"],
        view["market"]["future"],
        view["players"][puzzle.seat]["plants"],
    )
    return 0, [plant["card"] for row in rows for plant in row[:6]]


def test_houses_of_one_city_stand_side_by_side_about_its_place() -> None:
    drawn = [ET.fromstring(each) for each in _houses({"essen": (10, 5)}, {"essen": [2, 0, 1]})]
    assert [float(each.get("cx", "")) for each in drawn] == [6, 10, 14]
    assert [each.get("fill") for each in drawn] == [f"var(--player-{seat})" for seat in (2, 0, 1)]


@pytest.mark.parametrize(
    ("points", "fitted"),
    [
        ([(0, 0), (10, 0), (10, 5)], [(8, 19), (152, 19), (152, 91)]),  # as wide as there is room
        ([(1, 1), (2, 3)], [(56.5, 8), (103.5, 102)]),  # as high
        ([(7, 7)], [(33, 8)]),
        ([(0, 0), (7, 3)], [(8, 24.1), (152, 85.9)]),
        ([(0, 0), (3, 7)], [(59.9, 8), (100.1, 102)]),
    ],
)
def test_a_network_fills_the_frame(
    points: list[tuple[float, float]], fitted: list[tuple[float, float]]
) -> None:
    places = _fitted({str(n): point for n, point in enumerate(points)})
    assert [*places.values()] == fitted


def test_a_map_is_not_stretched() -> None:
    """In the middle of Germany a degree to the east is 0.63 of one to the north."""
    cities = load_map("germany").cities
    view: Any = {"map": "germany", "regions": {city.region for city in cities}, "houses": {}}
    drawn = [*ET.fromstring(f"<svg>{''.join(_board(view))}</svg>").iter("circle")]
    wide, high = (_spread(float(each.get(axis, "")) for each in drawn) for axis in ("cx", "cy"))
    east, north = _spread(city.lon for city in cities), _spread(city.lat for city in cities)
    assert wide / high == pytest.approx(0.63 * east / north, rel=0.02)


def _spread(numbers: Iterable[float]) -> float:
    low, *_others, high = sorted(numbers)
    return high - low


def test_cards_lie_in_three_rows() -> None:
    cards = [{"card": "3"}, {"card": "4"}]
    view: Any = {"seat": 1, "players": [{"plants": []}, {"plants": cards}]}
    view |= {"market": {"current": cards, "future": cards[:1]}}
    drawn = ET.fromstring(f"<svg>{''.join(_cards(view))}</svg>")
    at = [(each.get("x"), each.get("y"), each.get("fill")) for each in drawn.iter("rect")]
    assert at == [
        *(("8", "8", "var(--raised)"), ("32", "8", "var(--raised)")),
        ("8", "42", "var(--panel)"),
        *(("8", "76", "var(--player-1)"), ("32", "76", "var(--player-1)")),
    ]
    words = [(each.get("x"), each.get("y"), each.text) for each in drawn.iter("text")]
    assert words[1] == ("42", "25", "4")
