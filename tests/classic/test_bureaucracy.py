"""C-8: running plants, the refill and the update of the plant market."""

from typing import Any

import pytest
from hypothesis import given

import highvoltage as hv
from classic.by_hand import Burns, Counts, burns, stocked
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.events import Income, Refilled
from highvoltage.engine.moves import Run
from highvoltage.games.classic import tables
from positions import board, classic, idle, legal, offers, play, refuses

FUELS = ("coal", "oil", "garbage", "uranium")
MARKET = [8, 9, 10, 11, 12, 14, 15, 16]
FIRST: dict[str, Any] = {"phase": "bureaucracy", "order": [0, 1, 2]}


def supplies(game: hv.Game) -> dict[str, int]:
    return {kind: game.view()["fuel"][kind]["supply"] for kind in FUELS}


# Income


@pytest.mark.rule("C-8.2.1", "C-8.2.2", "C-8.2.3")
def test_burned_tokens_go_to_the_supply_and_the_cities_supplied_are_paid() -> None:
    game = classic(
        plants={0: [10, 14, 12]},
        fuel={0: {"coal": 5, "oil": 2, "garbage": 2}},
        cities={0: 5},
        money=0,
        **FIRST,
    )
    stock, supply = board(game).stock[:], supplies(game)
    events = game.play("run 10 12:coal,oil")
    assert list(events) == [Income(0, 54, 4)]
    player = game.view()["players"][0]
    assert (player["supplied"], player["money"]) == (4, 54)
    assert player["fuel"] == {"coal": 2, "oil": 1, "garbage": 2, "uranium": 0}
    assert supplies(game) == {**supply, "coal": supply["coal"] + 3, "oil": supply["oil"] + 1}
    assert board(game).stock == stock
    assert game.to_move == 1


@pytest.mark.rule("C-8.2.2", "C-8.2.5")
@pytest.mark.parametrize(
    ("cities", "run", "supplied"),
    [
        (0, "run 36 38", 0),
        (3, "run 36 38", 3),
        (14, "run 36 38", 14),
        (15, "run 36 38", 14),
        (15, "run 38", 7),
        (15, "run nothing", 0),
    ],
)
def test_cities_supplied(cities: int, run: str, supplied: int) -> None:
    fuel = {0: {"coal": 3, "garbage": 3}}
    game = classic(plants={0: [36, 38]}, fuel=fuel, cities={0: cities}, **FIRST)
    play(game, run)
    assert game.view()["players"][0]["supplied"] == supplied


@pytest.mark.rule("C-8.2.4", "C-8.2.5", "C-8.2.8", "C-14")
def test_any_set_of_plants_that_has_its_fuel_may_run() -> None:
    fuel = {0: {"coal": 4, "oil": 1}}
    game = classic(plants={0: [4, 10, 16, 13]}, fuel=fuel, cities={0: 1}, **FIRST)
    runs = {"nothing", "4", "10", "13", "4 10", "4 13", "10 13", "4 10 13"}
    assert legal(game) == {f"run {run}" for run in runs}
    refuses(game, "run 16", "run_no_fuel", "C-1.2.3")
    refuses(game, "run 15", "run_not_owned", "C-8.2.1")
    refuses(game, "done", "not_now", "C-14")


@pytest.mark.rule("C-8.2.1")
def test_plants_share_the_available_fuel() -> None:
    game = classic(plants={0: [4, 10]}, fuel={0: {"coal": 3}}, cities={0: 1}, **FIRST)
    assert legal(game) == {"run nothing", "run 4", "run 10"}
    refuses(game, "run 4 10", "run_no_fuel", "C-1.2.3")


@pytest.mark.rule("C-8.2.1", "C-1.2.4")
@pytest.mark.parametrize(
    ("run", "code", "rule"),
    [
        ("run 5", "run_mix", "C-1.2.4"),
        ("run 5:coal", "run_mix", "C-1.2.4"),
        ("run 5:coal,coal,coal", "run_mix", "C-1.2.4"),
        ("run 5:coal,garbage", "run_mix", "C-1.2.4"),
        ("run 4:coal,coal", "run_mix", "C-1.2.4"),
        ("run 5:coal,coal", "run_mix_unlawful", "C-8.2.7"),
    ],
)
def test_only_a_hybrid_names_its_fuel_and_names_all_of_it(run: str, code: str, rule: str) -> None:
    fuel = {0: {"coal": 4, "oil": 4}}
    game = classic(plants={0: [4, 5]}, fuel=fuel, cities={0: 2}, **FIRST)
    refuses(game, run, code, rule)
    assert "run 5:oil,oil" in legal(game)


@pytest.mark.rule("C-8.2.7")
def test_hybrids_run_in_the_order_that_suits_the_owner() -> None:
    """Plant 10 stores coal alone; whichever of 12 and 29 runs first may burn the only coal."""
    fuel = {0: {"coal": 1, "oil": 6}}
    game = classic(plants={0: [10, 12, 29]}, fuel=fuel, cities={0: 6}, **FIRST)
    assert legal(game) == {
        "run nothing",
        "run 29:oil",
        "run 12:oil,oil",
        "run 12:oil,oil 29:oil",
        "run 12:coal,oil 29:oil",  # 29 first
        "run 12:oil,oil 29:coal",  # 12 first
    }


def test_plants_and_fuel_may_be_named_in_any_order() -> None:
    game = classic(plants={0: [5, 13]}, fuel={0: {"coal": 1, "oil": 1}}, cities={0: 2}, **FIRST)
    play(game, "run 13 5:oil,coal")
    assert game.view()["players"][0]["supplied"] == 2


def named(run: Run) -> Burns:
    """A run with what it burns, by plant and counted by kind."""
    found = []
    for card, mix in run.plants:
        plant = tables.PLANTS[card]
        fuel = mix or tuple(FUELS[kind] for kind in plant.fuels) * plant.need
        found.append((card, tuple(fuel.count(kind) for kind in FUELS)))
    return frozenset(found)


@pytest.mark.parametrize(
    ("text", "burns_", "written"),
    [("5:coal", "coal, oil", "5:coal,coal"), ("13:coal", "-", "13")],
)
def test_a_refused_mix_says_what_the_plant_burns(text: str, burns_: str, written: str) -> None:
    run = Run.parse(text)
    code, values = tables.FUEL_RULES.run_refusal((5, 13), (2, 2, 0, 0), run)
    assert (code, values["fuels"], values["written"]) == ("run_mix", burns_, written)


@pytest.mark.rule("C-8.2.7", "C-8.2.5", "C-6.3.1", "C-6.3.2")
@given(stocked())
def test_the_legal_runs_are_those_found_by_hand(stock: tuple[tuple[int, ...], Counts]) -> None:
    cards, held = stock
    runs = tables.FUEL_RULES.runs(cards, held)
    by_hand = burns(cards, held)
    assert len(set(runs)) == len(runs)
    assert set(map(named, runs)) == by_hand
    for run in runs:
        fuel = [(0, 0, 0, 0), *(counts for _, counts in named(run))]
        assert tables.FUEL_RULES.burned(run) == tuple(map(sum, zip(*fuel, strict=True)))


@pytest.mark.rule("C-8.2.7", "C-10.3")
@given(stocked())
def test_whatever_the_totals_allow_some_mix_allows(
    stock: tuple[tuple[int, ...], Counts],
) -> None:
    cards, held = stock
    powers = [sum(tables.PLANTS[card].powers for card, _ in run) for run in burns(cards, held)]
    assert tables.FUEL_RULES.max_yield(cards, held) == max(powers)


@pytest.mark.rule("C-8.2.6")
def test_what_one_player_burns_does_not_affect_the_next() -> None:
    def table() -> hv.Game:
        fuel = {0: {"coal": 4}, 1: {"coal": 3, "oil": 1}, 2: {"oil": 2}}
        plants = {0: [10], 1: [12], 2: [16]}
        return classic(plants=plants, fuel=fuel, cities={0: 2, 1: 2, 2: 2}, **FIRST)

    first, second = table(), table()
    play(first, "run 10")
    play(second, "run nothing")
    assert legal(first) == legal(second)
    play(first, "run 12:coal,oil")
    play(second, "run 12:coal,oil")
    assert first.view()["players"][1] == second.view()["players"][1]
    assert legal(first) == legal(second)


# Refill


@pytest.mark.rule("C-8.3.1", "C-8.3.2")
@pytest.mark.parametrize(
    ("stock", "held", "after"),
    [
        ((10, 10, 10, 5), (0, 0, 0, 0), (14, 12, 11, 6)),
        ((24, 24, 24, 12), (0, 0, 0, 0), (24, 24, 24, 12)),
        ((22, 23, 24, 12), (0, 0, 0, 0), (24, 24, 24, 12)),
        ((20, 20, 22, 10), (2, 4, 2, 2), (22, 20, 22, 10)),  # the rest is on plants
        ((0, 0, 0, 0), (0, 0, 0, 0), (4, 2, 1, 1)),
    ],
)
def test_the_refill_is_what_the_table_says_or_what_the_supply_holds(
    stock: tuple[int, ...], held: tuple[int, ...], after: tuple[int, ...]
) -> None:
    game = classic(
        3,
        stock=dict(zip(FUELS, stock, strict=True)),
        plants={0: [4, 7, 14, 11]},
        fuel={0: dict(zip(FUELS, held, strict=True))},
        phase="bureaucracy",
    )
    play(game, "run nothing", "run nothing")
    events = game.play("run nothing")
    came = next(event.fuel for event in events if isinstance(event, Refilled))
    assert tuple(board(game).stock) == after
    assert came == tuple(b - a for a, b in zip(stock, after, strict=True))


@pytest.mark.rule("C-8.3.1", "C-8.2.1")
def test_tokens_burned_in_this_phase_may_come_back_in_its_refill() -> None:
    game = classic(
        plants={0: [10]}, fuel={0: {"coal": 4}}, stock={"coal": 20}, cities={0: 1}, **FIRST
    )
    play(game, "run 10", "run nothing", "run nothing")
    assert (board(game).stock[0], board(game).supply[0]) == (22, 0)


# Plant market


@pytest.mark.rule("C-8.4.1", "C-8.5.1")
@pytest.mark.parametrize("step", [1, 2])
def test_in_steps_1_and_2_the_highest_plant_goes_under_the_deck(step: int) -> None:
    game = classic(step=step, market=MARKET, deck=[30, 31, LAST_CARD, 40], phase="bureaucracy")
    idle(game)
    market = board(game).market
    assert (market.cards, market.deck) == ([*MARKET[:7], 30], [31, LAST_CARD, 40, 16])
    assert game.view()["market"]["slid"] == ["40", "16"]
    assert (game.state.round, game.phase, board(game).step) == (3, "auction", step)


@pytest.mark.rule("C-8.4.2", "C-9.3.5")
def test_in_step_3_the_lowest_plant_leaves_the_game() -> None:
    game = classic(step=3, market=MARKET[:6], deck=[30, 31], phase="bureaucracy")
    idle(game)
    assert offers(game) == ([*MARKET[1:6], 30], [])
    assert board(game).market.deck == [31]
    assert game.view()["market"]["removed"] == ["8"]


@pytest.mark.rule("C-8.4.3", "C-9.3.4", "C-8.5.1")
@pytest.mark.parametrize("step", [1, 2])
def test_s3_in_phase_5_takes_the_place_of_any_further_update(step: int) -> None:
    chance = hv.Scripted(step3=[16, 31, 30])
    game = classic(
        step=step,
        market=MARKET,
        deck=[LAST_CARD, 30, 31],
        stock=dict.fromkeys(FUELS, 0),
        phase="bureaucracy",
        chance=chance,
    )
    idle(game)
    assert (game.state.round, game.phase, board(game).step) == (3, "auction", 3)
    assert offers(game) == (MARKET[1:7], [])
    assert board(game).market.deck == [16, 31, 30]  # with the plant put under it just before
    assert board(game).stock == ([4, 2, 1, 1] if step == 1 else [5, 3, 2, 1])


@pytest.mark.rule("C-8.1.1", "C-8.1.2", "C-8.1.3")
@pytest.mark.parametrize(
    ("cities", "deck", "step", "over"),
    [
        (5, [40, 42], 1, False),
        (6, [40, 42], 2, False),
        (6, [LAST_CARD, 40], 3, False),
        (16, [LAST_CARD, 40], 1, True),
        (16, [40, 42], 1, True),
    ],
)
def test_between_the_phases_the_end_comes_first_then_step_3_then_step_2(
    cities: int, deck: list[int], step: int, over: bool
) -> None:
    market = [cities + 1, *range(30, 37)]  # the next house draws from the deck
    game = classic(
        cities={0: cities}, market=market, deck=deck, money=100, phase="building", order=[1, 2, 0]
    )
    game.play(game.legal_moves[0])
    idle(game)
    assert (board(game).step, game.outcome is not None) == (step, over)
    assert game.phase == ("building" if over else "bureaucracy")
