"""C-3: the round and the turn order."""

from itertools import groupby

import pytest

import highvoltage as hv
from positions import classic, idle, play, wander

PHASES = ["auction", "fuel", "building", "bureaucracy"]


@pytest.mark.rule("C-3.1", "C-3.2")
@pytest.mark.parametrize("players", [2, 4, 6])
def test_every_round_has_the_same_phases_and_everybody_a_turn_in_each(players: int) -> None:
    game = hv.new("classic", players=players, seed=3)
    order = {}
    for _ in wander(game, 3):
        order[game.state.round, game.phase] = game.state.order
    rounds = groupby(game.log, key=lambda row: row.round)
    for number, rows in rounds:
        phases = [(phase, list(turns)) for phase, turns in groupby(rows, key=lambda r: r.phase)]
        names = [phase for phase, _ in phases]
        played = PHASES[:3] if number == game.state.round else PHASES
        assert names in (played, played[1:])  # an auction in which nobody can buy needs no decision
        for phase, turns in phases:
            seats = [seat for seat, _ in groupby(row.seat for row in turns)]
            if phase == "bureaucracy":
                assert seats == list(order[number, phase])
            elif phase != "auction":
                assert seats == list(reversed(order[number, phase]))


@pytest.mark.rule("C-3.2", "CV-02")
@pytest.mark.parametrize(
    ("phase", "turns"),
    [
        ("fuel", [3, 1, 0, 2]),
        ("building", [3, 1, 0, 2]),
        ("bureaucracy", [2, 0, 1, 3]),
        ("auction", [2, 0, 1, 3]),
    ],
)
def test_who_goes_first_in_a_phase(phase: str, turns: list[int]) -> None:
    game = classic(4, phase=phase, order=[2, 0, 1, 3], money=100)
    idle(game)
    assert [row.seat for row in game.log] == turns


@pytest.mark.rule("C-3.3", "C-1.2.2")
@pytest.mark.parametrize(
    ("cities", "plants", "order"),
    [
        ((1, 3, 2), ([40], [4], [50]), [1, 2, 0]),
        ((2, 2, 2), ([10, 12], [3, 33], [20]), [1, 2, 0]),
        ((0, 0, 0), ([5], [4], [3]), [0, 1, 2]),
        ((4, 5, 4), ([9], [3], [11]), [1, 2, 0]),
    ],
)
def test_most_cities_then_the_highest_plant(
    cities: tuple[int, ...], plants: tuple[list[int], ...], order: list[int]
) -> None:
    for before in ([0, 1, 2], [2, 1, 0]):
        game = classic(
            cities=dict(enumerate(cities)),
            plants=dict(enumerate(plants)),
            order=before,
            phase="order",
        )
        assert game.view()["order"] == order
        assert (game.phase, game.to_move) == ("auction", order[0])


@pytest.mark.rule("C-3.3", "C-3.4", "C-4.6.3")
def test_the_order_is_renewed_after_the_auction_of_round_1_and_only_then() -> None:
    chance = hv.Scripted(order=[2, 0, 1])
    game = hv.new("classic", players=3, chance=chance)
    play(game, *["nominate 4 @4", "pass", "pass"], *["nominate 6 @6", "pass"])
    assert game.view()["order"] == [2, 0, 1]
    play(game, "nominate 5 @5")
    assert (game.phase, game.view()["order"]) == ("fuel", [0, 1, 2])
    idle(game, "auction")
    assert game.state.round == 2
    play(game, "pass", "pass", "nominate 9 @9")  # the last in order gets the highest plant
    assert (game.phase, game.view()["order"]) == ("fuel", [0, 1, 2])


@pytest.mark.rule("C-3.5")
@pytest.mark.parametrize("seed", range(5))
def test_no_two_players_tie_for_a_place_in_the_order(seed: int) -> None:
    game = hv.new("classic", players=5, seed=seed)
    for _ in wander(game, seed):
        if (game.state.round, game.phase) != (1, "auction"):
            players = game.state.players
            assert len({max(player.cards) for player in players}) == len(players)


@pytest.mark.rule("C-3.6", "C-8.1.3", "C-8.5.1")
def test_what_happens_automatically_in_a_round_and_in_which_order() -> None:
    game = classic(
        plants={0: [40], 1: [42], 2: [44]},
        cities={0: 7},
        market=[8, 9, 10, 11, 12, 13, 14, 15],
        deck=[30, 31, 32, 33, 34],
        money=100,
        phase="order",
    )
    assert game.view()["order"] == [0, 2, 1]
    moves = ["pass"] * 3 + ["done"] * 5 + ["build", "build", "done"] + ["run nothing"] * 3
    seen = []
    for move in moves:
        wanted = next(each for each in game.legal_moves.choices if str(each).startswith(move))
        seen.append([event.what for event in game.play(wanted)])
    assert [events for events in seen if events] == [
        ["removed", "turned"],  # nobody bought
        ["paid"],
        ["paid", "removed", "turned"],  # plant 9 is too small
        ["step", "removed", "turned"],
        ["income"],
        ["income"],
        ["income", "refilled", "slid", "turned", "order"],
    ]
    assert (game.state.round, game.phase, game.to_move) == (3, "auction", 0)
