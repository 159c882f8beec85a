"""O-15: the laws of Outpost hold, also with cards of any numbers, and notice when broken."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import highvoltage as hv
from highvoltage.engine.cards import LAST_CARD, number_of
from highvoltage.engine.events import Income, Paid, Sold
from highvoltage.engine.moves import Move
from highvoltage.games.laws import events_of
from highvoltage.games.outpost import phases, tables
from highvoltage.games.outpost.cards import TWINS
from highvoltage.games.outpost.invariants import (
    MOVE_LAWS,
    STATE_LAWS,
    OutpostChange,
    actors,
    check,
    market_is_full,
    market_is_in_order,
    stacks_are_of_one_number,
)
from highvoltage.games.outpost.market import StackMarket
from highvoltage.games.outpost.state import FREE, SYNDICATE, OutpostState
from highvoltage.testing import random_move
from outpost.files import card_file
from outpost.positions import PLAYERS, game_at, state

# They hold: the conformance kit plays with the cards that are shipped


@st.composite
def decks(draw: st.DrawFn) -> dict[str, Any]:
    """Cards that keep the contract of O-13, with many equal numbers and any values."""
    data = card_file()
    sockets = draw(st.lists(st.integers(2, 98), min_size=8, max_size=16, unique=True))
    for card in data["cards"]:
        if card["back"] == "plug":
            card["number"] = draw(st.integers(2, 14))
        elif card["back"] == "socket":
            card["number"] = draw(st.sampled_from(sockets))
        if card["kind"] == "plant":
            card["workers"], card["energy"] = draw(st.integers(0, 6)), draw(st.integers(1, 8))
        elif card["kind"] == "habitat":
            card["places"] = draw(st.integers(1, 6))
    copies = Counter(card["number"] for card in data["cards"])
    assume(max(copies.values()) <= TWINS)
    return data


@pytest.mark.rule("O-13.2", "O-13.4", "OI-10", "OI-11", "OI-12", "OI-13", "OI-14")
@settings(max_examples=settings().max_examples // 3)  # whole games
@given(data=decks(), players=st.sampled_from(PLAYERS), seed=st.integers(0, 1000))
def test_the_laws_hold_with_any_cards(data: dict[str, Any], players: int, seed: int) -> None:
    game = hv.new("outpost", players=players, seed=seed, cards=data)
    rng = random.Random(seed)
    assume(len(state(game).market.cards) == tables.PLACES)  # before the Step 3 card
    check(None, None, state(game))
    for _ in range(250):
        if game.outcome is not None:
            break
        before = state(game).copy()
        move = random_move(game.legal_moves, rng)
        game.play(move)
        check(before, move, state(game))
    replayed = hv.replay(str(game.record()))
    assert replayed.log == game.log


@pytest.mark.rule("OI-11", "OI-12", "OI-13", "O-5.8")
@given(
    numbers=st.lists(st.integers(2, 12), min_size=30, max_size=45),
    operations=st.lists(st.integers(0, 9), max_size=60),
    step=st.sampled_from([1, 2]),
)
def test_the_market_keeps_its_form(numbers: list[int], operations: list[int], step: int) -> None:
    """Whatever is bought, discounted and recycled, and wherever the Step 3 card comes."""
    seen: dict[int, int] = {}
    cards = []
    for number in numbers:
        seen[number] = seen.get(number, 0) + 1
        cards.append(number + 100 * (seen[number] - 1))
    s = state(hv.new("outpost", players=3, seed=len(operations)))
    s.step = step
    middle = len(cards) * 2 // 3
    s.market = StackMarket(cards[:8], [*cards[8:middle], LAST_CARD, *cards[middle:]], [])
    bureaucracy = s.rules.phase_names.index("bureaucracy")
    s.phase = bureaucracy - 3
    assert s.phase_name == "auction"
    phases.refill(s)
    for operation in operations:
        if operation < 6 and s.market.offer:
            s.market.take(s.market.offer[operation % len(s.market.offer)])
            phases.refill(s)
        else:
            if LAST_CARD in s.market.cards:
                s.rules.use_last_card(s)
            s.phase, s.round = bureaucracy, operation - 4
            phases.Bureaucracy().end(s)
            s.phase = bureaucracy - 3
        assert market_is_in_order(s)
        assert market_is_full(s)
        assert stacks_are_of_one_number(s)


# They notice


def position(players: int = 3) -> OutpostState:
    """The middle of a game that breaks no law."""
    game = (
        game_at(
            players,
            step=2,
            round=4,
            stations={0: "c08 c09", 1: "c10", 2: "c08"},
            buildings={0: "c15", 1: "c11"},
            own={0: "23 31 12", 1: "16 17"},
            humans={0: 3},
            labour=27,
        )
        if players == 3
        else game_at(2, stations={SYNDICATE: "c08", 0: "c09"}, own={SYNDICATE: "12"})
    )
    s = state(game)
    s.players[0].robots, s.robots = 1, 8
    card = s.market.cards[0]
    s.market.tokens = {card: (1,)}
    return s


def test_the_position_breaks_no_law() -> None:
    check(None, None, position())


def lost_worker(s: OutpostState) -> None:
    s.labour -= 1


def lost_robot(s: OutpostState) -> None:
    s.robots -= 1


def robots_without_the_card(s: OutpostState) -> None:
    s.players[0].robots, s.players[1].robots = 0, 1


def debt(s: OutpostState) -> None:
    s.players[1].money = -1


def lost_station(s: OutpostState) -> None:
    s.players[0].network -= 1


def nineteen_stations(s: OutpostState) -> None:
    s.stations = [(0,)] * len(s.stations)
    s.players[0].cities = tuple(range(len(s.stations)))
    s.players[0].network = len(s.stations)


def two_on_a_colony(s: OutpostState) -> None:
    s.players[0].colonies = ((31, "plant"), (31, "plant"))


def free_space(s: OutpostState) -> None:
    s.players[0].open = (2, 0)


def cards_without_space(s: OutpostState) -> None:
    s.players[1].board = ((16,), ())


def card_on_the_wrong_space(s: OutpostState) -> None:
    s.players[0].board = ((31,), ())


def crowded_city(s: OutpostState) -> None:
    s.step = 1


def twice_in_a_city(s: OutpostState) -> None:
    s.stations[1] = (0, 0)
    s.players[0].network += 1


def taken_slot_is_free(s: OutpostState) -> None:
    city = s.planet.index["c15"]
    s.free = ((*s.free[0], city), s.free[1])


def cheap_slot(s: OutpostState) -> None:
    s.slots[0] = 10


def third_syndicate_station(s: OutpostState) -> None:
    s.step = 3
    s.stations[0] = (0, 2, SYNDICATE)
    s.slots = [
        tables.STATION_PRICES[len(here)] if len(here) < 3 else 1_000_000 for here in s.stations
    ]


def lost_structure(s: OutpostState) -> None:
    s.players[0].structure = 1


def doubled_card(s: OutpostState) -> None:
    s.market.deck.append(s.players[0].cards[0])


def foreign_card_on_board(s: OutpostState) -> None:
    s.players[0].board = ((16,), ())


def step_3_card_in_phase_3(s: OutpostState) -> None:
    s.market.deck.remove(LAST_CARD)
    s.market.deck.append(s.market.cards.pop())
    s.market.cards.append(LAST_CARD)


def unsorted_market(s: OutpostState) -> None:
    s.market.cards[0], s.market.cards[1] = s.market.cards[1], s.market.cards[0]


def short_market(s: OutpostState) -> None:
    s.market.deck.append(s.market.cards.pop())


def long_row(s: OutpostState) -> None:
    s.market.row = 5


def mixed_stack(s: OutpostState) -> None:
    s.market.below = {s.market.cards[0]: (s.market.deck.pop(0),)}


def token_on_nothing(s: OutpostState) -> None:
    s.market.tokens = {98: (1,)}


def fifth_token(s: OutpostState) -> None:
    s.market.tokens = dict.fromkeys(s.market.cards[:5], (1,))


def worthless_card(s: OutpostState) -> None:
    s.market.tokens = {s.market.cards[0]: (2,)}


def sixth_value(s: OutpostState) -> None:
    s.market.tokens = {s.market.cards[3]: (6,)}


def seat_twice(s: OutpostState) -> None:
    s.order = (0, 1, 1)


LAWS_BROKEN: list[tuple[str, Callable[[OutpostState], None]]] = [
    ("OI-01", lost_worker),
    ("OI-03", lost_robot),
    ("OI-03", robots_without_the_card),
    ("OI-04", debt),
    ("OI-05", lost_station),
    ("OI-05", nineteen_stations),
    ("OI-05", two_on_a_colony),
    ("OI-06", free_space),
    ("OI-06", cards_without_space),
    ("OI-06", card_on_the_wrong_space),
    ("OI-07", crowded_city),
    ("OI-07", twice_in_a_city),
    ("OI-07", taken_slot_is_free),
    ("OI-08", cheap_slot),
    ("OI-08", third_syndicate_station),
    ("OI-09", lost_structure),
    ("OI-10", doubled_card),
    ("OI-10", foreign_card_on_board),
    ("OI-10", step_3_card_in_phase_3),
    ("OI-11", unsorted_market),
    ("OI-12", short_market),
    ("OI-12", long_row),
    ("OI-13", mixed_stack),
    ("OI-14", token_on_nothing),
    ("OI-14", fifth_token),
    ("OI-14", worthless_card),
    ("OI-14", sixth_value),
    ("OI-17", seat_twice),
]


@pytest.mark.parametrize(("law", "broken"), LAWS_BROKEN)
def test_a_law_of_positions_notices(law: str, broken: Callable[[OutpostState], None]) -> None:
    s = position()
    assert all(each(s) for each in STATE_LAWS[law])
    broken(s)
    assert not all(each(s) for each in STATE_LAWS[law])
    with pytest.raises(AssertionError, match="OI-"):
        check(None, None, s)


@pytest.mark.rule("OI-02", "OI-22")
def test_laws_about_the_rulebook_notice() -> None:
    """Labour must be most expensive first, and the end must come with the threshold."""
    game = game_at(3, phase="bureaucracy", networks={0: 17})
    assert not all(law(state(game)) for law in STATE_LAWS["OI-22"])
    four = state(game_at(4))
    four.rules = state(game_at(3)).rules
    four.labour = 30
    assert not all(law(four) for law in STATE_LAWS["OI-02"])


def change(
    kind: str, wanted: Callable[[OutpostChange], bool] = lambda _: True, players: int = 3
) -> OutpostChange:
    """A suitable move of a random game, with its own copies of the positions to change."""
    for seed in range(60):
        rng = random.Random(seed)
        game = hv.new("outpost", players=players, seed=seed)
        while game.to_move is not None:
            before = state(game).copy()
            move = random_move(game.legal_moves, rng)
            game.play(move)
            after = state(game).copy()
            after.events = state(game).events[:]
            found = OutpostChange(before, move, after)
            if str(move).startswith(kind) and wanted(found):
                return found
    raise AssertionError(f"no {kind} in 60 games")


def sale(found: OutpostChange) -> bool:
    return any(event.what == "sold" for event in found.after.events)


def same_phase(found: OutpostChange) -> bool:
    return found.before.phase == found.after.phase


def new_round(found: OutpostChange) -> bool:
    return found.after.round > found.before.round


def breaks(law: str, found: OutpostChange) -> bool:
    return not all(each(found) for each in MOVE_LAWS[law])


@pytest.mark.rule("OI-03")
def test_one_robot_a_round_notices() -> None:
    found = change("robot")
    assert not breaks("OI-03", found)
    found.after.robots -= 1
    assert breaks("OI-03", found)
    again = change("robot")
    actors(again)[0].busy = "human"
    assert breaks("OI-03", again)


@pytest.mark.rule("OI-04")
def test_money_laws_notice() -> None:
    for kind in ("power", "build", "nominate", "hire"):
        found = change(kind)
        found.after.players[0].money += 1
        assert breaks("OI-04", found)
    unearned = change("done")
    unearned.after.events.append(Income(0, 10))
    unearned.after.players[0].money += 10
    assert breaks("OI-04", unearned)


@pytest.mark.rule("OI-05", "OI-10")
def test_nothing_is_lost() -> None:
    found = change("build station")
    city = next(at for at, here in enumerate(found.before.stations) if not here)
    found.before.stations[city] = (0,)
    found.after.stations[city] = ()
    assert breaks("OI-05", found)
    special = change("build plant")
    special.after.specials = [FREE] * len(special.after.specials)
    special.before.specials[0] = 1
    assert breaks("OI-05", special)
    cards = change("done", lambda found: bool(found.before.players[0].cards))
    cards.after.players[0].cards = ()
    assert breaks("OI-10", cards)


@pytest.mark.rule("OI-09")
def test_a_wrong_price_is_noticed() -> None:
    found = change("build station", lambda found: bool(actors(found)[0].structure))
    assert not breaks("OI-09", found)
    (paid,) = events_of(found.after, Paid)
    found.after.events.remove(paid)
    found.after.events.append(Paid(paid.seat, paid.amount + 1))
    assert breaks("OI-09", found)


@pytest.mark.rule("OI-13", "OI-14")
def test_stacks_and_tokens_from_nowhere_are_noticed() -> None:
    found = change("pass", same_phase)
    top = found.after.market.future[0]
    found.after.market.below = {top: (top + 100,)}
    found.before.market.below = {}
    if number_of(top) in found.before.market.offer:
        found.before.market.cards[found.before.market.row - 1] = 1
    assert breaks("OI-13", found)
    tokens = change("done", same_phase)
    tokens.after.market.tokens = {tokens.after.market.cards[0]: (1, 1, 1, 1)}
    assert breaks("OI-14", tokens)


@pytest.mark.rule("OI-15", "OI-16")
def test_purchases_are_watched() -> None:
    found = change("nominate", sale)
    assert not breaks("OI-15", found)
    found.before.bidding.eligible = ()
    assert breaks("OI-15", found)
    price = change("nominate", sale)
    (sold,) = events_of(price.after, Sold)
    price.after.events.remove(sold)
    price.after.events.append(Sold(sold.seat, sold.card, 0))
    assert breaks("OI-16", price)


@pytest.mark.rule("OI-15")
def test_everybody_buys_in_the_forced_auction() -> None:
    found = change("nominate", lambda found: found.before.phase != found.after.phase)
    assert not breaks("OI-15", found)
    found.after.players[1].cards = ()
    assert breaks("OI-15", found)


@pytest.mark.rule("OI-17")
def test_the_order_changes_when_due_only() -> None:
    found = change("done", same_phase)
    found.after.order = found.after.order[::-1]
    assert breaks("OI-17", found)


@pytest.mark.rule("OI-18", "OI-19", "OI-21")
def test_workers_are_watched() -> None:
    found = change("hire")
    assert not breaks("OI-18", found)
    actors(found)[1].humans -= 1
    assert breaks("OI-18", found)
    greedy = change("hire 1")
    actors(greedy)[0].robots = 9
    assert breaks("OI-18", greedy)
    left = change("power", new_round)
    assert not breaks("OI-19", left)
    left.after.players[0].humans = 40
    assert breaks("OI-19", left)
    power = change("power", lambda found: actors(found)[1].powered > 0)
    assert not breaks("OI-21", power)
    actors(power)[0].humans = actors(power)[0].robots = 0
    assert breaks("OI-21", power) == bool(
        [face for face in actors(power)[0].board[0] if power.before.rules.faces[face].workers]
    )


@pytest.mark.rule("OI-20")
def test_steps_and_recycling_are_watched() -> None:
    found = change("power", new_round)
    found.before.step, found.after.step = 2, 1
    assert breaks("OI-20", found)
    recycled = change("power", lambda found: new_round(found) and found.before.market.one_row)
    assert not breaks("OI-20", recycled)
    recycled.after.market.slid = [*recycled.after.market.slid, 3]
    assert breaks("OI-20", recycled)


def test_a_broken_law_is_named() -> None:
    before, move, after = change("done")
    after.labour -= 1
    with pytest.raises(AssertionError, match="OI-01 workers_are_conserved: broken by done"):
        check(before, move, after)
    assert isinstance(move, Move)
