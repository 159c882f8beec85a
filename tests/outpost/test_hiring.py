"""O-7.3 and the Robots: workers."""

import pytest

import highvoltage as hv
from outpost.files import card_file, card_in
from outpost.positions import company, game_at, rules, state
from positions import legal, play, refuses


def hires(game: hv.Game) -> list[int]:
    return sorted(int(move.split()[1]) for move in legal(game) if move.startswith("hire"))


def hiring(
    *, beds: int = 0, need: int = 0, own: str = "", players: int = 3, **fields: object
) -> hv.Game:
    """Seat 2 is to move, with a habitat of `beds` beds and a plant that needs `need` workers."""
    data = card_file()
    card_in(data, "plant-40-1")["workers"] = need
    card_in(data, "habitat-34-1")["places"] = beds or 1
    boards = {"plants": {2: "40"}, "habitats": {2: "34"} if beds else {}}
    order = [*range(2), *range(3, players), 2]
    return game_at(players, cards=data, own={2: own}, order=order, **boards, **fields)  # type: ignore[arg-type]


def quantities(game: hv.Game) -> tuple[int, int, int]:
    """Money, humans and workers left in the labour market."""
    return company(game, 2).money, company(game, 2).humans, state(game).labour


@pytest.mark.rule("OT-15", "O-7.3.3", "O-7.3.4", "O-7.3.5", "OR-28")
def test_seasonal_workers_first_then_free_ones() -> None:
    game = hiring(players=4, beds=5, need=7, humans={2: 2}, labour=25, money=50)
    assert hires(game) == [0, 1, 2]
    refuses(game, "hire 3", "hire_over_need", "O-7.3.3")
    play(game, "hire 2")
    assert quantities(game) == (41, 7, 20)
    assert rules(game).labour.price(20) == 6


@pytest.mark.rule("O-7.3.1")
def test_hiring_is_optional_and_an_empty_market_hires_nobody() -> None:
    game = hiring(beds=2, need=3)
    play(game, "done")
    assert quantities(game) == (60, 0, 30)
    empty = hiring(beds=2, need=3, labour=0)
    assert hires(empty) == []
    refuses(empty, "hire 1", "hire_over_market", "O-7.3.1")
    refuses(empty, "hire 0", "hire_nobody", "O-7.3.1")


@pytest.mark.rule("O-7.3.2", "OD-39")
def test_enough_beds() -> None:
    game = hiring(beds=8, need=5, humans={2: 4})
    assert hires(game) == [0]
    play(game, "hire 0")
    assert quantities(game) == (60, 8, 22)  # more than the plants need
    with_robots = hiring(beds=2, need=3, robots={2: 1})
    assert hires(with_robots) == [0]


@pytest.mark.rule("OD-38", "O-1.6.3")
@pytest.mark.parametrize(("own", "labour", "count", "cost"), [("", 30, 5, 7), ("20", 30, 5, 0)])
def test_labour_prices(own: str, labour: int, count: int, cost: int) -> None:
    game = hiring(need=5, own=own, labour=labour)
    play(game, f"hire {count}")
    assert quantities(game)[:2] == (60 - cost, 5)


@pytest.mark.rule("OD-38", "O-11.3.1", "OR-49", "O-7.3.11")
def test_ecoplants() -> None:
    """The two cheapest workers cost 4 and 5; with Ecoplants 1 and 2, and never less than 0."""
    for own, cost in (("", 9), ("20", 3)):
        game = hiring(players=4, need=2, own=own, labour=25)
        assert game.cost(game.parse("hire 2")) == cost
        play(game, "hire 2")
        assert quantities(game) == (60 - cost, 2, 23)
    game = hiring(need=12, own="20", labour=30)
    ladder = rules(game).labour_ladder(company(game, 2))
    assert ladder.prices[:12] == (0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1)
    assert game.view(2)["labour"]["prices"][:1] == [0]
    assert game.view(1)["labour"]["prices"][:1] == [1]  # only its owner pays less


@pytest.mark.rule("O-7.3.11")
def test_only_what_can_be_paid() -> None:
    game = hiring(need=5, money=4)
    assert hires(game) == [1, 2, 3]
    refuses(game, "hire 4", "cannot_pay", "O-7.3.11")


@pytest.mark.rule("O-7.3.6", "OR-29")
def test_all_plants_on_the_board_count() -> None:
    game = game_at(3, plants={2: "3 8"}, own={2: "30"})
    assert hires(game) == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.rule("OR-29")
def test_by_the_strict_reading_nobody_is_hired_without_a_plant() -> None:
    """Plants 3, 8 and 15 need 3, 4 and 3 workers; there are beds for none, or for 3."""
    game = game_at(3, plants={2: "3 8 15"}, uncovered={2: (4, 4)}, money=500, seasonal="exact")
    assert [face.workers for face in map(rules(game).faces.get, (3, 8, 15)) if face] == NEEDS
    assert hires(game) == [3, 4, 6, 7, 10]
    refuses(game, "hire 5", "hire_idle", "OR-29")
    with pytest.raises(hv.IllegalMove, match="Possible: 0, 3, 4, 6, 7, 10"):
        game.play("hire 5")
    housed = game_at(3, plants={2: "3 8 15"}, habitats={2: "26"}, money=500, seasonal="exact")
    beds = housed.view()["players"][2]["beds"]
    assert beds == 3
    assert hires(housed) == [0, *(need - beds for need in (4, 6, 7, 10))]
    play(housed, "hire 0")


NEEDS = [3, 4, 3]


@pytest.mark.rule("O-7.3.7", "OR-30", "OD-40")
def test_a_short_market() -> None:
    paid = hiring(beds=5, need=7, humans={2: 2}, labour=2)
    assert hires(paid) == [0, 1, 2]
    play(paid, "hire 2")
    assert quantities(paid) == (40, 4, 0)
    free = hiring(beds=5, need=7, humans={2: 2}, labour=2)
    play(free, "hire 0")
    assert quantities(free) == (60, 4, 0)
    for game in (paid, free):
        play(game, "done", "done", "power 0", "power 0", "power 0")
        assert company(game, 2).humans == 4
    shortage = hiring(beds=2, need=2, labour=1)
    assert hires(shortage) == [0]  # not beds but workers are missing


@pytest.mark.rule("O-7.3.8", "OR-31")
def test_all_beds_are_filled_or_hiring_is_declined() -> None:
    game = hiring(beds=4, need=1)
    play(game, "hire 0")
    assert company(game, 2).humans == 4
    declined = hiring(beds=4, need=1)
    play(declined, "done")
    assert company(declined, 2).humans == 0
    full = hiring(beds=2, need=2, humans={2: 2})
    refuses(full, "hire 0", "hire_nobody", "O-7.3.1")


@pytest.mark.rule("O-7.3.9", "OR-32")
def test_all_workers_are_alike() -> None:
    game = game_at(
        3,
        phase="bureaucracy",
        plants={0: "12 18"},
        humans={0: 1},
        robots={0: 3},
        own={0: "23"},
        networks={0: 9},
    )
    assert rules(game).most_energy(company(game, 0)) == 5


# Robots


@pytest.mark.rule("O-11.4.1", "O-7.3.12", "O-11.4.2", "OR-43", "OD-41")
def test_a_human_makes_a_robot() -> None:
    game = hiring(beds=2, need=3, humans={2: 2}, own="23")
    assert hires(game) == [1]
    play(game, "hire 1")
    assert legal(game) == {"robot human", "done"}
    refuses(game, "robot robot", "no_maker", "OR-50")
    play(game, "robot human")
    player = company(game, 2)
    assert (player.humans, player.robots, player.workforce) == (3, 1, 3)
    assert state(game).robots == 8
    assert game.to_move != 2
    play(game, "done", "done", "power 0", "power 0", "power 0")
    assert (player.humans, player.robots) == (2, 1)  # the third human had no bed
    play(game, "pass", "pass", "pass", "done", "done")
    assert (game.phase, game.to_move) == ("company", 2)
    assert player.busy == ""  # a new round
    assert hires(game) == []


@pytest.mark.rule("OD-53", "O-11.4.1", "OR-43", "O-8.1.5")
def test_a_robot_makes_a_robot() -> None:
    game = hiring(need=2, robots={2: 2}, own="23")
    assert hires(game) == []
    play(game, "robot robot")
    player = company(game, 2)
    assert (player.robots, player.workforce) == (3, 2)
    assert rules(game).most_energy(player) == 6  # the plant of need 2 runs
    nine = hiring(need=2, robots={2: 9}, own="23")
    refuses(nine, "robot robot", "no_robots", "O-11.4.1")


@pytest.mark.rule("OR-43", "O-7.3.8")
def test_robots_can_be_made_without_hiring() -> None:
    game = hiring(beds=2, need=3, humans={2: 1}, own="23")
    assert {"robot human", "hire 0", "done"} <= legal(game)
    play(game, "robot human")
    assert (company(game, 2).humans, company(game, 2).robots) == (1, 1)
    assert game.to_move != 2  # once per round


@pytest.mark.rule("O-11.4.1")
def test_nobody_else_makes_robots() -> None:
    game = hiring(beds=2, need=3, humans={2: 1})
    refuses(game, "robot human", "no_robots", "O-11.4.1")
    refuses(hiring(own="23", need=1, humans={2: 1}), "robot cat", "no_maker", "OR-50")


@pytest.mark.rule("O-11.4.3", "OR-50")
def test_robots_do_not_raise_the_limit() -> None:
    game = hiring(need=2, own="23")
    assert hires(game) == [1, 2]
    refuses(game, "robot human", "no_maker", "OR-50")  # somebody has to be there
    refuses(game, "hire 3", "hire_over_need", "O-7.3.3")
