"""The director: sees what a seat sees, keeps its budget, is reproducible, and is stronger."""

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NoReturn

import pytest

import highvoltage as hv
from highvoltage import bots
from highvoltage.bots import director
from highvoltage.bots.director import (
    MIN_OPENING_PLAYOUTS,
    MIN_WORLDS,
    ROUND_SECONDS,
    Budget,
    Deadline,
    Director,
    Effort,
    Playout,
    Search,
    _bids,
    read_budget,
)
from highvoltage.bots.engineer import Engineer
from highvoltage.engine.moves import Bid, Pass, Span
from ours import BOTS, RULEBOOKS
from positions import market_of
from spread import some
from work import max_calls


class Poison(list[int]):
    """Cards that nobody may look at: only their number is known."""

    def _touched(self, *_: object) -> NoReturn:
        raise AssertionError("a bot has reached the hidden part of the game")

    __getitem__ = __iter__ = __reversed__ = __contains__ = _touched
    index = count = copy = _touched


class Glass:
    """A seat's access to a game: while a bot thinks, hidden parts are replaced by Poison."""

    def __init__(self, game: hv.Game) -> None:
        self.game = game

    def ask(self, bot: bots.Bot) -> bots.Choice:
        seat = self.game.to_move
        view = self.game.view(seat, history=getattr(bot, "needs", "view") == "history")
        legal = self.game.legal_moves
        hidden = self.game.state
        market = market_of(self.game)
        deck, aside = market.deck, market.aside
        market.deck, market.aside = Poison(deck), Poison(aside)
        chance, hidden.chance = hidden.chance, None  # type: ignore[assignment]
        try:
            return bot.choose(view, legal)
        finally:
            market.deck, market.aside, hidden.chance = deck, aside, chance


def mid_game(rulebook: str, rounds: int, seed: int = 6) -> hv.Game:
    return _played(rulebook, rounds, seed).copy()


@cache
def _played(rulebook: str, rounds: int, seed: int) -> hv.Game:
    game = hv.new(rulebook, players=3, seed=seed)
    seats = [bots.make("engineer", seat) for seat in range(3)]
    while game.state.round <= rounds:
        assert game.to_move is not None
        game.play(bots.ask(seats[game.to_move], game).move)
    return game


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("name", [*sorted({*BOTS} - {"director"}), "director:4"])
def test_no_bot_touches_what_is_hidden(rulebook: str, name: str) -> None:
    game = mid_game(rulebook, 4)
    seats = [bots.make(name, seat) for seat in range(3)]
    glass = Glass(game)
    for _ in range(12 if name.startswith("director") else 60):
        if game.to_move is None:
            break
        game.play(glass.ask(seats[game.to_move]).move)


def test_hidden_parts_really_are_poisoned() -> None:
    game = hv.new("classic", players=3, seed=6)
    market_of(game).deck = Poison(market_of(game).deck)
    with pytest.raises(AssertionError, match="hidden part"):
        market_of(game).deck[0]
    with pytest.raises(AssertionError, match="hidden part"):
        sorted(market_of(game).deck)


@pytest.mark.parametrize("rulebook", some("classic", of=RULEBOOKS))
def test_a_number_of_playouts_gives_the_same_moves_again(rulebook: str) -> None:
    game = mid_game(rulebook, 4)
    view = game.view(game.to_move, history=True)
    first, second = (Director(Random(3), "12").choose(view, game.legal_moves) for _ in range(2))
    assert first == second
    assert first.move in game.legal_moves
    assert str(first.why)


class FakeTime:
    """A clock on which every move of a playout takes a millisecond, and everything else no time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        play = director.Playout.play

        def slow(playout: director.Playout, seat: int, move: hv.Move) -> None:
            self.now += 0.001
            play(playout, seat, move)

        monkeypatch.setattr(director, "perf_counter", lambda: self.now)
        monkeypatch.setattr(director.Playout, "play", slow)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("milliseconds", [5, 50, 400])
def test_the_time_budget_is_kept(
    rulebook: str, milliseconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A playout that takes too long is abandoned halfway."""
    time = FakeTime(monkeypatch)
    game = mid_game(rulebook, 4)
    view = game.view(game.to_move, history=True)
    choice = Director(Random(3), f"{milliseconds}ms").choose(view, game.legal_moves)
    assert choice.move in game.legal_moves
    assert time.now <= (milliseconds + 1) / 1000 + 1e-9


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("playouts", some(7, of=[1, 7, 24]))
def test_the_playout_budget_is_kept(
    rulebook: str, playouts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = 0
    value = Search._value

    def counted(search: Search, world: hv.Game, plan: hv.Move) -> float:
        nonlocal played
        played += 1
        return value(search, world, plan)

    monkeypatch.setattr(Search, "_value", counted)
    game = mid_game(rulebook, 4)
    view = game.view(game.to_move, history=True)
    Director(Random(3), f"{playouts}").choose(view, game.legal_moves)
    assert played <= playouts


def decisions(rulebook: str) -> Iterator[tuple[dict[str, Any], hv.Moves, bots.Choice]]:
    """The open decisions of a few rounds with engineers."""
    game = hv.new(rulebook, players=3, seed=8)
    engineers = [Engineer(Random(seat)) for seat in range(3)]
    while (seat := game.to_move) is not None and game.state.round <= 5:
        view, legal = game.view(seat, history=True), game.legal_moves
        choice = engineers[seat].choose(view, legal)
        if len(legal) > 1:
            yield view, legal, choice
        game.play(choice.move)


def searching(view: dict[str, Any], playouts: int) -> Search:
    clock = Deadline(Budget(playouts=playouts))
    return Search(view, Engineer(Random(1)), Random(1), clock, Effort(playouts))


@pytest.mark.parametrize("rulebook", some("recharged", of=RULEBOOKS))
def test_the_engineers_move_is_always_evaluated_first(rulebook: str) -> None:
    for view, legal, advised in decisions(rulebook):
        plans = searching(view, 1000).plans(legal, advised)
        assert type(plans[0]) is type(advised.move)
        assert plans[0] == advised.move or isinstance(plans[0], Bid)
        assert len(plans) == len(set(plans)) <= director.MAX_PLANS
        assert all(plan in legal for plan in plans)


def test_fuel_is_searched_when_there_is_ample_time() -> None:
    for view, legal, advised in decisions("classic"):
        if view["phase"] == "fuel":
            few, many = (searching(view, n).plans(legal, advised) for n in (10, 1000))
            assert few == [advised.move]
            assert len(many) > 1


def test_in_outpost_more_than_auctions_are_searched() -> None:
    verbs: set[str] = set()
    for view, legal, advised in decisions("outpost"):
        if view["phase"] == "company":
            plans = searching(view, 40).plans(legal, advised)
            verbs |= {plan.verb for plan in plans[1:]}
            if advised.move.verb in director.UNSEARCHED_VERBS:
                assert plans == [advised.move]
            else:
                assert legal[-1] in plans  # stopping is among the plans
    assert verbs >= {"build", "hire", "done"}


def test_clear_decisions_are_made_at_once() -> None:
    game = mid_game("classic", 4)
    while game.phase != "bureaucracy":
        assert game.to_move is not None
        game.play(bots.ask(bots.make("engineer", 1), game).move)
    view = game.view(game.to_move, history=True)
    with max_calls(20_000):
        Director(Random(3), "9999s").choose(view, game.legal_moves)


def scripted(values: dict[int, list[float]], playouts: int) -> tuple[Search, bots.Choice]:
    """A search in which the value of each plan is given: by its index, then by world."""
    game = mid_game("classic", 4)
    view = game.view(game.to_move, history=True)
    advised = Engineer(Random(1)).choose(view, game.legal_moves)
    others = [move for move in game.legal_moves.choices if move != advised.move]
    plans = [advised.move, *others][: len(values)]
    search = searching(view, playouts)

    def scripted_value(_: hv.Game, plan: hv.Move) -> float:
        row = values[plans.index(plan)]
        return row[len(search.values[plan]) % len(row)]

    search._value = scripted_value  # type: ignore[assignment,method-assign]
    return search, search.choose(plans, advised)


def test_a_clear_win_is_found_and_explained() -> None:
    search, choice = scripted({0: [0.1, 0.1], 1: [0.9, 0.91]}, 20)
    assert choice.move != next(iter(search.values))
    assert choice.why.code == "searched_instead"
    assert choice.why.values["advised"] == str(next(iter(search.values)))


@pytest.mark.parametrize(
    "values",
    [
        {0: [0.9, 0.91], 1: [0.1, 0.13], 2: [0.2, 0.21]},  # far behind
        {0: [0.5, 0.6], 1: [0.5, 0.6]},  # no difference at all
        {0: [0.3, 0.4], 1: [0.31, 0.41]},  # the same difference in every world
    ],
)
def test_thinking_stops_when_the_choice_is_clear(values: dict[int, list[float]]) -> None:
    search, _ = scripted(values, 1000)
    assert search.clock.played == MIN_WORLDS * len(values)


def test_an_early_choice_is_compared_with_further_plans() -> None:
    """With so few playouts only one other plan is tried at a time; the third is the best."""
    search, choice = scripted({0: [0.3], 1: [0.2], 2: [0.5]}, 8)
    assert search.clock.played == MIN_WORLDS * 3
    assert choice.move == [*search.values][2]


def test_lucky_worlds_do_not_help_a_plan_that_is_tried_later() -> None:
    """The first two worlds favour every plan; what counts is who does better in the same worlds."""
    kind = [0.8, 0.9, *[0.2] * 20]
    worse = [0.75, 0.84, *[0.1] * 20]
    search, choice = scripted({0: kind, 1: [0.8, 0.91, *[0.19] * 20], 2: worse}, 20)
    assert choice.move == next(iter(search.values))


def test_luck_is_no_reason_to_leave_the_engineers_move() -> None:
    noise = [0.0, 0.3, 0.0, 0.9, 0.1, 0.0]
    search, choice = scripted({0: [0.2], 1: noise}, 24)
    assert choice.move == next(iter(search.values))
    assert search.clock.played > 2 * MIN_WORLDS  # it took some playouts


def test_a_plan_stays_in_the_race_while_it_may_win() -> None:
    search, _ = scripted({0: [0.3], 1: [0.3], 2: [0.3]}, 8)
    first, plan, other = search.values
    search.values = {first: [0.3] * 4, plan: [0.3, 0.32, 0.36, 0.34], other: [0.35] * 4}
    assert search.gain(plan, first) == pytest.approx((0.03, 0.032), abs=0.001)
    assert search._may_win(plan, first, first, used=0.0)
    assert not search._may_win(plan, first, first, used=1.0)  # by less than chance explains
    assert search._may_win(plan, first, other, used=1.0)  # but the engineer's move is another
    assert search._may_win(other, first, first, used=1.0)  # by the same in every world
    assert not search._may_win(first, other, first, used=0.0)


@pytest.mark.parametrize(
    ("others", "bids"), [(18, [20, 17]), (22, [20, 23, 21]), (15, [20]), (21, [20, 22])]
)
def test_the_bids_worth_a_search(others: int, bids: list[int]) -> None:
    """The engineer's limit; outbidding the others; one below what they pay, unless it is that."""
    legal = hv.Moves([Pass()], [Span(Bid(15), 99)])
    plans = _bids(legal, bots.Choice(Bid(20), bots.Reason("forced"), 20), lambda: others)
    assert plans[1] == Pass()
    assert [plan.bid for plan in plans if isinstance(plan, Bid)] == bids


@pytest.mark.parametrize(
    ("lowest", "limit", "searched"),
    [(9, 20, False), (10, 20, True), (40, 20, True), (41, 20, False)],
)
def test_a_bid_far_below_the_limit_and_a_price_far_above_it_need_no_search(
    lowest: int, limit: int, searched: bool
) -> None:
    legal = hv.Moves([Pass()], [Span(Bid(lowest), 99)])
    advised = bots.Choice(Pass(), bots.Reason("forced"), limit)
    others = iter([limit])
    plans = _bids(legal, advised, lambda: next(others))
    assert [*others] == ([] if searched else [limit])
    assert plans == [Pass()] or searched


def test_a_limit_holds_for_the_sale() -> None:
    """One search for each sale: the bids that follow are made at once."""
    for seed in range(9):
        game = mid_game("classic", 4, seed)
        player, engineer = Director(Random(seed), "16"), bots.make("engineer", 1)
        while game.phase == "auction":
            bidding = isinstance(game.legal_moves.choices[-1], Bid)
            choice = bots.ask(player if bidding and game.to_move == 0 else engineer, game)
            game.play(choice.move)
            if player._sale and game.phase == "auction":
                view = game.view(0, history=True)
                dear = hv.Moves([Pass()], [Span(Bid(player._limit + 1), 999)])
                fair = hv.Moves([Pass()], [Span(Bid(player._limit), 999)])
                view["auction"]["card"] = player._sale[1]
                assert player.choose(view, dear) == bots.Choice(Pass(), choice.why)
                assert player.choose(view, fair) == bots.Choice(Bid(player._limit), choice.why)
                return
    raise AssertionError("no sale was searched")


def test_with_few_playouts_the_first_rounds_are_left_to_the_engineer() -> None:
    game = hv.new("classic", players=3, seed=6)
    view = game.view(game.to_move, history=True)
    few, many = (Director(Random(3), n).choose(view, game.legal_moves) for n in ("23", "24"))
    assert few == Engineer(Random(3)).choose(view, game.legal_moves)
    assert many.why.code.startswith("searched")


def test_with_little_time_playouts_end_with_this_round() -> None:
    assert read_budget("1s").effort(pace=0.01) == (40, director.HORIZON)
    assert read_budget("50ms").effort(pace=0.01) == (10, 1)
    assert read_budget("5").effort(pace=0.01) == (5, director.HORIZON)


@pytest.mark.parametrize("text", ["", "0", "fast", "-3", "5m", "1.5s"])
def test_a_budget_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(bots.BotError, match="is no budget"):
        bots.make(f"director:{text}", 1)


def test_half_a_second_is_enough_to_look_ahead_in_the_first_rounds() -> None:
    assert read_budget("500ms").effort(ROUND_SECONDS).playouts >= 2 * MIN_OPENING_PLAYOUTS


def test_a_limit_is_tried_by_bidding_what_outbids_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = mid_game("classic", 4)
    while not isinstance(game.legal_moves[-1], Bid):
        game.play(bots.ask(Engineer(Random(1)), game).move)
    limit = game.legal_moves.spans[-1].high  # all its money
    search = searching(game.view(game.to_move, history=True), 100)
    played: list[hv.Move] = []
    play = Playout.play

    def noted(playout: Playout, seat: int, move: hv.Move) -> None:
        played.append(move)
        play(playout, seat, move)

    monkeypatch.setattr(Playout, "play", noted)
    search._value(search._world(0).copy(), Bid(limit))
    assert isinstance(played[0], Bid)
    assert played[0].bid < limit


def test_a_plan_that_wins_in_every_forecast_is_worth_a_win(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Later rounds count for more, and nothing is played beyond the last that counts."""
    game = mid_game("classic", 4)
    view = game.view(game.to_move, history=True)
    for chance in (0.0, 1.0):
        seen: list[int] = []

        def forecast(playout: Playout, _seat: int, chance: float = chance) -> float:
            seen.append(playout.world.state.round - view["round"])  # noqa: B023
            return chance

        monkeypatch.setattr(Playout, "win_chance", forecast)
        search = searching(view, 100)
        plan = Engineer(Random(1)).choose(view, game.legal_moves).move
        assert search._value(search._world(0).copy(), plan) == chance
        assert seen == [*range(1, search.effort.rounds + 1)]
