"""The first page: one press leads to a table, at every size, before the server has answered."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browsing import PATIENCE, Player, choose, complaints, leave, open_page, open_part
from highvoltage.server.network import lan_address
from serving import BOT, ME, OPEN, Person, Server

SIZES = [
    (320, 568),
    *(
        pytest.param(size, marks=pytest.mark.long)
        for size in ((390, 844), (844, 390), (1280, 720), (1440, 900))
    ),
]
WHOLLY_SHOWN = """button => {
    const { top, bottom } = button.getBoundingClientRect()
    return top >= 0 && bottom <= innerHeight
}"""


def seats(page: Page) -> list[str | None]:
    page.wait_for_url(re.compile("/table/"))
    table = page.url.rpartition("/")[2]
    state = page.request.get(f"/api/tables/{table}").json()
    return [seat["bot"] for seat in state["table"]["seats"]]


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_play_is_within_the_first_screen(
    server: Server, browser: Browser, size: tuple[int, int]
) -> None:
    """Also below games in progress, of which the next one is shown."""
    page = open_page(browser, server.url, size)
    page.goto("/")
    play = page.get_by_test_id("play")
    play.wait_for()
    assert play.evaluate(WHOLLY_SHOWN)
    for n in range(4):
        table = {
            "rulebook": "classic",
            "seats": [{"kind": "me"}, {"kind": "open"}],
            "title": f"{n}",
        }
        assert page.request.post("/api/tables", data=table).ok
    page.goto("/")
    expect(page.locator(".running li")).to_have_count(4)
    assert play.evaluate(WHOLLY_SHOWN)
    leave(page)


@pytest.mark.long
def test_a_newcomer_may_learn_first(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url, (390, 844))
    page.goto("/")
    learn = page.get_by_role("link", name="Learn in ten minutes")
    assert learn.evaluate(WHOLLY_SHOWN)
    expect(page.locator(".door")).to_contain_text("Berta (easy)")
    learn.click()
    page.locator(".coach").wait_for()
    page.goto("/")
    expect(page.locator(".running li")).to_have_count(1)
    expect(learn).to_have_count(0)
    leave(page)


@pytest.mark.long
def test_enter_plays_the_last_choice_again(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    page.goto("/")
    choose(page, "Rulebook", "Power Grid Recharged (2018)")
    choose(page, "Map", "Japan")
    choose(page, "Opponents", "3")
    page.get_by_label("Seat 3").select_option("clerk")
    open_part(page, "Options")
    page.get_by_label("Money").select_option("hidden")
    page.get_by_test_id("play").click()
    assert seats(page) == [None, "apprentice", "clerk"]
    page.goto("/")
    expect(page.locator(".door .what")).to_contain_text("Power Grid Recharged (2018) · Japan")
    page.keyboard.press("Enter")
    assert seats(page) == [None, "apprentice", "clerk"]
    table = page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()["table"]
    assert (table["rulebook"], table["map"], table["options"]["money"]) == (
        "recharged",
        "japan",
        "hidden",
    )
    assert complaints(page) == []
    leave(page)


@pytest.mark.long
def test_a_remembered_choice_that_does_not_exist_any_more_is_mended(
    server: Server, browser: Browser
) -> None:
    page = open_page(browser, server.url)
    gone = {
        "rulebook": "monopoly",
        "map": "atlantis",
        "seats": ["me", "nobody"] * 5,
        "options": {"money": "none"},
    }
    page.evaluate("last => localStorage.setItem('hv-last-table', JSON.stringify(last))", gone)
    page.goto("/")
    page.get_by_test_id("play").click()
    assert seats(page) == [None, "apprentice"] * 3
    leave(page)


@pytest.mark.long
def test_a_table_with_friends_is_made_at_the_same_door(server: Server, browser: Browser) -> None:
    """And it is not the last choice of somebody who then plays alone."""
    page = open_page(browser, server.url)
    page.goto("/")
    page.get_by_role("link", name="Play with friends").click()
    expect(page.get_by_label("Seat 2")).to_have_value("open")
    page.get_by_role("button", name="Make the table").click()
    let_in = page.get_by_role("button", name="Let this network in")
    let_in.click()
    if address := lan_address():
        link = page.get_by_label("Link for your friends")
        expect(link).to_have_value(re.compile(rf"^http://{re.escape(address)}:\d+/table/"))
        page.get_by_role("button", name="Shut this network out").click()
        expect(let_in).to_be_visible()
    else:
        expect(page.get_by_role("alert")).to_be_visible()
    page.goto("/")
    page.get_by_role("button", name="Play", exact=True).click()
    assert seats(page) == [None, "apprentice", "clerk:bold", "apprentice"]
    leave(page)


@pytest.mark.long
def test_the_page_is_there_before_the_server_answers(server: Server, browser: Browser) -> None:
    """With the games in progress when it was last seen."""
    page = open_page(browser, server.url)
    page.goto("/")
    page.get_by_test_id("play").click()
    page.locator(".player.you").wait_for()
    page.goto("/")
    expect(page.locator(".running li")).to_have_count(1)
    held: list[Route] = []
    page.route("**/api/**", lambda route: held.append(route))  # noqa: PLW0108  # it wants a function
    page.goto("/")
    page.get_by_test_id("play").wait_for()
    choose(page, "Map", "Korea")
    expect(page.locator(".running li")).to_have_count(1)
    assert held
    for route in held:
        route.abort()
    expect(page.locator(".offline")).to_contain_text("The server does not answer.")
    leave(page)


@pytest.mark.long
def test_a_friend_sits_down_with_one_press(server: Server, browser: Browser) -> None:
    """The link says who invites to what; the name is asked for in passing."""
    page = open_page(browser, server.url, (390, 844))
    with Person(server, "Ola") as ola:
        table = ola.table([ME, OPEN, BOT, BOT], map="japan")["id"]
        page.goto(f"/table/{table}")
        expect(page.get_by_role("heading", name="Ola invites you")).to_be_visible()
        expect(page.locator(".lobby .what")).to_have_text(
            "Power Grid (2004) · Japan · 4 at the table · no clock"
        )
        sit = page.get_by_role("button", name="Sit down")
        assert sit.evaluate(WHOLLY_SHOWN)
        page.get_by_label("Your name").fill("Bo")
        sit.click()
        page.locator(".bar").wait_for()
        info = page.request.get(f"/api/tables/{table}").json()["table"]
        assert [seat["name"] for seat in info["seats"] if seat["mine"]] == ["Bo"]
    assert complaints(page) == []
    leave(page)


@pytest.mark.long
def test_the_host_invites_to_the_seat_of_a_bot_from_the_table(
    server: Server, browser: Browser
) -> None:
    host = open_page(browser, server.url)
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.goto("/")
    host.get_by_test_id("play").click()
    host.get_by_role("button", name="The table").click()
    host.get_by_role("button", name="takes this bot's seat").first.click()
    host.get_by_role("button", name="Copied").wait_for()
    link = host.evaluate("navigator.clipboard.readText()")
    friend = open_page(browser, server.url)
    friend.goto(link)
    expect(friend.locator(".player.you")).to_have_count(1)
    assert seats(host)[1] is None
    leave(friend)
    leave(host)


@pytest.mark.long
def test_a_question_mark_shows_the_keys(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    page.goto("/")
    page.get_by_test_id("play").wait_for()
    page.keyboard.press("Enter")
    page.locator(".bar").wait_for()
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys.locator("kbd")).to_have_text(
        [
            "Tab",
            "1 \N{HORIZONTAL ELLIPSIS} 9",
            "Enter",
            "P",
            "D",
            "U",
            "H",
            "+ \N{MINUS SIGN} 0",
            "?",
        ]
    )
    page.keyboard.press("Escape")
    expect(keys).to_have_count(0)
    leave(page)


@pytest.mark.long
def test_whom_one_has_beaten_is_remembered(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    player = Player(page)
    # Ann is so far ahead that the clerk who plays on for her wins against any clerk.
    player.sit_at(
        server, "nominate", "cardgame", 2, lambda game: bool(game.state.round == 7), ann="engineer"
    )
    page.get_by_role("button", name="The table").click()
    page.get_by_role("button", name="Let a bot play for me").click()
    page.get_by_role("button", name="Close").first.click()
    page.wait_for_function("() => localStorage.getItem('hv-beaten')", timeout=PATIENCE)
    beaten = page.evaluate("JSON.parse(localStorage.getItem('hv-beaten'))")
    assert beaten == {"cardgame": ["clerk"]}
    expect(page.locator(".remark")).to_contain_text("Well played. Again?")
    leave(page)
