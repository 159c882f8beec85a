"""Pairings and standings of cups, as functions."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from highvoltage.server.cups.pairing import Seating, meetings, pair_players, table_sizes
from highvoltage.server.cups.standings import SeatResult, seat_points, standings

SEATS = st.integers(3, 6)


def repeats(table: Seating, before: Counter[frozenset[int]]) -> int:
    return sum(before[pair] for pair in meetings([table]).elements())


def rounds(people: int, seats: int, count: int, seed: str) -> list[list[Seating]]:
    """Rounds in which everybody plays, with points by chance."""
    rng, points = Random(seed), dict.fromkeys(range(people), 0.0)
    found: list[list[Seating]] = []
    for n in range(count):
        played = [table for tables in found for table in tables]
        found.append(pair_players(points, played, seats, f"{seed} {n}"))
        points = {player: had + rng.randrange(5) for player, had in points.items()}
    return found


def partitions(people: list[int], sizes: list[int]) -> Iterator[list[tuple[int, ...]]]:
    """All ways to divide people among tables; those of one size more than once."""
    if not sizes:
        yield []
        return
    for table in combinations(people, sizes[0]):
        left = [player for player in people if player not in table]
        for others in partitions(left, sizes[1:]):
            yield [table, *others]


@given(people=st.integers(0, 200), seats=SEATS)
def test_tables_are_large_enough_for_all_and_no_larger(people: int, seats: int) -> None:
    sizes = table_sizes(people, seats)
    assert sum(size.people for size in sizes) == people
    for size in sizes:
        assert 1 <= size.people <= size.seats
        assert max(3, seats - 1) <= size.seats <= seats
    assert len(sizes) == -(-people // seats)
    counts = [size.people for size in sizes]
    assert max(counts, default=0) - min(counts, default=0) <= 1
    if people >= seats * (seats - 2) > 3:  # then tables of `seats` and one less do
        assert all(size.people == size.seats for size in sizes)


@given(people=st.integers(2, 14), seats=SEATS, count=st.integers(1, 3), seed=st.text(max_size=4))
def test_everybody_sits_once_in_a_round(people: int, seats: int, count: int, seed: str) -> None:
    for tables in rounds(people, seats, count, seed):
        sat = [player for table in tables for player in table if player is not None]
        assert sorted(sat) == [*range(people)]
        assert [len(table) for table in tables] == [s.seats for s in table_sizes(people, seats)]


@given(people=st.integers(4, 8), seats=st.integers(3, 4), seed=st.text(max_size=4))
def test_as_few_meet_again_as_in_the_best_of_all_pairings(
    people: int, seats: int, seed: str
) -> None:
    *before, last = rounds(people, seats, 3, seed)
    met = meetings([table for tables in before for table in tables])
    sizes = [size.people for size in table_sizes(people, seats)]
    least = min(
        sum(repeats([*table], met) for table in way) for way in partitions([*range(people)], sizes)
    )
    assert sum(repeats(table, met) for table in last) == least


@pytest.mark.parametrize(("people", "seats", "count"), [(40, 4, 5), (38, 4, 5), (25, 5, 3)])
def test_nobody_meets_again_where_there_are_enough_people(
    people: int, seats: int, count: int
) -> None:
    tables = [table for each in rounds(people, seats, count, "cup") for table in each]
    assert max(meetings(tables).values()) == 1


def test_seats_and_smaller_tables_go_round() -> None:
    """After four rounds, nobody of 39 has sat three times in one seat, or at two tables of three
    while somebody else sat at none."""
    tables = [table for each in rounds(39, 4, 4, "cup") for table in each]
    sat = Counter((player, seat) for table in tables for seat, player in enumerate(table))
    assert max(sat.values()) <= 2
    small = Counter(player for table in tables if len(table) == 3 for player in table)
    assert max(small.values()) == 1


def test_people_with_as_many_points_meet() -> None:
    points = {player: float(player // 4) for player in range(16)}
    tables = pair_players(points, [], 4, "cup")
    assert all(len({points[n] for n in table if n is not None}) == 1 for table in tables)


def test_the_same_seed_pairs_the_same() -> None:
    points = dict.fromkeys(range(20), 0.0)
    assert pair_players(points, [], 4, "a") == pair_players(points, [], 4, "a")
    assert pair_players(points, [], 4, "a") != pair_players(points, [], 4, "b")


# Standings


def result(*players: int | None) -> list[SeatResult]:
    """A table whose seats came in this order."""
    return [SeatResult(player, place, left=False) for place, player in enumerate(players, 1)]


def ranks(players: int, *tables: list[SeatResult]) -> list[tuple[int, int]]:
    found = standings(range(players), tables, [5, 3, 2, 1])
    return [(each.player, each.rank) for each in found]


def test_points_decide() -> None:
    found = standings(range(4), [result(2, 0, 1, 3), result(0, 2, 3, 1)], [5, 3, 2, 1])
    assert [(each.player, each.points, each.games) for each in found] == [
        (0, 8, 2),
        (2, 8, 2),
        (1, 3, 2),
        (3, 3, 2),
    ]


def test_first_places_break_ties() -> None:
    """Ann wins once and is third once; Bob is second and second: 5 + 1 against 3 + 3."""
    assert ranks(2, result(0, 1, None), result(None, 1, None, 0)) == [(0, 1), (1, 2)]


def test_then_the_points_of_those_one_has_met() -> None:
    """0 and 1 have won a game each, 0 against 2, who has won another one."""
    tables = [result(0, 2), result(1, 3), result(2, None), result(None, None, 3)]
    found = standings(range(4), tables, [5, 3, 2, 1])
    assert [(each.player, each.rank, each.opponents) for each in found][1:3] == [
        (0, 2, 8.0),
        (1, 3, 5.0),
    ]


def test_whoever_is_equal_in_all_has_the_same_rank() -> None:
    assert ranks(3, result(2, None), result(0, None), result(None, 1)) == [(0, 1), (2, 1), (1, 3)]


def test_those_who_tie_share_their_points() -> None:
    tie = [SeatResult(n, place, left=False) for n, place in enumerate((1, 1, 1, 4))]
    assert [float(each) for each in seat_points(tie, [5, 3, 1, 1])] == [3, 3, 3, 1]


def test_whoever_has_left_gets_nothing_and_takes_nothing() -> None:
    table = [SeatResult(0, 1, left=False), SeatResult(1, 2, left=True), SeatResult(2, 2, left=True)]
    assert [*seat_points(table, [5, 3, 1])] == [5, 0, 0]
    assert [each.wins for each in standings(range(3), [table], [5, 3, 1])] == [1, 0, 0]


@given(data=st.data(), people=st.integers(2, 12))
def test_all_points_are_given_to_somebody(data: st.DataObject, people: int) -> None:
    """However they tie: those of the places that people and bots had at their tables."""
    points = [5, 3, 2, 1]
    order = data.draw(st.permutations(range(people)))
    tables = [order[n : n + 4] for n in range(0, people, 4)]
    tied = [[SeatResult(player, 1, left=False) for player in table] for table in tables]
    found = standings(range(people), tied, points)
    given_out = sum(sum(points[: len(table)]) for table in tables)
    assert sum(each.points for each in found) == pytest.approx(given_out)
    assert [each.rank for each in found] == sorted(each.rank for each in found)
