"""K-8: two players against the Bank."""

from typing import Any

import pytest

import highvoltage as hv
from cardgame.positions import (
    bank,
    bank_store,
    column,
    discard,
    game_at,
    market,
    money,
    own,
    plants,
    removed,
    row,
    state,
)
from highvoltage.engine.events import Taken
from highvoltage.games.cardgame.bank import BANK
from positions import idle, legal, play

FIVE = "5 7 8 9 10 12 13 15"


def fed(plants_of_bank: str, **columns: str) -> hv.Game:
    """The first human has bought nothing, and the Bank has taken its fuel."""
    by_number = {int(key[-1]): cards for key, cards in columns.items()}
    game = game_at(
        2, bank=plants_of_bank, columns=by_number, discard="", phase="fuel", order=(0, 1)
    )
    assert game.to_move == 1
    play(game, "done")
    assert game.to_move == 0
    return game


@pytest.mark.rule("K-8.1", "K-8.5", "INV-13")
def test_the_bank_is_always_second() -> None:
    game = hv.new("cardgame", players=2, seed=1)
    while game.outcome is None:
        assert sorted(row(game)) == [0, 1]
        assert "bank" in game.view()
        game.play(game.legal_moves.choices[-1])
    assert hv.new("cardgame", players=3, seed=1).view().get("bank") is None


@pytest.mark.rule("TV-K-38", "K-8.2", "K-8.3", "KR-33")
def test_the_bank_takes_the_fourth_plant_after_the_first_sale() -> None:
    game = game_at(2, market=FIVE, deck="16 18 19 20")
    play(game, "nominate 8 @8")
    assert game.to_move == 1  # the Bank does not bid
    play(game, "bid 9", "pass")
    assert own(game, 1) == "8"  # "first" is the first event, though the nominator was outbid
    assert bank(game) == "10"
    assert market(game) == "5* 7 9 12 | 13 15 16 18"
    assert game.to_move == 0
    assert legal(game) == {"pass", "nominate 5 @1", *(f"nominate {n} @{n}" for n in (7, 9, 12))}
    play(game, "nominate 9 @9")
    assert bank(game) == "10"  # nothing more this round
    assert game.phase == "fuel"


@pytest.mark.rule("K-8.3", "KR-33")
def test_the_bank_also_acts_when_the_first_human_declines() -> None:
    game = game_at(2, market=FIVE, deck="16 18 19 20")
    play(game, "pass")
    assert bank(game) == "9"
    assert market(game) == "5* 7 8 10 | 12 13 15 16"
    assert game.to_move == 1
    play(game, "pass")
    assert bank(game) == "9"


@pytest.mark.rule("K-8.3", "KR-06")
def test_the_bank_also_acts_when_the_first_human_can_pay_nothing() -> None:
    game = game_at(2, market=FIVE, deck="16 18 19 20", money={0: 0})
    assert game.to_move == 1
    assert bank(game) == "9"


@pytest.mark.rule("K-8.3", "KR-38", "K-7.2")
def test_in_the_last_round_the_bank_takes_the_sixth() -> None:
    game = game_at(2, market="20 22 24 27 29 31", deck="33 34", round=9, end_round=8, bank="12")
    play(game, "nominate 22 @22", "pass")
    assert bank(game) == "12 33"  # drawn for 22, and the sixth
    assert market(game) == "20* 24 27 29 31 34"
    play(game, "pass", "done", "done")
    assert game.outcome is not None
    assert sorted(seat for place in game.outcome.ranking for seat in place) == [0, 1]


@pytest.mark.rule("KR-33")
def test_the_banks_replacement_obeys_the_marker_and_end() -> None:
    low = game_at(2, market=FIVE, deck="16 4 18 19")
    play(low, "nominate 8 @8", "pass")
    assert removed(low) == "4"
    assert market(low) == "5 7 9 12 | 13 15 16 18"
    chance = hv.Scripted(end=plants("19 20"))
    end = game_at(2, market=FIVE, deck="16 end 19 20", chance=chance)
    play(end, "nominate 8 @8", "pass")
    assert market(end) == "5* 7 9 12 | 13 15 16 END"


@pytest.mark.rule("KR-34")
def test_with_fewer_plants_the_bank_takes_the_highest_and_with_none_nothing() -> None:
    few = game_at(2, market="20 22", deck="", round=9, end_round=8)
    play(few, "nominate 22 @22", "pass")
    assert bank(few) == "20"  # the marker with it
    assert state(few).market.discount is None
    assert few.phase == "fuel"
    one = game_at(2, market="20", deck="", round=9, end_round=8)
    play(one, "nominate 20 @1", "pass")
    assert bank(one) == ""
    assert one.phase == "fuel"


@pytest.mark.rule("KR-34")
def test_with_end_in_the_market_the_bank_takes_the_fourth_of_the_current_row() -> None:
    game = game_at(
        2,
        market="11 14 16 18 20 22 24 27",
        deck="end 29 31",
        chance=hv.Scripted(end=plants("29 31")),
    )
    play(game, "nominate 14 @14", "pass")
    assert bank(game) == "20"
    assert market(game) == "11* 16 18 22 | 24 27 29 END"


@pytest.mark.rule("TV-K-39", "K-8.4", "DR-02")
def test_the_banks_oldest_plant_goes() -> None:
    game = game_at(
        2, market="5 7 8 13 14 16 17 18", deck="19 20", bank="9 12 15", demolition=True, round=4
    )
    play(game, "pass")
    assert bank(game) == "12 15 13"
    assert removed(game) == "9"
    play(game, "pass")
    assert state(game).demolition == 0
    assert money(game) == [50, 50]


@pytest.mark.rule("K-8.4")
def test_the_oldest_goes_whatever_its_value() -> None:
    game = game_at(2, market="5 7 8 13 14 16 17 18", deck="19 20", bank="35 6 9")
    play(game, "pass")
    assert bank(game) == "6 9 13"


@pytest.mark.rule("K-8.6")
def test_the_bank_takes_fuel_between_the_humans() -> None:
    game = game_at(2, bank="4", columns={2: "coal1"}, phase="fuel", order=(1, 0))
    assert game.to_move == 0
    assert bank_store(game) == ""
    play(game, "done")
    assert game.to_move == 1
    assert bank_store(game) == "coal1"
    assert game.log[-1].events == (Taken(BANK, "coal1", 2),)


@pytest.mark.rule("TV-K-11", "K-8.7", "K-8.8", "K-8.11")
@pytest.mark.parametrize(("hybrid", "shows", "surplus"), [("26", "gas3/1", 2), ("7", "gas3/2", 1)])
def test_what_the_bank_takes(hybrid: str, shows: str, surplus: int) -> None:
    game = fed(f"4 13 {hybrid}", column_1="coal", column_2="gas2", column_3="gas3", column_4="oil1")
    assert bank_store(game) == f"coal gas2 {shows}"
    assert column(game, 1) == " ".join(["gas"] * surplus)
    assert column(game, 4) == "oil1"


@pytest.mark.rule("TV-K-28", "K-8.11", "KR-36")
def test_spill_into_the_hybrid() -> None:
    game = fed("9 10 7", column_1="oil", column_2="gas3 oil3", column_3="gas1")
    assert bank_store(game) == "gas3 oil oil3"
    assert column(game, 1) == ""
    assert column(game, 3) == "gas1"


@pytest.mark.rule("TV-K-29", "K-8.11", "KR-36")
def test_hybrid_price() -> None:
    dear = fed("26", column_2="oil2", column_3="gas1")
    assert bank_store(dear) == "oil2"
    assert column(dear, 3) == "gas1"
    same = fed("26", column_2="gas1 oil2")
    assert bank_store(same) == "gas1 oil2/1"
    assert column(same, 1) == "oil"


@pytest.mark.rule("TV-K-30", "K-8.9", "KR-36")
def test_two_surpluses() -> None:
    game = fed("13 3 26", column_2="gas3 oil3")
    assert bank_store(game) == "gas3 oil3/1"
    assert column(game, 1) == "oil oil"


@pytest.mark.rule("TV-K-31", "K-8.8", "KR-35", "K-8.9")
def test_singles_and_fewest_units_first() -> None:
    game = fed("12", column_1="coal", column_2="coal1 coal3", column_3="coal2")
    assert bank_store(game) == "coal coal1 coal3/1"
    assert column(game, 1) == "coal coal"
    assert column(game, 3) == "coal2"


@pytest.mark.rule("KR-35", "KR-36")
def test_fuels_in_market_order_and_needs_added() -> None:
    game = fed("16 4 4c", column_2="uranium1 coal3")  # coal 1 + 2, uranium 1
    assert bank_store(game) == "coal3 uranium1"


@pytest.mark.rule("TV-K-32", "K-8.10")
def test_shortage() -> None:
    game = fed("28", column_4="uranium1")
    assert bank_store(game) == "uranium1"
    play(game, "done", "run nothing", "run nothing")
    assert bank_store(game) == ""
    assert "uranium1" in discard(game)


@pytest.mark.rule("K-8.7", "KR-38")
def test_in_the_last_round_the_bank_takes_fuel_for_one_run_as_usual() -> None:
    game = game_at(
        2,
        bank="12",
        columns={2: "coal3 coal3"},
        phase="fuel",
        round=9,
        end_round=8,
        market="20 22 24 27 29 31",
    )
    play(game, "done")
    assert bank_store(game) == "coal3"


@pytest.mark.rule("K-8.12", "KR-37")
def test_the_banks_fuel_is_discarded_before_the_refill() -> None:
    columns = {2: "coal1 coal1 coal2 coal2", 3: "gas1 gas2 gas2 oil1", 4: "oil1 oil1 oil2"}
    position: dict[str, Any] = {"bank": "12 28", "bank_store": "coal3/2 coal uranium1"}
    game = game_at(
        2, phase="bureaucracy", columns=columns, pile="", discard="", reshuffles=1, **position
    )
    assert state(game).singles[0] == 1
    play(game, "run nothing", "run nothing")
    s = state(game)
    assert bank_store(game) == ""
    assert s.singles[0] == 2
    assert s.reshuffles == 2  # coal3 and uranium1 were in the pile that was shuffled
    assert len(s.columns[3]) == 4
    assert money(game) == [51, 51]


@pytest.mark.rule("K-8.2")
def test_two_humans_bid_against_each_other_only() -> None:
    game = game_at(2, market=FIVE)
    play(game, "nominate 9 @9", "bid 10", "bid 11", "pass")
    assert own(game, 0) == "9"
    idle(game)
