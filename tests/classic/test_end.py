"""C-10: the end of the game."""

from typing import Any

import pytest

import highvoltage as hv
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.events import Paid
from positions import board, classic, idle, legal, play

FUELS = ("coal", "oil", "garbage", "uranium")
ENDS = [(2, 21), (3, 17), (4, 17), (5, 15), (6, 14)]


def finished(players: int = 4, **at: Any) -> hv.Outcome:
    """The outcome of a position in which nobody builds any more."""
    game = classic(players, phase="building", step=3, **at)
    idle(game)
    assert game.outcome is not None
    return game.outcome


@pytest.mark.rule("C-10.1", "C-8.1.1", "C-1.5", "C-11.1", "C-11.2")
@pytest.mark.parametrize(("players", "cities"), ENDS)
def test_the_number_of_cities_that_ends_the_game(players: int, cities: int) -> None:
    for count, over in ((cities - 1, False), (cities, True)):
        game = classic(players, cities={0: count}, step=2, phase="building")
        idle(game)
        assert (game.outcome is not None) == over
        assert game.phase == ("building" if over else "bureaucracy")


def test_cities_stay_dark_for_want_of_fuel_or_of_plants() -> None:
    game = classic(
        3,
        step=3,
        phase="building",
        cities={0: 17, 1: 6, 2: 3},
        plants={0: [50, 20], 1: [37, 20], 2: [20]},
        fuel={0: {"coal": 2}, 1: {"coal": 1}, 2: {"coal": 3}},
    )
    idle(game)
    outcome = game.view()["outcome"]
    assert [score["supplied"] for score in outcome["scores"]] == [6, 4, 3]
    assert outcome["unfuelled"] == [5, 2, 0]  # of 11, 6 and 3 that their plants could power


@pytest.mark.rule("C-10.1")
def test_the_others_still_have_their_turns_and_nobody_is_paid() -> None:
    game = classic(
        3,
        step=3,
        cities={0: 16, 1: 5, 2: 5},
        plants={0: [50], 1: [44], 2: [37]},
        money={0: 100, 1: 100, 2: 100},
        phase="building",
        order=[2, 1, 0],
    )
    stock = board(game).stock[:]
    for seat in (0, 1, 2):
        assert (game.to_move, game.outcome) == (seat, None)
        game.play(game.legal_moves[0])
        paid = next(event.amount for event in game.log[-1].events if isinstance(event, Paid))
        assert paid is not None
        play(game, "done")
        assert board(game).players[seat].money == 100 - paid
    assert game.outcome is not None
    assert (game.to_move, len(game.legal_moves), board(game).stock) == (None, 0, stock)
    assert [score["cities"] for score in game.outcome.scores] == [17, 6, 6]
    with pytest.raises(hv.IllegalMove) as caught:
        game.play("run 50")
    assert (caught.value.code, caught.value.rule) == ("game_over", "C-10.1")


@pytest.mark.rule("C-10.1", "C-8.1.1", "C-9.2.1")
def test_at_the_end_no_step_begins_and_no_plant_moves() -> None:
    game = classic(
        cities={0: 17},
        market=[20, 21, 22, 23, 24, 25, 26, 27],
        deck=[30, LAST_CARD],
        phase="building",
    )
    cards = board(game).market.cards[:]
    idle(game)
    assert (board(game).step, board(game).market.cards) == (1, cards)


@pytest.mark.rule("C-10.2", "C-10.3", "C-10.6")
@pytest.mark.parametrize(
    ("plants", "fuel", "cities", "supplied"),
    [
        ([50], {}, 17, 6),
        ([50, 44, 37], {}, 14, 14),  # capped by the cities
        ([36, 25], {"coal": 4}, 17, 7),  # not enough coal for both: the better one
        ([36, 25], {"coal": 5}, 17, 12),
        ([20, 25, 15], {"coal": 4}, 17, 8),  # two small ones beat the largest
        ([46, 36], {"coal": 3, "oil": 3}, 17, 14),  # the hybrid leaves the coal to 36
        ([46, 36, 32], {"coal": 4, "oil": 5}, 17, 17),
        ([46, 36, 32], {"coal": 5, "oil": 3}, 17, 14),
        ([5, 21, 29], {"coal": 1, "oil": 2}, 17, 8),
        ([38, 39], {"garbage": 2, "uranium": 1}, 17, 6),
        ([36, 38, 39], {}, 17, 0),
    ],
)
def test_everybody_supplies_as_much_as_they_can(
    plants: list[int], fuel: dict[str, int], cities: int, supplied: int
) -> None:
    outcome = finished(plants={0: plants}, fuel={0: fuel}, cities={0: cities, 1: 17})
    assert outcome.scores[0] == {"supplied": supplied, "money": 50, "cities": cities}


# Cities supplied by plants without fuel
SUPPLY = {0: [], 6: [50], 5: [44], 4: [37], 3: [27], 2: [22]}


@pytest.mark.rule("C-10.2", "C-10.4", "C-10.5", "C-10.6", "C-10.7")
@pytest.mark.parametrize(
    ("scores", "ranking", "winners"),
    [
        # (supplied, money, cities) of each seat
        ([(4, 9, 17), (5, 1, 6), (6, 0, 6), (3, 99, 8)], ((2,), (1,), (0,), (3,)), (2,)),
        ([(0, 9, 17), (0, 12, 6), (0, 3, 6), (0, 10, 6)], ((1,), (3,), (0,), (2,)), (1,)),
        ([(0, 9, 17), (0, 9, 6), (0, 9, 8), (0, 8, 9)], ((0,), (2,), (1,), (3,)), (0,)),
        ([(0, 9, 17), (0, 9, 17), (0, 9, 8), (0, 9, 8)], ((0, 1), (2, 3)), (0, 1)),
        ([(0, 9, 17), (6, 9, 8), (0, 9, 17), (0, 9, 17)], ((1,), (0, 2, 3)), (1,)),
    ],
)
def test_the_ranking_is_by_supply_then_money_then_cities(
    scores: list[tuple[int, int, int]],
    ranking: tuple[tuple[int, ...], ...],
    winners: tuple[int, ...],
) -> None:
    outcome = finished(
        plants={seat: SUPPLY[supplied] for seat, (supplied, _, _) in enumerate(scores)},
        money={seat: money for seat, (_, money, _) in enumerate(scores)},
        cities={seat: cities for seat, (_, _, cities) in enumerate(scores)},
    )
    assert outcome.ranking == ranking
    assert outcome.winners == winners
    assert [tuple(score.values()) for score in outcome.scores] == scores


@pytest.mark.rule("C-10.4")
def test_money_counts_after_building() -> None:
    game = classic(
        3,
        step=3,
        cities={0: 17, 1: 8, 2: 3},
        plants={0: [37], 1: [33], 2: [13]},
        money={0: 30, 1: 31, 2: 0},
        phase="building",
        order=[0, 1, 2],
    )
    play(game, "done")
    game.play(game.legal_moves[0])  # 1 had more money
    idle(game)
    assert game.outcome is not None
    assert game.outcome.ranking == ((0,), (1,), (2,))


@pytest.mark.rule("C-11.1", "C-10.1")
def test_with_two_players_every_city_in_play_ends_the_game() -> None:
    game = classic(2, step=2, cities={0: 20}, money=500, phase="building", order=[1, 0])
    assert len(board(game).area.cities) == 21
    game.play(game.legal_moves[0])
    assert legal(game) == {"done"}
    idle(game)
    assert game.outcome is not None


@pytest.mark.rule("C-11.2")
def test_shared_parameters_of_three_to_six_players() -> None:
    for players, regions, removed in ((3, 3, 8), (4, 4, 4), (5, 5, 0), (6, 5, 0)):
        game = hv.new("classic", players=players, seed=1)
        assert len(game.view()["regions"]) == regions
        assert len(board(game).market.aside) == removed
