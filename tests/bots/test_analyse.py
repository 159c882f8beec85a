"""Analysis of a finished game."""

import json
from pathlib import Path

from typer.testing import CliRunner

import highvoltage as hv
from highvoltage import bots
from highvoltage.analysis import (
    Analysis,
    JudgedDecision,
    JudgeTask,
    partial_analysis,
    plan_analysis,
    run_plan,
)
from highvoltage.cli import app


def test_a_game_is_compared_with_the_director(tmp_path: Path) -> None:
    game = hv.new("cardgame", players=3, seed=2)
    seats = [bots.make(name, 1) for name in ("random", "clerk", "clerk")]
    while len(game.log) < 12:
        assert game.to_move is not None
        game.play(bots.ask(seats[game.to_move], game).move)
    file = tmp_path / "game.txt"
    file.write_text(str(game.record()), "utf-8")
    command = ["analyse", str(file), "--budget", "1"]
    first, again = (CliRunner().invoke(app, [*command, "--json"]) for _ in range(2))
    assert first.exit_code == 0, first.output
    assert first.stdout == again.stdout
    found = json.loads(first.stdout)
    assert found["decisions"]
    for judged in found["decisions"]:
        assert 0 <= judged["chance"] <= judged["best_chance"] <= 1
        assert str(game.log[judged["move"] - 1].move) == judged["played"]
    assert len(found["curves"]) == 3
    result = CliRunner().invoke(app, command)
    assert "The costliest moves" in result.stdout


def test_certain_results_are_reported_before_the_analysis_is_complete() -> None:
    """Mistakes are confirmed one by one, and stay; chances arrive round by round."""
    game = hv.new("cardgame", players=2, seed=2)
    seats = [bots.make("random", 1), bots.make("random", 2)]
    while len(game.log) < 16:
        assert game.to_move is not None
        game.play(bots.ask(seats[game.to_move], game).move)
    judgements: list[tuple[JudgeTask, JudgedDecision | None]] = []
    partial: list[Analysis] = []

    def answer(task: JudgeTask) -> JudgedDecision | None:
        """By its number every third decision is bad, and every other one of these is confirmed."""
        row = game.log[task.move - 1]
        bad = task.move % 3 == 0 and not (task.recheck and task.move % 2)
        played, best = str(row.move), "pass" if bad else str(row.move)
        better = 0.5 + 0.01 * task.move if bad else 0.5
        judged = JudgedDecision(
            task.move, row.round, row.phase, row.seat, played, 0.5, best, better
        )
        judgements.append((task, judged))
        partial.append(partial_analysis(game.names, judgements))
        return judged

    found = run_plan(plan_analysis(game, "1", "1"), answer)
    mistakes = [judged for judged in found.decisions if judged.loss > 0]
    assert [judged.move for judged in mistakes] == [12, 6]
    assert partial[-1].decisions == mistakes
    assert partial[-1].curves == found.curves
    assert not any(each.decisions for each in partial[:16])  # nothing is confirmed yet
    counts = [len(each.decisions) for each in partial]
    assert counts == sorted(counts)
    assert {*counts} == {0, 1, 2}
    assert len(partial[0].curves[0]) == 1
