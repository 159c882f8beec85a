"""The twin agrees with the engine at every decision; docs/batch.md has results of longer runs."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from highvoltage.batch import check
from highvoltage.batch.env import RULEBOOKS
from highvoltage.batch.lockstep import Checker, Mismatch
from highvoltage.testing import Setting
from ours import our_settings

ROOT = Path(__file__).parents[2]
COVERED = [
    setting
    for rulebook in RULEBOOKS
    for setting in our_settings(rulebook)
    if setting.map in (None, "germany", "planet") or not {*setting.options} - {"variants"}
]
"""Every board; options on one of them, since compiling takes a minute: check plays the others."""


def agrees(checker: Checker, games: int, first: int = 0) -> None:
    tally = checker.run(games, first=first)
    assert tally.games == games
    assert tally.decisions > 40 * games
    assert tally.observations > 0
    if checker.setting.rulebook == "outpost":
        assert tally.events["swap"] > 0
        assert tally.events["syndicate"] >= 6 * games or checker.setting.players > 2
    else:
        assert tally.events["scrap"] > 0
    if checker.setting.rulebook == "cardgame":
        ends = tally.events["END in auction"] + tally.events["END in bureaucracy"]
        assert ends == games
    else:
        assert tally.events["step 3"] + tally.events["stage 3"] > 0


@pytest.mark.parametrize(
    ("name", "games", "first"),
    [
        ("classic", 7, 4),
        pytest.param("recharged", 14, 0, marks=pytest.mark.long),
        ("cardgame", 7, 0),
    ],
)
def test_some_games_agree_with_the_engine(
    request: pytest.FixtureRequest, name: str, games: int, first: int
) -> None:
    """About half of them begin with few cards, so that even these few come to what is rare."""
    agrees(request.getfixturevalue(name), games, first)


@pytest.mark.long
def test_recharged_agrees_with_the_engine() -> None:
    marks = {"standard_starting_cities": True}
    agrees(Checker(Setting("recharged", "usa", 2, marks), batch=5), 5)


@pytest.mark.long
def test_the_card_game_agrees_with_the_engine(cardgame: Checker) -> None:
    agrees(cardgame, 56)


@pytest.mark.long
def test_outpost_agrees_with_the_engine(outpost: Checker) -> None:
    agrees(outpost, 7)


@pytest.mark.long
@pytest.mark.parametrize("setting", COVERED, ids=str)
def test_every_setting_agrees_with_the_engine(setting: Setting) -> None:
    agrees(Checker(setting), 20)


def test_a_difference_names_the_move_the_field_and_the_rule(
    classic: Checker, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = classic.step

    def generous(state: Any, actions: Any) -> Any:
        after = step(state, actions)
        return after.replace(money=after.money + (np.asarray(after.supplied) > 0))

    monkeypatch.setattr(classic, "step", generous)
    with pytest.raises(Mismatch, match=r"money \(C-1.7.1\): the engine has .* the twin") as error:
        classic.run(4)
    assert "run " in str(error.value)


def portion(setting: str, first: int, games: int, **more: Any) -> check.Line:
    return dict.fromkeys(check.COUNTED, games) | {
        "setting": setting,
        "first": first,
        "events": {"step 2": 3},
        **more,
    }


def test_a_check_resumes_where_it_stopped_and_stays_with_a_setting() -> None:
    plan = check.Plan({"a": 120, "b": 50, "c": 20}, [portion("a", 0, 50), portion("b", 0, 20)])
    assert plan.next(0) == ("a", 50, 50)
    assert plan.next(1) == ("b", 0, 50)  # 20 did not cover everything
    assert plan.next(1) == ("c", 0, 20)
    assert plan.next(0) == ("a", 100, 20)
    assert plan.next(0) is None


def test_a_process_helps_another_only_where_no_setting_is_left() -> None:
    plan = check.Plan({"a": 150, "b": 200}, [])
    assert [plan.next(worker) for worker in (0, 1)] == [("a", 0, 50), ("b", 0, 50)]
    assert plan.next(2) == ("b", 50, 50)
    assert [plan.next(worker) for worker in (1, 0)] == [("b", 100, 50), ("a", 50, 50)]
    plan.drop("b")
    assert plan.next(1) == ("a", 100, 50)
    assert plan.next(1) is None


def choices(settings: list[Setting]) -> set[tuple[str, str, object]]:
    """Every choice of an option with each number of players; a variant with its map instead."""
    return {
        (each.rulebook, str(each.options), each.map if "variants" in each.options else each.players)
        for each in settings
    }


@pytest.mark.long
def test_a_check_ends_when_its_time_is_over() -> None:
    plan = check.Plan({"classic-germany-4": 1_000}, [])
    assert [*check.run_plan(plan, 1, seconds=0.0)] == []


def test_every_map_number_and_option_is_asked() -> None:
    asked = check.asked_setups()
    plain = [each for each in asked if not each.options]
    assert asked[: len(plain)] == plain
    assert {*map(str, plain)} == {str(each) for each in check.covered_setups() if not each.options}
    whole, chosen = (
        {
            (each.rulebook, str(each.options), each.players)
            for each in of
            if "variants" not in each.options
        }
        for of in (check.covered_setups(), asked)
    )
    assert chosen == whole
    for rulebook in ("classic", "recharged"):
        used = {each.map for each in asked if each.options and each.rulebook == rulebook}
        assert len(used) > 15


def test_results_are_reported_by_board_and_by_option() -> None:
    lines = [
        portion("classic-usa-3", 0, 50),
        portion("classic-usa-3", 50, 50),
        portion("classic-usa-3-money=hidden", 0, 20),
        portion("classic-usa-4-money=hidden", 0, 0, difference="money (C-1.7.1)"),
    ]
    rows = {row.split(" | ")[0]: row.split(" | ")[1:] for row in check.table(lines)}
    assert rows["| classic, usa"][:2] == ["1", "100"]
    assert rows["| classic, money=hidden"][:2] == ["2", "20"]
    assert rows["| **together**"][:2] == ["3", "120"]
    step_2 = 1 + len(check.COUNTED)
    assert [row[step_2] for row in rows.values()] == ["Step 2", "--:", "6", "6", "12"]
    assert rows["| classic, money=hidden"][-1] == "1 |"


def test_the_card_game_and_outpost_have_tables_of_their_own() -> None:
    lines = [
        portion("outpost-planet-3", 0, 50, events={"robot": 2}),
        portion("classic-usa-3", 0, 50),
        portion("cardgame-3", 0, 50, events={"reshuffle": 2}),
    ]
    board, *others = "\n".join(check.table(lines)).split("\n\n")
    assert "classic" in board
    for own, counted in zip(others, ("reshuffles", "robots"), strict=True):
        heading, _, row, together = (line.split(" | ") for line in own.splitlines())
        assert row[heading.index(counted)] == together[heading.index(counted)] == "2"


def test_the_page_tells_what_the_kept_results_say() -> None:
    lines = check.read_results([ROOT / "benchmarks" / "batch_check.jsonl"])
    assert "\n".join(check.table(lines)) in (ROOT / "docs" / "batch.md").read_text("utf-8")


def test_a_failure_in_one_setting_is_reported_as_its_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(name: str) -> Checker:
        raise Mismatch(f"money of {name}")

    monkeypatch.setattr(check, "checker", fails)
    line = check.play("classic-usa-3", 0, 5)
    assert 0 <= line["seconds"] < 60
    assert line["difference"] == "Mismatch: money of classic-usa-3"
    assert line["games"] == 0
