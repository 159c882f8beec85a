"""Holidays cost no thinking time."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

import highvoltage as hv
from highvoltage.table import Pace, Seat, Table
from highvoltage.table.clock import Span, moment_after, stops_for_holidays, time_spent

MOMENTS = st.integers(0, 60)


@st.composite
def holidays(draw: st.DrawFn) -> list[Span]:
    """Some that do not overlap, in their order."""
    limits = sorted(draw(st.lists(MOMENTS, max_size=8)))
    return [*zip(limits[::2], limits[1::2], strict=False)]


def is_away(away: list[Span], second: int) -> bool:
    return any(start <= second < end for start, end in away)


@given(MOMENTS, MOMENTS, holidays())
def test_the_time_spent_is_counted_second_by_second(
    since: int, seconds: int, away: list[Span]
) -> None:
    at = since + seconds
    counted = sum(not is_away(away, second) for second in range(since, at))
    assert time_spent(since, at, away) == counted


@given(MOMENTS, MOMENTS, holidays())
def test_a_deadline_is_the_first_moment_at_which_the_time_is_spent(
    since: int, seconds: int, away: list[Span]
) -> None:
    moment = moment_after(since, seconds, away)
    assert time_spent(since, moment, away) == seconds
    assert seconds == 0 or time_spent(since, moment - 0.5, away) == seconds - 0.5


@given(st.lists(MOMENTS, min_size=2, max_size=6).map(sorted), holidays())
def test_it_does_not_matter_where_the_time_is_cut(cuts: list[int], away: list[Span]) -> None:
    parts = [time_spent(*both, away) for both in pairwise(cuts)]
    assert sum(parts) == time_spent(cuts[0], cuts[-1], away)


def seated(pace: Pace, away: list[Span]) -> Table:
    """Two people at a table, of whom the one to move goes on holidays."""
    game = hv.new("classic", players=2, seed=1)
    first = game.to_move
    spans = [away if seat == first else [] for seat in range(2)]
    return Table(game, [Seat("person"), Seat("person")], pace=pace, away=spans)


def test_a_clock_stands_still_on_holidays_and_goes_on_afterwards() -> None:
    table = seated(Pace("bank", seconds=100, increment=5), [(30, 1000)])
    first = table.game.to_move
    assert first is not None
    assert table.deadline == 1070
    assert table.next_holiday_change(0) == 30
    assert table.next_holiday_change(30) == 1000
    assert table.next_holiday_change(1000) is None
    for now, left, running in ((20, 80, first), (30, 70, None), (999, 70, None), (1001, 69, first)):
        clocks = table.snapshot(None, now=now).clocks
        assert clocks is not None
        assert (clocks.left[first], clocks.running) == (left, running)
    assert [table.has_run_out(now) for now in (130, 1069, 1070)] == [False, False, True]
    table.commit(table.move(first, 0, "nominate 4 @4", at=1010))
    clocks = table.snapshot(None, now=1010).clocks
    assert clocks is not None
    assert clocks.left[first] == 100 - 40 + 5
    assert table.deadline == 1010 + 100  # the other one is not away


def test_a_turn_takes_no_longer_for_holidays() -> None:
    table = seated(Pace(), [(30, 40)])
    assert (table.deadline, table.turn_after(20), table.turn_after(50)) == (None, 20, 60)


def test_only_games_over_days_stop_for_them() -> None:
    day = 86_400
    paces = [Pace("move", day - 1), Pace("move", day), Pace("bank", 3600, day), Pace("bank", day)]
    assert [stops_for_holidays(pace) for pace in paces] == [False, True, False, True]
    assert stops_for_holidays(Pace())
