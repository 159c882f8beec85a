"""O-5 and the vectors of the card market."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

import highvoltage as hv
from highvoltage.engine.cards import LAST_CARD, number_of
from highvoltage.games.outpost import phases
from highvoltage.games.outpost.market import StackMarket
from highvoltage.games.outpost.state import OutpostState
from outpost.files import with_numbers
from outpost.positions import Twins, drawn, game_at, read_market, rules, show, show_deck, state
from positions import legal

FULL = "[3 4 5 7 | 9 11 12 14]"


def at_market(
    market: str,
    deck: str = "",
    *,
    phase: str = "auction",
    step: int = 2,
    round: int = 6,  # noqa: A002  # the word of the game
) -> OutpostState:
    """A state with this market; below the Step 3 card the deck is shuffled into the given order."""
    twins = Twins()
    laid_out = read_market(market, deck, twins)
    below = (
        laid_out.deck[laid_out.deck.index(LAST_CARD) + 1 :] if LAST_CARD in laid_out.deck else []
    )
    s = state(hv.new("outpost", players=3, chance=hv.Scripted(step3=below)))
    s.market = laid_out
    s.step, s.round, s.events = step, round, []
    s.phase = s.rules.phase_names.index(phase)
    return s


def buy(number: int) -> Callable[[OutpostState], None]:
    def bought(s: OutpostState) -> None:
        assert number_of(s.market.take(s.market.top(number))) == number
        phases.refill(s)

    return bought


def start_of_phase_3(s: OutpostState) -> None:
    phases.SecondAuction().end(s)


def end_of_round(s: OutpostState) -> None:
    phases.Bureaucracy().end(s)


class Case(NamedTuple):
    """A market, what happens to it, and the result; the deck is listed top first."""

    before: str
    deck: str
    when: Sequence[Callable[[OutpostState], None]]
    after: Sequence[str]
    left: str | None = None  # of the deck
    turned: Sequence[int] | None = None  # by all of it
    step: int = 2
    phase: str = "auction"
    round: int = 6


def case(
    before: str, deck: str, when: Callable[[OutpostState], None], after: str, **fields: Any
) -> Case:
    return Case(before, deck, [when], [after], **fields)


def late(
    before: str, deck: str, when: Callable[[OutpostState], None], after: str, **fields: Any
) -> Case:
    return Case(before, deck, [when], [after], phase="bureaucracy", **fields)


recycle, discount, step_2 = phases.recycle, phases.place_discounts, phases.start_step_2

VECTORS = [
    pytest.param(
        case(FULL, "6", buy(4), "[3 5 6 7 | 9 11 12 14]"),
        marks=pytest.mark.rule("OD-04", "O-5.4", "O-5.5"),
        id="OD-04",
    ),
    pytest.param(
        case(FULL, "30", buy(4), "[3 5 7 9 | 11 12 14 30]"),
        marks=pytest.mark.rule("OD-05", "O-5.2"),
        id="OD-05",
    ),
    pytest.param(
        case("[3 4 5x2(-3) 7 | 9 11 12 14]", "6", buy(5), FULL, left="6", turned=[]),
        marks=pytest.mark.rule("OD-06", "O-5.3"),
        id="OD-06",
    ),
    pytest.param(
        case(
            "[3 4 5 7(-1) | 9 11 12 14]",
            "7 30",
            buy(4),
            "[3 5 7x2(-1) 9 | 11 12 14 30]",
            turned=[7, 30],
        ),
        marks=pytest.mark.rule("OD-07", "O-5.10", "OR-13"),
        id="OD-07",
    ),
    pytest.param(
        case(
            "[3 4 5 6 | 7x2(-1) 9 11 12]",
            "7 30",
            buy(3),
            "[4 5 6 7x3(-1) | 9 11 12 30]",
            turned=[7, 30],
        ),
        marks=pytest.mark.rule("OD-10"),
        id="OD-10",
    ),
    pytest.param(
        case(FULL, "9 30", buy(4), "[3 5 7 9 | 9 11 12 14]", left="30", turned=[9]),
        marks=pytest.mark.rule("OD-11", "O-5.6"),
        id="OD-11",
    ),
    pytest.param(
        case(
            "[3 5 7 9 | 9 11 12 14]",
            "22 25",
            buy(5),
            "[3 7 9x2 11 | 12 14 22 25]",
            turned=[22, 25],
        ),
        marks=pytest.mark.rule("OD-12"),
        id="OD-12",
    ),
    pytest.param(
        case("[3 5 7 9 | 9 11 12 14]", "22 11 30", buy(5), "[3 7 9x2 11 | 11 12 14 22]", left="30"),
        marks=pytest.mark.rule("O-5.5", "O-5.6"),
        id="a card is drawn before anything moves up",
    ),
    pytest.param(
        case(
            "[3 5 7 10(-4) | 10(-6) 12 14 16]",
            "22 25",
            buy(5),
            "[3 7 10x2(-10) 12 | 14 16 22 25]",
        ),
        marks=pytest.mark.rule("OD-54", "OR-16"),
        id="OD-54",
    ),
    pytest.param(
        case("[5 7 9 11 12 14]", "", buy(7), "[5 9 11 12 14]", step=3),
        marks=pytest.mark.rule("OD-55", "O-5.11", "OR-14"),
        id="OD-55",
    ),
    pytest.param(
        case("[3 4 5 7 | 9 11]", "", buy(4), "[3 5 7 9 | 11]"),
        marks=pytest.mark.rule("O-5.11", "OR-14"),
        id="the rest closes up",
    ),
    pytest.param(
        case("[3 4 5 6 | 7 7x2 9 11]", "7 30", buy(3), "[4 5 6 7 | 7x3 9 11 30]", left=""),
        marks=pytest.mark.rule("O-5.9", "OR-12"),
        id="a single and a stack",
    ),
    pytest.param(
        Case(
            FULL,
            "S3 30 31",
            [buy(4), buy(5), start_of_phase_3],
            ["[3 5 7 9 | 11 12 14 S3]", "[3 7 9 11 | 12 14 30 S3]", "[7 9 11 12 14 30]"],
        ),
        marks=pytest.mark.rule("OD-19", "O-9.3.1", "O-5.1"),
        id="OD-19",
    ),
    pytest.param(
        case("[3 5 7 9 | 9 11 12 14]", "S3 30", buy(5), "[3 7 9x2 11 | 12 14 30 S3]"),
        marks=pytest.mark.rule("O-9.3.8"),
        id="rows rebalance when S3 is drawn",
    ),
    pytest.param(
        case("[3x2(-1) 4 5 7 | 9 11 12 S3]", "20", start_of_phase_3, "[4 5 7 9 11 12]", turned=[]),
        marks=pytest.mark.rule("OD-20", "O-9.3.3"),
        id="OD-20",
    ),
    pytest.param(
        case(
            "[3 4 5 7 | 7 11 12 S3]",
            "40 41",
            start_of_phase_3,
            "[4 5 7x2 11 12 40]",
            turned=[40],
            left="41",
        ),
        marks=pytest.mark.rule("OD-21", "O-9.3.7", "OR-44"),
        id="OD-21",
    ),
    pytest.param(
        case(
            "[3 4 5 7 | 9 11 12 S3]",
            "20 21",
            start_of_phase_3,
            "[5 7 9 11 12 20]",
            step=1,
            left="21",
        ),
        marks=pytest.mark.rule("OD-23", "O-9.3.6", "OR-42"),
        id="OD-23",
    ),
    pytest.param(
        case(
            "[3x2 4 5 7 | 9 11 12 S3]",
            "20",
            start_of_phase_3,
            "[4 5 7 9 11 12]",
            step=1,
            turned=[],
        ),
        marks=pytest.mark.rule("OD-24", "O-9.3.6"),
        id="OD-24",
    ),
    pytest.param(
        late(
            "[3 4 5 7(-3) | 9 11 12 14]", "6 30", recycle, "[3 4 5 6 | 7(-3) 9 11 12]", left="30 14"
        ),
        marks=pytest.mark.rule("OD-08", "OT-12", "O-5.7", "O-8.4.1"),
        id="OD-08",
    ),
    pytest.param(
        late("[3 4 5 7x2(-1) | 9 11 12 14]", "6 30", recycle, "[3 4 5 6 | 7x2(-1) 9 11 12]"),
        marks=pytest.mark.rule("OD-09"),
        id="OD-09",
    ),
    pytest.param(
        late("[3 4 5 7(-3) | 7 11 12 14]", "6", recycle, "[3 4 5 6 | 7 7(-3) 11 12]"),
        marks=pytest.mark.rule("OD-13"),
        id="OD-13",
    ),
    pytest.param(
        late(
            "[2(-1) 5(-1) 7(-1) 9(-1) | 11 12 14 16]",
            "20",
            discount,
            "[5(-3) 7(-3) 9(-3) 11 | 12 14 16 20]",
            round=2,
        ),
        marks=pytest.mark.rule("OD-14", "O-8.3.1", "O-8.3.2"),
        id="OD-14",
    ),
    pytest.param(
        late(
            "[2x2(-1) 5(-1) 7(-1) 9(-1) | 11 12 14 16]",
            "20",
            discount,
            "[2 5(-3) 7(-3) 9(-3) | 11 12 14 16]",
            round=2,
            turned=[],
        ),
        marks=pytest.mark.rule("OD-15", "OR-11"),
        id="OD-15",
    ),
    pytest.param(
        late(
            "[2(-1) 3(-1) 7(-1) 9(-1) | 11 12 14 16]",
            "8 21",
            discount,
            "[7(-3) 8 9(-3) 11 | 12 14 16 21]",
            round=2,
        ),
        marks=pytest.mark.rule("OD-16", "OR-38"),
        id="OD-16",
    ),
    pytest.param(
        late(
            "[3(-1) 7(-5) 9 11 | 12 14 16 18]",
            "7 20",
            discount,
            "[7 9(-2) 11(-2) 12 | 14 16 18 20]",
            round=2,
        ),
        marks=pytest.mark.rule("OR-38"),
        id="a covered place is still checked",
    ),
    pytest.param(
        late("[4 9 12 | ]", "", discount, "[4(-2) 9(-2) 12(-2) | ]", round=2),
        marks=pytest.mark.rule("O-8.3.3", "OR-39"),
        id="fewer than four",
    ),
    pytest.param(
        late(FULL, "20", step_2, "[4 5 7 9 | 11 12 14 20]", step=1),
        marks=pytest.mark.rule("OD-17", "O-9.2.2"),
        id="OD-17",
    ),
    pytest.param(
        late("[3x2(-1) 4 5 7 | 9 11 12 14]", "20", step_2, FULL, step=1, turned=[]),
        marks=pytest.mark.rule("OD-18", "O-9.2.2"),
        id="OD-18",
    ),
    pytest.param(
        late(FULL, "S3 30", recycle, "[4 5 7 9 11 12]", left="30 14"),
        marks=pytest.mark.rule("OD-22", "O-9.3.2"),
        id="OD-22",
    ),
    pytest.param(
        late(FULL, "S3 8 30", recycle, "[5 7 8 9 11 12]", step=1, left="30 14"),
        marks=pytest.mark.rule("OD-25", "O-9.3.6"),
        id="OD-25",
    ),
    pytest.param(
        late(FULL, "S3 8 30", step_2, "[5 7 9 11 12 14]", step=1, left="8 30", turned=[99]),
        marks=pytest.mark.rule("OD-26", "OR-42"),
        id="OD-26",
    ),
    pytest.param(
        late(
            "[3 4 5 6 | 7 9 11 12x2(-1)]",
            "20",
            recycle,
            "[3 4 5 6 | 7 9 11 12]",
            turned=[],
            left="20 12",
        ),
        marks=pytest.mark.rule("OD-27", "O-8.4.2", "OR-40", "OR-11"),
        id="OD-27",
    ),
    pytest.param(
        late(
            "[3 12 16 17 | 18 20 22 25]",
            "S3 30",
            end_of_round,
            "[16(-5) 17(-5) 18 20 22 25]",
            round=5,
            left="30",
        ),
        marks=pytest.mark.rule("OD-28", "O-8.4.4", "OR-41", "OR-38"),
        id="OD-28",
    ),
    pytest.param(
        late(
            "[5 9 16 17 18 20]",
            "30 31",
            end_of_round,
            "[9(-5) 16(-5) 17(-5) 18 20 30]",
            step=3,
            round=5,
            left="31",
        ),
        marks=pytest.mark.rule("OD-29", "O-8.3.3", "OR-39", "O-8.4.3"),
        id="OD-29",
    ),
    pytest.param(
        late("[5 9 16 17 18 20]", "30", end_of_round, "[5 9 16 17 18 20]", step=3, left="30"),
        marks=pytest.mark.rule("O-8.4.3"),
        id="nothing leaves in Step 3",
    ),
    pytest.param(
        late("[ | ]", "", step_2, "[ | ]", step=1),
        marks=pytest.mark.rule("O-5.11", "OR-14"),
        id="nothing to remove",
    ),
]


@pytest.mark.rule("O-5.8")
@pytest.mark.parametrize("vector", VECTORS)
def test_market_vector(vector: Case) -> None:
    s = at_market(
        vector.before, vector.deck, phase=vector.phase, step=vector.step, round=vector.round
    )
    for when, after in zip(vector.when, vector.after, strict=True):
        when(s)
        assert show(s.market) == after
    if vector.left is not None:
        assert show_deck(s.market) == vector.left
    if vector.turned is not None:
        assert drawn(s) == vector.turned


def set_up(first: str, deck: str = "") -> OutpostState:
    """The market that is turned up from these cards."""
    twins = Twins()
    s = state(hv.new("outpost", players=3, seed=1))
    s.market = StackMarket([*map(twins.deal, first.split())], [*map(twins.deal, deck.split())], [])
    s.events = []
    phases.refill(s)
    return s


@pytest.mark.rule("O-2.10", "OT-07")
@pytest.mark.parametrize(
    ("first", "deck", "market", "turned"),
    [
        pytest.param(
            "5 9 3 5 12 7 11 14",
            "2 20",
            "[2 3 5x2 7 | 9 11 12 14]",
            [2],
            marks=pytest.mark.rule("OD-01"),
            id="OD-01",
        ),
        pytest.param(
            "3 4 5 7 7 7 11 14",
            "20 22",
            "[3 4 5 7x3 | 11 14 20 22]",
            [20, 22],
            marks=pytest.mark.rule("OR-66"),
            id="the fourth number in both rows",
        ),
        pytest.param(
            "3 4 5 7 9 9 11 14",
            "8",
            "[3 4 5 7 | 9 9 11 14]",
            [],
            marks=pytest.mark.rule("OD-02"),
            id="OD-02",
        ),
        pytest.param(
            "3 4 5 7 7 9 9 11",
            "8 20",
            "[3 4 5 7x2 | 8 9 9 11]",
            [8],
            marks=pytest.mark.rule("OD-03"),
            id="OD-03",
        ),
        pytest.param(
            "5 9 3 5 12 7 11 14", "5 5 20", "[3 5x4 7 9 | 11 12 14 20]", [5, 5, 20], id="more 5s"
        ),
    ],
)
def test_set_up_of_the_market(first: str, deck: str, market: str, turned: list[int]) -> None:
    s = set_up(first, deck)
    assert show(s.market) == market
    assert drawn(s) == turned


@pytest.mark.rule("O-1.4.5", "O-13.4")
def test_stacks_depend_on_the_number_alone() -> None:
    """In the shipped cards 26 is a habitat; a plant of the same number stacks with it."""
    data = with_numbers({"plant-25-1": 26})
    game = game_at(3, cards=data)
    s = state(game)
    plant, habitat = 26, 126
    assert rules(game).faces[plant].kind == "plant"
    assert rules(game).faces[habitat].kind == "habitat"
    s.market = StackMarket([3, 4, 5, plant], [], [])
    s.market.insert(habitat)
    assert show(s.market) == "[3 4 5 26x2 | ]"
    assert s.market.offer == [3, 4, 5, habitat]  # the top card
    s.market.take(habitat)
    assert s.market.offer == [3, 4, 5, plant]


def test_nothing_from_an_empty_market_slides_under_the_deck() -> None:
    market = StackMarket([], [30], [])
    assert market.slide_highest() is None
    assert market.deck == [30]


@pytest.mark.rule("O-5.12", "OR-15")
def test_small_and_unwanted_cards_stay() -> None:
    game = game_at(3, phase="auction", networks={0: 6}, round=6)
    before = show(state(game).market)
    assert before.startswith("[2 ")
    for _ in range(3):
        game.play("pass")
    assert game.phase == "company"
    assert show(state(game).market) == before


@pytest.mark.rule("OD-54", "OR-16", "O-6.4")
def test_combined_tokens_leave_at_the_next_placement() -> None:
    s = at_market("[3 7 10x2(-10) 12 | 14 16 22 25]", "30 31", phase="bureaucracy", round=4)
    assert s.market.minimum(s.market.top(10)) == 1
    phases.place_discounts(s)
    assert show(s.market) == "[7(-4) 10 12(-4) 14 | 16 22 25 30]"  # 3 leaves too
    later = at_market("[3 7 10x2(-10) 12 | 14 16 22 25]", "30 31", phase="bureaucracy", round=6)
    phases.Bureaucracy().end(later)
    assert "10x2(-10)" in show(later.market)


@pytest.mark.rule("O-8.3.4", "OD-31")
@pytest.mark.parametrize(
    ("number", "minima"),
    [
        (2, [1]),
        (3, [2]),
        (4, [3, 1]),
        (6, [5, 3]),
        (7, [6, 4, 1]),
        (10, [9, 7, 4]),
        (11, [10, 8, 5, 1]),
        (12, [11, 9, 6, 2]),
        (15, [14, 12, 9, 5]),
        (16, [15, 13, 10, 6, 1, 1, 1]),
    ],
)
def test_a_card_that_nobody_wants(number: int, minima: list[int]) -> None:
    """The lowest bid after each round, until the card leaves."""
    s = at_market(f"[{number} 50 51 52 | 53 54 55 56]", "57", phase="bureaucracy")
    seen = []
    for round_ in range(1, 8):
        if number not in s.market.offer:
            break
        s.round = round_
        if round_ in {1, 2, 3, 4, 5}:
            phases.place_discounts(s)
        if number in s.market.offer:
            seen.append(s.market.minimum(s.market.top(number)))
    assert seen == minima


@pytest.mark.rule("OD-55", "O-9.3.4")
def test_all_of_a_short_market_is_on_offer() -> None:
    game = game_at(3, phase="auction", step=3, market="[5 12 14 15 16]", round=8)
    offered = {move.split()[1] for move in legal(game) if move.startswith("nominate")}
    assert offered == {"5", "12", "14", "15", "16"}
