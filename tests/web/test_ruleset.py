"""The ruleset of a table as the page shows it, and the costs on the map."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browsing import PHONE, Player, check_access
from highvoltage.engine.ruleset import Ruleset
from highvoltage.games import rulebook

TABLES = [  # with every kind of line
    ("classic", "korea", {"money": "hidden"}),
    ("outpost", None, {"money": "hidden"}),
    pytest.param("classic", "northern_europe", {}, marks=pytest.mark.long),
    pytest.param("recharged", "russia", {"standard_starting_cities": True}, marks=pytest.mark.long),
    pytest.param("cardgame", None, {"burn_from": "fullest"}, marks=pytest.mark.long),
    pytest.param("classic", "uk_ireland", {}, marks=pytest.mark.long),
    pytest.param("classic", "japan", {"map_rules": False}, marks=pytest.mark.long),
]
ORIGINS = {"rulebook": "rulebook", "map": "this board", "option": "chosen at set-up"}


def numbers_in(value: Any) -> list[int]:
    """Every number of a value in order, without those that are keys."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [number for each in value for number in numbers_in(each)]
    return [value] if isinstance(value, int) and not isinstance(value, bool) else []


def keys_in(value: Any) -> set[str]:
    """Every number that is a key: a price, or a number of players."""
    if isinstance(value, dict):
        own = {str(key) for key in value if str(key).isdecimal()}
        return own.union(*map(keys_in, value.values()))
    return set().union(*map(keys_in, value)) if isinstance(value, list | tuple) else set()


def shown(page: Page) -> dict[str, dict[str, str]]:
    """The lines of the panel by name: their text, and where they come from."""
    lines: list[list[str]] = page.locator("[data-line]").evaluate_all(
        """(lines) => lines.map((line) => [
            line.dataset.line,
            line.querySelector('.name').innerText,
            line.querySelector('.value').innerText,
            [...line.querySelectorAll('.value b')].map((b) => b.innerText).join(' | '),
            line.querySelector('.origin').innerText,
            line.querySelector('.rule')?.innerText ?? '',
        ])"""
    )
    keys = ("name", "value", "figures", "origin", "rule")
    return {name: dict(zip(keys, rest, strict=True)) for name, *rest in lines}


def hold(found: dict[str, dict[str, str]], ruleset: Ruleset) -> None:
    """Check that the panel shows what the engine plays by, to the last number."""
    lines = {line.name: line for line in ruleset.lines()}
    assert found.keys() == lines.keys()
    for name, line in lines.items():
        shown_line = found[name]
        assert [*map(int, re.findall(r"\d+", shown_line["figures"]))] == numbers_in(line.value), (
            name
        )
        assert keys_in(line.value) <= {*re.findall(r"\d+", shown_line["value"])}, name
        assert (shown_line["origin"], shown_line["rule"]) == (ORIGINS[line.origin], line.rule)
        if isinstance(line.value, bool):
            assert shown_line["value"] == ("yes" if line.value else "no")


@pytest.fixture
def sit(page_of_ann: Callable[..., Page]) -> Callable[..., Page]:
    """Ann at a new table, with the panel open."""

    def sit(rulebook: str, board: str | None, *screen: Any, **options: Any) -> Page:
        page = page_of_ann(*screen)
        player = Player(page)
        player.sit_down(rulebook, 3, map=board, options=options)
        player.wait()
        tools = page.locator("#table-tools")
        if not tools.is_visible():
            page.locator("[popovertarget=table-tools]").click()
        tools.locator("button").first.click()
        page.locator("[data-line]").first.wait_for()
        return page

    return sit


@pytest.mark.parametrize(("name", "board", "options"), TABLES)
def test_every_number_is_the_engines(
    sit: Callable[..., Page], name: str, board: str | None, options: dict[str, Any]
) -> None:
    hold(shown(sit(name, board, **options)), rulebook(name, 3, board, options).ruleset)


@pytest.mark.long
def test_a_rule_is_one_click_away_and_the_panel_is_readable(sit: Callable[..., Page]) -> None:
    page = sit("classic", "south_africa", money="hidden")
    hold(shown(page), rulebook("classic", 3, "south_africa", {"money": "hidden"}).ruleset)
    expect(page.get_by_role("dialog", name="What this table is played by")).to_be_visible()
    found = shown(page)
    assert found["start_money"]["name"] == "Money at the start"
    assert " ".join(found["refill"]["value"].split()).startswith("coal 4 / 7 / 5 oil 1 / 2 / 1 ")
    assert found["no_start"]["value"].startswith("Zimbabwe, Botswana")
    assert found["money"] == {
        "name": "Money",
        "value": "hidden",
        "figures": "hidden",
        "origin": "chosen at set-up",
        "rule": "C-13.2",
    }
    groups = page.get_by_role("dialog").get_by_role("heading", level=3)
    assert groups.all_inner_texts() == ["Numbers", "Fuel", "Board and plants", "Options"]
    check_access(page, "what the table is played by", "dialog")
    page.locator("[data-line=storage]").get_by_role("button", name="A-ZAF").click()
    expect(page.get_by_role("dialog", name="Rules: ")).to_be_visible()
    expect(page.get_by_role("heading", name="A-ZAF")).to_be_in_viewport()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="What this table is played by")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.long
def test_on_a_phone_it_fits_and_uses_the_language_of_the_page(sit: Callable[..., Page]) -> None:
    page = sit("classic", "korea", PHONE, "de")
    expect(page.get_by_role("dialog", name="Wonach an diesem Tisch gespielt wird")).to_be_visible()
    found = shown(page)
    assert found["start_money"]["name"] == "Geld zu Beginn"
    assert found["markets"]["origin"] == "dieser Spielplan"
    assert "Norden, zu Beginn Kohle 12" in " ".join(found["markets"]["value"].split())
    dialog = page.get_by_role("dialog")
    assert dialog.evaluate(
        "it => [...it.querySelectorAll('*')].every((e) => e.scrollWidth <= innerWidth)"
    )
