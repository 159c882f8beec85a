"""Where cities are drawn: no two too close, no crossings, nothing across a connection."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner

from atlas.boards import BOARDS
from highvoltage.cli.app import app
from highvoltage.engine.parts.board import load_map
from highvoltage.mapmaker.layout import faults_of, lay_out


@pytest.mark.parametrize("map_", BOARDS)
def test_nothing_is_too_close_and_nothing_crosses(map_: str) -> None:
    board = load_map(map_)
    assert board.layout is not None
    assert faults_of(board, board.layout) == ([], [], [])
    width, height = board.layout.canvas
    assert all(
        40 < x < width - 40 and 40 < y < height - 40 for x, y in board.layout.cities.values()
    )
    assert list(board.layout.cities) == [city.id for city in board.cities]
    assert set(board.region_colours) == set(board.regions)


def small_map(tmp_path: Path) -> Path:
    """A square of four regions with a city in the middle of each side, all on nearly one spot."""
    ids = [f"c{number}" for number in range(28)]
    cities = [
        {"id": name, "name": name, "region": f"r{at // 7}", "lon": at % 7 / 50, "lat": at // 7 / 50}
        for at, name in enumerate(ids)
    ]
    links = [[a, b, 3] for a, b in pairwise(ids)]
    path = tmp_path / "small.json"
    regions = [f"r{number}" for number in range(4)]
    data = {"name": "Small", "regions": regions, "cities": cities, "connections": links}
    path.write_text(json.dumps(data), "utf-8")
    return path


@pytest.mark.long
def test_the_command_puts_a_layout_into_the_file(tmp_path: Path) -> None:
    path = small_map(tmp_path)
    before = json.loads(path.read_text("utf-8"))
    result = CliRunner().invoke(app, ["map", "layout", str(path)])
    assert result.exit_code == 0, result.output
    assert "28 cities are laid out" in result.output
    after = json.loads(path.read_text("utf-8"))
    assert {**after, "layout": None} == {**before, "layout": None}
    board = load_map(path)
    assert board.layout is not None
    assert faults_of(board, board.layout).total == 0
    assert lay_out(board) == board.layout  # a second run gives the same


def test_a_file_that_is_not_a_map_gets_no_layout(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{"name": "Broken"}', "utf-8")
    narrow = {"COLUMNS": str(len(f"{path} cannot be"))}  # the path may be long
    result = CliRunner().invoke(app, ["map", "layout", str(path)], env=narrow)
    assert result.exit_code == 1
    assert "be played:" in " ".join(result.output.split())
    assert path.read_text("utf-8") == '{"name": "Broken"}'
