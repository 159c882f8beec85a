"""K-11: every law is checked in whole games, and notices when it is broken."""

from collections.abc import Callable
from typing import Any

import pytest

import highvoltage as hv
from cardgame.positions import game_at, state
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.events import Shuffled, Sold, Surplus, Turned
from highvoltage.engine.outcome import Outcome
from highvoltage.games.cardgame.fuel import Stored
from highvoltage.games.cardgame.invariants import check
from highvoltage.games.cardgame.state import CardState
from positions import wander
from spread import some


@pytest.mark.rule(
    "INV-01",
    "INV-02",
    "INV-03",
    "INV-04",
    "INV-05",
    "INV-06",
    "INV-07",
    "INV-08",
    "INV-09",
    "INV-10",
    "INV-11",
    "INV-12",
    "INV-13",
    "INV-14",
    "INV-15",
    "INV-16",
    "INV-17",
    "INV-18",
    "INV-19",
    "INV-20",
)
@pytest.mark.parametrize("players", some(2, 4, of=[2, 3, 4, 5, 6]))
@pytest.mark.parametrize("single_stock", ["unlimited", "printed"])
def test_all_laws_hold_in_random_games(players: int, single_stock: str) -> None:
    for seed in range(4):
        game = hv.new(
            "cardgame", players=players, seed=seed, single_stock=single_stock, demolition=True
        )
        check(None, None, state(game))
        before = state(game).copy()
        for _ in wander(game, seed):
            check(before, game.log[-1].move, state(game))
            before = state(game).copy()


def started(players: int = 3, rounds: int = 3) -> CardState:
    """A game in its third round, in the auction."""
    game = hv.new("cardgame", players=players, seed=2)
    for _ in wander(game, seed=2):
        if game.state.round == rounds:
            break
    return state(game)


def swap(cards: list[int]) -> None:
    cards[0], cards[-1] = cards[-1], cards[0]


def give(s: CardState, count: int) -> None:
    while len(s.players[0].cards) < count:
        s.players[0].cards += (s.market.aside[0],)
        s.market.aside = s.market.aside[1:]


def take_all(s: CardState) -> None:
    s.market.removed += s.players[0].cards
    s.players[0].cards = ()


BROKEN_POSITIONS: list[tuple[str, Callable[[CardState], Any]]] = [
    ("INV-01", lambda s: s.market.removed.append(s.market.cards[0])),
    ("INV-01", lambda s: s.market.deck.remove(LAST_CARD)),
    ("INV-02", lambda s: swap(s.market.cards)),
    ("INV-03", lambda s: s.market.removed.append(s.market.cards.pop())),
    ("INV-04", lambda s: setattr(s.market, "row", 6)),
    ("INV-05", lambda s: give(s, 4)),
    ("INV-05", take_all),
    ("INV-06", lambda s: setattr(s.players[0], "money", -1)),
    ("INV-07", lambda s: s.discard.append(3)),
    ("INV-07", lambda s: setattr(s, "reshuffles", 1)),
    ("INV-07", lambda s: setattr(s.players[0], "fuel", (9, 0, 0, 0))),
    ("INV-08", lambda s: s.singles.__setitem__(0, 5)),
    ("INV-08", lambda s: s.columns.__setitem__(0, (0, *s.columns[0]))),
    ("INV-10", lambda s: s.columns.__setitem__(1, s.columns[1][::-1])),
    ("INV-13", lambda s: setattr(s, "order", (0, 0, 1))),
    ("INV-14", lambda s: setattr(s.market, "discount", s.market.cards[1])),
    ("INV-17", lambda s: setattr(s, "outcome", Outcome("early", ((0,),), ()))),
    ("INV-19", lambda s: setattr(s, "demolition", 1)),
    ("INV-20", lambda s: setattr(s, "round", 25)),
]


@pytest.mark.parametrize(("name", "spoil"), BROKEN_POSITIONS)
def test_a_broken_position_is_noticed(name: str, spoil: Callable[[CardState], Any]) -> None:
    s = started()
    check(None, None, s)
    spoil(s)
    with pytest.raises(AssertionError, match=name):
        check(None, None, s)


def test_the_bank_keeps_no_reserve() -> None:
    s = started(players=2)
    assert s.bank is not None
    card = s.pile.pop()
    s.bank.store = (Stored(card, 1),)
    with pytest.raises(AssertionError, match="INV-11"):
        check(None, None, s)


def test_stored_fuel_must_fit() -> None:
    s = started()
    s.players[0].store = (*s.players[0].store, *(Stored(card, card % 4) for card in s.pile))
    s.players[0].fuel = tuple(
        sum(left for card, left in s.players[0].store if card // 4 == kind) for kind in range(4)
    )
    s.pile = []
    with pytest.raises(AssertionError, match="INV-11"):
        check(None, None, s)


def put_rest_of_fuel(s: CardState) -> None:
    """The fuel cards that are nowhere else form the pile."""
    cards = s.rules.cards.fuel
    s.pile, s.discard = sorted([*cards["2-6"], *cards["+"]]), []
    stored = [card for player in s.players for card, _ in player.store]
    for card in (*s.columns[1], *s.columns[2], *stored):
        s.pile.remove(card)


def sell_9_for_1(s: CardState) -> None:
    s.players[1].money -= 1
    s.events.append(Sold(1, "9", 1))


BROKEN_MOVES: list[tuple[str, str, str, Callable[[CardState], Any]]] = [
    ("INV-06", "auction", "nominate 5 @1", lambda s: setattr(s.players[0], "money", 99)),
    ("INV-09", "fuel", "buy coal 3 from 2", lambda s: s.events.append(Surplus("coal", 1))),
    ("INV-10", "fuel", "done", lambda s: s.columns.__setitem__(2, (3, s.pile.pop()))),
    ("INV-13", "fuel", "done", lambda s: setattr(s, "order", s.order[::-1])),
    ("INV-15", "auction", "nominate 5 @1", sell_9_for_1),
    ("INV-16", "bureaucracy", "run 8", lambda s: setattr(s.players[0], "income", 7)),
    ("INV-17", "fuel", "done", lambda s: s.events.append(Turned("end"))),
    ("INV-18", "fuel", "done", lambda s: s.events.append(Shuffled("reshuffle"))),
    ("INV-19", "fuel", "done", lambda s: setattr(s, "demolition", 1)),
]


@pytest.mark.parametrize(("name", "phase", "move", "spoil"), BROKEN_MOVES)
def test_a_broken_move_is_noticed(
    name: str, phase: str, move: str, spoil: Callable[[CardState], Any]
) -> None:
    game = game_at(
        3,
        own={0: "8 12", 1: "4", 2: "4b"},
        market="5 7 9 10 13 14 15 16",
        columns={2: "coal3", 3: "coal3", 4: ""},
        phase=phase,
        order=(0, 1, 2) if phase != "fuel" else (2, 1, 0),
        round=4,
        demolition=True,
    )
    s = state(game)
    put_rest_of_fuel(s)
    before = s.copy()
    game.play(move)
    check(before, game.log[-1].move, s)
    spoil(s)
    with pytest.raises(AssertionError, match=name):
        check(before, game.log[-1].move, state(game))


def test_a_purchase_beyond_one_run_in_the_last_round_is_noticed() -> None:
    game = game_at(
        3,
        own={0: "12", 1: "4", 2: "4b"},
        store={0: "coal3"},
        columns={2: "coal3"},
        phase="fuel",
        order=(2, 1, 0),
        market="20 22 24 27 29 31",
        round=5,
        end_round=5,
    )
    s = state(game)
    put_rest_of_fuel(s)
    before = s.copy()
    game.play("buy coal 3 from 2")
    check(before, game.log[-1].move, s)
    before.round = s.round = 6  # as if it had been the last round
    with pytest.raises(AssertionError, match="INV-12"):
        check(before, game.log[-1].move, s)


@pytest.mark.rule("INV-02")
def test_twins_that_change_places_are_noticed() -> None:
    game = game_at(3, own={0: "8", 1: "4", 2: "4b"}, market="5 5b 9 10 13 14 15 16", round=4)
    s = state(game)
    before = s.copy()
    game.play("pass")
    s.market.cards[:2] = s.market.cards[1::-1]
    s.market.discount = s.market.cards[0]
    with pytest.raises(AssertionError, match="INV-02"):
        check(before, game.log[-1].move, s)


@pytest.mark.rule("INV-21")
def test_the_same_seed_and_moves_give_the_same_state() -> None:
    one, two = (hv.new("cardgame", players=4, seed="same") for _ in range(2))
    for _ in wander(one, seed=3):
        two.play(one.log[-1].move)
    assert one.log == two.log
    assert one.view() == two.view()
    assert one.record() == two.record()
    other = hv.new("cardgame", players=4, seed="other")
    assert other.view() != hv.new("cardgame", players=4, seed="same").view()


@pytest.mark.rule("INV-20")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_game_in_which_nobody_buys_anything_ends_too(players: int) -> None:
    game = hv.new("cardgame", players=players, seed=1)
    while game.outcome is None:
        idle = [m for m in game.legal_moves.choices if str(m) in {"pass", "done", "run nothing"}]
        game.play(idle[0] if idle else game.legal_moves.choices[0])
    assert game.state.round <= {2: 28, 3: 26, 4: 30, 5: 34, 6: 34}[players] + 2
