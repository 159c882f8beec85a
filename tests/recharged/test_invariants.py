"""R-16: the laws of the 2018 edition hold in its games, and notice when they are broken."""

import re
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

import highvoltage as hv
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.events import Removed, Turned
from highvoltage.games.classic.invariants import BoardChange
from highvoltage.games.classic.state import BoardState
from highvoltage.games.recharged.invariants import (
    MOVE_LAWS,
    START_LAWS,
    STATE_LAWS,
    UNCHANGED,
    check,
)
from highvoltage.games.recharged.state import CARTEL, MARK, RechargedState
from highvoltage.rules import rule
from highvoltage.testing import Setting, check_game
from recharged.start import WEST, begin_round, recharged, state
from spread import some

VARIANT: dict[str, Any] = {"standard_starting_cities": True}
MARKET = [9, 11, 12, 13, 14, 16, 18, 20]


# They hold


@pytest.mark.rule("RI-01", "RI-02", "RI-03", "RI-04", "RI-05", "RI-06", "RI-07", "RI-08")
@pytest.mark.rule("RI-09", "RI-10", "RI-11", "RI-12", "RI-13", "RI-14", "RI-15", "RI-16")
@pytest.mark.parametrize(
    ("place", "players"),
    some(
        *(("germany", 2), ("usa", 3), ("germany", 4), ("usa", 5), ("germany", 6)),
        of=product(["germany", "usa"], range(2, 7)),
    ),
)
def test_the_laws_hold_with_every_option_at_once(place: str, players: int) -> None:
    options = {**VARIANT, "regions": "draft", "refill_row_two_players": 3, "money": "hidden"}
    game = check_game(Setting("recharged", place, players, options), seed=players, close=0.01)
    assert game.outcome is not None


def test_the_laws_kept_from_the_2004_edition_are_those_the_rules_name() -> None:
    named = rule("R-16").text.partition("hold unchanged")[0]
    unchanged = set()
    for first, last in re.findall(r"CI-(\d+)(?: to CI-(\d+))?", named):
        unchanged |= {f"CI-{number:02}" for number in range(int(first), int(last or first) + 1)}
    assert unchanged == {*UNCHANGED}
    assert unchanged - {"CI-26"} <= {*STATE_LAWS, *MOVE_LAWS}  # CI-26 is about two games


# They notice


def at(phase: str, players: int = 3, **fields: Any) -> RechargedState:
    """A position of two or three players that keeps all laws."""
    plants = {seat: [3 + seat] for seat in range(players)}
    return state(recharged(players, phase=phase, plants=plants, **fields))


def token_lost(s: RechargedState) -> None:
    s.stock[0] -= 1


def card_twice(s: RechargedState) -> None:
    s.market.deck.append(s.players[0].cards[0])


def unsorted_market(s: RechargedState) -> None:
    s.market.cards.reverse()


def step_3_card_left_lying(s: RechargedState) -> None:
    s.market.cards.append(LAST_CARD)


def fourth_plant(s: RechargedState) -> None:
    s.players[0].cards = (3, 4, 5, 6)


def higher_limit(s: RechargedState) -> None:
    s.rules = type(s.rules)(s.rules.ruleset)
    s.rules.plant_limit = 4


def token_in_another_phase(s: RechargedState) -> None:
    s.market.discount = s.market.cards[0]


def two_houses_in_step_1(s: RechargedState) -> None:
    s.houses[0] = (0, 1)


def four_houses(s: RechargedState) -> None:
    s.step = 3
    s.houses[0] = (0, 1, 2, CARTEL)


def house_twice(s: RechargedState) -> None:
    s.step = 3
    s.houses[0] = (0, 0)


def cartel_on_20(s: RechargedState) -> None:
    s.step = 3
    s.houses[0] = (0, 1, CARTEL)


def mark_on_15(s: RechargedState) -> None:
    s.step = 3
    s.houses[0] = (0, MARK)


def wrong_slot_price(s: RechargedState) -> None:
    s.slots[0] = 15


def cartel_without_two_players(s: RechargedState) -> None:
    s.houses[0] = (CARTEL,)


def phased_out_on_no_such_map(s: RechargedState) -> None:
    s.rules = state(recharged(3, map="usa")).rules
    s.phased_out = True


def phase_out_missed(s: RechargedState) -> None:
    s.players[0].cards = (39,)


def mark_without_variant(s: RechargedState) -> None:
    s.houses[0] = (MARK,)


@pytest.mark.parametrize(
    ("law", "spoil"),
    [
        ("RI-01", token_lost),
        ("RI-02", card_twice),
        ("RI-03", unsorted_market),
        ("RI-03", step_3_card_left_lying),
        ("RI-04", fourth_plant),
        ("RI-04", higher_limit),
        ("RI-05", token_in_another_phase),
        ("RI-08", two_houses_in_step_1),
        ("RI-08", four_houses),
        ("RI-08", house_twice),
        ("RI-08", cartel_on_20),
        ("RI-08", mark_on_15),
        ("RI-08", wrong_slot_price),
        ("RI-09", cartel_without_two_players),
        ("RI-12", phased_out_on_no_such_map),
        ("RI-12", phase_out_missed),
        ("RI-15", mark_without_variant),
    ],
)
def test_a_spoilt_position_is_noticed(law: str, spoil: Callable[[RechargedState], None]) -> None:
    s = at("fuel")
    assert all(each(s) for each in STATE_LAWS[law])
    spoil(s)
    assert not all(each(s) for each in STATE_LAWS[law])


def cartel_token(s: RechargedState) -> None:
    cartel_in(s).fuel = (1, 0, 0, 0)


def cartel_card(s: RechargedState) -> None:
    cartel_in(s).cards = (50,)


def cartel_with_four(s: RechargedState) -> None:
    cartel_in(s).cards = (20, 21, 22, 23)


def house_from_nowhere(s: RechargedState) -> None:
    cartel_in(s).reserve += 1


def fuel_too_early(s: RechargedState) -> None:
    cartel_in(s).cards = (10,)
    cartel_in(s).fuel = (1, 0, 0, 0)


def cartel_in_the_order(s: RechargedState) -> None:
    s.order = (0, CARTEL, 1)


def cartel_too_early(s: RechargedState) -> None:
    s.bidding.third_done = True


def cartel_too_late(s: RechargedState) -> None:
    s.bidding.eligible = s.bidding.eligible[1:]


def cartel_in(s: RechargedState) -> Any:
    return s.cartel


@pytest.mark.parametrize(
    ("law", "spoil"),
    [
        ("RI-01", cartel_token),
        ("RI-02", cartel_card),
        ("RI-04", cartel_with_four),
        ("RI-09", house_from_nowhere),
        ("RI-09", fuel_too_early),
        ("RI-10", cartel_in_the_order),
        ("RI-10", cartel_too_early),
        ("RI-10", cartel_too_late),
    ],
)
def test_a_spoilt_position_with_the_cartel_is_noticed(
    law: str, spoil: Callable[[RechargedState], None]
) -> None:
    s = at("auction", 2, reserve=16)
    assert all(each(s) for each in STATE_LAWS[law])
    spoil(s)
    assert not all(each(s) for each in STATE_LAWS[law])


@pytest.mark.rule("RI-09")
def test_more_fuel_than_the_cartel_needs_is_noticed() -> None:
    s = at("fuel", 2, reserve=16, plants_of_cartel=[10])
    s.turn = 1
    for coal, unchanged in ((2, True), (3, False)):
        cartel_in(s).fuel = (coal, 0, 0, 0)
        assert all(each(s) for each in STATE_LAWS["RI-09"]) is unchanged


@pytest.mark.rule("RI-15")
def test_a_mark_too_many_or_too_few_is_noticed() -> None:
    s = state(begin_round(hv.new("recharged", players=3, seed=1, **VARIANT)))
    assert all(each(s) for each in STATE_LAWS["RI-15"])
    city = next(i for i, houses in enumerate(s.houses) if not houses)
    s.houses[city] = (MARK,)
    assert not all(each(s) for each in STATE_LAWS["RI-15"])
    s = state(hv.new("recharged", players=3, seed=1, **VARIANT))
    s.turn = 1
    assert not all(each(s) for each in STATE_LAWS["RI-15"])


@pytest.mark.rule("RI-16")
def test_a_spoilt_set_up_is_noticed() -> None:
    deck = state(hv.new("recharged", players=4, seed=1)).market.deck
    for spoilt in (deck[1:], deck[::-1], [16, *deck[1:]], [*deck[:-1], 50]):
        s = state(hv.new("recharged", players=4, seed=1))
        check(None, None, s)
        s.market.deck = spoilt
        assert not all(each(s) for each in START_LAWS["RI-16"])


# Moves


def played(game: hv.Game, *moves: str) -> BoardChange:
    """The last of the moves, with the positions around it."""
    for move in moves[:-1]:
        game.play(move)
    before = game.state.copy()
    game.play(moves[-1])
    assert isinstance(before, BoardState)
    assert isinstance(game.state, BoardState)
    change = BoardChange(before, game.parse(moves[-1]), game.state)
    for name, laws in MOVE_LAWS.items():
        assert all(law(change) for law in laws), name
    return change


def sale(deck: list[int]) -> BoardChange:
    """A sale in a market where 9 carries the token; the deck replaces it."""
    plants = {0: [3], 1: [4], 2: [5]}
    game = recharged(market=MARKET, deck=deck, money=100, order=[0, 1, 2], plants=plants)
    return played(game, "nominate 12 @12", "pass", "pass")


def second_card_removed() -> BoardChange:
    change = sale([7, 25, 30])
    change.after.events += [Turned("6"), Removed("6")]
    change.before.market.discount = 8
    change.after.events.insert(0, Turned("7"))
    return change


def smaller_card_kept() -> BoardChange:
    change = sale([7, 25, 30])
    change.after.events[:] = [event for event in change.after.events if event.what != "removed"]
    return change


def token_left_behind() -> BoardChange:
    change = sale([7, 25, 30])
    change.after.market.discount = 9
    return change


def no_token_placed() -> BoardChange:
    game = recharged(phase="bureaucracy", plants={0: [3], 1: [4], 2: [5]})
    change = played(game, "run nothing", "run nothing", "run nothing")
    change.after.market.discount = None
    return change


def token_off_for_no_reason() -> BoardChange:
    change = sale([25, 30])
    change.after.market.discount = None
    return change


def cartel_takes_twice() -> BoardChange:
    game = recharged(2, market=MARKET, deck=[30, 31], plants={0: [3], 1: [4]}, money=50)
    change = played(game, "pass")
    change.before.bidding.third_done = True
    return change


def plant_removed_by_building() -> BoardChange:
    plants = {0: [3], 1: [4], 2: [5]}
    game = recharged(regions=WEST, phase="building", money=50, plants=plants)
    change = played(game, "build essen")
    change.after.market.cards.pop(0)
    return change


def uranium_after_the_phase_out() -> BoardChange:
    game = recharged(phase="bureaucracy", plants={0: [39], 1: [4], 2: [5]}, stock={"uranium": 0})
    change = played(game, "run nothing", "run nothing", "run nothing")
    change.before.phased_out = True
    return change


def phase_out_taken_back() -> BoardChange:
    change = uranium_after_the_phase_out()
    change.after.stock[3] = 0
    return change


def purchase(place: str, stock: int) -> BoardChange:
    fields: dict[str, Any] = {"plants": {0: [3], 1: [4], 2: [36]}, "stock": {"coal": stock}}
    game = recharged(map=place, phase="fuel", money=100, order=[0, 1, 2], **fields)
    return played(game, "buy coal 3")


def storage_before_market() -> BoardChange:
    change = purchase("usa", 5)
    change.after.supply[0] -= 1
    return change


def storage_on_germany() -> BoardChange:
    change = purchase("germany", 3)
    change.after.supply[0] -= 1
    return change


def cartel_takes_too_much() -> BoardChange:
    fields: dict[str, Any] = {"plants": {0: [3], 1: [4]}, "plants_of_cartel": [10]}
    change = played(recharged(2, phase="fuel", **fields), "done")
    change.after.stock[0] -= 1
    return change


def step_2_before_phase_5() -> BoardChange:
    plants = {0: [3], 1: [4], 2: [5]}
    game = recharged(phase="fuel", plants=plants)
    change = played(game, "done", "done", "done")
    change.after.step = 2
    return change


def step_inside_a_phase() -> BoardChange:
    change = played(recharged(phase="fuel", plants={0: [3], 1: [4], 2: [5]}), "done")
    change.after.step = 3
    return change


@pytest.mark.parametrize(
    ("law", "spoilt"),
    [
        ("RI-06", second_card_removed),
        ("RI-06", smaller_card_kept),
        ("RI-06", token_left_behind),
        ("RI-06", no_token_placed),
        ("RI-07", token_off_for_no_reason),
        ("RI-10", cartel_takes_twice),
        ("RI-11", plant_removed_by_building),
        ("RI-12", uranium_after_the_phase_out),
        ("RI-12", phase_out_taken_back),
        ("RI-13", storage_before_market),
        ("RI-13", storage_on_germany),
        ("CI-19", cartel_takes_too_much),
        ("RI-14", step_2_before_phase_5),
        ("RI-14", step_inside_a_phase),
    ],
)
def test_a_spoilt_move_is_noticed(law: str, spoilt: Callable[[], BoardChange]) -> None:
    assert not all(each(spoilt()) for each in MOVE_LAWS[law])
