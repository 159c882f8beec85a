"""What can be pressed on the pages around the table, and what it does."""

import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, FilePayload, Page, Request, expect

import highvoltage as hv
from browsing import Player, imported, leave, open_page
from finishing import ALMOST_OVER
from serving import ME, OPEN, Server

pytestmark = pytest.mark.long  # a page for each: a minute of browser time


@pytest.fixture
def page(page_of_ann: Callable[[], Page]) -> Page:
    return page_of_ann()


def test_the_head_of_every_page(page: Page) -> None:
    """Colours, language and the way home."""
    Player(page).go("/puzzles")
    html = page.locator("html")
    page.get_by_role("button", name="Day colours").click()
    expect(html).to_have_attribute("data-theme", "day")
    page.get_by_role("button", name="Night colours").click()
    expect(html).to_have_attribute("data-theme", "night")
    page.get_by_label("Language").select_option("de")
    expect(html).to_have_attribute("lang", "de")
    page.get_by_label("Sprache").select_option("en")
    expect(html).to_have_attribute("lang", "en")
    page.get_by_role("link", name="High Voltage").click()
    expect(page.get_by_test_id("play")).to_be_visible()
    assert urlsplit(page.url).path == "/"


LINKS = {
    "Lessons": "/tutorial",
    "Puzzles": "/puzzles",
    "Cups": "/cups",
    "Map maker": "/maker",
    "Find me a game": "/tonight",
    "Read the rules": "/rules/classic",
    "First game": "/tutorial/classic",  # the last: it goes on to a table
}


def test_the_first_page_leads_everywhere(page: Page) -> None:
    player = Player(page)
    for name, path in LINKS.items():
        player.go("/")
        page.get_by_role("link", name=re.compile(f"^{name}")).first.click()
        page.wait_for_url(f"**{path}")
    page.wait_for_url("**/table/*")  # or it would leave the next test's page


RULEBOOKS = {
    "Power Grid Recharged (2018)": "recharged",
    "Power Grid: The Card Game": "cardgame",
    "Power Grid: Outpost": "outpost",
    "More boards": "atlas",
}
CHAPTERS = {
    *("Before you begin", "What a plant card says", "The round", "The three Steps", "The end"),
    *("Maps with rules of their own", "In short", "By the number of players"),
}


def test_chapters_and_books_of_the_rules(page: Page) -> None:
    player = Player(page)
    player.go("/rules/classic")
    for chapter in CHAPTERS:
        page.get_by_role("button", name=chapter, exact=True).first.click()
        expect(page.get_by_role("heading", name=chapter, exact=True).first).to_be_in_viewport()
    page.get_by_role("button", name="The exact rules").click()
    expect(page.get_by_role("searchbox")).to_be_visible()
    for name, path in RULEBOOKS.items():
        page.get_by_role("link", name=name, exact=True).click()
        page.wait_for_url(f"**/rules/{path}**")


LESSONS = {
    *("First game: 2004 edition", "The auction", "Buying fuel", "Building a network"),
    *("Steps 2 and 3", "The end of the game", "Two players and the cartel", "Demolition"),
}


def test_each_lesson_is_a_link(page: Page) -> None:
    Player(page).go("/tutorial")
    page.get_by_text("First games of the other editions").click()
    links = page.locator("main").get_by_role("link")
    expect(links.first).to_be_visible()
    for name in LESSONS:
        expect(links.filter(has_text=name)).to_have_attribute("href", re.compile("/tutorial/."))


def test_puzzles_of_a_game_and_a_theme(page: Page) -> None:
    known = page.request.get("/api/puzzles").json()
    Player(page).go("/puzzles")
    rows = page.locator("main a[href*='/puzzle/']", has_text=re.compile(r"^\s*(?!Puzzle of)"))
    expect(page.get_by_label("Game")).to_be_visible()
    listed = rows.filter(has_text="No.")
    every = len(known["puzzles"] if isinstance(known, dict) else known)
    at_first = listed.count()
    assert at_first in {every, every + 1}  # that of the day is above them
    page.get_by_label("Game").select_option("outpost")
    expect(listed).not_to_have_count(at_first)
    shown = [each for each in listed.all_inner_texts() if "Puzzle of the day" not in each]
    assert shown
    assert sum("Outpost" in each for each in shown) >= len(shown) - 1
    page.get_by_label("Game").select_option("")
    page.get_by_label("Theme").select_option(label="Building")
    expect(listed).not_to_have_count(at_first)
    shown = listed.all_inner_texts()
    assert sum("Building" in each for each in shown) >= len(shown) - 1


def test_a_replay_goes_by_moves_and_rounds(page: Page) -> None:
    """Its buttons, and the numbers in its log, against the rounds of the record."""
    rounds = [row.round for row in hv.replay(ALMOST_OVER).log]
    at = rounds.index(3) + 4
    Player(page).go(f"/replay/{imported(page, ALMOST_OVER)}?move={at}")
    slider = page.get_by_role("slider", name="Move")
    expect(slider).to_have_value(str(at))
    steps = {
        "Forward one move": at + 1,
        "Back one move": at,
        "Back one round": rounds.index(3),
        "Forward one round": rounds.index(4),
    }
    for name, expected in steps.items():
        page.get_by_role("button", name=name).click()
        expect(slider).to_have_value(str(expected))
        expect(page.locator(".bar output")).to_have_text(f"{expected} / {len(rounds)}")
    page.get_by_role("button", name="Back one round").click()
    expect(slider).to_have_value(str(rounds.index(3)))
    page.keyboard.press("Shift+ArrowRight")
    expect(slider).to_have_value(str(rounds.index(4)))
    page.get_by_role("tab", name="Log").click()
    earlier = page.get_by_role("button", name=re.compile(r"^Show \d+ earlier moves"))
    if earlier.count():
        earlier.click()
        expect(earlier).to_have_count(0)
    # Where a round or a phase begins, it says so.
    log = hv.replay(ALMOST_OVER).log[: rounds.index(4)]
    begun = 1 + sum((a.round, a.phase) != (b.round, b.phase) for a, b in pairwise(log))
    expect(page.get_by_role("log").locator(".head")).to_have_count(begun)
    position = page.get_by_role("button", name="Show this position: ").nth(3)
    number = position.inner_text()
    position.click()
    expect(slider).to_have_value(number)


def test_the_map_maker_zooms_and_takes_back(page: Page) -> None:
    Player(page).go("/maker")
    drawing = page.get_by_label("The map that you draw")
    drawing.wait_for()

    frame = drawing.element_handle()
    whole = drawing.evaluate("svg => svg.getScreenCTM().a")

    def size_is(how: str) -> None:
        page.wait_for_function(f"([svg, whole]) => svg.getScreenCTM().a {how}", arg=[frame, whole])

    page.get_by_role("button", name="Zoom in").click()
    size_is("> whole * 1.2")
    page.get_by_role("button", name="Zoom out").click()
    page.get_by_role("button", name="Zoom out").click()
    size_is("< whole * 1.2")
    page.get_by_role("button", name="Zoom in").click()
    page.get_by_role("button", name="Show everything").click()
    size_is("< whole * 1.01")
    region = page.get_by_label("Name of the region Green")
    region.fill("Woods")
    region.blur()
    page.get_by_role("button", name="Undo").click()
    expect(region).to_have_value("")
    page.get_by_role("button", name="Redo").click()
    expect(region).to_have_value("Woods")
    for name, number in (("for each connection", "7"), ("points of length", "2.5")):
        field = page.get_by_label(name)
        before = field.input_value()
        field.fill(number)
        field.blur()
        page.get_by_role("button", name="Undo").click()
        expect(field).to_have_value(before)
        page.get_by_role("button", name="Redo").click()
        expect(field).to_have_value(number)
    while page.get_by_role("button", name="Undo").is_enabled():
        page.get_by_role("button", name="Undo").click()
    expect(region).to_have_value("")


def asked(page: Page, path: str, press: Callable[[], object]) -> dict[str, list[str]]:
    """What the server is asked there after a press."""

    def is_asked(request: Request) -> bool:
        return urlsplit(request.url).path == path

    with page.expect_request(is_asked) as found:
        press()
    return parse_qs(urlsplit(found.value.url).query)


def test_the_library_is_searched(page: Page) -> None:
    Player(page).go("/library")
    expect(page.get_by_role("status")).to_be_visible()
    for label, field in {"Special rules": "ruled", "Order": "order", "Size": "size"}.items():
        select = page.get_by_label(label)
        choice = select.locator("option").last.get_attribute("value") or ""
        sent = asked(page, "/api/library", partial(select.select_option, choice))
        assert sent[field] == [choice]
    sent = asked(page, "/api/library", page.get_by_label("Only mine").check)
    assert {*sent} == {"ruled", "order", "size", "mine", "page"}
    assert (sent["mine"], sent["page"]) == (["true"], ["0"])


def test_a_cup_is_made_as_it_was_filled_in(page: Page) -> None:
    Player(page).go("/cups")
    page.get_by_role("combobox", name="Rulebook").select_option("recharged")
    page.get_by_label("Name of the cup").fill("Two boards")
    page.get_by_text(re.compile("^Boards, one round each in turn: ")).click()
    for board in ("France", "Italy"):
        page.get_by_label(board, exact=True).check()
    page.get_by_label("Seats at a table").select_option("5")
    page.get_by_label("1.", exact=True).fill("12")
    page.get_by_label("Minutes after which a bot plays").fill("7")
    page.get_by_label("Clock").select_option("calm")
    begins = page.evaluate("Math.floor(Date.now() / 86400000) * 86400 + 2 * 86400")
    local = "(at) => new Date(at * 1000 - new Date().getTimezoneOffset() * 60000).toISOString()"
    page.get_by_label("Begins by itself at").fill(page.evaluate(local, begins)[:16])
    with page.expect_request(lambda request: request.method == "POST") as made:
        page.get_by_role("button", name="Make a cup").click()
    sent: Any = made.value.post_data_json
    expected = {
        "title": "Two boards",
        "rulebook": "recharged",
        "boards": ["france", "italy"],
        "seats": 5,
        "rounds": 3,
        "points": [12, 7, 5, 3, 2],
        "wait": 7 * 60,
        "pace": {"kind": "bank", "seconds": 30 * 60, "increment": 30},
        "begins": begins,
    }
    assert sent | expected == sent
    expect(page.get_by_role("heading", name="Two boards")).to_be_visible()


def test_finished_games_are_filtered(page: Page) -> None:
    """Each choice is in the address, and in what the server is asked."""
    Player(page).go("/games/public")
    choices = {
        "Rulebook": "rulebook",
        "Map": "board",
        "Players": "players",
        "Winner": "won",
        "Rated": "rated",
    }
    for label, field in choices.items():
        filtering = page.get_by_role("combobox", name=label)
        value = filtering.locator("option").nth(1).get_attribute("value") or ""
        filtering.select_option(value)
        page.wait_for_url(re.compile(rf"[?&]{field}={value}"))
        expect(filtering).to_have_value(value)
    page.get_by_role("link", name="Finished games").click()
    page.wait_for_url("**/games")
    expect(page.get_by_label("Title or name")).to_be_visible()


def test_the_lobby(page: Page) -> None:
    """A colour is chosen, the seat is left, and bots fill a table that starts."""
    player = Player(page)
    player.make(rulebook="classic", seats=[ME, OPEN, OPEN])
    for colour in ("amber", "green", "orange", "pink", "sky blue", "yellow"):
        page.get_by_role("radio", name=colour).click()
        expect(page.get_by_role("radio", name=colour)).to_be_checked()
        expect(page.get_by_role("radio", checked=True)).to_have_count(1)
    page.get_by_role("button", name="Sound when it is your turn").click()
    page.get_by_role("button", name="Start now, bots take the open seats").click()
    player.bar.wait_for()
    table = page.url.rpartition("/")[2]
    seats = page.request.get(f"/api/tables/{table}").json()["table"]["seats"]
    assert [seat["kind"] for seat in seats].count("bot") == 2
    player.make(rulebook="classic", seats=[ME, OPEN])
    page.get_by_role("button", name="Stand up").click()
    expect(page.get_by_role("button", name="Sit down")).to_be_visible()


def test_a_game_is_found_as_it_was_asked_for(page: Page) -> None:
    Player(page).go("/tonight")
    page.get_by_role("combobox", name="Map").select_option("france")
    page.get_by_role("combobox", name="Clock").select_option(label="a day for each move")
    page.get_by_role("combobox", name="Bots").select_option("engineer")
    with page.expect_request(lambda request: request.method == "POST") as asked_for:
        page.get_by_role("button", name="Find me a game").click()
    sent: Any = asked_for.value.post_data_json
    day = {"kind": "move", "seconds": 86_400}
    wanted = {"rulebook": "classic", "board": "france", "pace": day, "bot": "engineer"}
    assert sent | wanted | {"rated": False, "wait": 60} == sent
    page.wait_for_url("**/table/*")
    Player(page).go("/tonight")
    page.get_by_label("Rated: the result counts").check()
    expect(page.get_by_role("combobox", name="Clock").locator("option")).not_to_contain_text(
        ["no clock"]
    )


def test_an_account_by_password_and_everything_deleted(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    page.goto("/u")
    page.get_by_label("Handle").first.fill("to-be-deleted")
    page.get_by_label("Others may see my games at public tables").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert page.request.get("/api/profile").json()["handle"] == "to-be-deleted"
    page.get_by_role("button", name="Account").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Delete everything about me").first.click()
    dialog.get_by_role("button", name="Delete everything about me").click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.goto("/u")
    assert page.request.get("/api/profile").json()["handle"] is None
    page.get_by_role("button", name="Account").click()
    dialog.get_by_label("Login").fill("somebody")
    dialog.get_by_label("Password (").fill("correct horse")
    dialog.get_by_role("button", name="Create an account", exact=True).click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert page.request.get("/api/me").json()["account"] == "somebody"
    leave(page)


def test_a_leaderboard_of_each_rulebook(page: Page) -> None:
    Player(page).go("/leaderboard")
    page.get_by_role("combobox", name="Rulebook").select_option("outpost")
    page.wait_for_url("**/leaderboard?rulebook=outpost")


def test_a_record_is_opened_on_the_first_page(page: Page) -> None:
    Player(page).go("/")
    record = FilePayload(name="game.txt", mimeType="text/plain", buffer=ALMOST_OVER.encode())
    page.get_by_label("Open a record from a file").set_input_files(record)
    page.wait_for_url("**/replay/*")
    moves = len(hv.replay(ALMOST_OVER).log)
    expect(page.get_by_role("slider", name="Move")).to_have_attribute("max", str(moves))
