"""Changes the costs of a map until it plays like an official board."""

from collections.abc import Callable

from msgspec import structs

from highvoltage.engine.parts.mapform import Connection, Map
from highvoltage.mapmaker.judge import Verdict, judge

QUICK_GAMES = 100
TRIES = 8
STEP = 3  # of a cost that is changed


def mend(
    board: Map, games: int = QUICK_GAMES, on_try: Callable[[Verdict], None] | None = None
) -> Map:
    """The map, or the best of some that differ from it in costs alone."""
    best, least = board, 10**9
    for number in range(TRIES):
        found = judge(board, games, f"mend/{number}")
        if on_try:
            on_try(found)
        odd = sum(not figure.usual for figure in found.figures)
        if odd < least:
            best, least = board, odd
        if not odd:
            break
        board = mend_costs(board, found)
    return best


def mend_costs(board: Map, found: Verdict) -> Map:
    """The map with other costs where a figure is out of the usual.

    Where people win or start too often everything gets dearer; where nobody goes, cheaper.
    """
    region_of = {city.id: city.region for city in board.cities}
    more = {(link.a, link.b): 0 for link in board.connections}
    for figure in found.figures:
        if figure.usual:
            continue
        for a, b in more:
            if figure.name in {"first_city", "opened_with"} and figure.where in {a, b}:
                more[a, b] += STEP
            regions = {region_of[a], region_of[b]}
            if figure.name == "first_region" and regions == {figure.where}:
                more[a, b] += STEP
            if figure.name == "loneliest_region" and figure.where in regions:
                more[a, b] -= STEP
            if figure.name == "unused_connections" and tuple(sorted((a, b))) in found.unused:
                more[a, b] -= STEP
    connections = tuple(
        Connection(link.a, link.b, max(0, link.cost + more[link.a, link.b]))
        for link in board.connections
    )
    return structs.replace(board, connections=connections)
