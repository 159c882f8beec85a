"""Who meets whom in a round of a cup, and who sits where.

Nobody meets somebody again while that can be avoided; the smaller tables go round; and people with
about as many points meet. Everybody sits in each seat about as often.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from random import Random
from typing import NamedTuple

FEWEST_SEATS = 3
SHUFFLES = 400
"""Beginnings that are tried while people would meet again, times people."""
MET, SMALLER = 1e12, 1e7
"""What it costs to meet again, and to sit at a smaller table again; points cost as they are."""

Seating = list[int | None]
"""The players at a table, by seat; None is a bot."""


class TableSize(NamedTuple):
    """How many people play at a table, and how many seats it has: bots take the others."""

    people: int
    seats: int


def table_sizes(people: int, seats: int) -> list[TableSize]:
    """As few tables as possible, all about as large; bots fill those below `seats` - 1.

    >>> table_sizes(7, 4)
    [TableSize(people=4, seats=4), TableSize(people=3, seats=3)]
    >>> table_sizes(5, 4)
    [TableSize(people=3, seats=3), TableSize(people=2, seats=3)]
    """
    tables = -(-people // seats)
    fewest = max(FEWEST_SEATS, seats - 1)
    sizes = [people // tables + (n < people % tables) for n in range(tables)] if tables else []
    return [TableSize(size, max(size, fewest)) for size in sizes]


def pair_players(
    points: Mapping[int, float], played: Sequence[Seating], seats: int, seed: str
) -> list[Seating]:
    """The tables of the next round for these players, after the tables they have played at."""
    rng = Random(seed)
    sizes = table_sizes(len(points), seats)
    tables = _groups(points, played, sizes, rng)
    return [
        _seated(group, size.seats, played, rng) for group, size in zip(tables, sizes, strict=True)
    ]


def meetings(tables: Sequence[Sequence[int | None]]) -> Counter[frozenset[int]]:
    """How often each two players have met."""
    found: Counter[frozenset[int]] = Counter()
    for table in tables:
        people = [player for player in table if player is not None]
        found.update(frozenset(pair) for pair in combinations(people, 2))
    return found


class _Costs:
    """What it costs to let two people meet, or somebody sit at a smaller table."""

    def __init__(self, points: Mapping[int, float], played: Sequence[Seating]) -> None:
        self.met = meetings(played)
        self.meeting: dict[int, dict[int, float]] = {
            one: {
                other: MET * self.met[frozenset((one, other))] + abs(points[one] - points[other])
                for other in points
            }
            for one in points
        }
        people = [[player for player in table if player is not None] for table in played]
        largest = max(map(len, people), default=0)
        small = Counter(n for table in people if len(table) < largest for n in table)
        self.smaller: dict[int, float] = {player: SMALLER * small[player] for player in points}

    def of(self, tables: Sequence[Sequence[int]]) -> float:
        largest = max(map(len, tables), default=0)
        return sum(
            sum(self.meeting[one][other] for one, other in combinations(table, 2))
            + sum(self.smaller[player] for player in table if len(table) < largest)
            for table in tables
        )


def _groups(
    points: Mapping[int, float], played: Sequence[Seating], sizes: Sequence[TableSize], rng: Random
) -> list[list[int]]:
    """The people of each table; from several beginnings if they would meet again."""
    costs = _Costs(points, played)
    order = [*points]
    rng.shuffle(order)
    order.sort(key=lambda player: -points[player])
    best: list[list[int]] = []
    for n in range(SHUFFLES // max(1, len(order)) + 1):
        if n:
            rng.shuffle(order)
        left = iter(order)
        tables = [[next(left) for _ in range(size.people)] for size in sizes]
        _exchange(tables, costs)
        if not n or costs.of(tables) < costs.of(best):
            best = tables
        if costs.of(best) < MET:
            break
    return best


def _exchange(tables: list[list[int]], costs: _Costs) -> None:
    """Exchange players of two tables as long as that is better."""
    largest = max(map(len, tables), default=0)
    better = True
    while better:
        better = False
        for one, other in combinations(tables, 2):
            for i in range(len(one)):
                for j in range(len(other)):
                    if _gain(one, i, other, j, costs, largest) > 0:
                        one[i], other[j] = other[j], one[i]
                        better = True


def _gain(one: list[int], i: int, other: list[int], j: int, costs: _Costs, largest: int) -> float:
    """What is saved if two players exchange their tables."""
    first, second = one[i], other[j]
    to_first, to_second = costs.meeting[first], costs.meeting[second]
    gain = sum(to_first[each] - to_second[each] for each in one if each != first)
    gain += sum(to_second[each] - to_first[each] for each in other if each != second)
    smaller = (len(one) < largest) - (len(other) < largest)
    return gain + smaller * (costs.smaller[first] - costs.smaller[second])


def _seated(group: list[int], seats: int, played: Sequence[Seating], rng: Random) -> Seating:
    """The group, everybody where they have sat least often."""
    sat = Counter((player, seat) for table in played for seat, player in enumerate(table))
    people = group[:]
    rng.shuffle(people)
    orders = permutations(range(seats), len(people))
    chosen = min(
        orders, key=lambda order: sum(sat[each] ** 2 for each in zip(people, order, strict=True))
    )
    table: Seating = [None] * seats
    for player, seat in zip(people, chosen, strict=True):
        table[seat] = player
    return table
