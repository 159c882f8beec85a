"""The suggested turn of a company."""

from typing import Any

import highvoltage as hv
from highvoltage.table.preview import preview_moves
from outpost.files import card_file, card_in
from outpost.positions import game_at

WHOLE_TURN = [f"usual {verb}" for verb in ("place", "swap", "hire", "robot", "done")]


def proposed(game: hv.Game) -> list[str]:
    return [each.move for each in preview_moves(game, 0, WHOLE_TURN).moves]


def faces(**values: dict[str, int]) -> dict[str, object]:
    """The cards, some of them with other values."""
    data = card_file()
    for name, changed in values.items():
        card_in(data, name.replace("_", "-")).update(changed)
    return data


def test_the_best_cards_go_to_the_spaces_that_are_free() -> None:
    data = faces(
        plant_40_1={"workers": 2, "energy": 3},
        plant_36_1={"workers": 3, "energy": 2},
        habitat_34_1={"places": 3},
    )
    game = game_at(
        cards=data, own={2: "34 36 40"}, uncovered={2: (1, 1)}, networks={2: 1}, labour=9
    )
    assert proposed(game) == ["place 40", "place 34", "hire 0"]  # everyone needed has a bed


def test_only_what_is_better_in_every_respect_is_exchanged() -> None:
    hungry = faces(plant_40_1={"workers": 4, "energy": 5}, plant_36_1={"workers": 3, "energy": 2})
    fields: dict[str, Any] = {
        "own": {2: "40"},
        "plants": {2: "36"},
        "uncovered": {2: (1, 0)},
        "labour": 0,
    }
    assert proposed(game_at(cards=hungry, **fields)) == ["done"]
    better = faces(plant_40_1={"workers": 3, "energy": 5}, plant_36_1={"workers": 3, "energy": 2})
    assert proposed(game_at(cards=better, **fields)) == ["swap 36 for 40", "done"]


def test_the_fewest_workers_that_power_the_most_are_hired() -> None:
    data = faces(plant_40_1={"workers": 4, "energy": 5}, plant_36_1={"workers": 2, "energy": 2})
    fields: dict[str, Any] = {
        "cards": data,
        "plants": {2: "36 40"},
        "uncovered": {2: (2, 0)},
        "labour": 10,
    }
    game = game_at(networks={2: 2}, money=50, **fields)
    preview = preview_moves(game, 0, WHOLE_TURN)
    assert [each.move for each in preview.moves] == ["hire 2"]
    assert (preview.earns, preview.view["players"][2]["powers"]) == (33, 2)
    assert proposed(game_at(networks={2: 0}, **fields)) == ["done"]


def test_a_robot_is_made_and_ends_the_turn() -> None:
    game = game_at(own={2: "23"}, robots={2: 1})
    assert proposed(game) == ["robot robot"]
