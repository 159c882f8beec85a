"""One's finished games: found, filtered, saved, watched again."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import PHONE, complaints, leave, open_page, open_part
from finishing import before_the_end, finish, in_store, make_rated
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


@pytest.mark.long
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


@pytest.mark.long
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
    page.get_by_role("button", name="Show income and cities").click()
    expect(
        page.get_by_role("img", name="Income in the round. Latest game: 22, 22, ")
    ).to_be_visible()
    expect(page.get_by_role("link", name="Average of games: 2")).to_be_visible()
    narrowest = page.get_by_role("link", name="Not won · Powered -")
    expect(narrowest).to_have_attribute("href", re.compile(r"/replay/[\w-]+$"))
    numbers.nth(2).click()
    expect(page.locator("ol > li")).to_have_count(2)
    expect(page).to_have_url(re.compile(r"/games\?rulebook=classic&city=\w+$"))

    page.context.clear_cookies()  # somebody else
    page.goto("/u/Zoe_1")
    expect(page.get_by_text("This profile is private.")).to_be_visible()
    page.goto("/u/nobody-at-all")
    expect(page.get_by_role("heading", name="There is nothing at this address.")).to_be_visible()
    complaints(page).clear()  # the browser says that nothing was found


@pytest.mark.long
def test_a_rating_has_its_span_its_course_and_its_games(server: Server, page: Page) -> None:
    with Person(server, "Kim") as kim:
        for _ in range(2):
            table = before_the_end(kim)
            make_rated(server, table)
            finish(kim, table)
        eventually(lambda: [each["games"] for each in ratings(kim)] == [2])
        (rating,) = ratings(kim)
        kims = {"name": COOKIE, "value": kim.cookies[COOKIE], "url": server.url}
        page.context.add_cookies([kims])  # type: ignore[list-item]  # it wants its own type
        page.goto("/u")
        value = f"{rating['rating']:.1f} ± {rating['error']:.1f}"
        shown = page.get_by_role("heading", name=value)
        expect(shown).to_contain_text("Games: 2 · provisional")
        expect(page.get_by_role("img", name=value)).to_be_visible()
        shown.get_by_role("link").click()
        expect(page).to_have_url("/games?rulebook=classic&rated=true")
        expect(page.locator("ol > li")).to_have_count(2)
        page.get_by_label("Rated").select_option("no")
        expect(page.get_by_text("There is no such game.")).to_be_visible()
        page.get_by_role("link", name="Leaderboard").click()
        names = [f"{bot.capitalize()}bot" for bot in ("tycoon", "engineer", "clerk", "apprentice")]
        expect(page.locator("ol .name")).to_have_text(names)


def ratings(person: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = person.get("/api/profile").json()["ratings"]
    return found


@pytest.mark.long
def test_a_rated_table_says_so_and_offers_no_help(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    page.goto("/")
    open_part(page, "Options")
    page.get_by_role("checkbox", name="Rated").check()
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".bar").wait_for()
    expect(page.get_by_role("button", name="Hint")).to_be_disabled()
    page.get_by_role("button", name="The table").click()
    menu = page.get_by_role("dialog")
    expect(menu.locator(".what")).to_contain_text("Rated")
    for action in ("Let a bot play for me", "Hand this seat over", "End the game", "Delete"):
        expect(menu.get_by_role("button", name=action)).to_have_count(0)
    menu.get_by_role("button", name="Leave the game").click()
    expect(menu).to_contain_text("counts as last place")
    assert complaints(page) == []
    leave(page)


@pytest.mark.long
def test_games_of_public_tables_are_browsed(page: Page, server: Server) -> None:
    in_store(
        server,
        "UPDATE games SET public = true WHERE status = 'finished'",
        "INSERT OR IGNORE INTO uncounted SELECT game FROM results",
    )
    page.goto("/games")
    eventually(lambda: bool(page.request.get("/api/public-games?won=false").json()["count"]))
    page.get_by_role("link", name="Games of public tables").click()
    page.get_by_label("Winner").select_option("a person")
    expect(page).to_have_url("/games/public?won=true")
    page.get_by_label("Winner").select_option("bot")
    game = page.locator("ol > li").filter(has_text="1. Cyd").first
    game.get_by_role("link", name="First city: Stuttgart").click()
    expect(page).to_have_url("/games/public?rulebook=classic&city=stuttgart")
    expect(page.locator("ol > li").first).to_contain_text("Stuttgart")
