"""What `highvoltage bench` computes from the times that it measures, and how it shows that."""

import io
from itertools import count
from typing import Any

import pytest
from rich.console import Console

import highvoltage as hv
from highvoltage.cli import bench
from highvoltage.cli.series import Series, play_one


def result(rulebook: str, per_second: int, **more: Any) -> dict[str, Any]:
    """Measured figures."""
    queries = dict.fromkeys(bench.QUERY_COLUMNS.values(), 50.0)
    shown: dict[str, Any] = {
        "rulebook": rulebook,
        "decisions_per_second": per_second,
        "games_per_second": 81.2,
        "ratio": 1.0,
        "copy_us": 3.14,
        "legal_moves_us": 4.25,
        "replay_ms": 7.77,
        "replay_moves": 501,
        "simulate": 0.876,
        "playouts_per_second": 0.0,
        "tycoon_us": None,
    }
    return shown | queries | more


def test_figures_are_shown_with_what_they_are_in_decisions() -> None:
    machine = {"cpu": "Some CPU", "system": "Linux", "python": "CPython 3", "build": "pure"}
    results = [
        result("classic", 20_000, tycoon_us=2_500.0, playouts_per_second=200.0),
        result("outpost", 400_000, ratio=20.0, view_us=12.0),
    ]
    console = Console(width=200, file=(shown := io.StringIO()))
    bench.show_bench({"machine": machine, "results": results}, console)
    lines = [" ".join(line.split()) for line in shown.getvalue().splitlines()]
    assert lines == [
        "Some CPU, Linux, CPython 3, pure, one core",
        "decisions/s games/s ratio copy µs legal µs replay",
        "classic 20,000 81.2 1.00 3.1 4.2 7.8 ms (501 moves)",
        "outpost 400,000 81.2 20.00 3.1 4.2 7.8 ms (501 moves)",
        "",
        "Other queries, in µs (and in decisions of the same rulebook)",
        "classic outpost",
        "new game 50 (1.0) 50 (20)",
        "view 50 (1.0) 12 (4.8)",
        "view with history 50 (1.0) 50 (20)",
        "undo 50 (1.0) 50 (20)",
        "resample 50 (1.0) 50 (20)",
        "simulate random 88% 88%",
        "director 200/s (100) -",
        "tycoon 2,500 (50) -",
    ]


def test_what_takes_ten_decisions_or_more_is_told_in_whole_ones() -> None:
    each = result("classic", 20_000)
    assert [bench.in_decisions(us, each) for us in (499, 500)] == ["10.0", "10"]
    assert bench.in_decisions(5e7, each) == "1,000,000"


@pytest.fixture(scope="module")
def played() -> list[hv.Game]:
    return [bench.random_game("cardgame", seed) for seed in range(2)]


def test_figures_come_from_the_least_times(
    played: list[hv.Game], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that is timed takes two milliseconds, and a list of legal moves three nanoseconds."""
    clock = count(step=3)
    monkeypatch.setattr(bench, "time_of", lambda _: 2e-3)
    monkeypatch.setattr(bench, "perf_counter_ns", lambda: next(clock))
    decisions = len(played[0].log) + len(played[1].log)
    nearest = min((len(game.log) for game in played), key=lambda moves: abs(moves - 500))
    assert bench.figures("cardgame", played, 1 / 20_000, 1) == {
        "rulebook": "cardgame",
        "games": 2,
        "decisions": decisions,
        "decisions_per_second": 20_000,
        "games_per_second": round(2 / decisions * 20_000, 1),
        "copy_us": 2_000 / (bench.COPIES * 2),
        "legal_moves_us": 0.0,
        "replay_moves": nearest,
        "replay_ms": 2.0,
    }
    assert bench.decisions_of(played) == decisions


def test_each_rulebook_is_compared_with_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The best of the repeats counts; four games, rounded up, are played as `simulate` does."""
    game = bench.random_game("cardgame", 1)
    ticks = iter([0, 4, 10, 11, 20, 22, 30, 36])  # of two rulebooks, twice
    simulated: list[tuple[str, int]] = []

    def simulate(name: str, games: int) -> float:
        simulated.append((name, games))
        return 2 / len(game.log) * len(simulated)

    monkeypatch.setattr(bench, "random_game", lambda *_: game)
    monkeypatch.setattr(bench, "process_time", lambda: next(ticks))
    monkeypatch.setattr(bench, "simulated_decision", simulate)
    monkeypatch.setattr(bench, "query_figures", lambda *_: {})
    monkeypatch.setattr(
        bench,
        "figures",
        lambda name, _played, best, _: {"rulebook": name, "decisions_per_second": 1 / best},
    )
    found = bench.measure(["a", "b"], 5, 2)
    decision = 1 / (5 * len(game.log))
    assert [each["decisions_per_second"] * decision for each in found] == pytest.approx([1 / 2, 1])
    assert [each["ratio"] for each in found] == [1, 2]
    assert [each["simulate"] for each in found] == [round(1 / 5, 2), round(1 / 20, 2)]
    assert simulated == [("a", 2), ("b", 2)] * 2


def test_a_decision_of_the_random_bot_is_timed_as_simulate_plays_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ticks = iter([5.0, 11.0])
    monkeypatch.setattr(bench, "process_time", lambda: next(ticks))
    found = bench.simulated_decision("cardgame", 2)
    monkeypatch.undo()
    series = Series("cardgame", None, ("random",) * bench.PLAYERS, {}, "1", None)
    assert found == 6 / sum(play_one(series, number).decisions for number in range(2))


def test_time_is_what_passes_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = iter([5.0, 7.5])
    monkeypatch.setattr(bench, "process_time", lambda: next(ticks))
    worked: list[int] = []
    assert (bench.time_of(lambda: worked.append(1)), worked) == (2.5, [1])
