"""K-6.1 and K-6.2: running plants, income, the new turn order."""

import pytest

from cardgame.positions import discard, game_at, money, row, state, store
from positions import legal, play, refuses


@pytest.mark.rule("K-6.1.1", "KR-23")
def test_any_set_with_fuel_may_run_and_none_too() -> None:
    game = game_at(3, own={0: "8 12 6"}, store={0: "coal3"}, phase="bureaucracy", order=(0, 1, 2))
    assert game.to_move == 0
    assert legal(game) == {"run nothing", "run 8", "run 12", "run 8 12"}
    refuses(game, "run 6", "run_no_fuel", "KR-23")
    refuses(game, "run 13", "run_not_owned", "K-6.1.1")
    refuses(game, "run 12:coal,coal,coal", "run_mix", "K-1.7")
    refuses(game, "done", "not_now", "K-3.1")
    play(game, "run 8 12")
    assert game.to_move == 1


@pytest.mark.rule("KR-23")
@pytest.mark.parametrize("gas", range(7))
@pytest.mark.parametrize("oil", range(7))
def test_hybrids_burn_any_mix_that_is_left_by_the_other_plants(gas: int, oil: int) -> None:
    s = state(game_at(3, own={0: "9 14 26"}))  # gas 2, oil 2, hybrid 2
    fuel, own = s.rules.fuel, s.players[0].cards
    held = (0, gas, oil, 0)
    runs = {str(run) for run in fuel.runs(own, held)}
    for mix in ((2, 0), (1, 1), (0, 2)):
        written = ",".join(["gas"] * mix[0] + ["oil"] * mix[1])
        assert (f"run 26:{written}" in runs) == (gas >= mix[0] and oil >= mix[1])
        everything = f"run 9 14 26:{written}"
        assert (everything in runs) == (gas >= 2 + mix[0] and oil >= 2 + mix[1])
    for run in fuel.runs(own, held):
        assert all(burned <= have for burned, have in zip(fuel.burned(run), held, strict=True))


@pytest.mark.rule("KR-23", "KR-13")
def test_fuel_belongs_to_no_plant() -> None:
    # On plants all the oil would be on the hybrid, which could not burn gas alone.
    game = game_at(3, own={0: "9 26"}, store={0: "gas3 gas1 oil3 oil1"}, phase="bureaucracy")
    assert "run 26:gas,gas" in legal(game)


@pytest.mark.rule("KR-23")
def test_the_run_with_the_most_gas_is_proposed_first() -> None:
    game = game_at(3, own={0: "5 26"}, store={0: "gas3 gas1 oil3"}, phase="bureaucracy")
    runs = [str(move) for move in game.legal_moves]
    assert next(run for run in runs if run.startswith("run 26")) == "run 26:gas,gas"
    both = next(run for run in runs if run.startswith("run 5:") and " 26:" in run)
    assert both == "run 5:gas,gas,gas 26:gas,oil"


@pytest.mark.rule("TV-K-12", "K-6.1.2", "K-6.1.3")
def test_production() -> None:
    game = game_at(
        3,
        own={0: "3b 4 6"},
        store={0: "coal2 coal2 coal3/2 uranium1"},
        discard="",
        money=0,
        phase="bureaucracy",
    )
    play(game, "run 3b 4 6")
    assert discard(game) == "coal2 uranium1"
    assert store(game, 0) == "coal2/1 coal3/2"
    assert money(game)[0] == 16


@pytest.mark.rule("K-6.1.2")
def test_used_singles_return_to_the_stock_not_to_the_discard_pile() -> None:
    game = game_at(3, own={0: "4c"}, store={0: "coal coal3"}, discard="", phase="bureaucracy")
    assert state(game).singles[0] == 1
    play(game, "run 4c")
    assert discard(game) == ""
    assert state(game).singles[0] == 2
    assert store(game, 0) == "coal3/2"


@pytest.mark.rule("K-6.1.3", "KR-24")
def test_the_guaranteed_income_goes_only_to_those_who_run_nothing() -> None:
    game = game_at(3, own={0: "8"}, money=0, phase="bureaucracy")
    play(game, "run 8", "run nothing", "run nothing")
    assert money(game) == [6, 1, 1]
    assert [player.income for player in state(game).players] == [6, 1, 1]


@pytest.mark.rule("K-6.1.4")
def test_income_is_remembered_for_the_order_and_can_be_spent_next_round() -> None:
    game = game_at(3, own={2: "8"}, money=0, phase="bureaucracy")
    play(game, "run nothing", "run nothing", "run 8")
    assert row(game)[0] == 2
    assert game.view()["players"][2]["income"] == 6
    assert game.phase == "auction"
    assert "nominate" in str(game.legal_moves[-1])


@pytest.mark.rule("TV-K-13", "K-8.5")
def test_the_order_with_the_bank() -> None:
    gosia, maciek = 1, 0
    game = game_at(
        2,
        own={gosia: "3b 4 6", maciek: "8 2b 3"},
        store={gosia: "coal2 coal2 uranium1", maciek: "gas2 oil1"},
        bank="12",
        phase="bureaucracy",
        order=(maciek, gosia),
    )
    play(game, "run 2b 3 8", "run 3b 4 6")
    assert money(game) == [64, 66]
    assert row(game) == (gosia, maciek)  # the Bank stays between them


@pytest.mark.rule("TV-K-33", "K-6.2.1", "KR-25")
def test_ties_in_income() -> None:
    ann, bob, cem, dan = range(4)
    game = game_at(
        4,
        own={ann: "8 2", bob: "6 5c", cem: "7 4", dan: "9 3"},
        phase="bureaucracy",
    )
    for player, income in zip(state(game).players, (10, 12, 10, 10), strict=True):
        player.income = income
    state(game).players[cem].cards = (4, 8)  # highest plants: Ann 8, Bob 6, Cem 8, Dan 9
    assert state(game).rules.sorted_order(state(game)) == (bob, dan, cem, ann)


@pytest.mark.rule("K-6.2.1", "KR-25")
def test_only_the_highest_plant_counts_running_or_not() -> None:
    game = game_at(3, own={0: "20 11", 1: "31 5c"}, phase="bureaucracy")
    play(game, "run 11", "run 5c", "run nothing")  # 7, 5, 1
    assert row(game) == (0, 1, 2)
    tied = game_at(3, own={0: "5c 21", 1: "8 4", 2: "11"}, phase="bureaucracy")
    s = state(tied)
    for player in s.players:
        player.income = 6
    assert s.rules.sorted_order(s) == (0, 2, 1)  # 21 does not run but counts
    s.players[2].cards, s.players[1].cards = (11, 20), (15, 20)
    assert s.rules.sorted_order(s) == (0, 2, 1)  # 20 and 20: reversed, the second is not compared


@pytest.mark.rule("TV-K-37", "KR-24", "K-6.1.3")
def test_nothing_runs() -> None:
    game = game_at(2, own={1: "8"}, money=0, phase="bureaucracy", order=(0, 1))
    play(game, "run nothing", "run 8")
    assert money(game) == [1, 6]
    assert row(game) == (1, 0)
