"""People who arrive for the first time, by a link and with nothing prepared."""

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from browsing import Player, complaints, leave, open_page, who_decides
from highvoltage.server.network import lan_address
from qr import read_qr
from serving import COMMAND, Person, Process, Server
from spread import some


def _who(page: Page) -> str:
    """Who this browser is, by its signed cookie."""
    return next(each["value"] for each in page.context.cookies() if each["name"] == "hv")


def test_a_friend_comes_by_a_link_and_plays(server: Server, browser: Browser) -> None:
    ann, friend = open_page(browser, server.url), open_page(browser, server.url)
    Player(ann).make(rulebook="cardgame", seats=[{"kind": "me"}, {"kind": "open"}])
    friend.goto(ann.url)
    identity = _who(friend)
    friend.get_by_role("button", name="Sit down").click()
    expect(friend.locator(".player.you")).to_be_visible()
    people = (Player(friend), Player(ann))
    turn = who_decides(*people)
    (other,) = (person for person in people if person is not turn)
    seq = turn.seq()
    turn.page.locator(".card.offered").first.click()
    turn.button("[data-primary]").click()
    other.until_moved(seq)  # what one does the other sees, and answers
    assert other.wait() == "bid"
    mine = friend.locator(".player.you .name").first.inner_text()
    friend.goto("/")
    expect(friend.get_by_label("Your name")).to_have_value(mine)
    assert _who(friend) == identity
    for page in (ann, friend):
        assert complaints(page) == []
        leave(page)


@pytest.mark.long
def test_among_strangers(server: Server, browser: Browser) -> None:
    with Person(server, "Ann") as ann, Person(server, "Bob") as bob:
        table = ann.table([{"kind": "me"}, {"kind": "open"}], rulebook="cardgame")["id"]
        bob.post(f"/api/tables/{table}/join", json={}).raise_for_status()
        with bob.live(table) as live:
            for words in ("a first word", "a second word"):
                live.send("chat", text=words)
                live.next("chat")
        account = {"login": "ann.of.the.page", "password": "a long password"}
        ann.post("/api/account", json=account).raise_for_status()
        page = open_page(browser, server.url)
        page.context.add_cookies(
            [
                {"name": name, "value": value, "url": server.url}
                for name, value in ann.cookies.items()
            ]
        )
        page.goto(f"/table/{table}")
        page.get_by_role("tab", name="Chat").click()
        lines = page.get_by_role("log", name="Chat").locator(".line")
        menu = lines.first.get_by_role("button", name="About this message")
        menu.click()
        page.get_by_role("button", name="Report this message").click()
        expect(lines.first).to_contain_text("Reported to the operator.")
        menu.click()
        page.get_by_role("button", name="Remove this message").click()
        expect(lines.first).to_contain_text("(removed)")
        expect(lines.last).to_contain_text("a second word")
        menu.click()
        page.get_by_role("button", name="Mute Bob").click()
        expect(lines.last).not_to_contain_text("a second word")
        page.goto("/")
        page.get_by_role("button", name="Account").click()
        page.get_by_role("button", name="Sign out everywhere").click()
        page.get_by_role("dialog").wait_for(state="hidden")
        assert ann.get("/api/me").json()["account"] is None  # in the other browser too
        assert complaints(page) == []
        leave(page)


def test_the_first_visit_makes_one_identity(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    with page.expect_response("**/api/me"):  # it brings the cookie, after the page is loaded
        page.goto("/")
    identity = _who(page)
    page.get_by_label("Your name").fill("Ann: B")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text(
        "A name has at most 24 characters, and none of : , = |"
    )
    page.get_by_test_id("play").click()
    page.locator(".player.you").wait_for()
    assert _who(page) == identity
    leave(page)


@pytest.mark.long
def test_a_name_typed_before_the_server_answers_is_kept(server: Server, browser: Browser) -> None:
    """And a table that is made at once has it, too."""
    page = open_page(browser, server.url)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/me", hold)
    with page.expect_request("**/api/me"):
        page.goto("/")
    name = page.get_by_label("Your name")
    name.fill("Zo")
    with page.expect_response("**/api/me"):
        held.pop().continue_()
    page.get_by_test_id("play").wait_for()
    expect(name).to_have_value("Zo")
    name.press_sequentially("fia")
    with page.expect_request("**/api/me"):
        page.get_by_test_id("play").click()
    page.wait_for_timeout(100)  # enough for the page to make a table too early
    held.pop().continue_()
    expect(page.locator(".player.you .name")).to_have_text("Zofia")
    leave(page)


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "guest"), some(("pl", "Gość"), of=[("pl", "Gość"), ("de", "Gast")])
)
def test_a_guest_has_one_name_everywhere(
    server: Server, browser: Browser, language: str, guest: str
) -> None:
    page = open_page(browser, server.url, language=language)
    page.goto("/")
    name = page.locator("header input")
    expect(name).to_have_value(re.compile(rf"^{guest} \d+$"))
    shown = name.input_value()
    page.get_by_test_id("play").click()
    expect(page.locator(".player.you .name")).to_have_text(shown)
    table = page.url.rpartition("/")[2]
    seats = page.request.get(f"/api/tables/{table}").json()["table"]["seats"]
    assert shown.replace(guest, "Guest") in {seat["name"] for seat in seats}
    leave(page)


@pytest.mark.long
def test_links_that_lead_nowhere_say_so(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    for path, says in (
        ("/table/nothere", "There is no such table."),
        ("/replay/nothere", "There is no such table."),
        ("/somewhere/else", "There is nothing at this address."),
    ):
        page.goto(path)
        expect(page.get_by_role("heading", name=says)).to_be_visible()
        page.get_by_role("link", name="To the home page").last.click()
        page.get_by_test_id("play").wait_for()
    leave(page)


HTML = {"accept": "text/html,*/*;q=0.8"}


@pytest.mark.parametrize(
    ("path", "status", "shows_page"),
    [
        ("/", 200, True),
        ("/rules/classic/C-4.5.2", 200, True),
        ("/favicon.svg", 200, False),
        ("/manifest.webmanifest", 200, False),
        ("/manifest.json", 404, False),
        ("/robots.txt", 404, False),
        ("/assets/index-gone.js", 404, False),
        ("/somewhere/else", 404, True),
    ],
)
def test_an_unknown_address_is_not_found(
    server: Server, path: str, status: int, *, shows_page: bool
) -> None:
    """People are shown the page, which says so; a program is not."""
    read = httpx.get(server.url + path, headers=HTML if shows_page else {})
    assert read.status_code == status
    assert ("<!doctype html>" in read.text) == shows_page


def test_every_address_of_the_page_is_found(server: Server) -> None:
    app = (Path(__file__).parents[2] / "web" / "src" / "App.svelte").read_text()
    places = set(re.findall(r"\^\\/(?:\(\?:([\w|]+)\)|(\w+))|route\.path === '/(\w+)'", app))
    names = {name for found in places for part in found for name in part.split("|") if name}
    assert {"table", "replay", "new", "puzzles"} <= names
    for name in names:
        assert httpx.get(f"{server.url}/{name}").status_code == 200


class InTheNetwork(Process):
    """`make play LAN=1`."""

    command = (*COMMAND, "--lan")


@pytest.mark.long
def test_no_dead_link_is_offered(server: Server, browser: Browser) -> None:
    """The person who runs the server reads how to make one; a guest could do nothing about it."""
    page, guest = open_page(browser, server.url), open_page(browser, server.url)
    Player(page).make(rulebook="classic", seats=[{"kind": "me"}, {"kind": "open"}])
    expect(page.get_by_role("button", name="Let this network in")).to_be_visible()
    with guest.expect_response("**/api/me"):
        guest.goto(page.url)
    expect(guest.get_by_role("button", name="Sit down")).to_be_visible()
    for each in (page, guest):
        expect(each.get_by_label("Link for your friends")).to_have_count(0)
    expect(guest.locator(".lobby code")).to_have_count(0)
    leave(page)
    leave(guest)


@pytest.mark.long
@pytest.mark.skipif(lan_address() is None, reason="this machine is in no network")
def test_a_friend_in_this_network_gets_a_link_and_a_code(tmp_path: Path, browser: Browser) -> None:
    server = InTheNetwork(tmp_path)
    try:
        ann = open_page(browser, server.url)
        Player(ann).make(rulebook="classic", seats=[{"kind": "me"}, {"kind": "open"}])
        link = ann.get_by_label("Link for your friends").input_value()
        assert link.startswith(f"http://{lan_address()}:")
        code = ann.get_by_role("img", name="The link as a QR code")
        size = int((code.get_attribute("viewBox") or "").split()[2])
        assert read_qr(code.locator("path").get_attribute("d") or "", size, border=2) == link
        friend = open_page(browser, link)
        slow: list[Route] = []

        def hold(route: Route) -> None:
            slow.append(route)

        friend.route("**/QrCode-*.js", hold, times=1)
        with friend.expect_request("**/QrCode-*.js"):
            friend.goto(link)
        seat = friend.get_by_role("button", name="Sit down")
        before = seat.bounding_box()
        slow[0].continue_()
        expect(friend.get_by_role("img", name="The link as a QR code")).to_be_visible()
        assert seat.bounding_box() == before  # it does not move away under the finger
        seat.click()
        expect(friend.locator(".player.you")).to_be_visible()
        other_name = {"host": "rebound.example"}
        assert httpx.get(f"{server.url}/api/me", headers=other_name).status_code == 403
        for page in (ann, friend):
            page.context.close()
    finally:
        server.stop()
