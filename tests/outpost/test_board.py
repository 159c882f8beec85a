"""O-7.2 and Moon Base: cards on the company board."""

import pytest

import highvoltage as hv
from outpost.files import card_file, card_in
from outpost.positions import company, game_at, rules
from positions import legal, play, refuses


@pytest.mark.rule("O-7.2.1")
def test_cards_go_to_uncovered_spaces_of_their_kind() -> None:
    game = game_at(3, own={2: "12 8 26 14 20"}, uncovered={2: (2, 1)})
    assert {"place 12", "place 8", "place 26", "place 14"} <= legal(game)
    play(game, "place 26", "place 8", "place 12")
    assert company(game, 2).board == ((8, 12), (26,))
    refuses(game, "place 14", "no_space", "O-7.2.1")
    refuses(game, "place 12", "not_in_pool", "O-7.2.1")
    refuses(game, "place 15", "not_in_pool", "O-7.2.1")
    refuses(game, "place 20", "not_for_board", "O-11.1")


@pytest.mark.rule("O-7.2.2")
def test_habitats_are_swapped_for_more_spots() -> None:
    game = game_at(3, habitats={2: "14"}, own={2: "26 17 5"})
    assert "swap 14 for 26" in legal(game)
    refuses(game, "swap 14 for 17", "swap_better", "OR-26")  # as many spots
    refuses(game, "swap 14 for 5", "swap_better", "OR-26")


@pytest.mark.rule("O-7.2.3", "O-7.2.4", "OR-26", "OD-43")
@pytest.mark.parametrize(
    ("workers", "energy", "better"),
    [(2, 2, True), (4, 3, True), (3, 2, False), (4, 2, False), (2, 1, True), (2, 3, True)],
)
def test_plants_are_swapped_for_energy_or_workers(
    workers: int, energy: int, *, better: bool
) -> None:
    data = card_file()
    card_in(data, "plant-15-1").update(workers=workers, energy=energy)
    game = game_at(3, plants={2: "3"}, own={2: "15 38"}, cards=data)  # Laboratories do not count
    if better:
        play(game, "swap 3 for 15")
        assert company(game, 2).board == ((15,), ())
        assert 3 in company(game, 2).pool
    else:
        refuses(game, "swap 3 for 15", "swap_better", "OR-26")


@pytest.mark.rule("OR-26")
def test_the_order_of_swaps_makes_no_other_position() -> None:
    game = game_at(3, plants={2: "8 22"}, own={2: "4 15"}, uncovered={2: (2, 0)})
    other_way = game.copy()
    play(game, "swap 8 for 15", "swap 22 for 4")
    play(other_way, "swap 22 for 4", "swap 8 for 15")
    assert game.view(0)["replaced"] == other_way.view(0)["replaced"] == ["8", "22"]


@pytest.mark.rule("OR-26")
def test_a_replaced_card_may_come_back_in_a_later_turn() -> None:
    game = game_at(3, plants={2: "8"}, own={2: "4"}, uncovered={2: (2, 0)})
    play(game, "swap 8 for 4")  # fewer workers
    assert not {"swap 4 for 8", "place 8"} & legal(game)
    refuses(game, "swap 4 for 8", "replaced", "OR-26")
    refuses(game, "place 8", "replaced", "OR-26")
    assert game.view(0)["replaced"] == ["8"]
    play(game, "done")
    assert game.view(0)["replaced"] == []
    while (game.phase, game.to_move) != ("company", 2):
        moves = sorted(legal(game))
        play(game, next((move for move in ("pass", "done") if move in moves), moves[0]))
    assert {"swap 4 for 8", "place 8"} <= legal(game)
    play(game, "swap 4 for 8")  # more energy
    assert company(game, 2).board == ((8,), ())


@pytest.mark.rule("OR-26")
def test_earlier_versions_accept_a_turn_that_goes_round_but_offer_none() -> None:
    """Their records can still be read, and bots that choose from what is offered come to an end."""
    game = game_at(3, plants={2: "8"}, own={2: "4"}, version=2)
    play(game, "swap 8 for 4")
    assert not {"swap 4 for 8", "place 8"} & legal(game)
    play(game, "swap 4 for 8", "swap 8 for 4")
    assert company(game, 2).board == ((4,), ())


@pytest.mark.rule("O-7.2.5", "OR-27")
def test_nothing_else_moves_cards() -> None:
    game = game_at(3, plants={2: "12"}, habitats={2: "26"}, own={2: "14 8"}, uncovered={2: (1, 1)})
    laying = {move for move in legal(game) if move.split()[0] in {"place", "swap"}}
    assert laying == {"swap 12 for 8"}
    refuses(game, "swap 26 for 8", "swap_kind", "O-7.2.5")
    refuses(game, "swap 12 for 14", "swap_kind", "O-7.2.5")
    refuses(game, "swap 14 for 8", "not_on_board", "O-7.2.2")
    refuses(game, "swap 8 for 12", "not_in_pool", "O-7.2.1")
    play(game, "done")  # placing is voluntary
    assert company(game, 2).board == ((12,), (26,))


@pytest.mark.rule("O-7.2.2")
def test_a_refused_swap_names_what_is_on_the_board() -> None:
    for plants, named in (("12", "12"), ("", "none")):
        game = game_at(3, plants={2: plants}, own={2: "8"}, uncovered={2: (1, 0)})
        with pytest.raises(hv.IllegalMove) as refused:
            game.play("swap 14 for 8")
        assert refused.value.code == "not_on_board"
        assert refused.value.values["cards"] == named


@pytest.mark.rule("O-7.2.6")
def test_workers_move_to_a_larger_habitat() -> None:
    game = game_at(3, habitats={2: "14"}, own={2: "26"}, humans={2: 2})
    play(game, "swap 14 for 26")
    assert company(game, 2).humans == 2
    assert rules(game).beds_and_need(company(game, 2)) == (3, 0)
    play(game, "hire 0")
    assert company(game, 2).humans == 3


# Moon Base


def moon(**fields: object) -> hv.Game:
    fields = {"own": {2: "46"}, **fields}
    return game_at(3, **fields)  # type: ignore[arg-type]


@pytest.mark.rule("O-11.8.1", "O-7.2.7", "OR-54")
@pytest.mark.parametrize(("space", "spaces"), [("plant", (1, 0)), ("habitat", (0, 1))])
def test_moon_base_takes_a_space_of_either_kind(space: str, spaces: tuple[int, int]) -> None:
    nowhere = moon()
    refuses(nowhere, f"place 46 on {space}", "no_space", "O-7.2.1")
    game = moon(uncovered={2: spaces})
    refuses(game, "place 46", "which_space", "O-11.8.1")
    refuses(game, "place 46 on roof", "which_space", "O-11.8.1")
    assert legal(game) & {"place 46 on plant", "place 46 on habitat"} == {f"place 46 on {space}"}
    play(game, f"place 46 on {space}")
    player = company(game, 2)
    assert rules(game).beds_and_need(player) == (3, 3)
    player.humans = 3
    assert rules(game).most_energy(player) == 4
    player.humans = 2
    assert rules(game).most_energy(player) == 0


@pytest.mark.rule("O-11.8.1")
def test_only_moon_base_names_its_space() -> None:
    game = game_at(3, own={2: "12"}, uncovered={2: (1, 1)})
    refuses(game, "place 12 on plant", "which_space", "O-11.8.1")


@pytest.mark.rule("O-11.8.2", "OR-54")
def test_moon_base_swaps_as_what_its_space_is_for() -> None:
    on_plants = game_at(3, plants={2: "46"}, own={2: "40 22 12 34 26"}, uncovered={2: (1, 0)})
    swaps = {move for move in legal(on_plants) if move.startswith("swap")}
    assert swaps == {"swap 46 for 40", "swap 46 for 12"}  # energy 6, two workers; 22 equals it
    on_habitats = game_at(3, habitats={2: "46"}, own={2: "40 22 12 34 26"}, uncovered={2: (0, 1)})
    swaps = {move for move in legal(on_habitats) if move.startswith("swap")}
    assert swaps == {"swap 46 for 34"}
    onto_plants = moon(plants={2: "22 25"})
    assert {move for move in legal(onto_plants) if move.startswith("swap")} == {"swap 25 for 46"}
    onto_habitats = moon(habitats={2: "14 26"})
    assert {move for move in legal(onto_habitats) if move.startswith("swap")} == {"swap 14 for 46"}


@pytest.mark.rule("O-7.3.10", "OR-33")
def test_beds_lost_by_a_swap() -> None:
    game = game_at(
        3, plants={2: "46"}, own={2: "32"}, humans={2: 3}, order=[2, 0, 1], stations={2: "c08"}
    )
    play(game, "done", "done", "swap 46 for 32")
    assert rules(game).beds_and_need(company(game, 2)) == (0, 3)
    assert not any(move.startswith("hire") for move in legal(game))  # they count for the limit
    refuses(game, "hire 1", "hire_over_need", "O-7.3.3")
    play(game, "done")
    assert company(game, 2).humans == 3
    assert legal(game) == {"power 0", "power 1"}
    play(game, "power 1", "power 0", "power 0")
    assert company(game, 2).humans == 0
