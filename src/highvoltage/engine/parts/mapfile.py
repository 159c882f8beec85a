"""Map files: what they hold, and what is wrong with one that cannot be played.

A map is a separate input (C-1.8.2), so anybody may write one. Every fault of a file is told at
once, each with the city or connection it concerns and what to do about it.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from types import GenericAlias, UnionType
from typing import Annotated, Any, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

REGIONS = 6  # C-1.8.1
CITIES_OF_REGION = 7
TOKENS = {"coal": 24, "oil": 24, "garbage": 24, "uranium": 12}  # C-1.1.1


def _text(pattern: str, description: str) -> Meta:
    return Meta(pattern=rf"\A({pattern})\Z", description=description)


Slug = Annotated[str, _text("[a-z0-9_]+", "lower-case letters a-z, digits and _")]
PRINTABLE = r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]"
Line = Annotated[str, _text(f"{PRINTABLE}+", "a text of one line, not empty")]
Text = Annotated[str, _text(f"{PRINTABLE}*", "a text of one line")]
Colour = Annotated[str, _text("[a-z]+|#[0-9a-fA-F]{6}", 'a colour such as "green" or "#00aa66"')]
Fuel = Annotated[str, _text("|".join(TOKENS), "coal, oil, garbage or uranium")]
Longitude = Annotated[float, Meta(ge=-180, le=180, description="degrees east, -180 to 180")]
Latitude = Annotated[float, Meta(ge=-90, le=90, description="degrees north, -90 to 90")]
Count = Annotated[int, Meta(ge=0, description="a whole number, 0 or more")]
Number = Annotated[int, Meta(ge=1, description="a whole number, 1 or more")]
Players = Annotated[int, Meta(ge=2, le=6, description="a number of players, 2 to 6")]
Point = Annotated[tuple[Count, Count], Meta(description="two whole numbers [x, y], 0 or more")]
Steps = Annotated[
    tuple[Count, Count, Count], Meta(description="a whole number, 0 or more, for each of 3 Steps")
]


class City(Struct, frozen=True, omit_defaults=True):
    """A place for houses, with its real longitude and latitude."""

    id: Slug
    name: Line
    region: Slug
    lon: Longitude
    lat: Latitude
    country: Text = ""


class Connection(Struct, frozen=True, array_like=True):
    """A line between two cities; in a file `["kiel", "hamburg", 8]`."""

    a: Slug
    b: Slug
    cost: Count


class Discount(Struct, frozen=True):
    """Whoever has `city` in the network pays `amount` less for each token of `fuel` (C-12.3.6)."""

    city: Slug
    fuel: Fuel
    amount: Number


class PhaseOut(Struct, frozen=True):
    """Once a player has bought `plant`, `fuel` is not refilled any more (R-11.1)."""

    plant: Number
    fuel: Fuel


class MapRules(Struct, frozen=True, omit_defaults=True):
    """What the board changes; whatever it leaves out stays as the rulebook has it."""

    start: dict[Fuel, Count] = {}
    refill: dict[Players, dict[Fuel, Steps]] = {}
    nuclear_countries: tuple[Line, ...] = ()  # C-12.3.2
    discounts: tuple[Discount, ...] = ()
    phase_out: PhaseOut | None = None
    storage_price: dict[Fuel, Count] = {}


class Layout(Struct, frozen=True, omit_defaults=True):
    """Where the cities are drawn, in pixels on a canvas of the given width and height."""

    canvas: Point
    cities: dict[Slug, Point]
    projection: Text = ""


class Map(Struct, frozen=True, omit_defaults=True, eq=False):
    """A board. Maps are compared by identity, so that they can be keys of a cache."""

    id: Slug
    name: Line
    regions: tuple[Slug, ...]
    cities: tuple[City, ...]
    connections: tuple[Connection, ...]
    edition: Text = ""
    region_colours: dict[Slug, Colour] = {}
    rules: MapRules = MapRules()
    layout: Layout | None = None


def parse_map(text: str, name: str) -> tuple[Map | None, list[str]]:
    """The map written in `text`, or None and every problem; `name` is its id if it gives none.

    >>> parse_map('{"regions": [}', "mine")
    (None, ['line 1, column 14: this is not JSON (Expecting value)'])
    """
    problems: list[str] = []

    def unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        for key, times in Counter(key for key, _ in pairs).items():
            if times > 1:
                problems.append(f"{_show(key)} stands {times} times in one object; keep one")
        return dict(pairs)

    try:
        data = json.loads(text, object_pairs_hook=unrepeated, parse_constant=str)
    except json.JSONDecodeError as error:
        return None, [f"line {error.lineno}, column {error.colno}: this is not JSON ({error.msg})"]
    except (ValueError, RecursionError) as error:  # a number or a nesting beyond all measure
        return None, [f"this JSON cannot be read ({error})"]
    if isinstance(data, dict):
        data.pop("region_adjacency", None)  # follows from the connections (C-2.1.1)
        data.setdefault("id", re.sub(r"[^a-z0-9_]+", "_", name.lower()) or "map")
    problems += _form_faults(Map, data, "")
    problems += _content_faults(_object(data))
    if problems:
        return None, problems
    board = msgspec.convert(data, Map, str_keys=True)
    return msgspec.structs.replace(board, connections=_cheapest(board.connections)), []


def parts(cities: Iterable[str], pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The cities that hang together through pairs of them, the largest part first.

    >>> parts("abcd", [("a", "c"), ("d", "x")])
    [['a', 'c'], ['b'], ['d']]
    """
    part = {city: [city] for city in cities}
    for a, b in pairs:
        if a in part and b in part and part[a] is not part[b]:
            kept, joined = part[a], part[b]
            kept += joined
            part.update(dict.fromkeys(joined, kept))
    return sorted({id(one): one for one in part.values()}.values(), key=len, reverse=True)


def _cheapest(connections: Iterable[Connection]) -> tuple[Connection, ...]:
    """One connection per pair of cities: the cheaper of two (C-1.8.2)."""
    kept: dict[frozenset[str], Connection] = {}
    for link in connections:
        pair = frozenset((link.a, link.b))
        if pair not in kept or link.cost < kept[pair].cost:
            kept[pair] = link
    return tuple(kept.values())


# The form: fields and types, as the classes above declare them.


def _form_faults(kind: Any, value: Any, path: str) -> Iterator[str]:
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        if value is not None:
            yield from _form_faults(inner[0], value, path)
    elif isinstance(kind, type) and issubclass(kind, Struct) and _fits(kind, value):
        yield from _field_faults(kind, value, path)
    elif origin is dict and isinstance(value, dict):
        for key, item in value.items():
            if not _is(GenericAlias(dict, (inner[0], None)), {key: None}):
                yield f"{path}: {_show(key)} stands where there must be {_meaning(inner[0])}"
            yield from _form_faults(inner[1], item, _join(path, _show(key)))
    elif origin is tuple and isinstance(value, list):
        for number, item in enumerate(value, 1):
            yield from _form_faults(inner[0], item, _label(inner[0], item, number, path))
    elif not _is(kind, value):
        yield f"{path or 'the file'} is {_show(value)}; it must be {_meaning(kind)}"


def _is(kind: Any, value: Any) -> bool:
    try:
        msgspec.convert(value, kind, str_keys=True)
    except (msgspec.ValidationError, UnicodeEncodeError):  # the latter: half a character
        return False
    return True


def _fits(kind: type[Struct], value: Any) -> bool:
    if kind is Connection:
        return isinstance(value, list) and len(value) == len(kind.__struct_fields__)
    return isinstance(value, dict)


def _field_faults(kind: type[Struct], value: Any, path: str) -> Iterator[str]:
    names = kind.__struct_fields__
    given = dict(zip(names, value, strict=True)) if kind is Connection else value
    for field in _fields(kind):
        where = _join(path, field.name)
        if field.name in given:
            yield from _form_faults(field.type, given[field.name], where)
        elif field.required:
            yield f"{where} is missing; it must be {_meaning(field.type)}"
    for name in given:
        if name not in names:
            yield f"{_join(path, _show(name))} is no field of a map; {_instead(name, names)}"


_fields = cache(msgspec.structs.fields)


def _join(path: str, name: str) -> str:
    """`rules.start`, but `city essen: lon`."""
    return f"{path}{': ' if ' ' in path else '.' if path else ''}{name}"


def _label(kind: Any, item: Any, number: int, path: str) -> str:
    if kind is City:
        named = isinstance(item, dict) and isinstance(item.get("id"), str)
        return f"city {_show(item['id'])}" if named else f"city number {number}"
    if kind is Connection:
        return _link(item) if _fits(Connection, item) else f"connection number {number}"
    return f"{path}[{number}]"


def _link(item: list[Any]) -> str:
    return f"connection {_show(item[0])}-{_show(item[1])}"


def _meaning(kind: Any) -> str:
    if get_origin(kind) is Annotated:
        return str(get_args(kind)[1].description)
    if kind is Connection:
        return 'a list such as ["kiel", "hamburg", 8]'
    return "a list [...]" if get_origin(kind) is tuple else "an object {...}"


def _show(value: Any) -> str:
    """A value as it stands in the file, not too long; ids without quotes."""
    if isinstance(value, str) and re.fullmatch("[a-z0-9_]{1,40}", value):
        return value
    text = json.dumps(value, ensure_ascii=False)
    if not text.isprintable():
        text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def _instead(word: str, known: Collection[str]) -> str:
    if close := get_close_matches(word, known, 1, 0.7):
        return f"did you mean {_show(close[0])}?"
    if 0 < len(known) <= 10:
        return f"known are {', '.join(map(_show, known))}"
    return "mend the name or add it"


# The content: what the fields say about each other. It looks at whatever has the right form.


def _content_faults(data: dict[str, Any]) -> Iterator[str]:
    regions = [region for region in _list(data.get("regions")) if isinstance(region, str)]
    cities = [city for city in map(_object, _list(data.get("cities"))) if _is(str, city.get("id"))]
    links = [
        link
        for link in _list(data.get("connections"))
        if _fits(Connection, link) and _is(tuple[str, str], link[:2])
    ]
    ids = [city["id"] for city in cities]
    rules, layout = _object(data.get("rules")), _object(data.get("layout"))
    if "regions" in data:
        yield from _region_faults(regions, cities)
    yield from _network_faults(ids, links)
    yield from _start_faults(_object(rules.get("start")))
    if layout:
        yield from _layout_faults(layout, ids)

    countries = dict.fromkeys(c["country"] for c in cities if _is(Line, c.get("country")))
    discounts = map(_object, _list(rules.get("discounts")))
    references: list[tuple[str, str, Any, Collection[str]]] = [
        *((f"city {_show(city['id'])}", "region", city.get("region"), regions) for city in cities),
        *((_link(link), "city", city, ids) for link in links for city in link[:2]),
        *(
            ("region_colours", "region", key, regions)
            for key in _object(data.get("region_colours"))
        ),
        *(("rules.discounts", "city", item.get("city"), ids) for item in discounts),
        *(
            ("rules.nuclear_countries", "country", country, countries)
            for country in _list(rules.get("nuclear_countries"))
        ),
        *(("layout.cities", "city", key, ids) for key in _object(layout.get("cities"))),
    ]
    for where, what, word, known in references:
        if isinstance(word, str) and word not in known:
            yield f"{where}: there is no {what} {_show(word)}; {_instead(word, known)}"


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _region_faults(regions: list[str], cities: list[dict[str, Any]]) -> Iterator[str]:
    if len(regions) != REGIONS or len(set(regions)) != REGIONS:
        yield f"regions names {len(set(regions))} different regions; a map has {REGIONS}, each once"
    for region in dict.fromkeys(regions):
        size = sum(city.get("region") == region for city in cities)
        if size != CITIES_OF_REGION:
            yield f"region {_show(region)} has {size} cities; it must have {CITIES_OF_REGION}"
    for city, times in Counter(city["id"] for city in cities).items():
        if times > 1:
            yield f"city {_show(city)} stands {times} times; give each city an id of its own"


def _network_faults(ids: list[str], links: list[list[Any]]) -> Iterator[str]:
    for link in links:
        if link[0] == link[1]:
            yield f"{_link(link)} leads back to its own city; remove it"
    for lost in parts(ids, [(a, b) for a, b, _ in links])[1:]:
        names = ", ".join(map(_show, lost))
        yield f"no connection joins {names} to the other cities; add one"


def _start_faults(start: dict[str, Any]) -> Iterator[str]:
    for fuel, count in start.items():
        if isinstance(count, int) and count > TOKENS.get(fuel, count):
            yield f"rules.start.{fuel} is {count}; there are only {TOKENS[fuel]} tokens"


def _layout_faults(layout: dict[str, Any], ids: list[str]) -> Iterator[str]:
    places, canvas = _object(layout.get("cities")), _list(layout.get("canvas"))
    if missing := ", ".join(_show(city) for city in ids if city not in places):
        yield f"layout.cities: {missing} must have a position too"
    for city, place in places.items():
        sound = _is(Point, canvas) and _is(Point, place)
        if sound and (place[0] > canvas[0] or place[1] > canvas[1]):
            yield f"layout.cities: city {_show(city)} lies outside the canvas {canvas}"
