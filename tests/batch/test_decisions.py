"""What a decision changes at once is what it changes in the engine: no whole step is compiled."""

from dataclasses import replace
from functools import partial
from typing import Any

import jax
import numpy as np
import pytest

from highvoltage.batch import auction, building, bureaucracy, play
from highvoltage.batch.codes import CODES, LAST
from highvoltage.batch.codes import NONE as NO_PLANT
from highvoltage.batch.lockstep import Checker, arrays_of, flatten
from highvoltage.batch.market import relabelled
from highvoltage.batch.outpost import bureaucracy as powering
from highvoltage.batch.outpost import company, workers
from highvoltage.batch.outpost import play as outpost_play
from highvoltage.batch.outpost.state import COMPANY, OutpostState
from highvoltage.batch.outpost.tables import (
    CARDS,
    ENERGY,
    KIND,
    NONE,
    SPACES,
    TECHNOLOGY,
    WORKERS,
)
from highvoltage.batch.outpost.tables import Tables as OutpostTables
from highvoltage.batch.reading import jit_fast
from highvoltage.batch.state import BUILD, Array, State
from highvoltage.batch.tables import Tables
from highvoltage.games.outpost.state import HABITAT
from highvoltage.games.outpost.tables import LABORATORIES_ENERGY
from highvoltage.testing import Setting
from spread import some
from twins import positions

BOARD = {"money", "fuel", "cities", "slots", "reach", "most", "supplied", "stock", "supply"}
BOARD |= {"storage", "trade", "shifts", "built", "starts"}
PLANET = {"money", "network", "opened", "board", "owner", "settled", "humans", "robots", "busy"}
PLANET |= {"labour", "supply", "stations", "special", "distance", "built", "powered"}


def decide(t: Tables, s: State, action: Array) -> State:
    """Buy fuel, build or run."""
    choice = play.read(t, action)
    s = play.buy(t, s, choice)
    builds = choice.names_city & (s.mode == BUILD)
    s, _ = building.build(t, s, builds, choice.city, choice.starts)
    return bureaucracy.run(t, s, choice.runs, choice.run)


def decide_on_a_planet(t: OutpostTables, s: OutpostState, action: Array) -> OutpostState:
    """What a company does in its turn, and powering."""
    c = outpost_play.read(t, action)
    s = company.build(t, s, c.builds & (s.mode == COMPANY), c.city, c.piece)
    s = company.settle(t, s, c.settles, c.colony, c.colony_piece)
    s = company.place(t, s, c.places, c.placed, c.kind)
    s = company.swap(s, c.swaps, c.space, c.swapped)
    s = company.hire(t, s, c.hires, c.hired)
    s = company.make_robot(t, s, c.robots, c.maker)
    return powering.power(t, s, c.powers, c.powered)


@pytest.mark.rule("A-IND-9")
@pytest.mark.parametrize(
    ("rulebook", "board"),
    some(
        *(("outpost", None), ("classic", "india")),
        of=[("outpost", None)]
        + [("classic", name) for name in ("india", "korea", "japan", "south_africa", "france")],
    ),
)
def test_a_decision_changes_what_it_changes_in_the_engine(rulebook: str, board: str | None) -> None:
    checker = Checker(Setting(rulebook, board, 3), batch=1)
    env, tables = checker.env, checker.env.tables
    made: Any = decide_on_a_planet if rulebook == "outpost" else decide
    step = jit_fast(lambda s, action: made(tables, s, action))
    changed, rng = set(), np.random.default_rng(7)
    for game in positions(checker.setting):
        if game.phase == "auction":
            continue
        now: Any = game.copy()
        if board == "india" and game.phase == "bureaucracy":
            now.state.built = 99  # too many houses
        view = now.view(now.to_move)
        before = jax.device_get(env.from_view(view, jax.random.key(1)))
        actions = np.flatnonzero(before.legal_action_mask)
        for action in rng.choice(actions, min(4, len(actions)), replace=False).tolist():
            there = now.copy()
            there.play(checker.code.move(view, action))
            if there.phase != game.phase or there.outcome is not None:
                continue  # much else has happened
            after, old = (
                arrays_of(jax.device_get(step(before, np.int32(action)))),
                arrays_of(before),
            )
            fields = checker.comparison.fields(there.state)
            for name in (PLANET if rulebook == "outpost" else BOARD) & fields.keys():
                where = (name, game.phase, str(checker.code.move(view, action)))
                assert np.ravel(after[name]).tolist() == flatten(fields[name]), where
                if not np.array_equal(after[name], old[name]):
                    changed.add(name)
    assert len(changed) > 6, changed


@pytest.mark.rule("R-12.5.4")
def test_the_cartel_is_offered_the_highest_plant_as_in_the_engine() -> None:
    """After a sale or a pass, or where the first to nominate cannot pay for any plant."""
    checker = Checker(Setting("recharged", "germany", 2), batch=1)
    env, compared = checker.env, checker.comparison
    turn = jit_fast(partial(auction.turn_to_cartel, env.tables))
    yes, no, seen = np.bool_(True), np.bool_(False), set()
    for game in positions(checker.setting):
        view = game.view(game.to_move)
        if game.phase != "auction" or view["auction"]["card"] is not None:
            continue
        read = jax.device_get(env.from_view(view, jax.random.key(1)))
        for done, money, after, begins in (
            *((False, 500, yes, no), (True, 500, yes, no)),
            *((False, 500, no, yes), (False, 0, no, yes), (False, 0, no, no)),
        ):
            read = replace(
                read,
                money=np.full_like(read.money, money),
                cartel=replace(read.cartel, done=np.bool_(done)),
            )
            there: Any = env.to_game(read).state
            takes = not done and bool(after or (begins and not money))
            if takes:
                there.bidding.third_done = True
                there.rules.phases[there.phase].third_party_turn(there)
            if begins and not money:
                there.bidding.eligible = there.bidding.eligible[1:]
            found = arrays_of(jax.device_get(turn(read, after, begins)))
            fields = compared.fields(there)
            for name in ("market", "cartel.plants", "cartel.done", "last", "pending", "eligible"):
                assert np.ravel(found[name]).tolist() == flatten(fields[name]), (
                    name,
                    view["round"],
                )
            assert compared.hidden_in(found)["deck"] == there.market.deck
            kept = len(view["cartel"]["plants"])
            seen.add((takes, kept, len(there.cartel.cards)))
    assert seen >= {
        *((True, kept, kept + 1) for kept in range(3)),
        (True, 3, 3),
        (False, 3, 3),
    }


@pytest.mark.rule("O-8.1.5", "O-11.7.1")
def test_the_best_run_is_that_of_all_plants_that_have_workers() -> None:
    """With Laboratories every one of them yields more, but not what yields no energy at all."""
    plants = [at for at, card in enumerate(CARDS) if ENERGY[at] and at != TECHNOLOGY["moon_base"]]
    habitat = next(at for at, kind in enumerate(KIND) if kind == HABITAT)
    one, other = plants[0], plants[-1]
    need, more = int(WORKERS[one]), int(WORKERS[other])
    small, large = int(ENERGY[one]), int(ENERGY[other])
    assert (small < large, need <= more, ENERGY[habitat]) == (True, True, 0)
    moon = TECHNOLOGY["moon_base"]
    rest = [NONE] * (SPACES - 2)
    board = np.array([[one, other, *rest, habitat, moon, *rest]])
    run = jit_fast(workers.best_run)
    for laboratories in (False, True):
        extra = LABORATORIES_ENERGY * laboratories
        runs = [
            (
                need * a + more * b + int(WORKERS[moon]) * c,
                a * (small + extra) + b * (large + extra) + c * (int(ENERGY[moon]) + extra),
            )
            for a in (0, 1)
            for b in (0, 1)
            for c in (0, 1)
        ]
        for people in range(12):
            best = max(energy for needs, energy in runs if needs <= people)
            found = run(board, np.array([people], np.int8), np.array([laboratories]))
            assert found.tolist() == [best], (people, laboratories)


@pytest.mark.rule("A-NOR-3")
def test_plants_with_other_faces_stay_where_they_are_in_the_market() -> None:
    market = np.array([CODES[0], CODES[5], LAST, NO_PLANT], np.int16)
    found = jit_fast(relabelled)(market, CODES ^ 1)
    assert found.tolist() == [int(CODES[0]) ^ 1, int(CODES[5]) ^ 1, LAST, NO_PLANT]
