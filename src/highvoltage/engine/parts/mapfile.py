"""Map files: parsing them, and the faults of one that cannot be played.

A map is a separate input (C-1.8.2), so anybody may write one. All faults of a file are reported
together, each with the city or connection it concerns and how to fix it.
"""

import json
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from itertools import chain, islice

import msgspec

from highvoltage import words
from highvoltage.engine.errors import MAX_FAULTS
from highvoltage.engine.parts.formfaults import (
    conforms,
    form_faults,
    has_all_fields,
    link_name,
    quote,
    suggest,
)
from highvoltage.engine.parts.graph import connected_components
from highvoltage.engine.parts.mapform import (
    Connection,
    Line,
    Map,
    MapRules,
    Point,
    default_map_id,
)
from highvoltage.engine.parts.rulefaults import Places, rule_faults

MAX_COUNTS = {"regions": 12, "cities": 150, "connections": 1000, "islands": 12}


def parse_map(text: str, name: str) -> tuple[Map | None, list[str]]:
    """The map in `text`, or None and every problem; `name` is its id if the file has none.

    >>> parse_map('{"regions": [}', "mine")
    (None, ['line 1, column 14: this is not JSON (Expecting value)'])
    """
    problems: list[str] = []

    def unrepeated(pairs: list[tuple[str, object]]) -> dict[str, object]:
        for key, times in Counter(key for key, _ in pairs).items():
            if times > 1:
                problems.append(f"{quote(key)} stands {times} times in one object; keep one")
        return dict(pairs)

    try:
        data: object = json.loads(text, object_pairs_hook=unrepeated, parse_constant=str)
    except json.JSONDecodeError as error:
        return None, [f"line {error.lineno}, column {error.colno}: this is not JSON ({error.msg})"]
    except (ValueError, RecursionError) as error:  # or an absurdly large number or deep nesting
        return None, [f"this JSON cannot be read ({error})"]
    if isinstance(data, dict):
        data.pop("region_adjacency", None)  # follows from the connections (C-2.1.1)
        data.setdefault("id", default_map_id(name))
    problems += _size_faults(_object(data))
    if not problems:
        faults = chain(form_faults(Map, data, ""), _content_faults(_object(data)))
        problems += islice(faults, MAX_FAULTS)
    if problems:
        return None, problems[:MAX_FAULTS]
    board = msgspec.convert(data, Map, str_keys=True)
    return msgspec.structs.replace(board, connections=_cheapest(board.connections)), []


def _size_faults(data: dict[str, object]) -> Iterator[str]:
    """Reject absurdly large files before anything is computed: files may be untrusted."""
    for field, most in MAX_COUNTS.items():
        size = len(_list(data.get(field)))
        if size > most:
            yield f"{field} has {size} entries; a map has at most {most}"


def _cheapest(connections: Iterable[Connection]) -> tuple[Connection, ...]:
    """One connection per pair of cities: the cheaper of two (C-1.8.2)."""
    kept: dict[frozenset[str], Connection] = {}
    for link in connections:
        pair = frozenset((link.a, link.b))
        if pair not in kept or link.cost < kept[pair].cost:
            kept[pair] = link
    return tuple(kept.values())


# The content: consistency between fields. Only fields of the right form are checked.


def _content_faults(data: dict[str, object]) -> Iterator[str]:
    regions = [region for region in _list(data.get("regions")) if isinstance(region, str)]
    cities = [
        city for city in map(_object, _list(data.get("cities"))) if conforms(str, city.get("id"))
    ]
    links = [
        link
        for link in map(_list, _list(data.get("connections")))
        if has_all_fields(Connection, link) and conforms(tuple[str, str], link[:2])
    ]
    ids = [str(city["id"]) for city in cities]
    layout = _object(data.get("layout"))
    if "regions" in data:
        yield from _region_faults(regions, cities)
        yield from _island_faults(data, regions)
    loose = data.get("loose_regions") is True
    yield from _network_faults(cities, links, _list(data.get("islands")), loose=loose)
    countries = dict.fromkeys(str(c["country"]) for c in cities if conforms(Line, c.get("country")))
    for where, own in _all_rules(data):
        yield from rule_faults(own, where, Places(regions, ids, countries))
    if layout:
        yield from _layout_faults(layout, ids)

    references: list[tuple[str, str, object, Collection[str]]] = [
        *((f"city {quote(city['id'])}", "region", city.get("region"), regions) for city in cities),
        *((link_name(link), "city", city, ids) for link in links for city in link[:2]),
        *((where, "city", c, ids) for where, link in _variant_links(data) for c in link[:2]),
        *(
            (field, "region", key, regions)
            for field in ("region_colours", "region_names")
            for key in _object(data.get(field))
        ),
        *(("layout.cities", "city", key, ids) for key in _object(layout.get("cities"))),
        *(("cites", "refusal", code, _refusals()) for code in _object(data.get("cites"))),
    ]
    for where, what, word, known in references:
        if isinstance(word, str) and word not in known:
            yield f"{where}: there is no {what} {quote(word)}; {suggest(word, known)}"


def _refusals() -> list[str]:
    return [name.removeprefix("refused_") for name in words.ids("refused_")]


def _all_rules(data: dict[str, object]) -> Iterator[tuple[str, MapRules]]:
    """The rules that have the right form, with their path in the file."""
    by_rulebook = _object(data.get("rulebooks")).items()
    for where, value in [
        ("rules", data.get("rules")),
        *((f"rulebooks.{n}", v) for n, v in by_rulebook),
        *_variant_rules(data),
    ]:
        if conforms(MapRules, value):
            yield where, msgspec.convert(value, MapRules, str_keys=True)


def _variant_rules(data: dict[str, object]) -> Iterator[tuple[str, object]]:
    for name, variant in _object(data.get("variants")).items():
        yield f"variants.{name}.rules", _object(variant).get("rules")
        for book, rules in _object(_object(variant).get("rulebooks")).items():
            yield f"variants.{name}.rulebooks.{book}", rules


def _variant_links(data: dict[str, object]) -> Iterator[tuple[str, list[object]]]:
    for name, variant in _object(data.get("variants")).items():
        for link in map(_list, _list(_object(variant).get("connections"))):
            if has_all_fields(Connection, link) and conforms(tuple[str, str], link[:2]):
                yield f"variants.{name}: {link_name(link)}", link


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _object(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _point(value: object) -> tuple[int, int] | None:
    return msgspec.convert(value, tuple[int, int]) if conforms(Point, value) else None


def _region_faults(regions: list[str], cities: list[dict[str, object]]) -> Iterator[str]:
    for region, times in Counter(regions).items():
        size = sum(city.get("region") == region for city in cities)
        if times > 1:
            yield f"region {quote(region)} stands {times} times; name it once"
        if size == 0:
            yield f"region {quote(region)} has no cities; give it some or leave it out"
    for city, times in Counter(city["id"] for city in cities).items():
        if times > 1:
            yield f"city {quote(city)} stands {times} times; give each city an id of its own"


def _island_faults(data: dict[str, object], regions: list[str]) -> Iterator[str]:
    islands = [region for island in _list(data.get("islands")) for region in _list(island)]
    for region, times in Counter(map(str, islands)).items():
        if times > 1:
            yield f"islands: region {quote(region)} stands {times} times; it lies on one island"
        if region not in regions:
            yield f"islands: there is no region {quote(region)}; {suggest(region, regions)}"
    for region in regions:
        if islands and region not in islands:
            yield f"islands: region {quote(region)} lies on none; add it to one"
    for players, count in _object(data.get("regions_in_play")).items():
        if isinstance(count, int) and count > len(regions):
            yield f"regions_in_play.{players} is {count}; there are only {len(regions)} regions"


def _network_faults(
    cities: list[dict[str, object]],
    links: list[list[object]],
    islands: list[object],
    *,
    loose: bool,
) -> Iterator[str]:
    for link in links:
        if link[0] == link[1]:
            yield f"{link_name(link)} leads back to its own city; remove it"
    if loose:
        return
    pairs = [(str(a), str(b)) for a, b, _ in links]
    shores = [_list(island) for island in islands] or [[city.get("region") for city in cities]]
    for shore in shores:
        ids = [str(city["id"]) for city in cities if city.get("region") in shore]
        for lost in connected_components(ids, pairs)[1:]:
            names = ", ".join(map(quote, lost))
            yield f"no connection joins {names} to the other cities; add one"


def _layout_faults(layout: dict[str, object], ids: list[str]) -> Iterator[str]:
    places, canvas = _object(layout.get("cities")), layout.get("canvas")
    width, height = _point(canvas) or (math.inf, math.inf)
    if missing := ", ".join(quote(city) for city in ids if city not in places):
        yield f"layout.cities: {missing} must have a position too"
    for city, place in places.items():
        x, y = _point(place) or (0, 0)
        if x > width or y > height:
            yield f"layout.cities: city {quote(city)} lies outside the canvas {canvas}"
