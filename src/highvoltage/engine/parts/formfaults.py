"""Faults of a map file whose fields have the wrong types."""

import re
from collections.abc import Collection, Iterator
from functools import cache
from types import GenericAlias, UnionType
from typing import Annotated, Union, get_args, get_origin

import msgspec
from msgspec import Struct

from highvoltage.engine.parts.mapform import City, Connection

MAX_SUGGEST_LENGTH = 40  # longer words get no suggestion


def form_faults(kind: object, value: object, path: str) -> Iterator[str]:
    origin: object = get_origin(kind)
    inner: tuple[object, ...] = get_args(kind)
    if origin in (UnionType, Union):
        if value is not None:
            yield from form_faults(inner[0], value, path)
    elif isinstance(kind, type) and issubclass(kind, Struct) and has_all_fields(kind, value):
        yield from _field_faults(kind, value, path)
    elif origin is dict and isinstance(value, dict):
        for key, item in value.items():
            if not conforms(GenericAlias(dict, (inner[0], None)), {key: None}):
                yield f"{path}: {quote(key)} stands where there must be {_meaning(inner[0])}"
            yield from form_faults(inner[1], item, join_path(path, quote(key)))
    elif origin is tuple and isinstance(value, list):
        for number, item in enumerate(value, 1):
            yield from form_faults(inner[0], item, _label(inner[0], item, number, path))
    elif not conforms(kind, value):
        yield f"{path or 'the file'} is {quote(value)}; it must be {_meaning(kind)}"


def conforms(kind: object, value: object) -> bool:
    try:
        msgspec.convert(value, kind, str_keys=True)
    except (msgspec.ValidationError, UnicodeEncodeError):  # the latter: half a character
        return False
    return True


def has_all_fields(kind: type[Struct], value: object) -> bool:
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
        where = join_path(path, field.name)
        if field.name in given:
            yield from form_faults(field.type, given[field.name], where)
        elif field.required:
            yield f"{where} is missing; it must be {_meaning(field.type)}"
    for name in given:
        if name not in names:
            yield f"{join_path(path, quote(name))} is no field of a map; {suggest(name, names)}"


_fields = cache(msgspec.structs.fields)


def join_path(path: str, name: str) -> str:
    """`rules.start`, but `city essen: lon`."""
    return f"{path}{': ' if ' ' in path else '.' if path else ''}{name}"


def _label(kind: object, item: object, number: int, path: str) -> str:
    if kind is City:
        name: object = item.get("id") if isinstance(item, dict) else None
        return f"city {quote(name)}" if isinstance(name, str) else f"city number {number}"
    if kind is Connection:
        if isinstance(item, list) and has_all_fields(Connection, item):
            return link_name(item)
        return f"connection number {number}"
    return f"{path}[{number}]"


def link_name(item: list[object]) -> str:
    return f"connection {quote(item[0])}-{quote(item[1])}"


def _meaning(kind: object) -> str:
    if get_origin(kind) is Annotated:
        return str(get_args(kind)[1].description)
    if kind is Connection:
        return 'a list such as ["kiel", "hamburg", 8]'
    return "a list [...]" if get_origin(kind) is tuple else "an object {...}"


def quote(value: object) -> str:
    """A value as written in the file, shortened; ids without quotes."""
    if isinstance(value, str) and re.fullmatch("[a-z0-9_]{1,40}", value):
        return value
    import json  # noqa: PLC0415  # slow to load, and only faults quote

    text = json.dumps(value, ensure_ascii=False)
    if not text.isprintable():
        text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def suggest(word: str, known: Collection[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415  # slow to load, and seldom needed

    short = [name for name in known if len(name) <= MAX_SUGGEST_LENGTH]
    if len(word) <= MAX_SUGGEST_LENGTH and (close := get_close_matches(word, short, 1, 0.7)):
        return f"did you mean {quote(close[0])}?"
    if 0 < len(known) <= 10:
        return f"known are {', '.join(map(quote, known))}"
    return "mend the name or add it"
