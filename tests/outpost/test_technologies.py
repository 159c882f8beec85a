"""O-11: how technologies combine; each one's own rules are tested with the rule it changes."""

import pytest

from outpost.positions import company, game_at, rules
from positions import legal, play


@pytest.mark.rule("O-11.1")
def test_technologies_take_no_space_and_are_permanent() -> None:
    game = game_at(3, own={2: "10 20 23 27 31 38"}, uncovered={2: (4, 4)})
    assert not [move for move in legal(game) if move.split()[0] in {"place", "swap"}]
    assert all(company(game, 2).uses(card) for card in (10, 20, 23, 27, 31, 38))


@pytest.mark.rule("O-11.5.1", "OR-51")
def test_hub_module() -> None:
    for own, beds in (("", 6), ("27", 8)):
        game = game_at(3, habitats={2: "26 26b"}, own={2: own})
        assert rules(game).beds_and_need(company(game, 2))[0] == beds
    moon = game_at(3, plants={2: "46 12"}, own={2: "27"})
    assert rules(moon).beds_and_need(company(moon, 2)) == (4, 5)  # a plant is no habitat


@pytest.mark.rule("O-11.7.1", "OR-53")
def test_laboratories() -> None:
    for humans, energy in ((0, 0), (2, 3), (3, 5), (5, 8)):
        game = game_at(3, plants={2: "12 46"}, own={2: "38"}, humans={2: humans})
        assert rules(game).most_energy(company(game, 2)) == energy  # only plants that run


@pytest.mark.rule("OD-42", "O-11.1", "O-11.8.2", "OR-54")
def test_hub_moon_base_and_laboratories() -> None:
    game = game_at(
        3, habitats={2: "26 46"}, plants={2: "12"}, own={2: "27 38"}, humans={2: 5}, money=100
    )
    player = company(game, 2)
    assert rules(game).beds_and_need(player) == (8, 5)
    assert rules(game).most_energy(player) == 8
    play(game, "hire 0")
    assert player.humans == 8
