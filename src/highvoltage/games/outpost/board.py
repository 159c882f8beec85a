"""The planet of Outpost: its map file, and the cities in play with their connections, O-13."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal
from warnings import warn

import msgspec
from msgspec import Meta, Struct

from highvoltage.engine.errors import MapError, MapWarning
from highvoltage.engine.parts.board import Connection, Network
from highvoltage.engine.parts.graph import connected_components
from highvoltage.engine.rulebook import MapSpec
from highvoltage.games.outpost import tables
from highvoltage.games.outpost.files import (
    is_reconstructed,
    plain,
    read_file,
    read_items,
    repeated,
)
from highvoltage.games.outpost.moves import Build
from highvoltage.words import say

CENTRE = "center"
SMALL = ("north", "south")
PLAYABLE = ((CENTRE,), (CENTRE, "north"), (CENTRE, "south"), (CENTRE, *SMALL))  # O-2.1
LAST_SECTOR_PRICE = 10

Slug = Annotated[str, Meta(pattern=r"\A[a-z0-9_]+\Z")]
AreaName = Literal["center", "north", "south"]


class City(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A city; `slot` is the kind of its special slot."""

    id: Slug
    code: str
    name: str
    area: AreaName
    slot: Literal["plant", "habitat"]
    x: int
    y: int
    source: Any = None


class Edge(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A connection between two cities; it gets a token at set-up."""

    id: str
    a: Slug
    b: Slug
    areas: tuple[AreaName, ...] = ()
    x: int = 0
    y: int = 0
    source: Any = None


class Board(Struct, frozen=True, eq=False):
    """A map with its numbers: tokens by value, prices of labour."""

    id: str
    canvas: tuple[int, int]
    cities: tuple[City, ...]
    edges: tuple[Edge, ...]
    connection_tokens: dict[int, int]
    labour_prices: tuple[int, ...]
    source: Any = None

    @property
    def reconstructed(self) -> bool:
        items: tuple[City | Edge, ...] = (*self.cities, *self.edges)
        return is_reconstructed(self.source) or any(is_reconstructed(it.source) for it in items)

    @property
    def tokens(self) -> list[int]:
        return [value for value, count in self.connection_tokens.items() for _ in range(count)]


class Planet(Network):
    """The cities in play, in map order, with the tokens on their connections. Immutable.

    >>> board = shipped_board()
    >>> planet = Planet(board, ("center",), board.tokens)
    >>> len(planet.cities), planet.names[0], planet.kinds[0], str(planet.stations[0])
    (21, 'Dawn Harbor', 'plant', 'build station c08')
    """

    def __init__(self, board: Board, areas: tuple[str, ...], tokens: Sequence[int]) -> None:
        ground = _ground(board, areas)
        links = [Connection(a, b, tokens[edge]) for edge, a, b in ground.links]
        super().__init__(ground.cities, links)
        self.areas: tuple[str, ...] = areas
        self.names: tuple[str, ...] = ground.names
        self.spots: tuple[tuple[int, int], ...] = ground.spots
        self.zones: tuple[str, ...] = ground.zones
        self.kinds: tuple[str, ...] = ground.kinds
        self.links: tuple[tuple[Slug, Slug, int], ...] = tuple(
            [(link.a, link.b, link.cost) for link in links]
        )
        self.free: tuple[tuple[int, ...], ...] = ground.free
        self.stations: tuple[Build, ...] = ground.stations
        self.specials: tuple[Build, ...] = ground.specials


class _Ground:
    """What the planets of all games on a board in the same areas have in common."""

    def __init__(self, board: Board, areas: tuple[str, ...]) -> None:
        inside = [city for city in board.cities if city.area in areas]
        self.cities: tuple[str, ...] = tuple(city.id for city in inside)
        self.names: tuple[str, ...] = tuple(city.name for city in inside)
        self.spots: tuple[tuple[int, int], ...] = tuple((city.x, city.y) for city in inside)
        self.zones: tuple[str, ...] = tuple(city.area for city in inside)
        self.kinds: tuple[str, ...] = tuple(city.slot for city in inside)
        self.free: tuple[tuple[int, ...], ...] = tuple(  # special slots, by kind
            tuple(at for at, slot in enumerate(self.kinds) if slot == kind) for kind in tables.KINDS
        )
        self.links: tuple[tuple[int, Slug, Slug], ...] = tuple(
            (n, edge.a, edge.b)  # connections with both ends in play, OR-08
            for n, edge in enumerate(board.edges)
            if edge.a in self.cities and edge.b in self.cities
        )
        self.stations: tuple[Build, ...] = tuple(
            Build(tables.STATION, city) for city in self.cities
        )
        self.specials: tuple[Build, ...] = tuple(
            Build(kind, city) for kind, city in zip(self.kinds, self.cities, strict=True)
        )


_ground = lru_cache(maxsize=64)(_Ground)


@cache
def shipped_board() -> Board:
    return read_board(read_file(tables.DATA / "map.json"), "planet")


def find_board(map_spec: MapSpec, shipped: str) -> Board:
    """The map of a game: the shipped one, a file, or the data of one."""
    if map_spec is None or map_spec == shipped:
        return shipped_board()
    if isinstance(map_spec, dict):
        return read_board(map_spec, str(map_spec.get("id", "map")))
    path = Path(map_spec)
    if path.name == map_spec and path.suffix != ".json":
        raise MapError(str(map_spec), [say("terminal_unknown_map", names=shipped)])
    try:
        data = read_file(path)
    except ValueError as error:
        raise MapError(str(path), [str(error)]) from None
    return read_board(data, path.stem)


def read_board(data: Any, name: str) -> Board:
    """The map in data of the map file format; MapError lists every problem."""
    problems: list[str] = []
    read_items(data, "cities", City, "city", problems)
    read_items(data, "edges", Edge, "connection", problems)
    board = None
    if not problems:
        printed = {"connection_tokens": tables.TOKENS, "labour_prices": tables.LABOUR_PRICES}
        try:
            board = msgspec.convert(
                {"canvas": (1000, 1000), **printed, **data, "id": name}, Board, str_keys=True
            )
        except msgspec.ValidationError as error:
            problems.append(plain(str(error)))
        else:
            problems += board_faults(board)
    if problems or board is None:
        raise MapError(name, problems)
    centre = sum(city.area == CENTRE for city in board.cities)
    if centre < max(tables.END_CITIES.values()):
        warn(
            f"{name} has {centre} cities in the centre, fewer than end a game of two: "
            "only Colonies can end it",
            MapWarning,
            stacklevel=2,
        )
    return board


def board_faults(board: Board) -> Iterator[str]:
    areas = {city.id: city.area for city in board.cities}
    for name in repeated(city.id for city in board.cities):
        yield f"city {name}: the id stands more than once; give each city its own"
    for code in repeated(city.code for city in board.cities):
        yield f"city code {code} stands more than once; give each city its own"
    for area in (CENTRE, *SMALL):
        if area not in areas.values():
            yield f"area {area} has no city"
    if len(board.edges) != tables.CONNECTIONS:
        yield f"there are {len(board.edges)} connections; it must be {tables.CONNECTIONS}"
    for edge in board.edges:
        yield from edge_faults(edge, areas)
    for a, b in repeated(tuple(sorted((edge.a, edge.b))) for edge in board.edges):
        yield f"connection {a}-{b} stands more than once; keep one"
    for playable in PLAYABLE:
        cities = [city.id for city in board.cities if city.area in playable]
        for lost in connected_components(cities, ((edge.a, edge.b) for edge in board.edges))[1:]:
            where = " and ".join(playable)
            yield f"in {where} no connection joins {', '.join(lost)} to the other cities; add one"
    yield from printed_faults(board)


def edge_faults(edge: Edge, areas: dict[str, AreaName]) -> Iterator[str]:
    for city in (edge.a, edge.b):
        if city not in areas:
            yield f"connection {edge.id}: there is no city {city}"
    if edge.a == edge.b:
        yield f"connection {edge.id} leads back to its own city {edge.a}; remove it"
    ends = {areas.get(edge.a), areas.get(edge.b)}
    if edge.areas and None not in ends and {*edge.areas} != ends:
        yield f"connection {edge.id}: areas must be those of its ends, {edge.a} and {edge.b}"


def printed_faults(board: Board) -> Iterator[str]:
    tokens = board.connection_tokens
    if sum(tokens.values()) != tables.CONNECTIONS or min([0, *tokens, *tokens.values()]) < 0:
        yield (
            f"connection_tokens must hold {tables.CONNECTIONS} tokens, each worth 0 or more, "
            f"not {sum(tokens.values())}"
        )
    prices = board.labour_prices
    if (
        len(prices) != len(tables.SECTOR_SIZES)
        or any(a >= b for a, b in pairwise(prices))
        or prices[-1] != LAST_SECTOR_PRICE
    ):
        yield (
            f"labour_prices must be {len(tables.SECTOR_SIZES)} rising prices, the last of them "
            f"{LAST_SECTOR_PRICE}"
        )
