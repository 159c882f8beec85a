"""The kit finds what is broken: each test breaks one thing and checks what the kit reports."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from highvoltage.engine.events import Labour, Regions
from highvoltage.engine.game import Game
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import (
    Build,
    Buy,
    Done,
    Pass,
    Run,
    Scrap,
    parse_move,
)
from highvoltage.engine.parts.market import CardMarket
from highvoltage.games.classic import invariants, position_laws, tables
from highvoltage.games.classic.phases import Building, Fuel
from highvoltage.games.classic.position import BoardPlayer
from highvoltage.games.classic.rulebook import Classic
from highvoltage.games.classic.state import BoardState
from highvoltage.testing import MoveMutator, Setting, check_game, check_processes, kit, uncopied

CLASSIC = Setting("classic", "germany", 3)

Patch = pytest.MonkeyPatch


def broken(message: str) -> Any:
    return pytest.raises(AssertionError, match=message)


def at_fuel() -> Game:
    """A game in which somebody with an oil plant is to buy fuel."""
    game = CLASSIC.new(1)
    for move in ("nominate 3 @3", "pass", "pass"):
        game.play(move)
    while game.phase != "fuel" or "buy oil 1" not in map(str, game.legal_moves):
        game.play(game.legal_moves.choices[-1])
    return game


def wrap(patch: Patch, owner: Any, name: str, after: Callable[[Any, Any], Any]) -> None:
    """Let `after(result, self)` replace what a method returns."""
    method = getattr(owner, name)
    patch.setattr(owner, name, lambda self, *given: after(method(self, *given), self))


def test_a_field_that_copy_forgets(monkeypatch: Patch) -> None:
    def forget(copy: BoardState, _: BoardState) -> BoardState:
        copy.step3_pending = False
        return copy

    wrap(monkeypatch, BoardState, "copy", forget)
    with broken("copy.. forgets .'state.step3_pending'"):
        check_game(CLASSIC, close=1)


def test_a_list_that_a_copy_shares(monkeypatch: Patch) -> None:
    def share(copy: BoardState, state: BoardState) -> BoardState:
        copy.stock = state.stock
        return copy

    wrap(monkeypatch, BoardState, "copy", share)
    with broken("moves in a copy change the original"):
        check_game(CLASSIC, close=1)


def test_every_field_is_tried(monkeypatch: Patch) -> None:
    for kind in (BoardState, BoardPlayer, CardMarket):
        monkeypatch.setattr(kind, "copy", lambda self: object.__new__(type(self)))
    found = uncopied(CLASSIC.new(1).state)
    assert {"state.round", "state.stock", "state.players[2].money", "state.market.deck"} <= {*found}


def test_an_illegal_move_that_is_accepted(monkeypatch: Patch) -> None:
    monkeypatch.setattr(Building, "check_slot", lambda *_: None)
    monkeypatch.setattr(Fuel, "check_buy", lambda *_: None)
    with broken("is not legal and accepted"):
        check_game(CLASSIC, close=1)


def test_a_legal_move_that_is_refused(monkeypatch: Patch) -> None:
    def refuse(_: Fuel[BoardState], s: BoardState, __: int, ___: Buy) -> None:
        raise s.rules.refuse("buy_nothing")

    monkeypatch.setattr(Fuel, "check_buy", refuse)
    with broken("buy oil 1 is legal and refused: Choose at least one"):
        kit.check_legal_moves(at_fuel(), Random(1))
    with broken("Choose at least one"):
        check_game(CLASSIC, close=0)


def test_a_refusal_that_changes_something(monkeypatch: Patch) -> None:
    def check(_: Fuel[BoardState], s: BoardState, __: int, ___: Buy) -> None:
        s.turn += 1
        raise s.rules.refuse("buy_nothing")

    game = at_fuel()
    monkeypatch.setattr(Fuel, "check", check)
    monkeypatch.setattr(Fuel, "legal", lambda *_: Moves([]))
    with broken("a check changes .'state.turn"):
        kit.check_refusals(game, MoveMutator([Build], Random(1)))


def test_a_refusal_that_cites_no_rule(monkeypatch: Patch) -> None:
    monkeypatch.setitem(tables.CITES, "not_now", "C-99")
    with broken("not_now: there is no rule C-99"):
        check_game(CLASSIC, close=1)


def test_a_notation_that_is_not_read_back(monkeypatch: Patch) -> None:
    monkeypatch.setattr(Run, "parse", lambda _: Run())
    parse_move.cache_clear()
    try:
        with broken("is read as run nothing"):
            check_game(CLASSIC, close=1)
    finally:
        parse_move.cache_clear()  # a wrong reading must not be cached


def test_a_view_that_shows_the_deck(monkeypatch: Patch) -> None:
    view = Classic.view

    def leak(self: Classic, s: BoardState, seat: int | None) -> dict[str, Any]:
        return view(self, s, seat) | {"next": s.market.deck[-2:]}

    monkeypatch.setattr(Classic, "view", leak)
    with broken("leaks what is hidden|a replay gives other views"):
        check_game(CLASSIC, close=1)


def test_a_view_that_shows_hidden_money(monkeypatch: Patch) -> None:
    view = Classic.view

    def leak(self: Classic, s: BoardState, seat: int | None) -> dict[str, Any]:
        return view(self, s, seat) | {"richest": max(player.money for player in s.players)}

    monkeypatch.setattr(Classic, "view", leak)
    with broken("sees hidden money"):
        check_game(Setting("classic", "germany", 3, {"money": "hidden"}), close=1)


def test_a_view_that_shares_a_list_with_the_game(monkeypatch: Patch) -> None:
    view = Classic.view

    def share(self: Classic, s: BoardState, seat: int | None) -> dict[str, Any]:
        return view(self, s, seat) | {"stock": s.stock}

    monkeypatch.setattr(Classic, "view", share)
    with broken("a view reaches .'state.stock"):
        check_game(CLASSIC, close=1)


def test_a_view_that_shares_a_table_with_other_views(monkeypatch: Patch) -> None:
    view = Classic.view
    reference_card = {"house_prices": [10, 15, 20]}

    def share(self: Classic, s: BoardState, seat: int | None) -> dict[str, Any]:
        return view(self, s, seat) | reference_card

    monkeypatch.setattr(Classic, "view", share)
    with broken("what is done to a view lasts: .'view.house_prices"):
        check_game(CLASSIC, close=1)


def test_an_event_that_reveals_what_is_hidden(monkeypatch: Patch) -> None:
    end = Building.end

    def leak(self: Building[BoardState], s: BoardState) -> None:
        end(self, s)
        s.events.append(Regions(tuple(s.market.deck[1:3])))

    monkeypatch.setattr(Building, "end", leak)
    with broken("a replay has another log|leaks what is hidden"):
        check_game(CLASSIC, close=1)


def test_a_game_that_chance_does_not_decide_alone(monkeypatch: Patch) -> None:
    tick = iter(range(10**6))
    apply = Fuel.apply

    def restless(self: Fuel[BoardState], s: BoardState, seat: int, move: Buy | Done) -> None:
        apply(self, s, seat, move)
        s.events.append(Labour(next(tick)))

    monkeypatch.setattr(Fuel, "apply", restless)
    with broken("the same move leads somewhere else"):
        check_game(CLASSIC, close=1)


def test_a_rule_that_an_invariant_guards(monkeypatch: Patch) -> None:
    def take(self: Fuel[BoardState], s: BoardState, _: int, __: Buy | Done) -> None:
        s.supply[0] += 1
        self.next_turn(s)

    monkeypatch.setattr(Fuel, "apply", take)
    with broken("CI-01 tokens_are_conserved: broken by"):
        check_game(CLASSIC, close=0)


def test_a_game_that_another_process_does_not_know(monkeypatch: Patch) -> None:
    monkeypatch.setattr(tables, "PAYMENT", (60, *tables.PAYMENT[1:]))
    with broken("another process plays another game"):
        check_processes([(CLASSIC, 1)])


def test_other_moves_keep_their_form() -> None:
    others = MoveMutator([Run, Scrap, Pass], Random(1))
    run = Run(((5, ("coal", "oil")), (13, ())))
    scrap = Scrap(12, (("coal", 1), ("oil", 1)))
    others.remember([run, scrap])
    changed = {others.changed(move) for move in (run, scrap) for _ in range(300)}
    assert len(changed) > 50
    for move in changed:
        pairs = move.plants if isinstance(move, Run) else getattr(move, "returned", ())
        shape = (int, tuple) if isinstance(move, Run) else (str, int)
        assert all(tuple(map(type, pair)) == shape for pair in pairs)


def test_invariants_have_a_law_each() -> None:
    laws = {*position_laws.STATE_LAWS, *position_laws.START_LAWS, *invariants.MOVE_LAWS}
    assert laws == {f"CI-{n:02}" for n in range(1, 28)} - {"CI-26"}
