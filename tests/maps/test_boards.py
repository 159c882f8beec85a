"""Every city and connection of every board, against a table read from the boards' sources."""

from pathlib import Path

import pytest

from highvoltage.engine.parts.board import load_map, shipped_maps

TABLE = Path(__file__).with_name("boards.txt")


class SourceBoard:
    """What the table says of one board."""

    def __init__(self, lines: list[str]) -> None:
        self.regions: dict[str, set[str]] = {}
        self.connections: dict[frozenset[str], int] = {}
        for line in lines:
            if " - " in line:
                city, rest = line.split(" - ")
                words = rest.split()
                for other, cost in zip(words[::2], words[1::2], strict=True):
                    self.connections[frozenset((city, other))] = int(cost)
            else:
                region, cities = line.split(": ")
                self.regions[region] = set(cities.split())


def source_boards() -> dict[str, SourceBoard]:
    parts = TABLE.read_text("utf-8").split("\n[")[1:]
    found = {}
    for part in parts:
        name, *lines = part.strip().splitlines()
        found[name.rstrip("]")] = SourceBoard(lines)
    return found


BOARDS = source_boards()


def test_every_board_is_in_the_table() -> None:
    assert {*shipped_maps()} == {*BOARDS}


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_has_the_cities_and_connections_of_its_source(name: str) -> None:
    board, source = load_map(name), BOARDS[name]
    regions: dict[str, set[str]] = {}
    for city in board.cities:
        regions.setdefault(city.region, set()).add(city.id)
    assert regions == source.regions
    found = {frozenset((each.a, each.b)): each.cost for each in board.connections}
    assert found == source.connections
