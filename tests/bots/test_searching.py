"""The parts of the director's search: what is tried in which order, for how long, and its worth."""

from types import SimpleNamespace
from typing import Any

import pytest

import highvoltage as hv
from highvoltage.bots import director
from highvoltage.bots.director import Budget, Deadline, OutOfTime, win_probability, win_share
from highvoltage.engine.moves import Build, Buy, Done, Nominate, Pass, Start, parse_move
from highvoltage.games.outpost.moves import Build as BuildPiece
from highvoltage.games.outpost.moves import Hire

KINDS = (Nominate, Pass, Buy, Build, Start, Done)


def moves(*texts: str, kinds: tuple[type[hv.Move], ...] = KINDS) -> hv.Moves:
    return hv.Moves([parse_move(text, kinds) for text in texts])


def test_a_deadline_counts_playouts_and_seconds_whichever_come_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [10.0]
    monkeypatch.setattr(director, "perf_counter", lambda: now[0])
    clock, timed, counted = (Deadline(Budget(*each)) for each in ((2.0, 10), (2.0, 0), (0.0, 10)))
    for each in (clock, timed, counted):
        each.played = 4
    now[0] = 10.5
    assert [each.used for each in (clock, timed, counted)] == [0.4, 0.25, 0.4]
    now[0] = 11.5
    assert [each.used for each in (clock, timed, counted)] == [0.75, 0.75, 0.4]
    assert [clock.allows(6), clock.allows(7)] == [True, False]
    assert [counted.allows(6), counted.allows(7)] == [True, False]
    assert timed.allows(1_000)
    timed.check()
    now[0] = 12.0
    assert [each.is_late for each in (clock, timed, counted)] == [True, True, False]
    assert [each.allows(1) for each in (clock, timed, counted)] == [False, False, True]
    with pytest.raises(OutOfTime):
        timed.check()
    now[0] = 13.0
    assert [each.used for each in (clock, timed, counted)] == [1.0, 1.0, 0.4]


def test_in_an_auction_the_highest_card_is_tried_first() -> None:
    legal = moves("pass", "nominate 3 @3", "nominate 4 @4", "nominate 5 @5")
    found = director._in_auction({}, legal)
    assert [*map(str, found)] == ["nominate 5 @5", "nominate 4 @4", "nominate 3 @3", "pass"]


def test_of_each_fuel_the_most_half_of_it_and_the_least_is_tried() -> None:
    legal = moves(
        *(f"buy coal {count}" for count in range(1, 6)),
        *(f"buy oil {count}" for count in range(1, 3)),
        "done",
    )
    assert [*map(str, director._in_fuel({}, legal))] == [
        "done",
        *("buy coal 5", "buy oil 2", "buy coal 3", "buy oil 2", "buy coal 1", "buy oil 1"),
    ]


def test_cities_are_tried_the_cheapest_first_after_stopping() -> None:
    legal = moves("build a", "build b", "start c", "done")
    view = {"connect": {"a": 30, "b": 12}, "start": {"c": 20}}
    found = director._in_building(view, legal)
    assert [*map(str, found)] == ["done", "build b", "start c", "build a"]


def test_a_company_tries_one_move_of_every_kind_before_the_next_of_each() -> None:
    legal = moves(
        "build station c1",
        "build station c2",
        "build plant c3",
        "hire 0",
        "hire 2",
        kinds=(BuildPiece, Hire),
    )
    view = {"connect": {"c1": {"station": 20}, "c2": {"station": 9}, "c3": {"plant": 7}}}
    assert [*map(str, director._in_company(view, legal))] == [
        *("hire 0", "build plant c3", "build station c2"),
        *("hire 2", "build station c1"),
    ]


def test_a_lead_is_a_chance_between_never_and_always() -> None:
    assert win_probability(0) == 0.5
    assert win_probability(1) == pytest.approx(0.7311, abs=1e-4)
    assert win_probability(-1) == pytest.approx(1 - win_probability(1))
    assert win_probability(1e9) == win_probability(30) < 1
    assert win_probability(-1e9) == win_probability(-30) > 0


def test_a_win_is_shared_and_a_narrow_defeat_is_better_than_a_wide_one() -> None:
    def share(seat: int, winners: tuple[int, ...], *scores: dict[str, int]) -> float:
        world: Any = SimpleNamespace(outcome=SimpleNamespace(winners=winners, scores=scores))
        return win_share(world, seat)

    far, near, ahead = ({"cities": c, "money": m} for c, m in ((12, 0), (14, 50), (15, 0)))
    assert share(2, (2,), far, near, ahead) == pytest.approx(0.8 + 0.2 * win_probability(0.5))
    assert share(1, (2,), far, near, ahead) == pytest.approx(0.2 * win_probability(-0.5))
    assert share(0, (2,), far, near, ahead) == pytest.approx(0.2 * win_probability(-3))
    assert share(0, (0, 1), ahead, ahead, far) == pytest.approx(0.4 + 0.2 * 0.5)
    assert share(0, (0,), {"income": 9}, {"income": 8}) == pytest.approx(
        0.8 + 0.2 * win_probability(1)
    )
