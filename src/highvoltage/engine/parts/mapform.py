"""The form of a map file: its fields and types, and what is told of a file that has others."""

import json
import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from functools import cache
from types import GenericAlias, UnionType
from typing import Annotated, Union, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

from highvoltage.engine.parts.maprules import (
    NO_RULES,
    REGIONS_IN_PLAY,
    Count,
    Line,
    MapRules,
    Number,
    Players,
    Slug,
    Text,
    merged,
    text,
)

LONGEST_NAME = 40  # for which a better one is looked for
LANGUAGES = ("en", "pl", "cs", "sr", "de")

Colour = Annotated[str, text("[a-z]+|#[0-9a-fA-F]{6}", 'a colour such as "green" or "#00aa66"')]
Longitude = Annotated[float, Meta(ge=-180, le=180, description="degrees east, -180 to 180")]
Latitude = Annotated[float, Meta(ge=-90, le=90, description="degrees north, -90 to 90")]
Point = Annotated[tuple[Count, Count], Meta(description="two whole numbers [x, y], 0 or more")]
Language = Annotated[str, text("|".join(LANGUAGES), f"a language: {', '.join(LANGUAGES)}")]
Difficulty = Annotated[int, Meta(ge=1, le=3, description="1 (easy), 2 or 3 (hard)")]
RuleId = Annotated[str, text(r"[A-Z]+-[A-Z0-9.-]+[a-z]?", "the id of a rule, such as A-FRA-3")]
Country = Annotated[str, text("[0-9]{3}", 'three digits as in ISO 3166-1: "276" for Germany')]
Regions = Annotated[
    tuple[Slug, ...], Meta(min_length=1, description="a list of regions, not empty")
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


class Layout(Struct, frozen=True, omit_defaults=True):
    """Where the cities are drawn, in pixels on a canvas of the given width and height."""

    canvas: Point
    cities: dict[Slug, Point]
    projection: Text = ""  # how they came about, so that land can be drawn to match


class Map(Struct, frozen=True, omit_defaults=True, eq=False):
    """A board. Maps are compared by identity, so that they can be keys of a cache."""

    id: Slug
    name: Line
    regions: tuple[Slug, ...]
    cities: tuple[City, ...]
    connections: tuple[Connection, ...]
    edition: Text = ""
    played_by: tuple[Slug, ...] = ()  # the rulebooks that list it among their maps
    called: Slug = ""  # its name there; the id if none is given
    region_colours: dict[Slug, Colour] = {}
    region_names: dict[Slug, dict[Language, Line]] = {}  # where the id does not tell
    rules: MapRules = NO_RULES
    rulebooks: dict[Slug, MapRules] = {}  # what else it changes, played by one of them
    regions_in_play: dict[Players, Number] = {}
    islands: tuple[Regions, ...] = ()  # regions that no connection joins to the others
    layout: Layout | None = None
    countries: tuple[Country, ...] = ()  # the land below; else those that its cities lie in
    names: dict[Language, Line] = {}  # where a language calls it otherwise
    about: dict[Language, Line] = {}  # what is special, in a sentence
    difficulty: Difficulty | None = None
    section: RuleId | None = None  # of the rules that tell of this board
    cites: dict[Slug, RuleId] = {}  # the rule of this board behind a refusal, by its code
    doubts: tuple[RuleId, ...] = ()  # rules whose numbers are not certain

    def rules_by(self, rulebook: str) -> MapRules:
        """What the board changes when it is played by this rulebook."""
        more = self.rulebooks.get(rulebook)
        return merged(self.rules, more) if more else self.rules

    def in_play(self, players: int) -> int:
        """How many regions are in play, A-GEN-3."""
        most = len(self.regions)
        return self.regions_in_play.get(players, min(REGIONS_IN_PLAY[players], most))


# The form: fields and types, as the classes above declare them.


def form_faults(kind: object, value: object, path: str) -> Iterator[str]:
    origin: object = get_origin(kind)
    inner: tuple[object, ...] = get_args(kind)
    if origin in (UnionType, Union):
        if value is not None:
            yield from form_faults(inner[0], value, path)
    elif isinstance(kind, type) and issubclass(kind, Struct) and fits(kind, value):
        yield from _field_faults(kind, value, path)
    elif origin is dict and isinstance(value, dict):
        for key, item in value.items():
            if not is_a(GenericAlias(dict, (inner[0], None)), {key: None}):
                yield f"{path}: {show(key)} stands where there must be {_meaning(inner[0])}"
            yield from form_faults(inner[1], item, join(path, show(key)))
    elif origin is tuple and isinstance(value, list):
        for number, item in enumerate(value, 1):
            yield from form_faults(inner[0], item, _label(inner[0], item, number, path))
    elif not is_a(kind, value):
        yield f"{path or 'the file'} is {show(value)}; it must be {_meaning(kind)}"


def is_a(kind: object, value: object) -> bool:
    try:
        msgspec.convert(value, kind, str_keys=True)
    except (msgspec.ValidationError, UnicodeEncodeError):  # the latter: half a character
        return False
    return True


def fits(kind: type[Struct], value: object) -> bool:
    if kind is Connection:
        return isinstance(value, list) and len(value) == len(kind.__struct_fields__)
    return isinstance(value, dict)


def _field_faults(kind: type[Struct], value: object, path: str) -> Iterator[str]:
    names = kind.__struct_fields__
    given: dict[str, object] = {}
    if isinstance(value, list):
        given = dict(zip(names, value, strict=True))
    elif isinstance(value, dict):
        given = value
    for field in _fields(kind):
        where = join(path, field.name)
        if field.name in given:
            yield from form_faults(field.type, given[field.name], where)
        elif field.required:
            yield f"{where} is missing; it must be {_meaning(field.type)}"
    for name in given:
        if name not in names:
            yield f"{join(path, show(name))} is no field of a map; {instead(name, names)}"


_fields = cache(msgspec.structs.fields)


def join(path: str, name: str) -> str:
    """`rules.start`, but `city essen: lon`."""
    return f"{path}{': ' if ' ' in path else '.' if path else ''}{name}"


def _label(kind: object, item: object, number: int, path: str) -> str:
    if kind is City:
        name: object = item.get("id") if isinstance(item, dict) else None
        return f"city {show(name)}" if isinstance(name, str) else f"city number {number}"
    if kind is Connection:
        if isinstance(item, list) and fits(Connection, item):
            return link_name(item)
        return f"connection number {number}"
    return f"{path}[{number}]"


def link_name(item: list[object]) -> str:
    return f"connection {show(item[0])}-{show(item[1])}"


def _meaning(kind: object) -> str:
    if get_origin(kind) is Annotated:
        return str(get_args(kind)[1].description)
    if kind is Connection:
        return 'a list such as ["kiel", "hamburg", 8]'
    return "a list [...]" if get_origin(kind) is tuple else "an object {...}"


def show(value: object) -> str:
    """A value as it stands in the file, not too long; ids without quotes."""
    if isinstance(value, str) and re.fullmatch("[a-z0-9_]{1,40}", value):
        return value
    text = json.dumps(value, ensure_ascii=False)
    if not text.isprintable():
        text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def instead(word: str, known: Collection[str]) -> str:
    short = [name for name in known if len(name) <= LONGEST_NAME]
    if len(word) <= LONGEST_NAME and (close := get_close_matches(word, short, 1, 0.7)):
        return f"did you mean {show(close[0])}?"
    if 0 < len(known) <= 10:
        return f"known are {', '.join(map(show, known))}"
    return "mend the name or add it"
