"""K-5: buying fuel cards, storage, surplus, and the last round."""

import pytest

import highvoltage as hv
from cardgame.positions import column, discard, game_at, money, rooms, state, store
from highvoltage.games.cardgame.fuel import Stored, spend
from highvoltage.games.cardgame.state import CardState
from positions import legal, play, refuses


def buying(own: str, stored: str = "", **position: object) -> hv.Game:
    """Player 2 of three is the first to buy."""
    columns = position.pop("columns", {2: "coal1 coal2 coal3 gas3 oil3", 3: "uranium1", 4: "coal3"})
    return game_at(3, own={2: own}, store={2: stored}, columns=columns, phase="fuel", **position)  # type: ignore[arg-type]


@pytest.mark.rule("K-5.1.1")
def test_the_last_player_buys_first_and_in_one_turn() -> None:
    game = game_at(
        3, own=dict.fromkeys(range(3), "12"), columns={2: "coal1 coal2 coal3"}, phase="fuel"
    )
    for seat in (2, 1, 0):
        assert game.to_move == seat
        if seat:
            play(game, f"buy coal {seat} from 2")
            assert game.to_move == seat  # until done
        play(game, "done")
    assert game.phase == "bureaucracy"


@pytest.mark.rule("K-5.1.2")
def test_the_market_is_not_refilled_while_buying() -> None:
    game = game_at(
        3, own=dict.fromkeys(range(3), "12"), columns={2: "coal1", 3: "coal1"}, phase="fuel"
    )
    play(game, "buy coal 1 from 2")
    assert (column(game, 2), column(game, 3)) == ("", "coal1")
    play(game, "done", "done")
    assert (column(game, 2), column(game, 3)) == ("", "coal1")


@pytest.mark.rule("K-5.2.1", "K-5.2.2")
def test_a_card_costs_its_column_whatever_its_units() -> None:
    game = buying("12 16", money=10, columns={1: "coal", 2: "coal1 coal3", 3: "uranium2"})
    assert legal(game) == {
        "done",
        "buy coal 1 from 1",
        "buy coal 1 from 2",
        "buy coal 3 from 2",
        "buy uranium 2 from 3",
    }
    play(game, "buy coal 3 from 2")
    assert money(game)[2] == 8
    play(game, "buy coal 1 from 2")
    assert money(game)[2] == 6
    play(game, "buy coal 1 from 1")
    assert money(game)[2] == 5
    play(game, "buy uranium 2 from 3")
    assert money(game)[2] == 2
    assert store(game, 2) == "coal3 coal1 coal uranium2"
    play(game, "done")


@pytest.mark.rule("K-5.2.1")
def test_refused_purchases() -> None:
    game = buying("12", money=3, columns={1: "coal", 2: "coal3 gas3", 4: "coal3"})
    refuses(game, "buy peat 1 from 1", "unknown_fuel", "K-1.2")
    for move in (
        "buy coal 2 from 2",
        "buy coal 3 from 3",
        "buy coal 3 from 1",
        "buy coal 0 from 1",
        "buy coal 1 from 5",
        "buy coal 1 from 0",
        "buy coal 9 from 2",
    ):
        refuses(game, move, "no_such_card", "K-5.2.1")
    refuses(game, "buy gas 3 from 2", "no_room_for_card", "KR-19")
    refuses(game, "buy coal 3 from 4", "cannot_pay", "K-5.2.1")
    refuses(game, "run nothing", "not_now", "K-3.1")


@pytest.mark.rule("K-5.2.2")
def test_buying_nothing_is_allowed() -> None:
    game = buying("12")
    play(game, "done")
    assert game.to_move == 1
    assert money(game) == [50, 50, 50]


@pytest.mark.rule("KR-19")
def test_one_unit_must_fit() -> None:
    full = buying("12", "coal3 coal3")
    assert legal(full) == {"done"}
    refuses(full, "buy coal 1 from 2", "no_room_for_card", "KR-19")
    nearly = buying("12", "coal3 coal2")
    assert "buy coal 3 from 2" in legal(nearly)
    eco = buying("8")
    assert legal(eco) == {"done"}


@pytest.mark.rule("K-5.3.1", "K-5.3.2")
@pytest.mark.parametrize("gas", range(9))
@pytest.mark.parametrize("oil", range(9))
def test_rooms_for_gas_and_oil(gas: int, oil: int) -> None:
    game = game_at(3, own={0: "9 10 26"})  # gas 2, oil 2, hybrid 2
    s = state(game)
    fuel = s.rules.fuel
    own = s.players[0].cards

    def fits(g: int, o: int) -> bool:
        return max(0, g - 4) + max(0, o - 4) <= 4

    assert fuel.fits(own, (0, gas, oil, 0)) == fits(gas, oil)
    if fits(gas, oil):
        rooms = fuel.rooms(own, (0, gas, oil, 0))
        assert fits(gas + rooms[1], oil)
        assert not fits(gas + rooms[1] + 1, oil)
        assert fits(gas, oil + rooms[2])
        assert not fits(gas, oil + rooms[2] + 1)


@pytest.mark.rule("TV-K-10", "K-5.4.1", "K-5.4.2")
@pytest.mark.parametrize(
    ("order", "then"), [((2, 3), "coal2 coal2 coal3/2"), ((3, 2), "coal2 coal3 coal2/1")]
)
def test_surplus_goes_to_column_1(order: tuple[int, int], then: str) -> None:
    # Gosia: two coal plants that store 6 together, a uranium plant, one coal card of 2.
    columns = {2: "coal2 coal3", 3: "uranium1"}
    game = buying("3b 4 6", "coal2", columns=columns)
    play(game, "buy uranium 1 from 3", *(f"buy coal {units} from 2" for units in order))
    assert money(game)[2] == 43
    assert store(game, 2).replace(" uranium1", "") == then  # the older card is not touched
    assert state(game).players[2].fuel == (6, 0, 0, 1)
    assert column(game, 1) == "coal"
    play(game, "done")
    other = game_at(3, own={1: "12"}, columns={1: "coal"}, phase="fuel", order=(0, 2, 1))
    play(other, "buy coal 1 from 1")
    assert money(other)[1] == 49  # for sale to anybody, at 1


@pytest.mark.rule("K-5.4.3", "KR-21")
def test_column_1_takes_any_number_of_singles() -> None:
    game = game_at(
        3,
        own=dict.fromkeys(range(3), "4"),  # stores 2 coal
        store=dict.fromkeys(range(3), "coal1"),
        columns={2: "coal3 coal3 coal3"},
        phase="fuel",
    )
    for _ in range(3):
        play(game, "buy coal 3 from 2", "done")
    assert column(game, 1) == "coal coal coal coal coal coal"  # the box has 2
    assert state(game).singles[0] == -4
    assert game.view()["fuel"]["singles"]["coal"] == 0


@pytest.mark.rule("KR-21")
def test_with_the_printed_stock_surplus_beyond_it_is_lost() -> None:
    game = game_at(
        3,
        own={2: "4", 1: "4"},
        store={2: "coal1", 1: "coal1"},
        columns={1: "coal", 2: "coal3 coal3"},
        phase="fuel",
        single_stock="printed",
    )
    play(game, "buy coal 3 from 2")
    assert column(game, 1) == "coal coal"  # one of two units gets a single
    play(game, "done", "buy coal 3 from 2")
    assert column(game, 1) == "coal coal"
    assert state(game).singles[0] == 0


@pytest.mark.rule("KR-21")
def test_a_used_single_can_be_used_again() -> None:
    game = game_at(3, own={0: "4"}, store={0: "coal"}, phase="bureaucracy", single_stock="printed")
    assert state(game).singles == [1, 2, 2, 1]
    play(game, "run 4")
    assert state(game).singles == [2, 2, 2, 1]


@pytest.mark.rule("KR-20", "K-5.4.4")
@pytest.mark.parametrize(
    ("cards", "spent", "left", "gone"),
    [
        ([(3, 3), (2, 2)], 2, [(3, 3)], [2]),  # fewest units first
        ([(3, 1), (0, 1)], 1, [(3, 1)], [0]),  # a single before a regular card
        ([(3, 1), (1, 1)], 1, [(1, 1)], [3]),  # then the older purchase
        ([(3, 2), (2, 2)], 3, [(2, 1)], [3]),
        ([(3, 3), (2, 1)], 2, [(3, 2)], [2]),
        ([(3, 3), (7, 3)], 3, [(7, 3)], [3]),  # other fuels stay
    ],
)
def test_which_cards_are_turned_down(
    cards: list[tuple[int, int]], spent: int, left: list[tuple[int, int]], gone: list[int]
) -> None:
    store = tuple(Stored(*card) for card in cards)
    assert spend(store, (spent, 0, 0, 0)) == (tuple(Stored(*card) for card in left), gone)


@pytest.mark.rule("KR-20")
@pytest.mark.parametrize(
    ("burn_from", "left", "gone"),
    [("emptiest", "coal3", True), ("fullest", "coal3/2 coal1", False)],
)
def test_which_card_is_turned_down_first_is_an_option(
    burn_from: str, left: str, gone: bool
) -> None:
    held = {0: "coal3 coal1"}
    game = game_at(3, own={0: "4"}, store=held, phase="bureaucracy", burn_from=burn_from)
    play(game, "run 4")
    assert store(game, 0) == left
    assert ("coal1" in discard(game)) == gone


@pytest.mark.rule("TV-K-27", "K-5.5.1", "K-5.5.2")
def test_in_the_last_round_only_what_is_missing_may_be_bought() -> None:
    game = buying(
        "12 26 13",  # coal 3, hybrid 2, gas 1
        "coal1 oil1",
        columns={2: "coal3 gas3 oil2 uranium1"},
        round=9,
        end_round=8,
        market="20 22 24 27 29 31",
    )
    assert rooms(game, 2) == {"coal": 2, "gas": 2, "oil": 1, "uranium": 0}
    refuses(game, "buy uranium 1 from 2", "enough_fuel", "K-5.5.1")
    play(game, "buy gas 3 from 2")
    assert store(game, 2) == "coal1 oil1 gas3/2"
    assert column(game, 1) == "gas"
    assert rooms(game, 2) == {"coal": 2, "gas": 0, "oil": 0, "uranium": 0}
    refuses(game, "buy gas 1 from 1", "enough_fuel", "K-5.5.1")
    refuses(game, "buy oil 2 from 2", "enough_fuel", "K-5.5.1")
    play(game, "buy coal 3 from 2")
    assert legal(game) == {"done"}  # enough for all


@pytest.mark.rule("K-5.5.2")
@pytest.mark.parametrize("gas", range(6))
@pytest.mark.parametrize("oil", range(6))
def test_what_is_missing_makes_one_run_possible(gas: int, oil: int) -> None:
    s = state(game_at(3, own={0: "9 14 26"}))  # gas 2, oil 2, hybrid 2
    own = s.players[0].cards
    miss = s.rules.fuel.missing(own, (0, gas, oil, 0))
    assert miss[1] == max(0, 2 - gas) + max(0, 2 - max(0, gas - 2) - max(0, oil - 2))
    assert miss[2] == max(0, 2 - oil) + max(0, 2 - max(0, gas - 2) - max(0, oil - 2))
    assert (miss[0], miss[3]) == (0, 0)


@pytest.mark.rule("KR-22")
def test_missing_counts_all_plants_and_older_fuel_stays() -> None:
    last = {"round": 9, "end_round": 8, "market": "20 22 24 27 29 31"}
    game = buying("12 16", "coal3 coal3", columns={2: "uranium1 coal1"}, **last)
    assert state(game).players[2].fuel == (6, 0, 0, 0)  # more than one run, bought earlier
    assert legal(game) == {"done", "buy uranium 1 from 2"}
    short = buying("12", "", columns={2: "coal1"}, **last)
    play(short, "buy coal 1 from 2")  # too little to run, and allowed
    assert rooms(short, 2)["coal"] == 2


def test_the_notation_of_a_purchase() -> None:
    game = buying("12")
    move = game.parse("  BUY Coal 3 from 2 ")
    assert str(move) == "buy coal 3 from 2"
    assert game.cost(move) == 2
    for text in ("buy coal 3", "buy coal 3 of 2", "buy coal x from 2", "buy coal 3 from 2 now"):
        with pytest.raises(hv.MoveSyntaxError):
            game.parse(text)


def test_discarded_cards_are_distinguished_from_singles() -> None:
    game = game_at(3, own={0: "12"}, store={0: "coal coal2"}, discard="", phase="bureaucracy")
    assert isinstance(game.state, CardState)
    play(game, "run 12")
    assert discard(game) == "coal2"
    assert state(game).singles[0] == 2
