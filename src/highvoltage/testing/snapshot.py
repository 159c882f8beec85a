"""States as plain data, to be compared field by field.

A state consists of slotted objects that can copy themselves, of lists, and of values. `snapshot`
takes it apart without relying on `copy`; an object that cannot copy itself (a rulebook, a play
area) never changes and counts as a value.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

PLAIN = (int, str, type(None))  # most of a state


def slots(value: object) -> Iterator[str]:
    """The names of the fields that are set."""
    for kind in type(value).__mro__:
        # A compiled class has them under another name.
        for name in getattr(kind, "__slots__", getattr(kind, "__mypyc_attrs__", ())):
            if hasattr(value, name):
                yield name


def copies_itself(value: object) -> bool:
    return not isinstance(value, list | dict | set | Struct | type) and hasattr(value, "copy")


def snapshot(value: Any, *, leaving: tuple[str, ...] = ()) -> Any:
    """The fields of a state as nested data that the game can no longer change."""
    if isinstance(value, PLAIN):
        return value
    if isinstance(value, list | tuple):
        return [snapshot(part, leaving=leaving) for part in value]
    if isinstance(value, dict):
        return {key: snapshot(part, leaving=leaving) for key, part in value.items()}
    if copies_itself(value):
        return {
            name: snapshot(getattr(value, name), leaving=leaving)
            for name in slots(value)
            if name not in leaving
        }
    return value


def differences(one: Any, two: Any, path: str = "state") -> list[str]:
    """Where two snapshots differ, as paths.

    >>> differences({"money": 50, "fuel": [0, 1]}, {"money": 50, "fuel": [0, 2]})
    ['state.fuel[1]: 1 is not 2']
    """
    if one == two and isinstance(one, PLAIN) and type(one) is type(two):
        return []
    if isinstance(one, dict) and isinstance(two, dict) and one.keys() == two.keys():
        return [
            each for name in one for each in differences(one[name], two[name], f"{path}.{name}")
        ]
    if isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        return [
            each
            for i, (a, b) in enumerate(zip(one, two, strict=True))
            for each in differences(a, b, f"{path}[{i}]")
        ]
    return [] if one == two and type(one) is type(two) else [f"{path}: {one!r} is not {two!r}"]


class _Mark:
    """A unique value; it can copy itself, as fields may hold objects that do."""

    def copy(self) -> "_Mark":
        return self


def uncopied(owner: Any, path: str = "state") -> list[str]:
    """The fields that `copy()` forgets, found by marking each field in turn."""
    found = []
    for name in slots(owner):
        value = getattr(owner, name)
        if copies_itself(value):
            found += uncopied(value, f"{path}.{name}")
        elif isinstance(value, list) and value and all(map(copies_itself, value)):
            for i, part in enumerate(value):
                found += uncopied(part, f"{path}.{name}[{i}]")
        else:
            mark: Any = _Mark()
            marked = [mark] if isinstance(value, list) else mark
            try:
                setattr(owner, name, marked)
            except TypeError:  # a compiled class accepts only values of the declared type
                continue
            try:
                if getattr(owner.copy(), name, None) != marked:
                    found.append(f"{path}.{name}")
            finally:
                setattr(owner, name, value)
    return found
