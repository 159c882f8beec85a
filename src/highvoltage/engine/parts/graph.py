"""What hangs together on a map."""

from collections.abc import Iterable


def connected_components(
    cities: Iterable[str], pairs: Iterable[tuple[str, str]]
) -> list[list[str]]:
    """The groups of cities connected by the pairs, the largest first.

    >>> connected_components("abcd", [("a", "c"), ("d", "x")])
    [['a', 'c'], ['b'], ['d']]
    """
    part = {city: [city] for city in cities}
    for a, b in pairs:
        if a in part and b in part and part[a] is not part[b]:
            kept, joined = part[a], part[b]
            kept += joined
            part.update(dict.fromkeys(joined, kept))
    return sorted({id(one): one for one in part.values()}.values(), key=len, reverse=True)
