"""The board: maps by name or file, the regions in play, and the network of their cities.

Passing through a city is always legal (C-7.3.2), so the cost of a connection is a lookup in the
distances of the play area, which are computed once.
"""

from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property, lru_cache
from heapq import heappop, heappush
from itertools import combinations
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from highvoltage import registry
from highvoltage.engine.errors import MapError
from highvoltage.engine.moves import Build, Move, Start
from highvoltage.engine.parts.graph import connected_components
from highvoltage.engine.parts.mapform import (
    END_CITIES,
    City,
    Connection,
    Discount,
    Doubt,
    Layout,
    Map,
    MapRules,
    PhaseOut,
    default_map_id,
)
from highvoltage.words import say

__all__ = [
    "Area",
    "City",
    "Connection",
    "Discount",
    "Layout",
    "Map",
    "MapRules",
    "Network",
    "PhaseOut",
    "area_of",
    "check_map",
    "is_connected",
    "known_maps",
    "load_map",
    "maps_of",
    "region_choices",
    "region_neighbours",
    "region_sets",
    "shipped_maps",
]

UNREACHABLE = 1_000_000
"""The distance of cities that no connection joins: more than anybody can pay."""


class VariantHeader(Struct, frozen=True):
    """What is shown of a variant before it is chosen."""

    names: dict[str, str] = {}
    rule: str | None = None
    players: tuple[int, ...] = ()


class MapHeader(Struct, frozen=True):
    """The header of a map file, and its path; `ours` if it comes with this package."""

    id: str = ""
    name: str = ""
    played_by: tuple[str, ...] = ()
    called: str = ""
    names: dict[str, str] = {}
    about: dict[str, str] = {}
    difficulty: int | None = None
    section: str | None = None
    doubts: tuple[Doubt, ...] = ()
    variants: dict[str, VariantHeader] = {}
    path: Path = Path()
    ours: bool = False


@cache
def known_maps() -> dict[str, MapHeader]:
    """The maps of all installed packages, by id: ours first.

    >>> known_maps()["usa_recharged"].played_by
    ('recharged',)
    """
    found: dict[str, MapHeader] = {}
    for path, ours in _map_files():
        label, problems = _labelled(path, ours)
        if label:
            if label.id not in found:
                found[label.id] = label
                continue
            problems = [f"there is another one with the id '{label.id}'"]
        registry.warn_skipped(f"The map {path}", "; ".join(problems))
    return found


def _map_files() -> Iterator[tuple[Path, bool]]:
    """The map files in the folders that packages register, and whether they are ours."""
    for name, folder in registry.loaded(registry.MAPS).items():
        for place in getattr(folder, "__path__", ()):
            for path in sorted(Path(place).glob("*.json")):
                yield path, name == registry.OWN_PACKAGE


def _labelled(path: Path, ours: bool) -> tuple[MapHeader | None, list[str]]:
    # The tests check our own files, so that a game need not.
    if not ours and (problems := _read(path)[1]):
        return None, problems
    try:
        json_text = path.read_bytes().removeprefix(BOM_UTF8)
        label = msgspec.json.decode(json_text, type=MapHeader)
    except (msgspec.DecodeError, ValueError):  # ours, but added without running the tests
        return None, _read(path)[1]
    name = label.id or default_map_id(path.stem)
    return msgspec.structs.replace(label, id=name, path=path, ours=ours), []


def maps_of(rulebooks: Collection[str]) -> dict[str, str]:
    """The maps that list one of the rulebooks: their name there, and their id.

    >>> maps_of(["recharged"])["usa"]
    'usa_recharged'
    """
    return {
        label.called or label.id: label.id
        for label in known_maps().values()
        if not {*rulebooks}.isdisjoint(label.played_by)
    }


def shipped_maps() -> tuple[str, ...]:
    """Names of the maps that come with this package.

    >>> "germany" in shipped_maps()
    True
    """
    return tuple(label.id for label in known_maps().values() if label.ours)


def load_map(source: str | PathLike[str]) -> Map:
    """A map by its id or from a file; MapError lists every problem.

    >>> germany = load_map("germany")
    >>> len(germany.cities), germany.connections[0]
    (42, Connection(a='flensburg', b='kiel', cost=4))
    """
    if source in known_maps():
        return _known(str(source))
    path = Path(source)
    if path.name == source and path.suffix != ".json":
        names = ", ".join(known_maps())
        raise MapError(str(path), [say("terminal_unknown_map", names=names)])
    board, problems = _read(path)
    if board is None:
        raise MapError(str(path), problems)
    return board


@lru_cache(maxsize=64)
def with_variants(board: Map, chosen: tuple[str, ...]) -> Map:
    """A map with some of its variants; cached, because maps are compared by identity."""
    return board.with_variants(chosen)


def read_map(data: dict[str, Any]) -> Map:
    """The map in data of the map file format, as a record holds it."""
    board, problems = _read_data(data)
    if board is None:
        raise MapError(_id_in(data), problems)
    return board


def check_map(source: str | PathLike[str] | dict[str, Any]) -> list[str]:
    """Every problem of a map file, or of its content; none if it can be played (C-1.8.2)."""
    return _read_data(source)[1] if isinstance(source, dict) else _read(Path(source))[1]


@cache
def _known(name: str) -> Map:
    label = known_maps()[name]
    if label.ours:
        with suppress(msgspec.DecodeError):  # it leaves out its id, or was never tested
            return msgspec.json.decode(label.path.read_bytes(), type=Map)
    board, problems = _read(label.path)
    if board is None:  # the file changed since it was found, or is not playable
        raise MapError(str(label.path), problems)
    return board


def _read(path: Path) -> tuple[Map | None, list[str]]:
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        return None, [f"byte {error.start + 1} is not UTF-8; save the file as UTF-8"]
    except (OSError, ValueError) as error:
        return None, [f"the file cannot be read: {error}"]
    return _parse(text, path.stem)


def _read_data(data: dict[str, Any]) -> tuple[Map | None, list[str]]:
    import json  # noqa: PLC0415  # only for maps of others, as below

    return _parse(json.dumps(data), _id_in(data))


def _parse(text: str, name: str) -> tuple[Map | None, list[str]]:
    from highvoltage.engine.parts.mapfile import parse_map  # noqa: PLC0415

    return _fit_to_play(*parse_map(text, name))


def _id_in(data: dict[str, Any]) -> str:
    return str(data.get("id", "map"))


def _fit_to_play(board: Map | None, problems: list[str]) -> tuple[Map | None, list[str]]:
    problems = problems or list(_play_faults(board)) if board else problems
    return (None if problems else board), problems


def _play_faults(board: Map) -> Iterator[str]:
    """Faults that show only when regions are chosen."""
    for count in sorted({board.region_count(players) for players in END_CITIES}):
        if not region_choices(board, (), count):
            yield (
                f"no {count} regions can be chosen one by one so that they hang together; "
                "join the cities of each region among themselves"
            )
            return


@lru_cache(maxsize=64)
def region_neighbours(board: Map) -> Mapping[str, tuple[str, ...]]:
    """For each region its neighbours: those that a connection leads to (C-2.1.1).

    >>> region_neighbours(load_map("usa"))["northwest"]
    ('southwest', 'midwest', 'south')
    """
    region = {city.id: city.region for city in board.cities}
    pairs = {(region[link.a], region[link.b]) for link in board.connections}
    return {
        here: tuple(
            there
            for there in board.regions
            if there != here and not pairs.isdisjoint({(here, there), (there, here)})
        )
        for here in board.regions
    }


def is_connected(board: Map, regions: Iterable[str]) -> bool:
    """Whether the cities of these regions can reach each other inside them (C-2.1.1).

    Regions on different islands need not be connected, nor loose regions.

    >>> usa = load_map("usa")
    >>> is_connected(usa, ["northwest", "south"]), is_connected(usa, ["northwest", "southeast"])
    (True, False)
    """
    chosen = set(regions)
    if not chosen or not chosen.issubset(board.regions):
        return False
    if board.loose_regions:
        return True  # A-AUS-1
    pairs = [(link.a, link.b) for link in board.connections]
    shores = [chosen.intersection(island) for island in board.islands] or [chosen]  # A-UKI-5
    cities = ([city.id for city in board.cities if city.region in shore] for shore in shores)
    return all(len(connected_components(shore, pairs)) <= 1 for shore in cities)


@lru_cache(maxsize=256)
def region_sets(board: Map, count: int) -> tuple[tuple[str, ...], ...]:
    """All connected sets of `count` regions, each in map order (C-2.1.2).

    >>> len(region_sets(load_map("usa"), 3))
    12
    """
    return tuple(
        regions for regions in combinations(board.regions, count) if is_connected(board, regions)
    )


def region_choices(board: Map, chosen: Iterable[str], count: int) -> tuple[str, ...]:
    """Regions that may be chosen next, until there are `count` of them (C-2.1.2).

    The chosen regions are always connected. A region that could not be extended to `count` regions
    is not offered, so the players never get stuck.

    >>> region_choices(load_map("usa"), ["northwest"], 3)
    ('southwest', 'midwest', 'south')
    """
    return _choices(board, frozenset(chosen), count)


@lru_cache(maxsize=1024)
def _choices(board: Map, chosen: frozenset[str], count: int) -> tuple[str, ...]:
    if len(chosen) >= count:
        return ()
    return tuple(
        region
        for region in board.regions
        if region not in chosen
        and is_connected(board, grown := chosen | {region})
        and (len(grown) == count or _choices(board, grown, count))
    )


class Network:
    """Cities and the cost of travel between them. Immutable.

    Cities are numbered from 0. Connections to cities outside the network are ignored (C-2.1).
    Entering a city may cost something too, so there and back can differ (A-BRE-2). Any city can be
    reached for `at_most`, if that is given (A-AUS-9).

    >>> network = Network("abc", [Connection("a", "b", 4), Connection("b", "c", 3)])
    >>> network.distance[0]
    (0, 4, 7)
    >>> Network("ab", [Connection("a", "b", 0)], entry=[9, 14]).distance
    ((0, 14), (9, 0))

    So may every city that is passed on the way (A-MAN-2).

    >>> Network("abc", [Connection("a", "b", 4), Connection("b", "c", 3)], transit=5).distance[0]
    (0, 4, 12)
    """

    def __init__(
        self,
        cities: Iterable[str],
        links: Iterable[Connection],
        entry: Iterable[int] = (),
        at_most: int | None = None,
        transit: int = 0,
    ) -> None:
        self.cities: tuple[str, ...] = tuple(cities)
        self.index: dict[str, int] = {city: i for i, city in enumerate(self.cities)}
        self.entry: tuple[int, ...] = tuple(entry) or (0,) * len(self.cities)
        self.at_most = at_most
        self.transit = transit
        self.neighbours: tuple[tuple[tuple[int, int], ...], ...] = self._neighbours(links)

    def _neighbours(self, links: Iterable[Connection]) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each city the cities one connection away, with the cost to get there."""
        near: list[list[tuple[int, int]]] = [[] for _ in self.cities]
        index, entry = self.index, self.entry
        for link in links:
            if link.a in index and link.b in index:
                a, b, cost = index[link.a], index[link.b], link.cost
                near[a].append((b, cost + entry[b]))
                near[b].append((a, cost + entry[a]))
        return tuple([tuple(sorted(row)) for row in near])

    @cached_property
    def distance(self) -> tuple[tuple[int, ...], ...]:
        """The cheapest path cost from any city to any other (C-7.3.1)."""
        if self.at_most is None:
            return self._path_costs()
        return tuple(tuple(min(cost, self.at_most) for cost in row) for row in self._path_costs())

    def _path_costs(self) -> tuple[tuple[int, ...], ...]:
        if self.transit:
            return self._with_transit()
        entry = self.entry
        if not any(entry):
            return tuple(map(tuple, _distances(self.neighbours)))
        # Twice the cost with the prices of both ends is the same there and back; the prices of
        # the cities in between are in it twice, those of the two ends once.
        even = [
            [(other, 2 * cost - entry[other] + entry[city]) for other, cost in near]
            for city, near in enumerate(self.neighbours)
        ]
        return tuple(
            tuple(
                cost if cost >= UNREACHABLE else (cost - entry[start] + entry[end]) // 2
                for end, cost in enumerate(row)
            )
            for start, row in enumerate(_distances(even))
        )

    def _with_transit(self) -> tuple[tuple[int, ...], ...]:
        """As if every connection cost so much more; the last one of a path then does not."""
        count = len(self.cities)
        links = [
            Connection(self.cities[a], self.cities[b], cost - self.entry[b] + self.transit)
            for a in range(count)
            for b, cost in self.neighbours[a]
            if a < b
        ]
        dearer = Network(self.cities, links, self.entry).distance
        return tuple(
            tuple(
                cost if end == start or cost >= UNREACHABLE else cost - self.transit
                for end, cost in enumerate(row)
            )
            for start, row in enumerate(dearer)
        )

    def path(self, sources: Iterable[int], target: int) -> tuple[int, ...]:
        """A cheapest path from one of the sources to the target, with as few stops as possible."""
        heap: list[tuple[int, int, tuple[int, ...]]] = [(0, 1, (city,)) for city in sorted(sources)]
        seen: set[int] = set()
        while heap:
            cost, stops, path = heappop(heap)
            if path[-1] == target:
                return path
            if path[-1] not in seen:
                seen.add(path[-1])
                for city, more in self.neighbours[path[-1]]:
                    heappush(heap, (cost + more + self.transit, stops + 1, (*path, city)))
        raise ValueError("no sources")


def _distances(neighbours: Iterable[Iterable[tuple[int, int]]]) -> list[list[int]]:
    """The cheapest path between any two cities, for costs that are the same there and back.

    Cities are added one by one. A new city reaches the earlier ones through its neighbours; if it
    has more than one, paths between the others may lead through it. Fast where most cities have few
    neighbours, as on every map.
    """
    rows: list[list[int]] = []
    for city, near in enumerate(neighbours):
        costs = [UNREACHABLE] * city
        earlier = [(rows[other], cost) for other, cost in near if other < city]
        for onward, cost in earlier:
            costs = _cheaper(costs, onward, cost)
        if len(earlier) > 1:
            rows = [_cheaper(row, costs, first) for row, first in zip(rows, costs, strict=True)]
        for row, cost in zip(rows, costs, strict=True):
            row.append(cost)
        rows.append([*costs, 0])
    return rows


def _cheaper(costs: list[int], onward: Sequence[int], first: int) -> list[int]:
    """The costs, replaced by `first` plus `onward` where that is cheaper."""
    return [
        new if (new := first + rest) < old else old for old, rest in zip(costs, onward, strict=True)
    ]


class Area(Network):
    """The cities of the regions in play, in map order.

    >>> area = area_of(load_map("germany"), ["west", "southwest", "south"])
    >>> essen, aachen = area.index["essen"], area.index["aachen"]
    >>> area.distance[essen][aachen]
    11
    >>> [area.names[city] for city in area.path([essen], aachen)]
    ['Essen', 'Düsseldorf', 'Aachen']
    """

    def __init__(
        self,
        board: Map,
        regions: tuple[str, ...],
        links: Iterable[Connection] = (),
        at_most: int | None = None,
    ) -> None:
        inside = [city for city in board.cities if city.region in regions]
        ids, entry = [city.id for city in inside], [city.cost for city in inside]
        super().__init__(ids, links, entry, at_most, board.transit_cost)
        self.map: Map = board
        self.regions: tuple[str, ...] = regions
        self.builds: list[Move] = [Build(city) for city in ids]
        self.starts: list[Move] = [Start(city) for city in ids]
        self.names: tuple[str, ...] = tuple(city.name for city in inside)
        self.regions_of: tuple[str, ...] = tuple(city.region for city in inside)
        self.countries: tuple[str, ...] = tuple(city.country for city in inside)

    def country(self, city: int) -> str:
        return self.countries[city]


def area_of(
    board: Map,
    regions: Iterable[str],
    connections: tuple[Connection, ...] | None = None,
    at_most: int | None = None,
) -> Area:
    """The play area of these regions, which must be connected; cached.

    `connections` are those of the map unless the rules of a game change their costs; `at_most` is
    the price at which any city can be reached, if the rules name one.

    >>> germany = load_map("germany")
    >>> area_of(germany, ["south", "west", "southwest"]) is area_of(
    ...     germany, ["west", "southwest", "south"]
    ... )
    True
    """
    chosen = set(regions)
    own = None if connections is board.connections else connections
    inside = tuple(region for region in board.regions if region in chosen)
    return _area(board, inside, own, at_most)


@lru_cache(maxsize=256)
def _area(
    board: Map,
    regions: tuple[str, ...],
    connections: tuple[Connection, ...] | None,
    at_most: int | None,
) -> Area:
    if not is_connected(board, regions):
        raise ValueError(f"these regions of {board.id} do not hang together: {', '.join(regions)}")
    links = board.connections if connections is None else connections
    return Area(board, regions, links, at_most)
