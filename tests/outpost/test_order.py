"""O-3 and O-4: the round and the turn order."""

import pytest

import highvoltage as hv
from outpost.positions import game_at, rules, state
from positions import play


def order_after(game: hv.Game) -> tuple[int, ...]:
    return rules(game).sorted_order(state(game))


@pytest.mark.rule("O-4.1", "O-4.2", "OT-08")
def test_network_first_then_the_highest_card() -> None:
    pawel, nikola, ania, robert = range(4)
    game = game_at(
        4,
        networks={pawel: 6, nikola: 4, ania: 4, robert: 3},
        own={pawel: "3", nikola: "22 4", ania: "16 15", robert: "40"},
        order=[robert, ania, nikola, pawel],
    )
    assert order_after(game) == (pawel, nikola, ania, robert)


@pytest.mark.rule("O-4.2")
def test_all_kinds_count_in_pool_and_on_board() -> None:
    game = game_at(3, plants={0: "16"}, own={1: "20", 2: "17"}, order=[0, 2, 1])
    assert order_after(game) == (1, 2, 0)


@pytest.mark.rule("O-4.2", "O-4.5")
def test_the_second_highest_decides_and_then_the_third() -> None:
    """By the highest card alone all three would tie, and the tie would reverse to 0, 1, 2."""
    game = game_at(3, own={0: "26 12 2", 1: "26b 12 4", 2: "26c 14"}, order=[2, 1, 0])
    assert order_after(game) == (2, 1, 0)


@pytest.mark.rule("O-4.3", "OR-09")
def test_a_missing_card_counts_as_0() -> None:
    """If it did not count, 0 and 1 would tie and swap."""
    game = game_at(3, own={0: "26 2", 1: "26b", 2: "25"}, order=[0, 1, 2])
    assert order_after(game) == (0, 1, 2)


@pytest.mark.rule("O-4.4", "OT-09")
@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2)])
def test_full_ties_swap(order: tuple[int, ...]) -> None:
    game = game_at(3, networks={0: 3, 1: 3}, own={0: "26", 1: "26b", 2: "40"}, order=order)
    assert order_after(game) == (order[1], order[0], 2)


@pytest.mark.rule("O-4.4", "OR-10")
def test_a_tied_group_is_reversed() -> None:
    game = game_at(4, networks={2: 1}, order=[3, 2, 0, 1])
    assert order_after(game) == (2, 1, 0, 3)


@pytest.mark.rule("O-3.3", "OD-32")
def test_round_1_orders_once_between_its_two_auctions() -> None:
    """With the random order A, B, C and the cards 5, 8, 5 the second auction is for B, C, A."""
    a, b, c = range(3)
    game = game_at(
        3, phase="auction", round=1, market="[3 5x2 8 10 | 12 14 15 16]", deck="17 18 20 22 23 25"
    )
    assert game.view()["order"] == [a, b, c]
    for seat, number in ((a, 5), (b, 8), (c, 5)):
        assert game.to_move == seat
        play(game, f"nominate {number} @{number}")
        while seat != c and game.view()["auction"]["card"]:
            play(game, "pass")
    assert game.phase == "auction"
    assert game.view()["order"] == [b, c, a]
    assert game.view()["forced"] is False
    for seat in (b, c, a):
        assert game.to_move == seat
        play(game, "pass")
    assert game.phase == "company"
    assert game.view()["order"] == [b, c, a]
    for seat in (a, c, b):
        assert game.to_move == seat
        play(game, "done")
    for seat in (b, c, a):
        assert (game.phase, game.to_move) == ("bureaucracy", seat)
        play(game, "power 0")
    assert (game.view()["round"], game.phase) == (2, "auction")
    assert game.view()["order"] == [b, a, c]  # the tie swaps again


@pytest.mark.rule("O-3.1", "O-3.2", "O-3.4")
def test_a_round() -> None:
    game = game_at(3, phase="auction", networks={0: 1, 1: 2, 2: 3}, order=[2, 1, 0])
    deciding = []
    while game.view()["round"] == 2:
        deciding.append((game.phase, game.to_move))
        choices = [str(move) for move in game.legal_moves.choices]
        play(game, next(move for move in ("pass", "done", "power 0") if move in choices))
    assert deciding == [
        *(("auction", seat) for seat in (2, 1, 0)),
        *(("company", seat) for seat in (0, 1, 2)),
        *(("bureaucracy", seat) for seat in (2, 1, 0)),
    ]
    assert game.view()["round"] == 3


@pytest.mark.rule("O-3.5")
def test_a_move_of_another_phase_is_refused() -> None:
    game = game_at(3, phase="auction")
    for move in ("done", "power 0", "build station c08", "hire 1", "bid 20", "syndicate plant c08"):
        with pytest.raises(hv.IllegalMove) as caught:
            game.play(move)
        assert (caught.value.code, caught.value.rule) == ("not_now", "O-3.5")
    for phase, expected in (
        ("company", "build, settle, place, swap, hire, robot, done"),
        ("bureaucracy", "power"),
    ):
        later = game_at(3, phase=phase)
        with pytest.raises(hv.IllegalMove, match=expected):
            later.play("pass")
