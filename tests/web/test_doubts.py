"""Variants of a board, its open points, and a corrected file: from the set-up to the table."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import FilePayload, Page, expect

from browsing import Player, choose, complaints, open_part
from highvoltage.engine.parts.board import load_map


def set_up(page: Page, players: int) -> None:
    """Set Europe up against clerks."""
    Player(page).go("/new")
    choose(page, "Map", "Europe")
    choose(page, "Opponents", str(players))
    for seat in range(1, players):
        page.get_by_label(f"Seat {seat + 1}").select_option("clerk")
    open_part(page, "Map")


def make_table(page: Page) -> dict[str, Any]:
    """Press the button; return what the table is played by."""
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".city").first.wait_for()
    table = page.url.rpartition("/")[2]
    found: dict[str, Any] = page.request.get(f"/api/tables/{table}/ruleset").json()
    return found


def corrected(text: str, price: object) -> FilePayload:
    """The file of Europe with another price from Bordeaux to Madrid."""
    board = json.loads(text)
    for link in board["connections"]:
        if link[:2] == ["bordeaux", "madrid"]:
            link[2] = price
    content = json.dumps(board).encode()
    return {"name": "europe.json", "mimeType": "application/json", "buffer": content}


@pytest.mark.long
def test_a_variant_is_chosen_and_the_table_says_once_that_points_are_open(
    page_of_ann: Callable[[], Page],
) -> None:
    page = page_of_ann()
    set_up(page, players=2)
    deluxe = page.get_by_role("checkbox", name="Deluxe: its own plants")
    expect(deluxe).to_be_disabled()
    set_up(page, players=3)
    deluxe.check()
    make_table(page)
    fuels = page.get_by_role("region", name="Fuel market")
    expect(fuels.get_by_role("img", name="gas")).to_be_visible()
    expect(fuels.get_by_role("img", name="garbage")).to_have_count(0)
    note = page.get_by_test_id("open-points")
    expect(note.get_by_role("link")).to_have_attribute("href", "/rules/atlas/A-EUR")
    note.get_by_role("button").click()
    expect(note).to_be_hidden()
    set_up(page, players=3)
    make_table(page)
    expect(note).to_be_hidden()


@pytest.mark.long
def test_open_points_are_listed_with_the_rules_and_a_corrected_file_is_played(
    page_of_ann: Callable[[], Page],
) -> None:
    page = page_of_ann()
    Player(page).go("/rules/atlas/A-EUR")
    doubts = page.locator("[data-ids~=A-EUR] + [data-testid=doubts]")
    doubts.locator("summary").click()
    expect(doubts.locator("tbody tr")).to_have_count(len(load_map("europe").doubts))
    expect(doubts).to_contain_text(": 15 (P), 16 (B)")
    with page.expect_download() as file:
        doubts.get_by_role("button", name="Download the file").click()
    text = file.value.path().read_text("utf-8")
    set_up(page, players=3)
    page.get_by_label("Choose a file").set_input_files(corrected(text, "dear"))
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("bordeaux-madrid: cost is dear")
    complaints(page).clear()  # about the refusal
    page.get_by_label("europe.json").set_input_files(corrected(text, 16))
    played = make_table(page)["board"]["connections"]
    assert ["bordeaux", "madrid", 16] in played
    assert ["bordeaux", "madrid", 15] in json.loads(text)["connections"]
