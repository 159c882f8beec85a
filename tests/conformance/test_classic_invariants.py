"""Each law of the 2004 edition notices when it is broken."""

from collections.abc import Callable
from random import Random
from typing import cast

import pytest

from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.events import Paid, Sold
from highvoltage.engine.moves import Bid, Build, Buy, Move, Nominate, Pass, Run
from highvoltage.games.classic.invariants import MOVE_LAWS, BoardChange, check
from highvoltage.games.classic.position_laws import START_LAWS, STATE_LAWS
from highvoltage.games.classic.state import BoardState
from highvoltage.games.laws import events_of
from highvoltage.testing import Setting, random_move

GERMANY = Setting("classic", "germany", 3)
CENTRAL_EUROPE = Setting("classic", "central_europe", 3)


def game_changes(setting: Setting, seed: int = 2) -> list[BoardChange]:
    rng = Random(seed)
    game = setting.new(seed)
    changes = []
    while game.to_move is not None:
        before = game.state.copy()
        move = random_move(game.legal_moves, rng)
        game.play(move)
        after = game.state.copy()
        after.events = game.state.events
        changes.append(BoardChange(cast("BoardState", before), move, cast("BoardState", after)))
    return changes


CHANGES = game_changes(GERMANY, seed=4)


def state(phase: str = "fuel") -> BoardState:
    """A position in the middle of a game."""
    later = CHANGES[len(CHANGES) // 3 :]
    found = next(each.after for each in later if each.after.phase_name == phase)
    return found.copy()


def change(kind: type[Move], wanted: Callable[[BoardChange], bool] = lambda _: True) -> BoardChange:
    """A move of some kind, with its own copies of the positions to change."""
    later = CHANGES[len(CHANGES) // 10 :]
    before, move, after = next(
        each for each in later if isinstance(each.move, kind) and wanted(each)
    )
    copy = after.copy()
    copy.events = after.events[:]
    return BoardChange(before.copy(), move, copy)


def sale(each: BoardChange) -> bool:
    return any(event.what == "sold" for event in each.after.events)


def same_phase(each: BoardChange) -> bool:
    return each.before.phase == each.after.phase


def test_a_fair_game_breaks_no_law() -> None:
    check(None, None, cast("BoardState", GERMANY.new(1).state))
    for before, move, after in CHANGES:
        check(before, move, after)


def test_the_first_law_broken_is_named() -> None:
    before, move, after = change(Buy)
    after.stock[0] -= 1
    with pytest.raises(AssertionError, match="CI-01 tokens_are_conserved: broken by buy"):
        check(before, move, after)


def more_supply(s: BoardState) -> None:
    s.supply[2] += 1


def stock_without_space(s: BoardState) -> None:
    s.stock[3] = 13


def debts(s: BoardState) -> None:
    s.players[1].money = -1


def card_twice(s: BoardState) -> None:
    s.market.deck.append(s.players[0].cards[0])


def unsorted_market(s: BoardState) -> None:
    s.market.cards.reverse()


def market_too_small(s: BoardState) -> None:
    s.market.deck.insert(0, s.market.cards.pop(0))


def step_3_card_left_lying(s: BoardState) -> None:
    s.market.cards.append(LAST_CARD)


def small_plant_kept(s: BoardState) -> None:
    s.market.cards[0] = s.most_cities


def plant_too_many(s: BoardState) -> None:
    s.players[0].cards = (3, 4, 5, 6)


def no_plant(s: BoardState) -> None:
    s.players[0].cards = ()


def fuel_without_room(s: BoardState) -> None:
    s.players[0].fuel = (9, 9, 9, 9)


def two_houses_of_one(s: BoardState) -> None:
    s.houses[0] = (1, 1)


def house_too_many(s: BoardState) -> None:
    s.houses[0] = (0, 1, 2, 0)


def wrong_slot(s: BoardState) -> None:
    s.slots[0] = 11


def other_regions(s: BoardState) -> None:
    s.regions = s.regions[1:]


def city_without_house(s: BoardState) -> None:
    s.players[0].cities = s.players[0].cities[1:]


def nobody_to_move(s: BoardState) -> None:
    s.actor = None


def end_missed(s: BoardState) -> None:
    s.players[0].cities = tuple(range(17))


def slid_on_top(s: BoardState) -> None:
    s.market.deck.insert(0, LAST_CARD)


@pytest.mark.parametrize(
    ("law", "spoil"),
    [
        ("CI-01", more_supply),
        ("CI-02", stock_without_space),
        ("CI-03", debts),
        ("CI-05", card_twice),
        ("CI-06", unsorted_market),
        ("CI-06", market_too_small),
        ("CI-07", step_3_card_left_lying),
        ("CI-08", small_plant_kept),
        ("CI-09", plant_too_many),
        ("CI-09", no_plant),
        ("CI-11", fuel_without_room),
        ("CI-12", two_houses_of_one),
        ("CI-12", house_too_many),
        ("CI-12", wrong_slot),
        ("CI-13", other_regions),
        ("CI-14", city_without_house),
        ("CI-23", nobody_to_move),
        ("CI-24", end_missed),
        ("CI-25", slid_on_top),
    ],
)
def test_a_spoilt_position_is_noticed(law: str, spoil: Callable[[BoardState], None]) -> None:
    s = state()
    assert all(each(s) for each in STATE_LAWS[law])
    spoil(s)
    assert not all(each(s) for each in STATE_LAWS[law])


def test_a_spoilt_set_up_is_noticed() -> None:
    s = cast("BoardState", GERMANY.new(1).state)
    assert all(each(s) for each in START_LAWS["CI-22"])
    s.market.deck.insert(1, s.market.deck.pop(0))
    assert not all(each(s) for each in START_LAWS["CI-22"])


def money_from_nowhere() -> BoardChange:
    each = change(Pass)
    each.after.players[0].money += 1
    return each


def wrong_price() -> BoardChange:
    each = change(Buy)
    seat = each.before.actor
    assert seat is not None
    each.after.players[seat].money -= 1
    (paid,) = events_of(each.after, Paid)
    each.after.events[-1] = Paid(seat, paid.amount + 1)
    return each


def second_plant() -> BoardChange:
    each = change(Nominate, sale)
    each.before.bidding.eligible = ()
    return each


def city_lost() -> BoardChange:
    each = change(Build)
    each.after.players[0].cities = each.after.players[0].cities[1:]
    return each


def step_inside_a_phase() -> BoardChange:
    each = change(Build, same_phase)
    each.after.step += 1
    return each


def step_back() -> BoardChange:
    each = change(Run, lambda run: not same_phase(run))
    each.after.step -= 1
    return each


def unsorted_order() -> BoardChange:
    each = change(Run, lambda run: run.after.round > run.before.round)
    each.after.order = each.after.order[::-1]
    return each


def bid_not_raised() -> BoardChange:
    each = change(Bid)
    each.before.bidding.bid = 1_000
    return each


def sold_for_another_price() -> BoardChange:
    each = change(Pass, sale)
    each.before.bidding.bid += 1
    return each


def buyer_stays() -> BoardChange:
    each = change(Nominate, sale)
    each.after.bidding.eligible = each.before.bidding.eligible
    return each


def fuel_vanishes() -> BoardChange:
    each = change(Build)
    each.after.stock[0] -= 1
    return each


def refill_too_large() -> BoardChange:
    each = change(Run, lambda run: run.after.round > run.before.round)
    each.after.stock = [stock + 20 for stock in each.after.stock]
    return each


def more_supplied() -> BoardChange:
    each = change(Run)
    assert each.before.actor is not None
    each.after.players[each.before.actor].supplied += 1
    return each


def cheap_house() -> BoardChange:
    each = change(Build)
    assert each.before.actor is not None
    each.after.events[:] = [Paid(each.before.actor, 9)]
    return each


def removed_comes_back() -> BoardChange:
    each = change(Build)
    each.before.market.removed.append(3)
    return each


@pytest.mark.parametrize(
    ("law", "spoilt"),
    [
        ("CI-04", money_from_nowhere),
        ("CI-04", wrong_price),
        ("CI-10", second_plant),
        ("CI-14", city_lost),
        ("CI-15", step_inside_a_phase),
        ("CI-15", step_back),
        ("CI-16", unsorted_order),
        ("CI-17", bid_not_raised),
        ("CI-17", sold_for_another_price),
        ("CI-18", buyer_stays),
        ("CI-19", fuel_vanishes),
        ("CI-19", refill_too_large),
        ("CI-20", more_supplied),
        ("CI-21", cheap_house),
        ("CI-25", removed_comes_back),
    ],
)
def test_a_spoilt_move_is_noticed(law: str, spoilt: Callable[[], BoardChange]) -> None:
    assert not all(each(spoilt()) for each in MOVE_LAWS[law])


def test_a_nuclear_plant_without_its_country_is_noticed() -> None:
    bought = [each for each in game_changes(CENTRAL_EUROPE) if sale(each)][-1]
    seat = events_of(bought.after, Sold)[0].seat
    for player in (bought.before.players[seat], bought.after.players[seat]):
        player.cities = ()
    assert all(each(bought) for each in MOVE_LAWS["CI-27"])
    bought.after.players[seat].cards = (*bought.before.players[seat].cards, 11)
    assert not all(each(bought) for each in MOVE_LAWS["CI-27"])
