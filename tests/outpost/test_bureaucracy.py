"""O-8: income, dismissal, discounts, the highest card."""

from itertools import permutations

import pytest

import highvoltage as hv
from highvoltage.games.outpost import phases, tables
from highvoltage.games.outpost.state import SYNDICATE
from outpost.positions import PLAYERS, company, game_at, rules, show, show_deck, state
from positions import legal, play, refuses

FULL = "[3 4 5 8 | 10 12 14 15]"


def idle(game: hv.Game) -> None:
    """Nobody powers anything; the round ends."""
    while game.phase == "bureaucracy":
        play(game, "power 0")


@pytest.mark.rule("O-8.1.1", "O-8.1.2", "OT-16", "OR-03")
def test_income() -> None:
    pawel = 0
    game = game_at(
        3, phase="bureaucracy", plants={pawel: "3 25"}, humans={pawel: 7}, networks={pawel: 6}
    )
    assert rules(game).most_energy(company(game, pawel)) == 7
    assert max(int(move.split()[1]) for move in legal(game)) == 6
    refuses(game, "power 7", "power_too_many", "O-8.1.1")
    play(game, "power 6")
    assert company(game, pawel).money == 60 + 73
    assert company(game, pawel).powered == 6


@pytest.mark.rule("O-8.1.1")
def test_each_worker_works_once() -> None:
    for workers, energy in ((2, 0), (3, 2), (4, 5), (6, 5), (7, 7)):
        game = game_at(
            3, phase="bureaucracy", plants={0: "3 25"}, humans={0: workers}, networks={0: 9}
        )
        assert rules(game).most_powered(company(game, 0)) == energy


@pytest.mark.rule("O-8.1.3", "OR-34")
def test_the_payment_table() -> None:
    assert (
        *(10, 22, 33, 44, 54, 64, 73, 82, 90, 98),
        *(105, 112, 118, 124, 129, 134, 138, 142, 145),
    ) == tables.PAYMENT
    for cities in (0, 1, 9, 18):
        game = game_at(
            3,
            phase="bureaucracy",
            plants={0: "40 32 36 30"},
            humans={0: 15},
            networks={0: 18},
        )
        play(game, f"power {cities}")
        assert company(game, 0).money == 60 + tables.PAYMENT[cities]


@pytest.mark.rule("O-8.1.4", "OR-35")
def test_less_may_be_powered_and_the_most_comes_first() -> None:
    game = game_at(3, phase="bureaucracy", plants={0: "12"}, humans={0: 2}, networks={0: 4})
    assert [str(move) for move in game.legal_moves] == ["power 2", "power 1", "power 0"]
    play(game, "power 1")
    assert company(game, 0).money == 82


@pytest.mark.rule("O-8.1.5")
def test_a_worker_who_makes_a_robot_runs_no_plant() -> None:
    game = game_at(
        3, plants={2: "12"}, humans={2: 2}, own={2: "23"}, networks={2: 4}, order=[2, 0, 1]
    )
    company(game, 2).robots, state(game).robots = 1, 8
    play(game, "done", "done", "robot human")
    player = company(game, 2)
    assert (player.humans, player.robots, player.workforce) == (2, 2, 3)
    assert game.view()["players"][2]["busy"] == "human"


@pytest.mark.rule("O-8.1.6", "OR-36")
def test_geography_does_not_matter() -> None:
    """Two stations far apart, the plant building elsewhere, and everything is powered."""
    game = game_at(
        3,
        phase="bureaucracy",
        stations={0: "c08 c28"},
        buildings={0: "c19"},
        plants={0: "12"},
        humans={0: 2},
        uncovered={0: (1, 0)},
    )
    play(game, "power 2")
    assert company(game, 0).money == 93


@pytest.mark.rule("O-8.2.1")
def test_dismissal() -> None:
    game = game_at(
        3,
        phase="bureaucracy",
        habitats={0: "26", 1: "14"},
        humans={0: 7, 1: 2, 2: 4},
        robots={0: 2},
        own={0: "23"},
    )
    assert state(game).labour == 17
    idle(game)
    assert [company(game, seat).humans for seat in range(3)] == [3, 2, 0]
    assert company(game, 0).robots == 2
    assert state(game).labour == 25


@pytest.mark.rule("O-8.2.2", "OR-37")
def test_seasonal_workers_take_empty_beds() -> None:
    game = game_at(3, phase="bureaucracy", habitats={0: "26"}, humans={0: 2})
    idle(game)
    assert company(game, 0).humans == 2


@pytest.mark.rule("O-8.2.3", "OT-17")
def test_beds_make_labour_expensive() -> None:
    """Four players; the cheapest worker costs 4 while 12 to 15 live in habitats."""
    for housed in (11, 12, 15, 16):
        game = game_at(4, phase="bureaucracy", humans={0: housed + 5})
        book = rules(game)
        company(game, 0).board = ((), (34, 134, 234, 26, 126, 226))
        company(game, 0).cards = (34, 134, 234, 26, 126, 226)
        beds = book.beds_and_need(company(game, 0))[0]
        company(game, 0).humans = min(housed, beds)
        state(game).labour = 40 - housed
        idle(game)
        assert state(game).labour == 40 - housed
        assert (book.labour.price(state(game).labour) == 4) == (12 <= housed <= 15)


@pytest.mark.rule("OI-24")
def test_dismissal_does_not_depend_on_the_sequence() -> None:
    left = set()
    for order in permutations(range(3)):
        game = game_at(
            3,
            phase="bureaucracy",
            order=order,
            habitats={0: "26", 1: "14", 2: "5"},
            humans={0: 5, 1: 4, 2: 6},
        )
        idle(game)
        left.add((state(game).labour, *(company(game, seat).humans for seat in range(3))))
    assert left == {(24, 3, 2, 1)}


@pytest.mark.rule("O-8.3.1", "O-8.3.2")
@pytest.mark.parametrize(
    ("round_", "market"),
    [
        (1, "[3(-1) 4(-1) 5(-1) 8(-1) | 10 12 14 16]"),
        (4, "[5(-4) 8(-4) 10 12 | 14 15 16 18]"),
        (5, "[8(-5) 10 12 14 | 15 16 17 20]"),
        (6, "[3 4 5 8 | 10 12 14 16]"),
    ],
)
def test_tokens_are_placed_in_rounds_1_to_5(round_: int, market: str) -> None:
    """The highest card is recycled afterwards."""
    game = game_at(3, phase="bureaucracy", round=round_, market=FULL, deck="16 17 18 20 22 S3")
    idle(game)
    assert show(state(game).market) == market


@pytest.mark.rule("O-8.4.1", "OR-40")
def test_the_highest_card_goes_under_the_deck() -> None:
    game = game_at(
        3, phase="bureaucracy", round=6, market="[3 4 5 8 | 10 12 14 15(-2)]", deck="16 20 S3"
    )
    idle(game)
    assert show(state(game).market) == "[3 4 5 8 | 10 12 14 16]"
    assert show_deck(state(game).market) == "20 S3 15"
    assert game.view()["market"]["slid"] == ["15"]
    assert not state(game).market.tokens


@pytest.mark.rule("O-8.5")
def test_the_round_ends() -> None:
    game = game_at(3, phase="bureaucracy", round=6)
    idle(game)
    assert (game.view()["round"], game.phase) == (7, "auction")


@pytest.mark.rule("O-12.7", "OR-63")
def test_the_syndicate_dismisses_too() -> None:
    game = game_at(2, phase="bureaucracy", habitats={SYNDICATE: "26"}, humans={SYNDICATE: 5})
    idle(game)
    assert company(game, SYNDICATE).humans == 3
    assert state(game).labour == 27
    assert rules(game).labour.prices.count(10) == 6


@pytest.mark.rule("O-8.2.1")
@pytest.mark.parametrize("players", PLAYERS)
def test_workers_return_to_the_most_expensive_places(players: int) -> None:
    game = game_at(players, phase="bureaucracy", humans={0: 1}, labour=0)
    state(game).labour = 0
    phases.dismiss(state(game))
    assert state(game).labour == 1
    assert rules(game).labour.price(1) == 10
