"""C-9: the three Steps, and the Step 3 card in each phase in which it can be drawn."""

import pytest

import highvoltage as hv
from highvoltage.engine.cards import LAST_CARD, label
from highvoltage.engine.events import StepBegins
from positions import board, classic, idle, legal, offers, play, wander

FUELS = ("coal", "oil", "garbage", "uranium")
EMPTY = dict.fromkeys(FUELS, 0)
MARKET = [20, 21, 22, 23, 24, 25, 26, 27]
COLUMNS = {1: [4, 2, 1, 1], 2: [5, 3, 2, 1], 3: [3, 4, 3, 1]}  # three players
STEP_2 = [(2, 10), (3, 7), (4, 7), (5, 7), (6, 6)]


def build_one(game: hv.Game) -> None:
    game.play(next(move for move in game.legal_moves if str(move).startswith("build")))


def stages(game: hv.Game, seed: int) -> list[int]:
    """The Steps that a random game goes through."""
    seen = [board(game).step]
    for _ in wander(game, seed):
        if board(game).step != seen[-1]:
            seen.append(board(game).step)
    begun = [e.step for row in game.log for e in row.events if isinstance(e, StepBegins)]
    assert [step for step in begun if step not in seen[1:]] in ([], [2])  # C-9.2.4: 2, then 3
    assert len(begun) == len(set(begun))
    return seen


# Steps 1 and 2


@pytest.mark.rule("C-9.1.1", "C-9.2.3", "C-9.3.5", "C-1.4.1")
@pytest.mark.parametrize("step", [1, 2, 3])
def test_houses_and_refill_of_a_step(step: int) -> None:
    crowd = {seat: ["essen"] for seat in range(step - 1)}
    cities = {**crowd, 2: ["duisburg"]}
    game = classic(
        regions=("northwest", "west", "southwest"),
        step=step,
        cities=cities,
        stock=EMPTY,
        money=100,
        phase="building",
        order=[0, 1, 2],
    )
    assert game.view(2)["connect"]["essen"] == 5 + 5 * step
    play(game, "build essen")
    idle(game)
    idle(game)
    assert board(game).stock == COLUMNS[step]


@pytest.mark.rule("C-9.2.1", "C-8.1.3", "C-1.5", "C-11.1", "C-11.2")
@pytest.mark.parametrize(("players", "cities"), STEP_2)
def test_the_number_of_cities_that_starts_step_2(players: int, cities: int) -> None:
    for count, step in ((cities - 1, 1), (cities, 2), (cities + 2, 2)):
        game = classic(players, cities={0: count}, market=MARKET, phase="building")
        assert board(game).step == 1
        idle(game)
        assert (game.phase, board(game).step) == ("bureaucracy", step)


@pytest.mark.rule("C-9.2.1", "C-9.2.3", "C-7.4.3")
def test_step_2_waits_for_the_end_of_phase_4_and_counts_for_the_refill() -> None:
    game = classic(
        cities={0: 6}, market=MARKET, money=100, stock=EMPTY, phase="building", order=[1, 2, 0]
    )
    build_one(game)
    assert (game.phase, board(game).step) == ("building", 1)
    idle(game)
    assert (game.phase, board(game).step) == ("bureaucracy", 2)
    idle(game)
    assert board(game).stock == COLUMNS[2]


@pytest.mark.rule("C-9.2.2")
def test_step_2_takes_the_lowest_plant_once() -> None:
    game = classic(cities={0: 7}, market=MARKET, deck=[30, 31, 32, 33], phase="building")
    idle(game)
    assert offers(game) == ([21, 22, 23, 24], [25, 26, 27, 30])
    assert game.view()["market"]["removed"] == ["20"]
    idle(game)  # 30 goes under the deck, 31 comes
    play(game, "pass", "pass", "nominate 21 @21")
    idle(game, "bureaucracy")
    assert game.state.round == 3
    assert game.view()["market"]["removed"] == ["20"]
    assert offers(game) == ([22, 23, 24, 25], [26, 27, 31, 32])


@pytest.mark.rule("C-9.2.2", "C-5.2.1")
def test_the_replacement_at_step_2_may_be_too_small() -> None:
    game = classic(cities={0: 8}, market=MARKET, deck=[3, 8, 30, 31], phase="building")
    idle(game)
    assert board(game).market.cards == [*MARKET[1:], 30]
    assert game.view()["market"]["removed"] == ["20", "3", "8"]


@pytest.mark.rule("C-9.2.4", "C-8.4.2")
@pytest.mark.parametrize("small", [[], [3, 4]])
def test_s3_as_the_replacement_at_step_2_starts_step_3_at_once(small: list[int]) -> None:
    game = classic(
        cities={0: 7},
        market=MARKET,
        deck=[*small, LAST_CARD, 30],
        stock=EMPTY,
        phase="building",
    )
    idle(game)
    assert (game.phase, board(game).step) == ("bureaucracy", 3)
    assert offers(game) == (MARKET[2:], [])
    assert game.view()["market"]["removed"] == ["20", *map(label, small), "21"]
    idle(game)
    assert board(game).stock == COLUMNS[3]
    assert offers(game) == ([*MARKET[3:], 30], [])


# Step 3, drawn in phase 2


@pytest.mark.rule("C-9.3.1", "C-9.3.2", "C-4.2.2", "C-4.6.2", "C-9.3.7")
@pytest.mark.parametrize("step", [1, 2])
def test_s3_in_phase_2_stays_in_the_market_to_the_end_of_the_phase(step: int) -> None:
    game = classic(
        step=step,
        market=MARKET,
        deck=[LAST_CARD, 30, 31, 32],
        chance=hv.Scripted(step3=[32, 30, 31]),
        stock=EMPTY,
        money=100,
        order=[0, 1, 2],
    )
    play(game, "nominate 20 @20", "pass", "pass")
    market = board(game).market
    assert (market.cards, market.deck) == ([*MARKET[1:], LAST_CARD], [32, 30, 31])
    assert (offers(game)[0], board(game).step) == ([21, 22, 23, 24], step)
    assert game.view()["market"]["step3"]
    play(game, "nominate 24 @24", "pass")  # replaced from the shuffled deck
    assert market.cards == [21, 22, 23, 25, 26, 27, 32, LAST_CARD]
    assert (offers(game)[0], board(game).step) == ([21, 22, 23, 25], step)
    play(game, "nominate 25 @25")
    assert (game.phase, board(game).step) == ("fuel", 3)
    assert (market.cards, market.deck) == ([22, 23, 26, 27, 30, 32], [31])
    assert not game.view()["market"]["step3"]
    idle(game, "auction")
    assert board(game).stock == COLUMNS[3]
    assert offers(game) == ([23, 26, 27, 30, 31, 32], [])


@pytest.mark.rule("C-9.3.2", "C-9.3.5", "C-9.3.7")
def test_s3_in_phase_2_opens_three_slots_in_this_round() -> None:
    game = classic(
        regions=("northwest", "west", "southwest"),
        step=1,
        market=MARKET,
        deck=[LAST_CARD],
        cities={0: ["essen"], 1: ["duisburg"], 2: ["dortmund"]},
        money=100,
        order=[0, 1, 2],
    )
    play(game, "nominate 20 @20", "pass", "pass", "pass", "pass")
    idle(game, "building")
    play(game, "build essen", "build duisburg", "done", "build essen", "done")
    assert game.view()["houses"]["essen"] == [0, 2, 1]
    assert board(game).players[1].money == 100 - 20


# Step 3, drawn in phase 4


@pytest.mark.rule("C-9.3.1", "C-9.3.3", "C-9.3.6", "C-8.1.2", "C-8.4.2", "C-5.3.3")
@pytest.mark.parametrize("step", [1, 2])
def test_s3_in_phase_4_takes_the_lowest_plant_at_the_draw(step: int) -> None:
    market = [4, 5, 6, 23, 24, 25, 26, 27]
    game = classic(
        step=step,
        market=market,
        deck=[LAST_CARD, 30, 31, 32],
        chance=hv.Scripted(step3=[31, 32, 30]),
        cities={0: 3},
        stock=EMPTY,
        money=200,
        phase="building",
        order=[1, 2, 0],
    )
    build_one(game)  # the fourth city: 4 goes, S3 comes, 5 goes with it
    assert board(game).market.cards == [6, 23, 24, 25, 26, 27]
    assert board(game).market.deck == [31, 32, 30]
    assert (game.phase, board(game).step) == ("building", step)
    build_one(game)
    assert board(game).market.cards == [6, 23, 24, 25, 26, 27]
    build_one(game)  # the sixth: replaced one for one
    assert board(game).market.cards == [23, 24, 25, 26, 27, 31]
    idle(game)
    assert (game.phase, board(game).step) == ("bureaucracy", 3)
    idle(game)
    assert board(game).stock == COLUMNS[3]
    assert offers(game) == ([24, 25, 26, 27, 31, 32], [])


@pytest.mark.rule("C-9.3.7", "C-9.3.8", "C-8.1.2")
@pytest.mark.parametrize("more", [0, 2])
def test_s3_and_the_count_for_step_2_in_one_phase_4_start_step_3_only(more: int) -> None:
    game = classic(
        market=[7, 21, 22, 23, 24, 25, 26, 27],
        deck=[LAST_CARD, 30, 31],
        cities={0: 6},
        money=200,
        phase="building",
        order=[1, 2, 0],
    )
    build_one(game)
    for _ in range(more):
        build_one(game)
    events = [event for row in game.log for event in row.events]
    while game.phase == "building":
        events += game.play("done")
    assert [event.step for event in events if isinstance(event, StepBegins)] == [3]
    assert offers(game) == ([22, 23, 24, 25, 26, 27], [])  # nothing removed for Step 2
    assert game.view()["market"]["removed"] == ["7", "21"]


# Step 3, drawn in phase 5


@pytest.mark.rule("C-9.3.1", "C-9.3.4", "C-8.4.3", "C-8.5.1", "C-9.3.7")
@pytest.mark.parametrize("step", [1, 2])
def test_s3_in_phase_5_starts_step_3_with_the_next_round(step: int) -> None:
    game = classic(
        step=step,
        market=MARKET,
        deck=[LAST_CARD, 30, 31],
        chance=hv.Scripted(step3=[27, 31, 30]),
        stock=EMPTY,
        money=100,
        phase="bureaucracy",
    )
    idle(game)
    assert (game.state.round, game.phase, board(game).step) == (3, "auction", 3)
    assert board(game).stock == COLUMNS[step]
    assert (offers(game), board(game).market.deck) == ((MARKET[1:7], []), [27, 31, 30])
    nominated = {move.split()[1] for move in legal(game) if move != "pass"}
    assert nominated == set(map(str, MARKET[1:7]))


@pytest.mark.rule("C-9.3.4", "C-5.2.1")
def test_small_plants_before_s3_in_phase_5() -> None:
    game = classic(
        step=2, market=MARKET, deck=[3, 7, LAST_CARD], cities={0: 9}, phase="bureaucracy"
    )
    idle(game)
    assert board(game).step == 3
    assert offers(game) == (MARKET[1:7], [])
    assert game.view()["market"]["removed"] == ["3", "7", "20"]
    assert board(game).market.deck == [27]


# Step 3 before Step 2, or never


@pytest.mark.rule("C-9.3.7")
@pytest.mark.parametrize("phase", ["auction", "building", "bureaucracy"])
def test_after_an_early_step_3_step_2_never_comes(phase: str) -> None:
    market = [7, *MARKET[1:]] if phase == "building" else MARKET
    game = classic(
        market=market,
        deck=[LAST_CARD, *range(30, 40)],
        cities={0: 6},
        plants={seat: [3 + seat] for seat in range(3)},
        money=200,
        phase=phase,
        order=[1, 2, 0],
    )
    if phase == "building":
        build_one(game)
    idle(game)
    assert (board(game).step, board(game).market.row) == (3, 6)
    idle(game, "building")
    while game.to_move != 0:
        play(game, "done")
    build_one(game)
    before = board(game).market.cards[:]
    idle(game)
    assert (game.phase, board(game).step) == ("bureaucracy", 3)
    assert board(game).market.cards == before


@pytest.mark.rule("C-9.3.1", "C-13.3")
def test_the_deck_is_shuffled_when_s3_is_drawn() -> None:
    rest = list(range(30, 37))
    decks = set()
    for seed in range(10):
        game = classic(
            market=MARKET,
            deck=[LAST_CARD, *rest],
            chance=hv.Seeded(seed),
            phase="bureaucracy",
            step=2,
        )
        idle(game)
        decks.add(tuple(board(game).market.deck))
        assert sorted(board(game).market.deck) == [27, *rest]
    assert len(decks) == 10


@pytest.mark.rule("C-9.3.9")
def test_a_game_may_end_before_s3_is_drawn() -> None:
    game = classic(step=2, cities={0: 17}, market=MARKET, deck=[30], phase="building")
    idle(game)
    assert game.outcome is not None
    assert (board(game).step, board(game).market.deck[-1]) == (2, LAST_CARD)


@pytest.mark.rule("C-9.3.7", "C-9.2.1")
def test_random_games_go_through_steps_1_2_3_or_1_3() -> None:
    seen = {
        tuple(stages(hv.new("classic", players=players, seed=seed), seed))
        for players in (2, 6)
        for seed in range(20)
    }
    assert {(1, 2, 3), (1, 3)} <= seen <= {(1,), (1, 2), (1, 2, 3), (1, 3)}
