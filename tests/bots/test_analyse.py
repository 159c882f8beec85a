"""Analysis of a finished game."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console
from typer.testing import CliRunner

import highvoltage as hv
from highvoltage import analysis, bots
from highvoltage.analysis import (
    RECHECK_FACTOR,
    RECHECKED_DECISIONS,
    SURPRISE,
    Analysis,
    Judged,
    JudgedDecision,
    JudgedRound,
    JudgeTask,
    aftermath,
    judge_decision,
    make_analysis,
    make_line,
    plan_analysis,
    round_starts,
    run_plan,
)
from highvoltage.bots.director import Budget
from highvoltage.cli import app
from highvoltage.cli.analyse import analyse
from highvoltage.engine.events import Sold
from highvoltage.engine.moves import Bid, Build, Move, Nominate, Pass
from highvoltage.judge import Evaluation, MoveEvaluation
from highvoltage.judge.evaluation import Judge
from highvoltage.rooms.analysing import own_moves
from highvoltage.table import Entry
from highvoltage.text.narration import Narrator
from highvoltage.views import Reason

BUDGET = Budget(playouts=4)


def played(moves: int, seed: int = 2) -> hv.Game:
    game = hv.new("cardgame", players=2, seed=seed)
    seats = [bots.make("random", 1), bots.make("random", 2)]
    while game.to_move is not None and len(game.log) < moves:
        game.play(bots.ask(seats[game.to_move], game).move)
    return game


@pytest.mark.long
def test_a_game_is_judged_at_the_terminal(tmp_path: Path) -> None:
    """The same seed gives the same analysis, also in another process."""
    game = played(12, seed=5)
    file = tmp_path / "game.txt"
    file.write_text(str(game.record()), "utf-8")
    command = ["analyse", str(file), "--budget", "2"]
    first = CliRunner().invoke(app, [*command, "--json"])
    assert first.exit_code == 0, first.output
    again = subprocess.check_output(
        [sys.executable, "-m", "highvoltage", *command, "--json"],
        env={**os.environ, "PYTHONHASHSEED": "7"},  # sets are in another order
        encoding="utf-8",
    )
    assert first.stdout == again
    found = json.loads(again)
    assert found["decisions"]
    for column in zip(*found["curves"], strict=True):
        assert sum(column) == pytest.approx(1, abs=1e-3)
    for judged in found["decisions"]:
        assert str(game.log[judged["move"] - 1].move) == judged["played"]
        assert judged["best_chance"] - judged["chance"] > 2 * judged["error"]
    result = CliRunner().invoke(app, command)
    assert "The costliest moves" in result.stdout
    screen = StringIO()
    analyse(game, "1", "1", Console(file=screen, force_terminal=True))
    shown, _, left = screen.getvalue().rpartition("\x1b[2K")  # clears a line
    assert "━" in shown
    assert "━" not in left


def scripted(game: hv.Game) -> tuple[Analysis, list[JudgeTask], list[Analysis]]:
    """Every third decision seems bad, and every other one of these is confirmed."""
    judgements: list[tuple[JudgeTask, Judged | None]] = []
    partial: list[Analysis] = []

    def answer(task: JudgeTask) -> Judged | None:
        row = game.log[task.move - 1]
        judged: Judged | None
        if task.kind == "round":
            judged = JudgedRound(row.round, (0.5 + 0.2 * (row.round % 2), 0.5), "forecast")
        else:
            bad = task.move % 3 == 0 and not (task.kind == "recheck" and task.move % 2)
            loss = 0.01 * task.move if bad else 0.0
            best = "pass" if bad else str(row.move)
            judged = JudgedDecision(
                *(task.move, row.round, row.phase, row.seat, str(row.move), 0.5),
                *(best, 0.5 + loss, 0.001),
                suspicion=loss,
            )
        judgements.append((task, judged))
        partial.append(make_analysis(game, judgements))
        return judged

    found = run_plan(plan_analysis(game, "1", "1"), answer)
    return found, [task for task, _ in judgements], partial


def test_only_what_is_confirmed_is_reported_and_nothing_reported_is_taken_back() -> None:
    found, tasks, partial = scripted(played(16))
    assert [judged.move for judged in found.decisions] == [12, 6]
    assert partial[-1] == found
    before = sum(task.kind != "recheck" for task in tasks)
    assert not any(each.decisions for each in partial[:before])
    counts = [len(each.decisions) for each in partial]
    assert counts == sorted(counts)
    assert sum(task.kind == "recheck" for task in tasks) <= RECHECKED_DECISIONS
    assert [task.done for task in tasks] == sorted(task.done for task in tasks)
    assert tasks[0].done == 0
    whole = before + RECHECK_FACTOR * RECHECKED_DECISIONS
    assert tasks[before - 1].done == (before - 1) / whole < tasks[-1].done < 1


def test_the_lines_end_with_the_result_and_large_changes_are_turning_points() -> None:
    game = played(10_000)
    assert game.outcome is not None
    found, _, _ = scripted(game)
    winner = game.outcome.winners[0]
    assert [line[-1] for line in found.curves] == [seat == winner for seat in range(2)]
    assert [turn.round for turn in found.turns] == sorted(turn.round for turn in found.turns)
    for turn in found.turns:
        line = found.curves[turn.seat]
        assert (turn.before, turn.after) == (line[turn.round - 1], line[turn.round])
    assert found.turns
    assert len(found.turns) <= 3


def test_the_lines_grow_round_by_round() -> None:
    """What is shown of an analysis that runs is the beginning of what it comes to."""
    game = played(10_000)
    found, tasks, partial = scripted(game)
    starts = [task.move for task in tasks if task.kind == "round"]
    assert [game.log[move - 1].round for move in starts] == [*range(1, len(starts) + 1)]
    lengths = [len(each.curves[0]) for each in partial]
    assert lengths[: len(starts)] == [*range(1, len(starts)), len(starts) + 1]  # and the result
    for each, length in zip(partial, lengths, strict=True):
        assert each.curves == [line[:length] for line in found.curves]


def test_a_turning_point_is_of_whoever_it_changed_most_for() -> None:
    game = hv.new("cardgame", players=3, seed=2)
    rounds = [
        JudgedRound(1, (0.5, 0.4, 0.1), "forecast"),
        JudgedRound(2, (0.5, 0.1, 0.4), "forecast"),
        JudgedRound(3, (0.1, 0.2, 0.7), "forecast"),
    ]
    turns = make_line(game, rounds).turns
    assert [(turn.round, turn.seat, turn.before, turn.after) for turn in turns] == [
        (1, 1, 0.4, 0.1),
        (2, 0, 0.5, 0.1),
    ]


@pytest.mark.parametrize("moves", [16, 10_000])
def test_a_line_is_over_when_the_game_is_and_all_rounds_are_judged(moves: int) -> None:
    game = played(moves)
    over = game.outcome is not None
    rounds = [JudgedRound(nth, (0.5, 0.5), "forecast") for nth, _ in enumerate(round_starts(game))]
    for judged in range(len(rounds) + 1):
        line = make_line(game, rounds[:judged])
        complete = judged == len(rounds)
        assert (line.complete, line.over) == (complete, complete and over)


def test_in_a_sale_only_the_last_decision_of_each_bidder_is_judged() -> None:
    game = hv.new("classic", players=3, seed=1)
    clerk = bots.make("clerk", 1)
    while game.state.round < 3:
        game.play(bots.ask(clerk, game).move)
    judged: list[int] = []

    def answer(task: JudgeTask) -> Judged | None:
        if task.kind == "decision":
            judged.append(task.move)
        return None

    run_plan(plan_analysis(game, "1", "1"), answer)
    left_out, last = set[int](), dict[int, int]()  # by seat, since a plant was nominated
    for move, row in enumerate(game.log, 1):
        if isinstance(row.move, Nominate) or row.phase != "auction":
            last = {}
        if isinstance(row.move, Bid | Pass) and row.seat in last:
            left_out.add(last[row.seat])
        if isinstance(row.move, Bid):
            last[row.seat] = move
    assert len(left_out) > 1
    assert judged == [move for move in range(1, len(game.log) + 1) if move not in left_out]


def test_what_seems_bad_is_judged_again_for_longer() -> None:
    game = played(16)
    budgets = set[tuple[str, Budget | None]]()

    def answer(task: JudgeTask) -> Judged | None:
        row = game.log[task.move - 1]
        budgets.add((task.kind, task.budget))
        if task.kind == "round":
            return None
        decision = (task.move, row.round, row.phase, row.seat, str(row.move), 0.5)
        return JudgedDecision(*decision, "pass", 0.6, 0.001, suspicion=0.1)

    run_plan(plan_analysis(game, "500ms", "1"), answer)
    first, longer = Budget(seconds=0.5), Budget(seconds=0.5 * RECHECK_FACTOR)
    assert budgets == {("round", None), ("decision", first), ("recheck", longer)}


def test_a_cost_is_a_range() -> None:
    judged = JudgedDecision(1, 1, "fuel", 0, "done", 0.4, "buy coal 2", 0.5, 0.02)
    assert judged.cost == pytest.approx((0.06, 0.14))


def test_an_analysis_says_who_got_what_a_better_move_was_about() -> None:
    game = hv.new("classic", players=3, seed=1)
    clerk = bots.make("clerk", 1)
    while game.state.round < 2:
        game.play(bots.ask(clerk, game).move)
    log = game.log
    number, sale = next(
        (number, event)
        for number, row in enumerate(log, 1)
        for event in row.events
        if isinstance(event, Sold) and isinstance(row.move, Pass)
    )
    bought: dict[str, int | str] = {"sold_to": 1, "sold": sale.card, "sold_price": sale.amount}
    bought |= {"sold_round": log[number - 1].round, "buyer": game.names[sale.seat]}
    assert aftermath(game, number, "bid 99") == bought  # instead of passing
    assert aftermath(game, 1, f"nominate {sale.card} @3") == bought
    bid = max(at for at, row in enumerate(log[:number], 1) if isinstance(row.move, Bid))
    assert aftermath(game, bid, "pass") == bought  # for too much
    at, card = max(
        (at, row.move.card) for at, row in enumerate(log, 1) if isinstance(row.move, Nominate)
    )
    assert aftermath(game, at, "pass")["sold"] == f"{card}"  # not the one before
    at, row = next((at, row) for at, row in enumerate(log, 1) if isinstance(row.move, Build))
    told = aftermath(game, at - 1, str(row.move))
    assert (f"build {told['built']}", told["built_round"]) == (str(row.move), row.round)
    assert (told["built_by"], told["builder"]) == (1, game.names[row.seat])
    assert aftermath(game, len(log), "done") == {}
    assert aftermath(game, 1, "build nowhere") == {}  # where nobody built
    why = Narrator(["Ann"], {}).reason(Reason("wins_more", {"than": "pass", **bought}), "classic")
    assert why.endswith(
        f"In round {bought['sold_round']} {bought['buyer']} buys card {sale.card} for"
        f" {sale.amount} Ɇ."
    )


def test_only_a_persons_own_decisions_are_judged() -> None:
    """A bot made every second move, after the person had handed over; one move was taken back."""
    game = played(8)
    journal = [Entry(row.seat, str(row.move), 0.0, "person") for row in game.log[:2]]
    journal.append(Entry(0, "undo 1", 0.0))
    journal += [
        Entry(row.seat, str(row.move), 0.0, "bot" if number % 2 else "person")
        for number, row in enumerate(game.log[1:], 1)
    ]
    own = own_moves(journal, game.log, {0, 1})
    assert own == [number % 2 == 0 for number in range(8)]
    assert own_moves([], game.log, {0}) == [row.seat == 0 for row in game.log]
    asked: list[int] = []

    def answer(task: JudgeTask) -> Judged | None:
        if task.kind != "round":
            asked.append(task.move)
        return None

    run_plan(plan_analysis(game, "1", "1", own=own), answer)
    assert asked[0] == 1
    assert all(own[move - 1] for move in asked)


def test_a_forced_move_is_no_decision() -> None:
    game = played(10_000)
    for move, row in enumerate(game.log, 1):
        if len(game.after(move - 1).legal_moves) == 1:
            assert judge_decision(game, JudgeTask(move, None, "1", 0.0)) is None, row
            return
    raise AssertionError("no move was forced")


@pytest.mark.parametrize(
    ("kind", "judge", "policy", "behind", "confirmed", "reported"),
    [
        ("recheck", "director", False, 0.2, True, True),
        ("recheck", "director", True, 0.2, True, True),
        ("recheck", "director", False, 0.2, False, False),
        ("recheck", "director", False, 0.001, True, False),
        ("recheck", "exact", False, 0.2, False, True),
        ("recheck", "exact", False, 0.001, True, False),
        ("decision", "director", False, 0.2, False, True),
        ("decision", "director", True, 0.2, False, True),
        ("decision", "exact", True, 0.0, False, True),
    ],
)
def test_what_playouts_find_worse_is_played_to_the_end_before_it_is_reported(
    kind: str,
    judge: Judge,
    policy: bool,
    behind: float,
    confirmed: bool,
    reported: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the judge has only estimated."""
    game = played(4)
    then, row = game.after(1), game.log[1]
    mine = str(row.move)
    better = next(str(move) for move in then.legal_moves.choices if str(move) != mine)
    best = MoveEvaluation(better, (0.6, 0.4), (0.01, 0.01))
    worse = MoveEvaluation(mine, (0.312345, 0.687655), (0.01, 0.01), behind, 0.012345)
    said = Evaluation(judge, row.seat, (0.6, 0.4), (0.01, 0.01), (best, worse), 4, 0.1)

    def wins_more(move: Move, *, than: Move) -> bool:
        assert (str(move), str(than)) == (better, mine)
        return confirmed

    judgement = SimpleNamespace(
        budget=BUDGET,
        trials=SimpleNamespace(policy=policy),
        evaluate=lambda moves: said if [str(move) for move in moves] == [mine] else None,
        wins_more=wins_more,
        reason=lambda _better, than: Reason("wins_more", {"than": than}),
        is_unlikely=lambda move: policy and str(move) == mine,
    )
    monkeypatch.setattr(analysis, "make_judgement", lambda *_, **__: judgement)
    judged = judge_decision(game, JudgeTask(2, BUDGET, "1", 0.0, kind))
    assert judgement.budget == (None if policy and kind == "decision" else BUDGET)
    assert (judged is not None) == reported
    if judged is not None:
        assert isinstance(judged, JudgedDecision)
        assert (judged.move, judged.seat) == (2, row.seat)
        assert (judged.played, judged.best) == (mine, better if behind else mine)
        assert (judged.why is None) == (behind == 0)
        chance = worse.chances[row.seat]
        assert judged.chance == round(chance, 4)
        assert judged.best_chance == round(chance + behind, 4)
        assert judged.error == 0.0123
        assert judged.suspicion == behind + (SURPRISE if policy else 0)


def test_the_costliest_decision_comes_first_by_what_is_certain() -> None:
    """The lower end of the range decides, not the upper one."""
    game = played(4)

    def judged(move: int, best: float, error: float) -> tuple[JudgeTask, Judged]:
        task = JudgeTask(move, None, "1", 0.0, "recheck")
        return task, JudgedDecision(move, 1, "fuel", 0, "done", 0.4, "buy coal 2", best, error)

    found = make_analysis(game, [judged(1, 0.6, 0.09), judged(2, 0.55, 0.001)])
    low, high = zip(*(each.cost for each in found.decisions), strict=True)
    assert [each.move for each in found.decisions] == [2, 1]
    assert low[0] > low[1]
    assert high[0] < high[1]


def test_a_decision_is_judged_by_what_people_had_shown_when_its_round_began() -> None:
    game = played(10_000)
    asked: list[JudgeTask] = []

    def answer(task: JudgeTask) -> Judged:
        row = game.log[task.move - 1]
        if task.kind == "round":
            return JudgedRound(row.round, (0.5, 0.5), "forecast", (row.round / 8, 0.5))
        asked.append(task)
        decision = (task.move, row.round, row.phase, row.seat, str(row.move), 0.5)
        return JudgedDecision(*decision, "pass", 0.6, 0.001, suspicion=0.1)

    run_plan(plan_analysis(game, "1", "1"), answer)
    rounds = {game.log[task.move - 1].round for task in asked}
    assert len(rounds) > 2
    assert {task.kind for task in asked} == {"decision", "recheck"}
    for task in asked:
        assert task.skills == (game.log[task.move - 1].round / 8, 0.5)
