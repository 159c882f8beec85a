"""O-9 and O-10: the three Steps and the end."""

import pytest

import highvoltage as hv
from outpost.positions import company, game_at, show, show_deck, state
from positions import legal, play

FULL = "[3 4 5 8 | 10 12 14 15]"


def end_building(game: hv.Game) -> None:
    while game.phase == "company" and game.outcome is None:
        play(game, "done")


def end_round(game: hv.Game) -> None:
    while game.phase == "bureaucracy":
        play(game, "power 0")


@pytest.mark.rule("O-9.1", "O-9.0")
def test_step_1_allows_one_station_and_every_special_slot() -> None:
    game = game_at(3, stations={0: "c08"})
    assert "build station c08" not in legal(game)
    assert "build plant c08" in legal(game)


@pytest.mark.rule("O-9.2.1")
@pytest.mark.parametrize(("players", "network"), [(2, 7), (3, 7), (4, 7), (5, 7), (6, 6)])
def test_step_2_starts_with_phase_4(players: int, network: int) -> None:
    for size in (network - 1, network):
        game = game_at(players, networks={0: size})
        assert game.view()["step"] == 1
        end_building(game)
        assert game.phase == "bureaucracy"
        assert game.view()["step"] == (2 if size == network else 1)


@pytest.mark.rule("O-9.2.3", "O-7.1.2")
def test_a_new_step_opens_the_next_slot_everywhere() -> None:
    """It is priced when the Step begins, also if nobody builds in the meantime."""
    game = game_at(3, stations={0: "c08", 1: "c09"}, networks={0: 7}, order=[0, 1, 2])
    assert not {"c08", "c09"} & {city for city, p in connect(game).items() if "station" in p}
    end_building(game)
    assert game.view()["step"] == 2
    assert [connect(game)[city]["station"] for city in ("c08", "c09", "c10")] == [15, 15, 10]


def connect(game: hv.Game) -> dict[str, dict[str, int]]:
    prices: dict[str, dict[str, int]] = game.view(2)["connect"]
    return prices


@pytest.mark.rule("O-9.2.2", "O-9.2.3", "OI-20")
def test_step_2_happens_once() -> None:
    game = game_at(3, networks={0: 9}, market=FULL, deck="16 17 18 20 22 S3", round=6)
    end_building(game)
    assert show(state(game).market) == "[4 5 8 10 | 12 14 15 16]"
    end_round(game)
    assert show(state(game).market) == "[4 5 8 10 | 12 14 15 17]"
    play(game, "pass", "pass", "pass")
    end_building(game)
    assert show(state(game).market) == "[4 5 8 10 | 12 14 15 17]"
    assert game.view()["step"] == 2
    stations = game_at(3, stations={0: "c08"}, step=2)
    assert "build station c08" in legal(stations)
    assert stations.view(2)["connect"]["c08"]["station"] == 15
    assert stations.view(2)["connect"]["c09"]["station"] == 10


@pytest.mark.rule("O-9.3.1", "O-5.1")
def test_step_3_drawn_in_an_auction() -> None:
    game = game_at(3, phase="auction", step=2, round=7, market=FULL, deck="S3 16 17")
    assert game.view()["market"]["step3"] is False
    play(game, "nominate 4 @4", "pass", "pass")
    market = game.view()["market"]
    assert (market["step3"], game.view()["step"]) == (True, 2)
    assert len(market["current"]) + len(market["future"]) == 7
    assert "shuffled" in {event.what for event in game.log[-1].events}
    offered = {move.split()[1] for move in legal(game) if move.startswith("nominate")}
    assert offered == {"3", "5", "8", "10"}  # auctions continue normally
    play(game, "pass", "pass")
    assert (game.phase, game.view()["step"]) == ("company", 3)
    assert show(state(game).market) == "[5 8 10 12 14 15]"


@pytest.mark.rule("O-9.3.2", "O-8.5", "O-9.3.4", "O-9.3.5")
def test_step_3_drawn_in_phase_4() -> None:
    game = game_at(
        3, phase="bureaucracy", step=2, round=7, market=FULL, deck="S3 16", stations={0: "c08"}
    )
    play(game, "power 0", "power 0")
    assert game.view()["step"] == 2
    play(game, "power 0")
    assert (game.view()["round"], game.view()["step"]) == (8, 3)
    assert show(state(game).market) == "[4 5 8 10 12 14]"
    assert sorted(show_deck(state(game).market).split()) == ["15", "16"]
    offered = {move.split()[1] for move in legal(game) if move.startswith("nominate")}
    assert offered == {"4", "5", "8", "10", "12", "14"}


@pytest.mark.rule("O-9.3.2", "OR-42")
def test_step_3_drawn_at_the_start_of_phase_4_waits_for_the_round_to_end() -> None:
    game = game_at(3, networks={0: 7}, round=7, market=FULL, deck="S3 16 17")
    end_building(game)
    assert (game.phase, game.view()["step"]) == ("bureaucracy", 2)
    assert show(state(game).market) == "[5 8 10 12 14 15]"
    end_round(game)
    assert game.view()["step"] == 3
    assert show(state(game).market) == "[5 8 10 12 14 15]"  # nothing is recycled


@pytest.mark.rule("O-9.3.6")
def test_step_3_before_step_2() -> None:
    game = game_at(3, phase="auction", step=1, round=7, market=FULL, deck="S3 16 17 18")
    state(game).chance = hv.Scripted(step3=[16, 17, 18])
    play(game, "nominate 4 @4", "pass", "pass", "pass", "pass")
    assert game.view()["step"] == 3
    assert show(state(game).market) == "[8 10 12 14 15 16]"
    state(game).players[0].network = 9
    end_building(game)
    assert game.view()["step"] == 3  # Step 2 never comes
    assert show(state(game).market) == "[8 10 12 14 15 16]"


@pytest.mark.rule("O-9.3.9", "OR-45")
def test_step_3_drawn_in_the_first_auction_of_round_1() -> None:
    game = game_at(3, phase="auction", round=1, market=FULL, deck="S3 16 17 18 20 22 23 25")
    play(game, "nominate 4 @4", "pass", "pass", "nominate 3 @3", "pass")
    while game.view()["forced"]:
        play(game, str(game.legal_moves.choices[0]))
    assert (game.phase, game.view()["step"]) == ("auction", 1)
    assert game.view()["market"]["step3"] is True
    play(game, "pass", "pass", "pass")
    assert (game.phase, game.view()["step"]) == ("company", 3)


@pytest.mark.rule("O-9.3.1", "OI-23")
def test_the_deck_is_shuffled_when_step_3_is_drawn() -> None:
    """The same seed gives the same shuffle, another seed another one."""
    decks = []
    for seed in (1, 1, 2):
        game = game_at(
            3,
            phase="auction",
            step=2,
            round=7,
            market=FULL,
            deck="S3 16 17 18 20 22 23 25 26",
            chance=hv.Seeded(seed),
        )
        play(game, "nominate 4 @4", "pass", "pass")
        decks.append(show_deck(state(game).market))
    assert decks[0] == decks[1] != decks[2]


# The end


@pytest.mark.rule("O-10.1", "O-9.4", "OI-22", "O-12.8")
@pytest.mark.parametrize(("players", "network"), [(2, 18), (3, 17), (4, 17), (5, 15), (6, 14)])
def test_the_end_comes_after_phase_3(players: int, network: int) -> None:
    for step in (2, 3):
        running = game_at(players, networks={0: network - 1}, step=step, round=9)
        end_building(running)
        assert running.outcome is None
        game = game_at(players, networks={players - 1: network}, step=step, round=9)
        assert game.to_move is not None  # all players finish their phase 3
        end_building(game)
        assert game.outcome is not None
        assert game.outcome.reason == "cities"
        assert game.view()["to_move"] is None


@pytest.mark.rule("O-10.1")
def test_building_beyond_the_threshold() -> None:
    game = game_at(6, networks={5: 14}, step=2, round=9)
    play(game, "build station c08")
    assert company(game, 5).network == 15


@pytest.mark.rule("O-10.2", "O-10.5", "OR-47")
def test_no_income_no_step_and_the_most_is_powered() -> None:
    game = game_at(
        3, networks={0: 17, 1: 3}, plants={0: "3 25", 1: "12"}, humans={0: 7, 1: 1}, money=44
    )
    market = show(state(game).market)
    end_building(game)
    assert game.outcome is not None
    assert [score["powered"] for score in game.outcome.scores] == [7, 0, 0]
    assert [score["money"] for score in game.outcome.scores] == [44, 44, 44]
    assert (game.view()["step"], show(state(game).market)) == (1, market)


@pytest.mark.rule("O-10.3", "O-10.4", "OD-44")
def test_the_winner() -> None:
    """Powered 14, 15 and 15 with networks of 17, 16 and 15; money decides between the two."""
    game = game_at(
        3,
        networks={0: 17, 1: 16, 2: 15},
        plants={0: "25 25b 22", 1: "32 32b 18 12", 2: "40 36 18b"},
        humans={0: 11, 1: 10, 2: 9},
        money={0: 200, 1: 30, 2: 31},
        round=9,
        step=3,
    )
    end_building(game)
    assert game.outcome is not None
    assert [score["powered"] for score in game.outcome.scores] == [14, 15, 15]
    assert game.outcome.ranking == ((2,), (1,), (0,))


@pytest.mark.rule("O-10.4", "OR-46")
def test_ties() -> None:
    by_network = game_at(3, networks={0: 17, 1: 16, 2: 15}, money=5)
    end_building(by_network)
    assert by_network.outcome is not None
    assert by_network.outcome.ranking == ((0,), (1,), (2,))
    shared = game_at(3, networks={0: 17, 1: 17, 2: 15}, money=5)
    end_building(shared)
    assert shared.outcome is not None
    assert shared.outcome.ranking == ((0, 1), (2,))
    assert shared.outcome.winners == (0, 1)
