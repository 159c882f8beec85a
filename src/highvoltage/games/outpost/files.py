"""Reading the data files of Outpost: every fault names the card, city or connection, O-13."""

import json
import re
from collections import Counter
from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from highvoltage.engine.errors import MAX_FAULTS

T = TypeVar("T")

MAX_ITEMS = 500  # an untrusted file may be of any size
RECONSTRUCTED = "reconstructed"


def read_file(path: str | Path) -> Any:
    """The content of a JSON file; ValueError says why it cannot be read."""
    try:
        return json.loads(Path(path).read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"it cannot be read: {error}") from None


def read_items(
    data: Any, field: str, kind: type[T], what: str, problems: list[str]
) -> tuple[T, ...]:
    """The items of a list in the data; malformed ones are added to the problems."""
    listed = data.get(field) if isinstance(data, dict) else None
    if not isinstance(listed, list):
        problems.append(f"there must be an object with a list '{field}'")
        return ()
    if len(listed) > MAX_ITEMS:
        problems.append(f"'{field}' has {len(listed)} entries; there are at most {MAX_ITEMS}")
        return ()
    items = []
    for number, item in enumerate(listed, 1):
        if len(problems) >= MAX_FAULTS:
            break
        named = isinstance(item, dict) and isinstance(item.get("id"), str)
        label = f"{what} {item['id'][:40]}" if named else f"{what} number {number}"
        try:
            items.append(msgspec.convert(item, kind))
        except msgspec.ValidationError as error:
            problems.append(f"{label}: {plain(str(error))}")
    return tuple(items)


def plain(error: str) -> str:
    """A fault of form with the field in front.

    >>> plain("Expected `int`, got `str` - at `$.workers`")
    'workers: expected int, got str'
    """
    fault, _, where = error.replace("`", "").partition(" - at ")
    field = re.sub(r"^\$\.?", "", where)
    return (f"{field}: " if field else "") + fault[0].lower() + fault[1:]


def repeated(values: Iterable[Hashable]) -> list[Any]:
    return [value for value, times in Counter(values).items() if times > 1]


def is_reconstructed(source: Any) -> bool:
    """Whether a note on sources says that anything is reconstructed."""
    if isinstance(source, dict):
        return any(map(is_reconstructed, source.values()))
    return bool(source == RECONSTRUCTED)
