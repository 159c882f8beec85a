"""States as plain data, to be compared field by field.

A state is made of slotted objects that copy themselves, of lists, and of values. `snapshot` takes
it apart without trusting `copy`; what cannot copy itself (a rulebook, a play area) never changes
and counts as a value.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

PLAIN = (int, str, type(None))  # most of a state


def slots(thing: object) -> Iterator[str]:
    """The names of the fields that are set."""
    for kind in type(thing).__mro__:
        # Where it is compiled, they stand under another name.
        for name in getattr(kind, "__slots__", getattr(kind, "__mypyc_attrs__", ())):
            if hasattr(thing, name):
                yield name


def copies_itself(thing: object) -> bool:
    return not isinstance(thing, list | dict | set | Struct | type) and hasattr(thing, "copy")


def snapshot(thing: Any, *, leaving: tuple[str, ...] = ()) -> Any:
    """The fields of a state as nested data that nothing in the game can change any more."""
    if isinstance(thing, PLAIN):
        return thing
    if isinstance(thing, list | tuple):
        return [snapshot(part, leaving=leaving) for part in thing]
    if isinstance(thing, dict):
        return {key: snapshot(part, leaving=leaving) for key, part in thing.items()}
    if copies_itself(thing):
        return {
            name: snapshot(getattr(thing, name), leaving=leaving)
            for name in slots(thing)
            if name not in leaving
        }
    return thing


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
    """A value that is found nowhere else; for a field that may hold a part, it copies itself."""

    def copy(self) -> "_Mark":
        return self


def uncopied(thing: Any, path: str = "state") -> list[str]:
    """The fields that `copy()` forgets, found by marking one field after the other."""
    found = []
    for name in slots(thing):
        value = getattr(thing, name)
        if copies_itself(value):
            found += uncopied(value, f"{path}.{name}")
        elif isinstance(value, list) and value and all(map(copies_itself, value)):
            for i, part in enumerate(value):
                found += uncopied(part, f"{path}.{name}[{i}]")
        else:
            mark: Any = _Mark()
            marked = [mark] if isinstance(value, list) else mark
            try:
                setattr(thing, name, marked)
            except TypeError:  # where it is compiled, it holds nothing of another kind
                continue
            try:
                if getattr(thing.copy(), name, None) != marked:
                    found.append(f"{path}.{name}")
            finally:
                setattr(thing, name, value)
    return found
