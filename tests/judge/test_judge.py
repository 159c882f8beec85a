"""The judge: chances that sum to 1, from a seat's view alone, and right where that is known."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from math import log
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import highvoltage as hv
from benchmarks.mixed_games import shown_skills
from highvoltage import bots, puzzles
from highvoltage.bots.director import Budget, Deadline, Playout
from highvoltage.bots.tycoon.choosing import policy_for
from highvoltage.judge import Evaluation, advise, evaluate
from highvoltage.judge import evaluating as judging
from highvoltage.judge.correction import NO_CORRECTION, Correction, correction_for, fitted
from highvoltage.judge.estimates import (
    Decision,
    ForecastEstimator,
    NetworkEstimator,
    estimator_for,
)
from highvoltage.judge.evaluating import DROP_SIGMA, Judgement, make_judgement
from highvoltage.judge.evaluation import (
    Chances,
    MoveEvaluation,
    gain,
    in_all_worlds,
    mean_chances,
)
from highvoltage.judge.exact import ExactSearch, TooLarge, Worth, best_for
from highvoltage.judge.skill import open_decisions, skills
from highvoltage.judge.trials import Trials
from highvoltage.views import Reason
from highvoltage.views.reasons import TO_WIN, TOO_CLOSE, WIN_ALONE, sentence
from ours import RULEBOOKS
from spread import some

BRIEF = "16"  # a budget
LEVELS = ("clerk", "engineer", "clerk")


@cache
def finished(rulebook: str, seed: int = 4) -> hv.Game:
    game = hv.new(rulebook, players=3, seed=seed)
    bots.play_game(game, [bots.make(name, seed) for name in LEVELS])
    return game


def last_decisions(game: hv.Game) -> Iterator[hv.Game]:
    """Positions with a choice, the latest first."""
    for moves in range(len(game.log) - 1, 0, -1):
        then = game.after(moves)
        if len(then.legal_moves) > 1:
            yield then


def middle(rulebook: str) -> hv.Game:
    game = finished(rulebook)
    return next(last_decisions(game.after(len(game.log) // 2)))


def check(said: Evaluation, game: hv.Game) -> None:
    seats = len(game.names)
    assert said.seat == game.to_move
    assert sum(said.chances) == pytest.approx(1)
    assert len(said.errors) == seats
    for each in said.moves:
        assert game.parse(each.move) in game.legal_moves
        assert len(each.chances) == seats
        assert sum(each.chances) == pytest.approx(1)
        assert each.behind >= 0
    own = [each.chances[said.seat] for each in said.moves]
    assert own == sorted(own, reverse=True)
    assert said.moves[0].behind == 0


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("budget", [None, "12"])
def test_the_chances_of_all_seats_sum_to_one(rulebook: str, budget: str | None) -> None:
    game = middle(rulebook)
    said = evaluate(game, budget, players=LEVELS)
    check(said, game)
    by_network = policy_for(game.view(game.to_move))
    first, ahead = ("network", "network_ahead") if by_network else ("forecast", "director")
    assert said.judge == (ahead if budget else first)
    again = evaluate(game, budget, players=LEVELS)
    assert (again.chances, again.moves) == (said.chances, said.moves)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_it_reads_a_seats_view_and_nothing_else(rulebook: str) -> None:
    """Two games that look alike to a seat get the same evaluation, whatever the deck holds."""
    game = middle(rulebook)
    view = game.view(game.to_move, history=True)
    other = hv.resample(view, Random(9))
    assert other.view(game.to_move) == game.view(game.to_move)
    one, two = (evaluate(each, "6", seed="7") for each in (game, other))
    assert (one.chances, one.moves) == (two.chances, two.moves)


def exactly_judged(rulebook: str) -> tuple[hv.Game, Evaluation]:
    """One of the last positions of a game, which ends whatever they do."""
    for seed in range(4, 9):
        for game, _ in zip(last_decisions(finished(rulebook, seed)), range(2), strict=False):
            said = evaluate(game, BRIEF)
            if said.judge == "exact":
                return game, said
    raise AssertionError("no decision was judged exactly")


@pytest.mark.parametrize("rulebook", some("classic", "cardgame", of=RULEBOOKS))
def test_the_end_of_a_game_is_judged_exactly_and_trials_agree(
    rulebook: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What ends the game is worth its outcome; what trials prefer is as good as the best."""
    game, exact = exactly_judged(rulebook)
    check(exact, game)
    assert set(exact.errors) == {0.0}
    for each in exact.moves:
        after = game.copy()
        after.play(each.move)
        if after.outcome:
            winners = after.outcome.winners
            shares = [(seat in winners) / len(winners) for seat in range(3)]
            assert each.chances == pytest.approx(shares)
    monkeypatch.setattr(judging.Judgement, "_exact", lambda _: None)
    tried = evaluate(game, BRIEF, players=["engineer"] * 3)
    assert tried.judge in {"network_ahead", "director"}
    known = exact.after(tried.moves[0].move)
    assert known is not None
    best, error = exact.moves[0].chances[exact.seat], tried.moves[0].errors[tried.seat]
    assert known.chances[exact.seat] == pytest.approx(best, abs=3 * error)


def test_everybody_takes_what_is_best_for_themselves() -> None:
    """The largest share first, then the better score; what is equally good is averaged."""
    win, lose = Worth((1.0, 0.0), ((9.0,), (8.0,))), Worth((0.0, 1.0), ((8.0,), (9.0,)))
    assert best_for(0, [lose, win]) == win
    assert best_for(1, [lose, win]) == lose
    worse = Worth((0.0, 1.0), ((5.0,), (9.0,)))
    assert best_for(0, [worse, lose]) == lose
    assert best_for(1, [worse, lose]) == Worth((0.0, 1.0), ((6.5,), (9.0,)))


def test_a_search_that_is_too_large_is_given_up() -> None:
    game = middle("classic")
    with pytest.raises(TooLarge):
        ExactSearch(game, 5).position()


class Path:
    """A position of a game without rules: the moves that led to it."""

    __slots__ = ("moves",)
    actor, phase, round = 0, "any", 1

    def __init__(self, moves: str) -> None:
        self.moves = moves

    def copy(self) -> "Path":
        return Path(self.moves)

    @property
    def outcome(self) -> Any:
        open_ = self.moves in TREE
        return None if open_ else SimpleNamespace(winners=(0,), scores=({}, {}))


TREE = {"": "ab", "a": "a", "b": "b", "bb": "b", "bbb": "b"}
"""The moves in each position of which there are any."""


@pytest.mark.parametrize(
    ("depth", "positions", "large"), [(4, 5, False), (3, 5, True), (4, 4, True), (5, 6, False)]
)
def test_a_search_goes_so_deep_and_looks_at_so_many_positions(
    depth: int, positions: int, large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four decisions follow one another, after a shorter way; five positions have a choice."""

    def play(path: Path, _seat: int, move: str) -> None:
        path.moves += move

    legal = SimpleNamespace(legal=lambda path, _seat: TREE[path.moves])
    rules = SimpleNamespace(phases={"any": legal}, play=play)
    world: Any = SimpleNamespace(rules=rules, state=Path(""))
    monkeypatch.setattr("highvoltage.judge.exact.MAX_DEPTH", depth)
    search = ExactSearch(world, positions)
    if large:
        with pytest.raises(TooLarge):
            search.position()
        return
    assert search.position() == (1, 0)
    assert search.left == positions - 5
    found: Any = search.moves()
    assert found == {"a": (1, 0), "b": (1, 0)}
    assert search.left == positions - 5  # nothing is searched twice


def test_what_the_network_never_does_is_seen_by_looking_ahead() -> None:
    """Not to build in round 1 looks harmless at first sight; played on, it is clearly worse."""
    game = hv.new("classic", players=4, seed=1)
    seats = [bots.make("tycoon", seat) for seat in range(4)]
    while game.phase != "building":
        assert game.to_move is not None
        game.play(bots.ask(seats[game.to_move], game).move)
    while "done" not in map(str, game.legal_moves):
        game.play(bots.ask(seats[0], game).move)
    said = evaluate(game, "64", players=["tycoon"] * 4, moves=[game.parse("done")])
    done = said.after("done")
    assert done is not None
    assert done.is_worse


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_whoever_is_to_move_the_estimate_knows_who_is_who(rulebook: str) -> None:
    """An engineer is ahead of two who play at random."""
    game = hv.new(rulebook, players=3, seed=1)
    seated = [bots.make(name, 1) for name in ("random", "engineer", "random")]
    asked: set[int] = set()
    while len(asked) < len(seated):
        assert game.to_move is not None
        if game.state.round > 4 and game.to_move not in asked:
            asked.add(game.to_move)
            (logits,) = estimator_for(game, Random(1)).logits([game])
            assert max(logits) == logits[1], game.to_move
        game.play(bots.ask(seated[game.to_move], game).move)


@pytest.mark.parametrize("rulebook", some("cardgame", of=RULEBOOKS))
def test_a_hint_never_has_a_lower_number_than_its_alternative(rulebook: str) -> None:
    game = middle(rulebook)
    choice = advise(game.view(game.to_move, history=True), game.legal_moves, budget=BRIEF)
    assert choice.move in game.legal_moves
    values = choice.why.values
    assert f"{values['win']}%" in str(choice.why)
    assert choice.why.code not in {TO_WIN, TOO_CLOSE, WIN_ALONE}  # but why in the words of the game
    if "behind" in values:
        assert int(values["win"]) > int(values["behind"])
    else:
        assert "too_close" in {choice.why.code, *values} or "second" not in values


def test_a_hint_says_why_first_and_then_the_number() -> None:
    values: dict[str, int | str] = {"cost": 12, "supply": 4, "cities": 3, "win": 31}
    said = sentence("city", {**values, "second": "done", "behind": 20, "to_win": 1})
    assert said.startswith("It costs 12")
    assert said.endswith("Chance of winning: 31%; with “done”: 20%.")
    close = sentence("too_close", {"win": 31, "second": "done"})
    assert close == "Chance of winning: 31%. “done” is about as good: too close to call."


def test_a_forced_move_needs_no_judge() -> None:
    game = finished("cardgame")
    then = next(
        then for moves in range(len(game.log)) if len((then := game.after(moves)).legal_moves) == 1
    )
    choice = advise(then.view(then.to_move, history=True), then.legal_moves)
    assert (choice.move, choice.why) == (then.legal_moves[0], Reason("forced"))


def test_a_hint_says_why_where_the_last_round_is_searched_to_its_end() -> None:
    puzzle = next(each for each in puzzles.shipped() if each.judge == "exact")
    game = puzzle.game()
    choice = advise(game.view(puzzle.seat, history=True), game.legal_moves)
    assert str(choice.move) == puzzle.answers[0]
    assert choice.why.code == "leads_to_income"
    values = choice.why.values
    assert values["win"] == 100
    assert int(values["money"]) > int(values["other_money"])  # the best move's comes first


def test_where_moves_lead_is_seen_two_rounds_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or at the end: that is what the words say."""
    seen: list[hv.Game] = []
    first_sight = Trials.first_sight

    def watched(self: Trials, games: Sequence[hv.Game]) -> list[Chances]:
        seen.extend(games)
        return first_sight(self, games)

    monkeypatch.setattr(Trials, "first_sight", watched)
    game = middle("cardgame")
    evaluate(game, "4")
    assert seen
    assert all(each.state.round == game.state.round + 2 or each.outcome for each in seen)
    assert "two rounds, or at the end" in sentence("leads_to_cities", {})


# Numbers


def test_a_difference_is_measured_in_the_same_worlds() -> None:
    """The worlds differ a lot, the moves in each of them always by the same."""
    good = [[0.9, 0.1], [0.1, 0.9], [0.5, 0.5]]
    bad = [[0.8, 0.2], [0.0, 1.0], [0.4, 0.6]]
    lead, error = gain(good, bad, 0)
    assert lead == pytest.approx(0.1)
    assert error < 0.04
    means, errors = mean_chances(good)
    assert means == pytest.approx((0.5, 0.5))
    assert min(errors) > 0.15


def test_a_move_that_dropped_out_keeps_its_distance_to_the_best() -> None:
    """It was tried in two good worlds only; the best move did worse in the later ones."""
    best = [[0.9, 0.1], [0.9, 0.1], [0.3, 0.7], [0.3, 0.7]]
    assert in_all_worlds([[0.8, 0.2], [0.8, 0.2]], best) == pytest.approx((0.5, 0.5))
    assert in_all_worlds(best, best) == pytest.approx((0.6, 0.4))
    assert in_all_worlds([[0.1, 0.9]], best) == pytest.approx((0.0, 1.0))


def test_only_what_is_worse_beyond_doubt_drops_out() -> None:
    judgement: Any = Judgement.__new__(Judgement)
    judgement.seat = 0
    chances = {"pass": 0.6, "bid 5": 0.57, "bid 50": 0.0}
    found = {move: [[share, 1 - share]] * 8 for move, share in chances.items()}
    assert gain(found["pass"], found["bid 5"], 0)[1] > 0.02 / DROP_SIGMA
    judgement.trials = SimpleNamespace(chances=found)
    assert judgement._open([None, *found], set()) == [None, "pass", "bid 5"]
    assert judgement._open([None, *found], {"bid 5"}) == [None, "pass", "bid 5"]
    assert judgement._open([None, *found], {"bid 50"}) == []  # nothing more to find out


@pytest.mark.parametrize("known", ["pass", "bid 5"])
def test_where_two_moves_lead_is_compared_if_both_were_played_on(known: str) -> None:
    judgement: Any = Judgement.__new__(Judgement)
    judgement.view = {"family": "board"}
    judgement.end_of = {known: SimpleNamespace()}.get
    assert judgement.comparison("pass", "bid 5") is None


def test_a_game_that_is_played_to_its_end_is_taken_from_the_budget() -> None:
    then = next(last_decisions(finished("cardgame")))
    trials = Trials(then.view(then.to_move, history=True), LEVELS, Random(1))
    clock = Deadline(Budget(playouts=2))
    assert sum(trials.play_out(then.legal_moves[0], 0, clock)) == pytest.approx(1)
    assert clock.played == 1


@pytest.mark.parametrize(
    ("behind", "doubt", "worse"),
    [(0.1, 0.02, True), (0.1, 0.04, False), (0.01, 0.0, True), (0.005, 0.0, False)],
)
def test_worse_means_beyond_doubt(behind: float, doubt: float, worse: bool) -> None:
    assert MoveEvaluation("pass", (0.5, 0.5), (0.0, 0.0), behind, doubt).is_worse == worse


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_at_first_sight_every_move_is_seen_by_where_it_leads(rulebook: str) -> None:
    """One position after each of them, which the estimator judges by itself."""
    game = middle(rulebook)
    judgement = make_judgement(game, players=LEVELS)
    seen: list[list[str]] = []
    first_sight = judgement.trials.first_sight

    def look(games: Sequence[hv.Game]) -> list[Chances]:
        seen.append([str(each.log[-1].move) for each in games[1:]])
        return first_sight(games)

    judgement.trials.first_sight = look  # type: ignore[method-assign]
    moves = judgement.candidates([])
    judgement.evaluate([])
    assert all(each == [*map(str, moves)] for each in seen)
    assert seen


def test_a_correction_knows_the_levels() -> None:
    strong = Correction((1.0, 0.0), {"tycoon": (1.0, 0.0), "clerk": (0.0, -1.0)}, (2.0, 0.0))

    def chances(
        logits: list[float], players: list[str | None], skills: tuple[float, float] = (0.0, 0.0)
    ) -> list[float]:
        return strong.chances(logits, 5, players, skills)

    assert chances([0.0, 0.0], [None, None]) == pytest.approx([0.5, 0.5])
    ahead = chances([0.0, 0.0], ["tycoon:40", "clerk"])
    assert ahead[0] > chances([0.0, 0.0], ["tycoon", None])[0] > 0.5
    assert chances([1.0, 0.0], [None, None])[0] > 0.7
    assert chances([0.0, 0.0], [None, None], (0.5, 0.0))[0] > 0.7
    assert chances([0.0, 0.0], ["clerk", "clerk"], (0.5, 0.0))[0] == pytest.approx(0.5)
    assert strong.level("director:2s") == "tycoon"
    assert NO_CORRECTION.level("tycoon") == "engineer"
    assert NO_CORRECTION.level("somebody") == "unknown"


@pytest.mark.parametrize(("round_", "weight"), [(0, 1.0), (5, 2.0), (10, 3.0), (30, 3.0)])
def test_the_skill_of_others_weighs_more_every_round(round_: int, weight: float) -> None:
    growing = Correction((1.0, 0.0), {}, (1.0, 2.0))
    first, second = growing.chances([0.0, 0.0], round_, [None, None], (0.5, 0.0))
    assert log(first / second) == pytest.approx(0.5 * weight)


def test_the_choice_of_the_engineer_is_always_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    """However small the budget, and however many others a network would play."""
    earlier = last_decisions(finished("classic"))
    game = next(then for then in earlier if then.view()["phase"] == "building")
    judgement = make_judgement(game, BRIEF)
    network = SimpleNamespace(
        evaluate=lambda *_: SimpleNamespace(candidates=others(game, judgement))
    )
    monkeypatch.setattr(Trials, "adviser", network)
    assert judgement.candidates([])[0] == judgement.advised.move
    asked = others(game, judgement)[0].move
    assert judgement.candidates([asked])[:2] == [asked, judgement.advised.move]


def others(game: hv.Game, judgement: Judgement) -> list[Any]:
    return [
        SimpleNamespace(move=move) for move in game.legal_moves if move != judgement.advised.move
    ]


@pytest.mark.parametrize(
    ("rulebook", "money", "like_the_judge"),
    [
        ("classic", "open", "tycoon"),
        ("outpost", "open", "tycoon"),
        ("outpost", "hidden", "engineer"),
    ],
)
def test_who_plays_well_shows_it_in_their_moves(
    rulebook: str, money: str, like_the_judge: str
) -> None:
    """A player like the judge's own has more skill than one that chooses at random."""
    game = hv.new(rulebook, players=2, seed=2, money=money)
    seated = [bots.make(name, 1) for name in ("random", like_the_judge)]
    while game.state.round < 4:
        assert game.to_move is not None
        game.play(bots.ask(seated[game.to_move], game).move)
    estimator = estimator_for(game, Random(1))
    shown = skills(game, estimator)
    assert shown[1] > shown[0] + 0.1
    assert skills(hv.new(rulebook, players=2, seed=2, money=money), estimator) == [0.0, 0.0]
    strangers, clerks = (evaluate(game, players=each) for each in ((), ("clerk", "clerk")))
    assert strangers.chances[1] > clerks.chances[1]
    decided = [*open_decisions(game)]
    agreed = estimator.agreement([decision for _, decision in decided])
    measured = shown_skills([row for row, _ in decided], agreed, game.state.round, 2)
    assert measured == pytest.approx(shown, abs=0.01), "calibration measures the same"


@pytest.mark.parametrize("budget", [None, "8"])
def test_a_game_that_is_being_prepared_is_judged_by_who_will_play_it(budget: str | None) -> None:
    """The network knows no decisions of the preparation, but the tycoon will play by it."""
    game = hv.new("recharged", players=2, seed=3)
    assert policy_for(game.view(game.to_move)) is None
    for players in (("tycoon", "engineer"), ("engineer", "tycoon")):
        said = evaluate(game, budget, players=players)
        check(said, game)
        assert said.judge == ("network_ahead" if budget else "network")
        assert said.chances[players.index("tycoon")] > 0.75


def test_every_rulebook_has_corrections_and_others_do_without() -> None:
    kinds = {(each.rulebook, each.kind, each.known) for each in fitted()}
    for rulebook in RULEBOOKS:
        assert {(rulebook, "forecast", True), (rulebook, "forecast", False)} <= kinds
    assert ("classic", "network", True) in kinds
    assert correction_for("chess", 2, "forecast", True) == NO_CORRECTION
    assert correction_for("classic", 3, "network", True) in [
        correction_for("classic", players, "network", True) for players in (2, 4)
    ]


def test_skill_is_shown_by_the_last_decisions_of_rounds_that_are_over() -> None:
    then = hv.new("classic", players=3, seed=4)
    clerk = bots.make("clerk", 1)
    while then.state.round < 2 or then.phase == "auction":
        then.play(bots.ask(clerk, then).move)
    like_the_judge: Any = SimpleNamespace(agreement=lambda decisions: [1.0] * len(decisions))
    over = Counter(row.seat for row, _ in open_decisions(then) if row.round < 2)
    assert over.total() < len([*open_decisions(then)])
    shown = [min(16, over[seat]) for seat in range(3)]
    assert min(shown) < 16
    assert skills(then, like_the_judge) == [each / (each + 6) for each in shown]


def test_no_more_worlds_are_tried_than_may_be() -> None:
    then = middle("cardgame")
    judgement = make_judgement(then.view(then.to_move, history=True), Budget(playouts=10_000))
    judgement.most_worlds = 4
    judgement.evaluate(())
    assert {len(found) for found in judgement.trials.chances.values()} == {4}


def test_engineers_play_on_only_as_far_as_the_round_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    then = middle("classic")
    judgement = make_judgement(then.view(then.to_move, history=True), Budget(playouts=1))
    rounds: set[int] = set()
    play = Playout.play

    def noted(playout: Playout, seat: int, move: hv.Move) -> None:
        rounds.add(playout.state.round)
        play(playout, seat, move)

    monkeypatch.setattr(Playout, "play", noted)
    assert not judgement._may_end()
    assert rounds == {then.state.round}


@pytest.mark.parametrize(
    ("player", "movers"),
    [
        ("tycoon:40", ("network", "network")),
        ("director", ("network", "network")),
        ("clerk", ("engineer", "engineer")),
        (None, ("network", "engineer")),  # nobody knows how people play
    ],
)
def test_who_plays_on_for_a_seat_depends_on_who_sits_there(
    player: str | None, movers: tuple[str, str]
) -> None:
    trials: Any = SimpleNamespace(_bots=[None], players=[player], policy=object())
    assert tuple(Trials._mover(trials, 0, world) for world in (0, 1)) == movers
    trials.policy = None
    assert {Trials._mover(trials, 0, world) for world in (0, 1)} == {"engineer"}


def test_without_a_network_no_move_is_unlikely() -> None:
    judgement: Any = SimpleNamespace(
        trials=SimpleNamespace(adviser=None), advised=SimpleNamespace(move="pass")
    )
    is_unlikely = judging.Judgement.is_unlikely
    assert not is_unlikely(judgement, "bid 3")  # type: ignore[arg-type]
    likely = [SimpleNamespace(move="bid 3", probability=0.9)]
    said = SimpleNamespace(evaluate=lambda *_: SimpleNamespace(candidates=likely))
    judgement.trials.adviser, judgement.view, judgement.legal = said, {}, ()
    unlikely = [is_unlikely(judgement, move) for move in ("pass", "bid 3", "bid 9")]  # type: ignore[arg-type]
    assert unlikely == [False, False, True]


@pytest.mark.parametrize("left_round", [False, True])
def test_in_a_last_round_the_seat_to_move_takes_the_best_that_was_tried(left_round: bool) -> None:
    """After it, nobody can be sure to do what turned out to be best."""
    judgement: Any = judging.Judgement.__new__(judging.Judgement)
    found = {None: 0.4, "pass": 0.6, "bid 5": 0.3}
    chances = {move: [[share, 1 - share]] * 8 for move, share in found.items()}
    judgement.trials = SimpleNamespace(chances=chances, left_round=left_round, policy=None)
    judgement.view, judgement.seat, judgement.began = {"players": [{}, {}]}, 0, 0.0
    judgement.most_worlds = 0
    said = judgement._in_trials(["pass", "bid 5"], set())
    assert said.judge == "director"
    assert said.chances == pytest.approx((0.4, 0.6) if left_round else (0.6, 0.4))
    assert [each.move for each in said.moves] == ["pass", "bid 5"]
    assert [each.chances[0] for each in said.moves] == pytest.approx([0.6, 0.3])
    assert (said.moves[0].behind, said.moves[0].doubt) == (0, 0)
    assert said.moves[1].behind == pytest.approx(0.3)
    assert said.worlds == 8


def test_engineers_agree_with_a_move_or_not() -> None:
    """Usually with six of ten; what is bid makes no difference."""
    estimator: Any = ForecastEstimator.__new__(ForecastEstimator)
    estimator._critic = SimpleNamespace(
        choose=lambda view, _legal: SimpleNamespace(move=view["best"])
    )
    played = [("bid 5", "bid 7"), ("bid 5", "pass"), ("build essen", "build essen")]
    decisions: Any = [
        Decision({"best": best}, (), move)  # type: ignore[arg-type]
        for best, move in played
    ]
    assert estimator.agreement(decisions) == pytest.approx([0.4, -0.6, 0.4])
    estimator._engineer = SimpleNamespace(expected_score=lambda score: score)
    scores = {-50.0: -40.0, -40.0: -40.0, 3.5: 3.5, 41.0: 40.0}
    for expected, logit in scores.items():
        world: Any = SimpleNamespace(lazy_view=lambda _seat, of=expected: of, names=["Ann", "Bob"])
        assert estimator.logits([world]) == [[logit, logit]]


def test_a_network_agrees_by_the_probability_of_a_move() -> None:
    """Of bids together; one that it would hardly make counts as one in fifty."""
    candidates = [
        SimpleNamespace(move=move, probability=share)
        for move, share in (("bid 5", 0.5), ("pass", 0.19), ("bid 6", 0.3), ("bid 7", 0.01))
    ]
    said = SimpleNamespace(candidates=candidates, win_chances=[0.5, 0.0])
    policy: Any = SimpleNamespace(evaluate_batch=lambda positions, _most: [said] * len(positions))
    estimator = NetworkEstimator(policy)
    moves: list[Any] = ["bid 9", "pass", "nominate 3 @3"]
    agreed = estimator.agreement([Decision({}, (), move) for move in moves])  # type: ignore[arg-type]
    assert agreed == pytest.approx([log(0.81) + 0.7, log(0.19) + 0.7, log(0.02) + 0.7])
    assert estimator.agreement([]) == []
    running: Any = SimpleNamespace(
        phase="auction",
        names="ab",
        to_move=1,
        legal_moves=(),
        lazy_view=lambda seat: {"seat": seat},
    )
    before: Any = SimpleNamespace(phase="regions", names="ab")
    found = estimator.logits([running, before])
    assert found == [pytest.approx([log(0.5), log(1e-4)]), [0, 0]]
