"""K-4.5: the fourth plant and the fuel that no longer fits."""

import pytest

import highvoltage as hv
from cardgame.positions import column, discard, game_at, own, removed, rooms, state, store
from highvoltage.games.cardgame import cards
from positions import legal, play, refuses

FUEL = cards.shipped().rules


def fourth(bought: str, **position: str) -> hv.Game:
    """Player 0 has just bought a fourth plant."""
    game = game_at(
        3,
        market=f"{bought} 29 30 31 32 33 34 35",
        deck="20",
        own={0: position["own"]},
        store={0: position["store"]},
        columns={},
        discard="",
        money=99,
    )
    play(game, f"nominate {bought} @1", "pass", "pass")
    return game


@pytest.mark.rule("K-4.5.1", "KR-11")
def test_one_of_the_older_plants_leaves_the_game() -> None:
    game = fourth("8", own="11 12 15", store="")
    assert legal(game) == {"scrap 11", "scrap 12", "scrap 15"}
    refuses(game, "scrap 8", "scrap_new", "KR-11")
    refuses(game, "scrap 9", "scrap_not_owned", "K-4.5.1")
    refuses(game, "pass", "not_now", "K-3.1")
    play(game, "scrap 12")
    assert own(game, 0) == "8 11 15"
    assert removed(game) == "12"


@pytest.mark.rule("TV-K-24", "K-5.3.1", "K-5.3.2")
def test_hybrid_storage() -> None:
    plants = (5, 9)  # hybrid 3, gas 2
    fleet = FUEL.fleet(plants)
    assert (fleet.stores, fleet.hybrid_store) == ((0, 4, 0, 0), 6)
    assert FUEL.fits(plants, (0, 7, 3, 0))
    assert not FUEL.fits(plants, (0, 8, 3, 0))
    assert not FUEL.fits(plants, (0, 4, 7, 0))
    assert not FUEL.fits(plants, (1, 0, 0, 0))
    game = game_at(3, own={0: "5 9"}, store={0: "gas3 gas3 gas1 oil3"}, phase="fuel")
    assert rooms(game, 0) == {"coal": 0, "gas": 0, "oil": 0, "uranium": 0}


@pytest.mark.rule("TV-K-25", "K-4.5.2", "KR-12")
def test_a_forced_loss() -> None:
    game = fourth("3", own="5 9 8", store="gas3 gas3 gas1 oil3")  # bought: oil 1
    assert "scrap 5 returning gas 3 oil 1" in legal(game)
    assert [move for move in legal(game) if move.startswith("scrap 5")] == [
        "scrap 5 returning gas 3 oil 1"
    ]
    refuses(game, "scrap 5", "scrap_returns", "KR-12")
    play(game, "scrap 5 returning oil 1 gas 3")
    assert str(game.log[-1].move) == "scrap 5 returning gas 3 oil 1"
    assert state(game).players[0].fuel == (0, 4, 2, 0)
    assert column(game, 1) == ""  # lost, not for sale


@pytest.mark.rule("TV-K-26", "KR-12")
def test_a_loss_of_gas_or_oil_is_chosen() -> None:
    game = fourth("26", own="5 9 8", store="gas3 gas3 gas1 oil3")  # bought: hybrid 2
    losses = {move for move in legal(game) if move.startswith("scrap 5")}
    assert losses == {
        "scrap 5 returning gas 2",
        "scrap 5 returning gas 1 oil 1",
        "scrap 5 returning oil 2",
    }


@pytest.mark.rule("KR-12", "KR-13")
def test_the_loss_is_not_tied_to_the_plant_that_goes() -> None:
    # Gas 2, hybrid 3, and gas 4, oil 6 in one store: without the gas plant 4 units are too many.
    game = fourth("8", own="5 9 11", store="gas3 gas1 oil3 oil3")
    losses = {move for move in legal(game) if move.startswith("scrap 9")}
    assert losses == {
        f"scrap 9 returning {lost}"
        for lost in ("gas 4", "gas 3 oil 1", "gas 2 oil 2", "gas 1 oil 3", "oil 4")
    }
    play(game, "scrap 9 returning oil 4")
    assert state(game).players[0].fuel == (0, 4, 2, 0)


@pytest.mark.rule("KR-12", "KR-20", "K-4.5.2")
def test_lost_units_come_from_the_emptiest_cards() -> None:
    game = fourth("8", own="12 4 11", store="coal3 coal2 coal coal2/1 coal1")
    play(game, "scrap 12 returning coal 6")  # 8 held, plant 4 stores 2
    assert store(game, 0) == "coal3/2"
    assert discard(game) == "coal1 coal2 coal2"
    assert state(game).singles[0] == 2  # the used single is back next to the market


@pytest.mark.rule("KR-12")
def test_coal_and_uranium_losses_are_forced() -> None:
    game = fourth("8", own="12 16 11", store="coal3 coal3 uranium2")
    assert legal(game) == {"scrap 12 returning coal 6", "scrap 16 returning uranium 2", "scrap 11"}


@pytest.mark.rule("KR-13")
def test_only_totals_count() -> None:
    # Gas fits whichever plant "holds" it: there is no move that shifts fuel between plants.
    assert [kind.verb for kind in game_at(3).rules.moves] == [
        "nominate",
        "bid",
        "pass",
        "scrap",
        "buy",
        "run",
        "done",
    ]
    game = game_at(3, own={0: "5 9"}, store={0: "gas3 gas3 gas3 gas1"}, phase="bureaucracy")
    assert "run 9" in legal(game)
    assert "run 5:gas,gas,gas 9" in legal(game)
