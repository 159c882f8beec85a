"""One's finished games: found, filtered, saved, watched again."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import PHONE, complaints, leave, open_page
from finishing import before_the_end, finish
from highvoltage.server.guard.identity import COOKIE
from serving import Person, Server, eventually


@pytest.fixture
def page(server: Server, browser: Browser) -> Iterator[Page]:
    """Somebody with two finished games, at home with a phone."""
    with Person(server, "Zoe") as zoe:
        for _ in range(2):
            finish(zoe, before_the_end(zoe))
        eventually(lambda: bool(zoe.get("/api/history").json()["count"] == 2))
        shown = open_page(browser, server.url, PHONE)
        shown.context.add_cookies(
            [{"name": COOKIE, "value": zoe.cookies[COOKIE], "url": server.url}]
        )
        shown.goto("/")
        yield shown
        assert complaints(shown) == []
        leave(shown)


def test_finished_games_are_found_saved_and_watched(page: Page) -> None:
    page.get_by_role("link", name="Search and save all of them").click()
    games = page.locator("ol > li")
    expect(games).to_have_count(2)
    expect(page.get_by_role("status")).to_have_text("Games: 2")
    expect(games.first.locator(".seat")).to_have_text(["1. Cyd", "2. Bob", "3. Ann"])
    expect(games.first.locator(".mine")).to_have_text("3. Ann")
    expect(games.first).to_contain_text("Germany")

    page.get_by_label("Result").select_option("Won")
    expect(page.get_by_text("There is no such game.")).to_be_visible()
    page.get_by_label("Result").select_option("Not won")
    expect(games).to_have_count(2)
    page.get_by_label("Title or name").fill("CY")
    expect(page).to_have_url("/games?won=false&text=CY")
    expect(games).to_have_count(2)
    with page.expect_download() as lines:
        page.get_by_role("link", name="Save the list").click()
    found = [json.loads(line) for line in lines.value.path().read_text().splitlines()]
    assert [seat["name"] for seat in found[0]["seats"]] == ["Cyd", "Bob", "Ann"]
    with page.expect_download() as records:
        page.get_by_role("link", name="Save the records").click()
    assert records.value.suggested_filename == "highvoltage-games.zip"

    page.reload()  # what is wanted is in the address
    expect(page.get_by_label("Title or name")).to_have_value("CY")
    expect(page.get_by_label("Result")).to_have_value("false")
    games.first.get_by_role("link").click()
    expect(page).to_have_url(f"/replay/{found[0]['table']}")


def test_a_profile_is_chosen_and_each_number_leads_to_its_games(page: Page) -> None:
    page.goto("/games")
    page.get_by_role("link", name="Your profile").click()
    expect(page).to_have_url("/u")
    page.get_by_label("Handle").fill("Zoe_1")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    expect(page.get_by_role("heading", name="Zoe_1")).to_be_visible()
    numbers = page.get_by_role("link", name="0 won of 2")
    expect(numbers).to_have_count(3)  # of the board, the first plant, the first city
    numbers.nth(2).click()
    expect(page.locator("ol > li")).to_have_count(2)
    expect(page).to_have_url(re.compile(r"/games\?rulebook=classic&city=\w+$"))

    page.context.clear_cookies()  # somebody else
    page.goto("/u/Zoe_1")
    expect(page.get_by_text("This profile is private.")).to_be_visible()
    page.goto("/u/nobody-at-all")
    expect(page.get_by_role("heading", name="There is nothing at this address.")).to_be_visible()
    complaints(page).clear()  # the browser says that nothing was found
