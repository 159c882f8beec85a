"""How people enter, are named, and leave: the first page, new tables, the lobby."""

from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import Player, choose, leave, open_page, open_part
from serving import Person, Server
from spread import some

SMALL = (390, 844)
FITS = "document.documentElement.scrollWidth <= innerWidth"
WHOLE = "button => button.scrollWidth <= button.clientWidth"


def mine(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.request.get("/api/tables/mine").json()
    return found


@pytest.mark.long
def test_a_phone_shows_all_of_first_page_and_lobby(browser: Browser, server: Server) -> None:
    page = open_page(browser, server.url, SMALL)
    page.goto("/")
    open_part(page, "Opponents")
    bots = page.get_by_role("combobox", name="Bots", exact=True)
    bots.wait_for()
    box = bots.bounding_box()
    assert box is not None
    assert box["width"] > 120  # a name can be read, not only the arrow
    assert page.evaluate(FITS)
    with Person(server, "Ann") as ann:
        seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
        table = ann.table(seats, title="A rather long title of a table for friends")["id"]
        page.goto(f"/table/{table}")
        page.get_by_label("Your name").fill("Dora")
        assert page.evaluate(FITS)
        page.get_by_role("button", name="Sit down").click()
        expect(page.locator(".lobby li").nth(1)).to_contain_text("Dora")
    german = open_page(browser, server.url, SMALL, language="de")
    german.goto("/new")
    german.get_by_role("button", name="Tisch anlegen").click()
    start = german.get_by_role("button", name="Bots nehmen die freien Plätze")
    start.wait_for()
    assert start.evaluate(WHOLE)  # words wrap where a line is too short
    expect(german.get_by_text("Funkenschlag (2004)")).to_have_count(1)  # the table has no name
    leave(german)
    page.goto("/rules/martian")
    expect(page.get_by_text("There is nothing at this address.")).to_be_visible()
    page.goto("/tutorial/martian")
    expect(page.get_by_text("There is nothing at this address.")).to_be_visible()


@pytest.mark.long
def test_the_page_speaks_as_the_browser_does_until_another_language_is_chosen(
    browser: Browser, server: Server
) -> None:
    context = browser.new_context(base_url=server.url, locale="pl-PL", service_workers="block")
    page = context.new_page()
    page.goto("/rules")
    page.get_by_label("Język").select_option("de")
    expect(page.get_by_label("Sprache")).to_have_value("de")
    page.reload()
    expect(page.get_by_label("Sprache")).to_have_value("de")
    assert page.evaluate("document.documentElement.lang") == "de"
    context.close()


@pytest.mark.parametrize(
    ("scheme", "theme"), some(("light", "day"), of=[("light", "day"), ("dark", "night")])
)
def test_an_unknown_theme_is_forgotten(
    browser: Browser, server: Server, scheme: Literal["light", "dark"], theme: str
) -> None:
    page = open_page(browser, server.url, theme="mauve")
    page.emulate_media(color_scheme=scheme)
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("data-theme", theme)
    page.emulate_media(color_scheme="null")
    leave(page)


@pytest.mark.long
def test_seats_have_names_and_bots_of_their_own_and_can_be_left(
    browser: Browser, server: Server
) -> None:
    page = open_page(browser, server.url)
    page.goto("/new")
    open_part(page, "Options")
    expect(page.get_by_text("The map's own rules")).to_have_count(0)  # Germany has none
    choose(page, "Map", "Central Europe")
    open_part(page, "Options")
    expect(page.get_by_text("The map's own rules")).to_have_count(1)
    open_part(page, "Opponents")
    page.get_by_label("Seat 2", exact=True).select_option("me")
    page.get_by_label("Name, Seat 1").fill("Ann")
    page.get_by_label("Name, Seat 2").fill("Bob")
    page.get_by_label("Seat 3", exact=True).select_option("random")
    page.get_by_label("Seat 4", exact=True).select_option("clerk")
    page.get_by_test_id("play").click()
    page.get_by_role("button", name="The table").click()
    seats = mine(page)[0]["seats"]
    assert [seat["name"] for seat in seats] == ["Ann", "Bob", "Random", "Clerk"]
    page.get_by_role("button", name="Leave the game").first.click()
    page.get_by_text("A bot will play on for you until the end").wait_for()
    page.get_by_role("button", name="Leave the game").first.click()
    expect(page.get_by_role("button", name="Leave the game")).to_have_count(1)
    assert [seat["left"] for seat in mine(page)[0]["seats"]] == [True, False, False, False]
    page.get_by_role("button", name="Delete the table").click()
    page.get_by_role("button", name="Delete the table").click()
    page.get_by_test_id("play").wait_for()
    assert mine(page) == []
    leave(page)


@pytest.mark.long
def test_a_first_game_is_recognised_by_its_rulebook(browser: Browser, server: Server) -> None:
    page = open_page(browser, server.url)
    page.goto("/tutorial/recharged")
    Player(page).bar.wait_for()
    assert mine(page)[0]["rulebook"] == "recharged"
    page.goto("/")
    expect(page.locator("li small").first).to_contain_text("20")  # the year in its date
    choose(page, "Rulebook", "Power Grid: Outpost")
    page.get_by_role("link", name="New to the game?").click()
    Player(page).bar.wait_for()
    assert mine(page)[0]["rulebook"] == "outpost"
    leave(page)
