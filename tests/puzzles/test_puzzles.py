"""Puzzles: every shipped one is sound, and the maker finds sound ones."""

import math
from collections import Counter
from concurrent.futures import Future
from datetime import date
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

import highvoltage as hv
from highvoltage import bots, puzzles
from highvoltage.engine.errors import IllegalMove
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Bid, Pass
from highvoltage.judge import Evaluation, Judge, MoveEvaluation
from highvoltage.puzzles import Puzzle, making
from highvoltage.views import Reason
from ours import RULEBOOKS


@pytest.mark.parametrize("puzzle", puzzles.shipped(), ids=lambda puzzle: puzzle.name)
def test_a_shipped_puzzle_has_an_answer_that_was_tried_and_is_clearly_best(puzzle: Puzzle) -> None:
    game = puzzle.game()
    assert (game.to_move, game.rules.name, len(game.names)) == (
        puzzle.seat,
        puzzle.rulebook,
        puzzle.players,
    )
    assert game.state.round == puzzle.round
    legal = game.legal_moves
    assert {game.parse(each.move) for each in puzzle.tried} <= set(legal)
    assert set(puzzle.answers) < {each.move for each in puzzle.tried}
    assert puzzle.answers[0] == puzzle.tried[0].move
    assert puzzle.tried[0].chance > making.OPEN_CHANCES[0]
    assert puzzle.tried[0].chance < making.OPEN_CHANCES[1] or puzzle.judge == "exact"
    assert puzzle.margin >= making.MIN_GAIN
    assert puzzle.margin > making.SECOND_PASS_SIGMA * puzzle.error
    assert sum(puzzle.chances) == pytest.approx(1, abs=1e-3)
    assert puzzle.chances[puzzle.seat] == pytest.approx(puzzle.tried[0].chance, abs=1e-3)
    for each in puzzle.tried:
        assert puzzle.is_solved_by([each.move]) == (each.move in puzzle.answers)
    assert str(puzzle.why)


def test_an_audit_searches_a_last_round_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "LEVEL_BOTS", {"clerk": "clerk"})
    puzzle = next(each for each in puzzles.shipped() if each.judge == "exact")
    judged, fault = making.audit(puzzle)
    assert (judged.judge, judged.tried, fault) == ("exact", puzzle.tried, "")
    assert judged.found_by == puzzle.found_by
    measured, _ = making.audit(puzzle, difficulty=True)
    assert measured.found_by == {"clerk": puzzle.found_by["clerk"]}
    game = puzzle.game()
    assert {game.parse(each.move) for each in puzzle.tried} == {*game.legal_moves}
    _, fault = making.audit(replace(puzzle, answers=(puzzle.tried[-1].move,)))
    assert fault == f"{puzzle.answers[0]} is better"


def test_the_clerk_misses_every_puzzle() -> None:
    for puzzle in puzzles.shipped():
        game = puzzle.game()
        clerk = bots.make("clerk", 1).choose(game.view(puzzle.seat), game.legal_moves)
        assert not puzzle.is_solved_by([str(clerk.move)]), puzzle.name
        assert "clerk" in puzzle.missed_by, puzzle.name


def test_difficulty_is_how_often_bots_find_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    for puzzle in puzzles.shipped():
        assert [*puzzle.found_by] == [*making.LEVEL_BOTS]
        assert puzzle.found == pytest.approx(sum(puzzle.found_by.values()) / 5)
        assert ("director" in puzzle.missed_by) == (puzzle.found_by["director"] < 0.5)
    levels = Counter(puzzle.level for puzzle in puzzles.shipped())
    assert {*levels} == {1, 2, 3, 4}
    easiest = min(puzzles.shipped(), key=lambda each: each.level)
    hardest = max(puzzles.shipped(), key=lambda each: each.level)
    assert hardest.found < puzzles.LEVELS[-1] < puzzles.LEVELS[0] <= easiest.found
    # The quick bots are measured again.
    quick = {bot: bot for bot in ("apprentice", "clerk", "engineer")}
    monkeypatch.setattr(making, "LEVEL_BOTS", quick)
    for puzzle in puzzles.shipped()[::25]:
        shares = {bot: puzzle.found_by[bot] for bot in quick}
        assert making.find_shares(puzzle, puzzle.game()) == shares


def test_a_bot_that_is_measured_sees_what_has_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    """Directors and tycoons judge the others by their moves."""
    puzzle = puzzles.shipped()[0]
    seen: list[bool] = []

    class Reader:
        def choose(self, view: dict[str, Any], legal: Moves) -> bots.Choice:
            seen.append("record" in view)
            return bots.Choice(legal[0], Reason("forced"))

    monkeypatch.setattr(making, "LEVEL_BOTS", {"reader": "reader"})
    monkeypatch.setattr(bots, "make", lambda _name, _seed: Reader())
    making.find_shares(puzzle, puzzle.game())
    assert seen
    assert all(seen)


def test_a_record_of_a_puzzle_reveals_nothing_of_what_is_to_come() -> None:
    """Two readers that shuffle the hidden cards by different seeds see the same."""
    for puzzle in puzzles.shipped()[::10]:
        one, other = (hv.replay(puzzle.record(), seed=seed) for seed in (1, 2))
        assert one.view(puzzle.seat) == other.view(puzzle.seat)
        assert len(one.log) == len(hv.replay(puzzle.record()).log)


def test_a_plan_is_judged_as_a_whole() -> None:
    puzzle = next(each for each in puzzles.shipped() if each.theme == "auction")
    right = puzzle.answers[0]
    wrong = next(each.move for each in puzzle.tried if each.move not in puzzle.answers)
    assert puzzle.is_solved_by([right])
    assert not puzzle.is_solved_by([wrong])
    with pytest.raises(IllegalMove):
        puzzle.is_solved_by(["nominate 50 @50" if "nominate" not in right else "bid 1"])


def test_every_day_has_a_puzzle_and_every_puzzle_a_day() -> None:
    first = puzzles.FIRST_DAY.toordinal()
    days = [puzzles.daily(date.fromordinal(first + day)) for day in range(len(puzzles.shipped()))]
    assert {each.name for each in days} == {each.name for each in puzzles.shipped()}
    assert puzzles.daily(date(2025, 12, 31)) == days[-1]


def test_a_decision_becomes_a_puzzle_only_if_a_second_search_confirms_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A shipped puzzle is found again at its position; if more gain is required, none is."""
    puzzle = min(puzzles.shipped(), key=lambda each: len(each.tried) * each.players)
    game = puzzle.game()
    task = making.Task(
        puzzle.rulebook, "engineer", puzzle.map, puzzle.players, puzzle.theme, "test"
    )
    monkeypatch.setattr(making, "LEVEL_BOTS", {"clerk": "clerk"})
    monkeypatch.setattr(making, "SECOND_PASS_WORLDS", 12)
    monkeypatch.setattr(making, "FIRST_PASS_SIGMA", 0.0)
    monkeypatch.setattr(making, "SECOND_PASS_SIGMA", 0.0)
    monkeypatch.setattr(making, "MIN_GAIN", 0.0)
    decision = making.Decision(task, game, game.parse(puzzle.answers[0]))
    assert decision.is_missed(puzzle.answers)
    found = decision.puzzle(Random("test"))
    assert found is not None
    assert found.answers[0] == puzzle.answers[0]
    assert found.worlds <= 12
    assert sum(found.chances) == pytest.approx(1)
    monkeypatch.setattr(making, "MIN_GAIN", math.inf)
    assert decision.puzzle(Random("test")) is None


@pytest.mark.parametrize(
    ("answers", "faulty", "missed", "looks", "made"),
    [
        (["bid 5", "bid 5"], 9, True, 2, True),
        (["pass", "bid 5"], 9, True, 1, False),  # not what was played
        (["bid 5", "pass"], 9, True, 2, False),
        (["bid 5", "bid 5"], 0, True, 1, False),
        (["bid 5", "bid 5"], 1, True, 2, False),
        (["bid 5", "bid 5"], 9, False, 2, False),  # too easy for a clerk
    ],
)
def test_a_decision_is_looked_at_twice(  # the second time for longer, and more strictly
    answers: list[str],
    faulty: int,
    missed: bool,
    looks: int,
    made: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[int, float]] = []
    seeds: list[str] = []
    shipped = puzzles.shipped()[0]

    class Judged:
        def __init__(self, _view: Any, plans: list[str], worlds: int, seed: str) -> None:
            assert plans == ["pass", "bid 6"]
            self.nth, self.worlds = len(seeds), worlds
            seeds.append(seed)

        def answers(self) -> list[str]:
            return [answers[self.nth]]

        def fault(self, found: list[str], sigma: float) -> str:
            assert found == self.answers()
            asked.append((self.worlds, sigma))
            return "as good" if self.nth == faulty else ""

        def judged_puzzle(self, puzzle: Puzzle, found: list[str]) -> Puzzle:
            assert self.nth == 1
            return replace(puzzle, answers=tuple(found))

    monkeypatch.setattr(making, "JudgedMoves", Judged)
    monkeypatch.setattr(making, "find_shares", lambda *_: {"clerk": 0.4 if missed else 0.6})
    decision: Any = making.Decision.__new__(making.Decision)
    decision.task = making.Task("classic", "tycoon", "usa", 3, "auction", "1")
    decision.view, decision.played, decision.obvious = {"round": 4}, "bid 9", "done"
    decision.seat, decision.game = 2, shipped
    decision.plans = lambda: ["pass", "bid 6"]
    found = decision.puzzle(Random(1))
    assert len({*seeds}) == looks
    assert asked == [(6, 1.0), (48, 3.0)][: looks - (answers[looks - 1] == "pass")]
    assert (found is not None) == made
    if found:
        assert (found.rulebook, found.map, found.players) == ("classic", "usa", 3)
        assert (found.round, found.seat, found.theme, found.answers) == (
            4,
            2,
            "auction",
            ("bid 5",),
        )
        assert found.found_by == {"clerk": 0.4}


@pytest.mark.parametrize("theme", ["auction", "fuel", "last_round"])
def test_a_game_gives_puzzles_of_one_theme_from_different_rounds(
    theme: puzzles.Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of decisions that the clerk would have made otherwise, each searched once."""
    task = making.Task("cardgame", "random", None, 2, theme, "2")
    game = making.play(task)
    last = game.log[-1].round
    assert [row.round for row in game.log].count(last) > 1
    searched: list[making.Decision] = []
    shipped = puzzles.shipped()[0]

    def puzzle(decision: making.Decision, _rng: Random) -> Puzzle | None:
        searched.append(decision)
        return replace(shipped, round=decision.game.state.round) if finds else None

    monkeypatch.setattr(making.Decision, "puzzle", puzzle)
    finds = True
    found = making.find_puzzles(task)
    rounds = [each.puzzle.round for each in found]
    assert len({*rounds}) == len(rounds) == len(searched)
    assert len(found) == (1 if theme == "last_round" else making.MAX_PUZZLES)
    for decision, each in zip(searched, found, strict=True):
        assert making.theme_of(decision.game, last) == theme
        assert decision.is_missed([str(decision.played)])
        number = len(decision.game.log)
        assert decision.played == game.log[number].move
        assert each.record == str(decision.game.record())
    searched.clear()
    finds = False
    assert making.find_puzzles(task) == []
    suits = [
        number
        for number, row in enumerate(game.log)
        if making.theme_of(then := game.after(number), last) == theme
        and making.Decision(task, then, row.move).is_missed([str(row.move)])
    ]
    assert len(searched) == min(len(suits), making.MAX_DECISIONS)
    assert {len(each.game.log) for each in searched} <= {*suits}
    monkeypatch.setattr(making, "MAX_DECISIONS", 1)
    searched.clear()
    making.find_puzzles(task)
    assert len(searched) == 1
    monkeypatch.setattr(making, "MAX_ROUNDS", last)
    assert making.find_puzzles(task) == []
    assert len(searched) == 2
    monkeypatch.setattr(making, "MAX_ROUNDS", last - 1)
    assert making.find_puzzles(task) == []
    assert len(searched) == 2


def test_the_maker_adds_what_a_folder_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is found twice, and what was there keeps its name; the folder need not be there."""
    folder = tmp_path / "new" / "puzzles"
    first, second = (
        making.Found(each, each.record())
        for each in puzzles.shipped()
        if each.name in {"classic-2", "classic-3"}
    )
    monkeypatch.setattr(making, "_search", lambda *_: iter([first]))
    reported: list[str] = []
    (made,) = making.make(folder, "1", 1, 1, reported.append)
    assert made.name == "classic-1"
    monkeypatch.setattr(making, "_search", lambda *_: iter([first, second]))
    (other,) = making.make(folder, "1", 1, 1, reported.append)
    assert other.name == "classic-2"
    assert len(reported) == 2
    assert (folder / "classic-2.txt").read_text("utf-8") == second.record
    index = (folder / puzzles.INDEX).read_bytes()
    assert msgspec.json.decode(index, type=list[Puzzle]) == [made, other]


def test_themes_depend_on_the_kind_of_decision() -> None:
    game = hv.new("classic", players=3, seed=1)
    assert making.theme_of(game, last=9) == "auction"
    assert making.theme_of(game, last=1) == "last_round"
    game.play(game.legal_moves.choices[0])
    assert making.theme_of(game, last=9) == "bidding"


def test_games_of_every_rulebook_and_theme_are_searched() -> None:
    some = [task for task, _ in zip(making.tasks("1"), range(4 * 35), strict=False)]
    assert {(task.rulebook, task.theme) for task in some} == {
        (series.rulebook, theme) for series in making.SERIES for theme in puzzles.THEMES
    }
    only = making.Quota((), [each for each in making.SERIES if each.rulebook == "outpost"])
    assert {task.rulebook for task in some if only.needs(task.rulebook, task.theme)} == {"outpost"}


def test_there_are_fifty_puzzles_of_every_game_and_theme() -> None:
    found = Counter((each.rulebook, each.theme) for each in puzzles.shipped())
    assert found.total() >= 50
    assert {rulebook for rulebook, _ in found} == {*RULEBOOKS}
    assert {theme for _, theme in found} == {*puzzles.THEMES}
    for rulebook in RULEBOOKS:
        assert len([1 for name, _ in found if name == rulebook]) >= 3, rulebook


def test_what_is_shipped_is_small() -> None:
    kept = Path(puzzles.__file__).parent / "kept"
    assert sum(file.stat().st_size for file in kept.iterdir()) < 1_000_000


@pytest.mark.parametrize(
    ("best", "answers"),
    [
        ("buy coal 3", ["buy coal 3", "buy coal 4", "buy coal 5", "buy coal 2"]),
        ("buy coal 3 from 1", ["buy coal 3 from 1"]),
        ("build essen", ["build essen"]),
        ("buy oil 9", ["buy oil 9"]),
    ],
)
def test_nearly_equal_amounts_of_the_same_fuel_answer_too(best: str, answers: list[str]) -> None:
    """As far as they follow one another: 1 is worse, and 7 stands alone."""
    behind = {f"buy coal {units}": 0.01 for units in (2, 4, 5, 7)} | {"buy coal 1": 0.5}
    others = [SimpleNamespace(move=move, behind=by, doubt=0.02) for move, by in behind.items()]
    judged: Any = SimpleNamespace(
        said=SimpleNamespace(moves=[SimpleNamespace(move=best, behind=0, doubt=0.02), *others])
    )
    assert making.JudgedMoves.answers(judged) == answers


def test_a_puzzle_has_the_numbers_of_the_judge() -> None:
    """Rounded; the error is that of the best move that does not answer."""
    evaluated = [
        MoveEvaluation("buy coal 3", (0.61234567, 0.38765433), (0.0, 0.0)),
        MoveEvaluation("buy coal 4", (0.6, 0.4), (0.0, 0.0), 0.01, 0.0111111),
        MoveEvaluation("done", (0.4123456, 0.5876544), (0.0, 0.0), 0.2, 0.0123456),
    ]
    ends = {"buy coal 3": SimpleNamespace(money=10.6, size=7.4)}
    judged: Any = making.JudgedMoves.__new__(making.JudgedMoves)
    judged.said = Evaluation("director", 0, (0.6, 0.4), (0.0, 0.0), tuple(evaluated), 512, 1.0)
    judged.judgement = SimpleNamespace(
        end_of=ends.get, reason=lambda move, than: Reason("wins_more", {"a": move, "than": than})
    )
    made = judged.judged_puzzle(puzzles.shipped()[0], ["buy coal 4", "buy coal 3"])
    assert made.answers == ("buy coal 3", "buy coal 4")
    assert made.chances == (0.6123, 0.3877)
    assert (made.error, made.worlds, made.judge) == (0.012, 512, "director")
    assert made.why == Reason("wins_more", {"a": "buy coal 3", "than": "done"})
    assert made.tried == (
        puzzles.EvaluatedMove("buy coal 3", 0.612, 11, 7),
        puzzles.EvaluatedMove("buy coal 4", 0.6, 0, 0),
        puzzles.EvaluatedMove("done", 0.412, 0, 0),
    )


@pytest.mark.parametrize(
    ("chance", "behind", "doubt", "fault"),
    [
        (0.5, 0.05, 0.016, ""),
        (0.5, 0.05, 0.017, "done is as good: 5% ± 2% behind"),
        (0.5, 0.03, 0.0, ""),
        (0.5, 0.029, 0.0, "done is as good: 3% ± 0% behind"),
        (0.5, 0.375, 0.125, "done is as good: 38% ± 12% behind"),  # just three standard errors
        (0.96, 0.5, 0.0, ""),
        (0.97, 0.5, 0.0, "the game is decided: 97%"),
        (0.15, 0.1, 0.0, ""),
        (0.14, 0.1, 0.0, "the game is decided: 14%"),
    ],
)
def test_what_is_decided_or_as_good_is_no_puzzle(
    chance: float, behind: float, doubt: float, fault: str
) -> None:
    judged: Any = making.JudgedMoves.__new__(making.JudgedMoves)

    def said(judge: Judge, *others: MoveEvaluation) -> Evaluation:
        best = MoveEvaluation("bid 5", (0.0, chance), (0.0, 0.0))
        return Evaluation(judge, 1, (0.0, chance), (0.0, 0.0), (best, *others), 48, 1.0)

    near = MoveEvaluation("bid 6", (0.0, chance), (0.0, 0.0), 0.0, 1.0)
    rest = MoveEvaluation("done", (0.0, chance - behind), (0.0, 0.0), behind, doubt)
    judged.said = said("director", near, rest)
    assert judged.fault(["bid 5"]) == fault
    assert judged.fault(["done"]) == "bid 5 is better"
    judged.said = said("exact", near, rest)
    assert judged.fault(["bid 5"]) == ("" if chance > 0.96 else fault)
    judged.said = said("exact", near)
    alone = "the game is decided: 14%" if chance == 0.14 else "there is nothing else"
    assert judged.fault(["bid 5"]) == alone


def test_in_a_first_look_less_is_needed() -> None:
    judged: Any = making.JudgedMoves.__new__(making.JudgedMoves)
    moves = [
        MoveEvaluation("pass", (0.5,), (0.0,)),
        MoveEvaluation("bid 5", (0.4,), (0.0,), 0.1, 0.09),
    ]
    judged.said = Evaluation("director", 0, (0.5,), (0.0,), tuple(moves), 6, 1.0)
    assert judged.fault(["pass"], 1.0) == ""
    assert judged.fault(["pass"]) == "bid 5 is as good: 10% ± 9% behind"


def test_what_is_compared_depends_on_the_kind_of_decision() -> None:
    """A bid or none, every amount of fuel, or what was played."""
    many = [f"buy coal {units}" for units in range(1, 30)]
    bid = Bid(3)
    for phase, choices, plans in (
        ("auction", ["nominate 13 @13", "pass"], ["build essen"]),
        ("auction", [Pass(), bid], [Pass(), bid]),
        ("fuel", many, many[:24]),
        ("building", ["build kiel", "done"], ["build essen"]),
    ):
        decision: Any = making.Decision.__new__(making.Decision)
        decision.legal, decision.view = SimpleNamespace(choices=choices), {"phase": phase}
        decision.played = "build essen"
        assert decision.plans() == plans


def test_puzzles_are_searched_for_so_many_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[making.Task] = []

    def submit(_: object, task: making.Task) -> "Future[list[making.Found]]":
        searched.append(task)
        future: Future[list[making.Found]] = Future()
        future.set_result([])
        return future

    pool = SimpleNamespace(submit=submit, shutdown=lambda **_: None, _processes={})
    monkeypatch.setattr(making, "ProcessPoolExecutor", lambda *_, **_named: pool)
    clock = iter([1000.0, 1000.0, 1119.0, 1121.0])  # seconds: at first, and before each search
    monkeypatch.setattr(making, "monotonic", clock.__next__)
    assert [*making._search("1", 1, 2, making.Quota(()))] == []
    assert len(searched) == 2
    assert next(clock, None) is None


def test_a_full_quota_takes_no_more() -> None:
    first = puzzles.shipped()[0]
    series = next(each for each in making.SERIES if each.rulebook == first.rulebook)
    quota = making.Quota((), [series])
    taken = [quota.take(first) for _ in range(series.most_of_theme + 1)]
    assert taken == [True] * series.most_of_theme + [False]
    one = making.Quota((), [series._replace(puzzles=1)])
    assert [bool(one), one.take(first), bool(one), one.take(first)] == [True, True, False, False]


def test_what_was_found_before_counts_for_the_quota() -> None:
    """Of a theme not more than three tenths, rounded up."""
    first = puzzles.shipped()[0]
    series = making.Series(first.rulebook, 5, "tycoon", ())
    assert series.most_of_theme == 2
    quota = making.Quota([first, replace(first, name="another")], [series])
    assert not quota.needs(first.rulebook, first.theme)
    others = [theme for theme in puzzles.THEMES if theme != first.theme]
    assert all(quota.needs(first.rulebook, theme) for theme in others)
    assert [quota.take(replace(first, theme=theme)) for theme in others] == [
        *[True, True, True],
        False,  # that is five of them
    ]
    assert not quota
