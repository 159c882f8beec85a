"""The coach: what to weigh, what a decision cost, and what a round changed, all by the judge."""

from types import SimpleNamespace
from typing import Any

import pytest

import highvoltage as hv
from highvoltage import bots, coaching
from highvoltage.analysis import JudgedDecision
from highvoltage.bots.director import Budget
from highvoltage.coaching import review, weigh
from highvoltage.judge import evaluate
from highvoltage.views import Reason

PLAYERS = (None, "clerk", "clerk")


def played_until(rounds: int) -> hv.Game:
    """A game in which the first seat is to make its first decision of a round."""
    game = hv.new("classic", players=3, seed=6)
    seats = [bots.make("clerk", seat) for seat in range(3)]
    while game.state.round < rounds or game.to_move != 0 or len(game.legal_moves) == 1:
        assert game.to_move is not None
        game.play(bots.ask(seats[game.to_move], game).move)
    return game


def test_there_are_two_legal_moves_to_weigh_and_where_they_lead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = played_until(3)
    monkeypatch.setattr(coaching, "WEIGH_BUDGET", Budget(playouts=16))  # however busy we are
    (line,) = weigh(game.view(0, history=True), PLAYERS)
    assert line.code == "weigh_cities"
    moves = [str(line.values[key]) for key in ("second", "third")]
    assert moves[0] != moves[1]
    assert {*moves} <= {*map(str, game.legal_moves)}
    for number in ("size", "money", "other_size", "other_money"):
        assert str(line.values[number]) in str(line)


def test_a_move_without_an_alternative_is_not_weighed() -> None:
    game = played_until(2)
    while len(game.legal_moves) > 1:
        assert game.to_move is not None
        game.play(bots.ask(bots.make("clerk", 1), game).move)
    assert weigh(game.view(game.to_move, history=True)) == []


@pytest.mark.long
def test_what_cost_nothing_is_not_mentioned_and_what_did_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In round 1 everybody builds; not to build is clearly worse."""
    monkeypatch.setattr(coaching, "REVIEW_BUDGET", Budget(playouts=64))  # however busy we are
    game = hv.new("classic", players=4, seed=1)
    seats = [bots.make("tycoon", seat) for seat in range(4)]
    while game.phase != "building" or "done" not in map(str, game.legal_moves):
        assert game.to_move is not None
        game.play(bots.ask(seats[game.to_move], game).move)
    seat = game.to_move
    assert seat is not None
    better = game.copy()
    game.play("done")
    (line,) = review(game, seat, ["tycoon"] * 4)
    assert (line.code, line.values["than"]) == ("cost", "done")
    assert 0 < int(line.values["low"]) < int(line.values["high"])
    better.play(str(line.values["second"]))
    assert review(better, seat, ["tycoon"] * 4) == []


def test_a_new_round_begins_with_what_the_last_one_changed() -> None:
    game = played_until(3)
    then = next(
        game.after(number) for number, row in enumerate(game.log) if (row.round, row.seat) == (2, 0)
    )
    lines = coaching.changes(game, 0, len(then.log) + 1, PLAYERS)
    before, after = (
        round(100 * evaluate(each, players=PLAYERS).chances[0]) for each in (then, game)
    )
    assert lines[0].code == "changed"
    assert lines[0].values == {"round": 2, "before": before, "after": after}
    assert [line.code for line in review(game, 0, PLAYERS) if line.code != "cost"] == [
        line.code for line in lines
    ]
    for line in lines[1:]:
        assert line.values["name"] in game.names[1:]
        if line.code == "gained_cities":
            who = game.names.index(str(line.values["name"]))
            old, new = (each.view(0)["players"][who]["cities"] for each in (then, game))
            assert line.values["count"] == len(new) - len(old)


@pytest.mark.parametrize(
    ("family", "ends", "code", "values"),
    [
        ("board", {"a": (7.6, 30.2), "b": (5.4, 41)}, "weigh_cities", (8, 30, 5, 41)),
        ("cardgame", {"a": (7.6, 30.2), "b": (5.4, 41)}, "weigh_income", (8, 30, 5, 41)),
        ("board", {"a": (7.6, 30.2)}, "weigh", ()),
        ("board", {"b": (5.4, 41)}, "weigh", ()),
    ],
)
def test_two_moves_are_weighed_by_where_they_lead(
    family: str,
    ends: dict[str, tuple[float, float]],
    code: str,
    values: tuple[int, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The better one is named first; with three moves as with two."""
    moves = [SimpleNamespace(move=move) for move in ("a", "b", "c")]
    said = SimpleNamespace(moves=moves, alternative=moves[1])
    for legal in (["a", "b"], ["a", "b", "c"]):
        judgement = SimpleNamespace(
            legal=legal,
            evaluate=lambda _: said,
            end_of=lambda move: (
                SimpleNamespace(size=ends[move][0], money=ends[move][1]) if move in ends else None
            ),
        )
        monkeypatch.setattr(coaching, "make_judgement", lambda *_, of=judgement, **__: of)
        (line,) = weigh({"family": family})
        named = dict(zip(("size", "money", "other_size", "other_money"), values, strict=False))
        assert (line.code, line.values) == (code, {"second": "a", "third": "b", **named})
    said.alternative = None
    assert weigh({"family": family}) == []


def test_a_review_begins_where_the_last_round_of_a_seat_began(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Even where the move before its last one is of an earlier round."""
    judged: list[int] = []
    monkeypatch.setattr(coaching, "judge_decision", lambda _, task: judged.append(task.move))
    monkeypatch.setattr(coaching, "changes", lambda _, seat, since, __: [(seat, since)])
    rows = [SimpleNamespace(round=round_, seat=seat) for round_, seat in ((1, 0), (1, 1), (2, 0))]
    game: Any = SimpleNamespace(log=rows, to_move=0, state=SimpleNamespace(round=3))
    found: list[Any] = review(game, 0)
    assert found == [(0, 3)]
    assert review(game, 1) == []  # another is to move
    assert review(game, 2) == []  # it has done nothing yet
    game.state.round = 2
    assert review(game, 0) == []
    assert judged == [3, 2, 3]


def test_what_a_decision_cost_is_told_in_percent(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the least that it may have cost to the most: two standard errors away."""
    judged = JudgedDecision(3, 2, "fuel", 0, "done", 0.3, "buy coal 3", 0.42, 0.03)
    monkeypatch.setattr(coaching, "judge_decision", lambda *_: judged)
    rows = [SimpleNamespace(round=2, seat=0)]
    game: Any = SimpleNamespace(log=rows, to_move=1, state=SimpleNamespace(round=2))
    values: dict[str, int | str] = {"than": "done", "low": 6, "high": 18, "second": "buy coal 3"}
    assert review(game, 0) == [Reason("cost", values)]


@pytest.mark.parametrize("change", [0.01, 0.02, -0.2])
def test_what_changed_is_told_of_the_one_whose_chance_changed_most(
    change: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = hv.new("classic", players=["Ann", "Bob", "Cleo"], seed=6)
    clerk = bots.make("clerk", 1)
    marks: dict[str, int] = {}
    while game.state.round < 2:
        marks.setdefault(game.phase, len(game.log))
        game.play(bots.ask(clerk, game).move)

    def told(first: int, last: int) -> list[Reason]:
        chances = {first: (0.5, 0.25, 0.25), last: (0.5 - change, 0.25 + change, 0.25)}
        monkeypatch.setattr(coaching, "_chances", lambda each, _: chances[len(each.log)])
        one, *more = coaching.changes(game.after(last), 0, first + 1, ())
        after = round(100 * (0.5 - change))
        assert one == Reason("changed", {"round": 1, "before": 50, "after": after})
        return more

    card = game.after(marks["fuel"]).view(0)["players"][1]["plants"][-1]["card"]
    cities = len(game.view(0)["players"][1]["cities"])
    moved: dict[str, int | str] = {
        "name": "Bob",
        "before": 25,
        "after": round(100 * (0.25 + change)),
    }
    bought = [Reason("gained_plant", {**moved, "card": card})]
    built = [Reason("gained_cities", {**moved, "count": cities})]
    worth_a_line = abs(change) > 0.01
    first = next(
        move
        for move, row in enumerate(game.log, 1)
        if row.seat == 1 and str(row.move).startswith("build ")
    )
    one = [Reason("gained_cities", {**moved, "count": 1})]
    assert told(marks["building"], first) == (one if worth_a_line else [])
    assert told(0, marks["fuel"]) == (bought if worth_a_line else [])
    assert told(0, len(game.log)) == (built if worth_a_line else [])
    assert told(marks["fuel"], marks["building"]) == []
