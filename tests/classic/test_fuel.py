"""C-1.3 and C-6: the fuel market, and what fits on plants."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import highvoltage as hv
from classic.by_hand import Counts, placements, stocked
from highvoltage.engine.events import Paid
from highvoltage.games.classic import tables
from positions import board, classic, idle, legal, play, refuses

FUELS = ("coal", "oil", "garbage", "uranium")
FITS = tables.FUEL_RULES


def counts(game: hv.Game) -> list[int]:
    return [game.view()["fuel"][kind]["stock"] for kind in FUELS]


# The market


@pytest.mark.rule("C-1.3.2", "C-1.3.3", "C-8.3.1", "C-8.3.2")
@given(
    kind=st.integers(0, 3),
    changes=st.lists(st.tuples(st.booleans(), st.integers(1, 9)), max_size=12),
)
def test_a_count_says_as_much_as_tokens_on_spaces(
    kind: int, changes: list[tuple[bool, int]]
) -> None:
    ladder = tables.LADDERS[kind]
    spaces = [(price, True) for price in ladder.prices]  # every space with its token
    stock = ladder.size
    for buying, number in changes:
        for _ in range(number):
            taken = [at for at, (_, token) in enumerate(spaces) if token == buying]
            if not taken:
                break
            at = taken[0] if buying else taken[-1]  # cheapest token, most expensive empty space
            price = spaces[at][0]
            spaces[at] = (price, not buying)
            if buying:
                assert price == ladder.price(stock) == ladder.cost(stock, 1)
            stock += -1 if buying else 1
        on_market = [price for price, token in spaces if token]
        assert len(on_market) == stock
        for bought in range(stock + 1):
            assert ladder.cost(stock, bought) == sum(on_market[:bought])
            assert ladder.affordable(stock, sum(on_market[:bought])) == bought
        assert ladder.price(stock) == (on_market[0] if on_market else None)


@pytest.mark.rule("C-6.1.1", "C-6.1.2", "C-1.3.3")
def test_tokens_are_paid_at_once_the_cheapest_first() -> None:
    game = classic(plants={0: [7, 8]}, money=50, phase="fuel", order=[1, 2, 0])
    (paid,) = game.play("buy coal 4")
    assert paid == Paid(0, 5)
    play(game, "buy oil 1", "buy coal 2", "buy oil 3")
    player = game.view()["players"][0]
    assert player["money"] == 50 - (1 + 1 + 1 + 2) - 3 - (2 + 2) - (3 + 3 + 4)
    assert player["fuel"] == {"coal": 6, "oil": 4, "garbage": 0, "uranium": 0}
    assert counts(game)[:2] == [18, 14]
    play(game, "done")
    assert game.to_move == 2


@pytest.mark.rule("C-6.1.1")
def test_everybody_has_one_turn_and_may_buy_nothing() -> None:
    game = classic(plants={0: [10], 1: [15], 2: [20]}, phase="fuel", order=[1, 2, 0])
    play(game, "done", "buy coal 1", "buy coal 1", "done", "done")
    assert [row.seat for row in game.log] == [0, 2, 2, 2, 1]
    assert game.phase == "building"


@pytest.mark.rule("C-6.1.2", "C-14")
def test_nobody_buys_more_than_they_can_pay() -> None:
    game = classic(plants={0: [10]}, money=4, phase="fuel", order=[1, 2, 0])
    assert legal(game) == {"buy coal 1", "buy coal 2", "buy coal 3", "done"}
    refuses(game, "buy coal 4", "cannot_pay", "C-6.1.2")
    play(game, "buy coal 3")
    assert board(game).players[0].money == 1
    assert legal(game) == {"done"}


@pytest.mark.rule("C-6.1.3", "C-1.3.3")
def test_a_kind_that_is_sold_out_waits_for_the_refill() -> None:
    game = classic(
        plants={0: [14], 1: [19], 2: [24]},
        stock={"garbage": 5},
        money=100,
        phase="fuel",
        order=[0, 1, 2],
    )
    play(game, "buy garbage 4", "done")
    assert board(game).supply[2] == 19  # not for sale
    refuses(game, "buy garbage 2", "sold_out", "C-6.1.3")
    play(game, "buy garbage 1", "done")
    assert legal(game) == {"done"}
    refuses(game, "buy garbage 1", "sold_out", "C-6.1.3")
    idle(game, "auction")
    assert counts(game)[2] == 1
    idle(game, "fuel")
    assert "buy garbage 1" in legal(game)


@pytest.mark.rule("C-6.1.1", "C-6.2.1", "C-6.3.3")
@pytest.mark.parametrize(
    ("move", "code", "rule"),
    [
        ("buy coal 5", "no_room", "C-6.2.1"),
        ("buy oil 1", "no_room", "C-6.2.1"),
        ("buy uranium 1", "no_room", "C-6.2.1"),
        ("buy gas 1", "unknown_fuel", "C-1.3.1"),
        ("buy coal 0", "buy_nothing", "C-6.1.1"),
        ("build essen", "not_now", "C-14"),
        ("scrap 10", "not_now", "C-14"),
        ("run 10", "not_now", "C-14"),
    ],
)
def test_what_cannot_be_bought(move: str, code: str, rule: str) -> None:
    game = classic(plants={0: [10, 13]}, money=100, phase="fuel", order=[1, 2, 0])
    refuses(game, move, code, rule)


@pytest.mark.rule("C-6.3.3")
def test_no_move_gives_anything_back_or_away() -> None:
    verbs = {kind.verb for kind in hv.new("classic", players=2, seed=1).rules.moves}
    turn = {"market", "buy"}  # a market is chosen, where there are several, only to buy there
    build = {"build", "start"}
    rest = {"region", "nominate", "bid", "pass", "scrap", "run", "done"}
    mines = {"sell"}  # only in phase 5, and only on a board with mines
    assert verbs == turn | build | rest | mines
    game = classic(plants={0: [10]}, fuel={0: {"coal": 4}}, phase="fuel", order=[1, 2, 0])
    assert legal(game) == {"done"}
    with pytest.raises(hv.MoveSyntaxError):
        game.play("buy coal -1")


# Storage


@pytest.mark.rule("C-6.2.2", "C-6.2.3", "C-6.3.1", "C-6.3.2", "C-1.2.4")
@given(
    cards=st.sets(st.sampled_from([3, 4, 5, 9, 10, 12, 29, 46, 6, 14, 11, 13]), max_size=4),
    held=st.tuples(*[st.integers(0, 9)] * 2, st.integers(0, 3), st.integers(0, 2)),
)
def test_tokens_fit_if_they_can_be_placed_on_the_plants(cards: set[int], held: Counts) -> None:
    plants = tuple(sorted(cards))
    assert FITS.fits(plants, held) == bool(placements(plants, held))


@pytest.mark.rule("C-6.2.1", "C-6.2.2", "C-6.2.3")
@given(stocked())
def test_there_is_room_for_as_many_as_can_be_placed_on_the_plants(
    stock: tuple[tuple[int, ...], Counts],
) -> None:
    cards, held = stock
    for kind in range(4):
        room = 0
        grown = list(held)
        while placements(cards, tuple(grown)):
            room += 1
            grown[kind] += 1
        assert FITS.rooms(cards, held)[kind] == room - 1


@pytest.mark.rule("C-6.2.1", "C-6.2.3")
@pytest.mark.parametrize("coal", range(5))
@pytest.mark.parametrize("oil", range(5))
def test_coal_on_a_hybrid_takes_room_from_oil(coal: int, oil: int) -> None:
    game = classic(plants={0: [12]}, money=100, phase="fuel", order=[1, 2, 0])
    if coal:
        play(game, f"buy coal {coal}")
    if oil + coal > 4:
        refuses(game, f"buy oil {oil}", "no_room", "C-6.2.1")
    elif oil:
        play(game, f"buy oil {oil}")
        assert game.view()["players"][0]["room"]["coal"] == 4 - coal - oil
