"""A table made for friends, with bots of several levels."""

import re

import pytest
from playwright.sync_api import Browser, expect

from browsing import choose, complaints, leave, open_page, open_part
from serving import Server

CARD_GAME = "Power Grid: The Card Game"


@pytest.mark.long
def test_every_seat_has_its_own_level(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    page.goto("/new")
    expect(page.get_by_label("Seat 3")).to_have_value("clerk:bold")
    choose(page, "Rulebook", CARD_GAME)  # with another first opponent
    open_part(page, "Opponents")
    expect(page.get_by_label("Seat 4")).to_have_value("clerk")
    choose(page, "Rulebook", "Power Grid (2004)")
    open_part(page, "Opponents")
    expect(page.get_by_label("Seat 4")).to_have_value("apprentice")
    page.get_by_label("Seat 3").select_option("clerk")
    page.get_by_label("Seat 4").select_option("engineer")
    expect(page.get_by_text(re.compile("with three clerks it wins [0-9]+ of 100"))).to_be_visible()
    page.get_by_role("button", name="Make the table").click()
    expect(page.get_by_text("Follows rules of thumb")).to_be_visible()
    expect(page).to_have_url(re.compile("/table/"))
    state = page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()
    assert [seat["bot"] for seat in state["table"]["seats"]] == [None, None, "clerk", "engineer"]
    assert complaints(page) == []
    leave(page)


@pytest.mark.long
def test_the_rules_of_a_map_can_be_switched_off_where_that_is_playable(
    server: Server, browser: Browser
) -> None:
    page = open_page(browser, server.url)
    page.goto("/new")
    option = page.get_by_label("The map's own rules")
    for board, offered in (
        ("Central Europe", 1),
        ("United Kingdom & Ireland", 0),
        ("Korea", 1),
        ("USA", 0),
    ):
        choose(page, "Map", board)
        open_part(page, "Options")
        expect(page.get_by_label("Clock")).to_be_visible()
        expect(option).to_have_count(offered)
    leave(page)
