"""The page of a server as an app: installed, without its server, and games that move to and fro."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import PATIENCE, Player
from serving import Process, Server
from static_site import ask, wait_until_kept

INSTALLABLE = """() => {
    const offer = new Event('beforeinstallprompt', { cancelable: true })
    offer.prompt = async () => { document.title = 'installing' }
    dispatchEvent(offer)
}"""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a browser that has never been here, with a service worker."""
    context = browser.new_context(reduced_motion="reduce")
    context.set_default_timeout(3 * PATIENCE)
    yield context.new_page()
    context.close()


@pytest.mark.long
def test_a_page_plays_on_when_its_server_is_gone(page: Page, tmp_path: Path) -> None:
    server = Process(tmp_path)
    page.goto(server.url)
    page.get_by_test_id("play").wait_for()
    wait_until_kept(page)
    assert server.stop() == 0
    page.goto(server.url)
    expect(page.locator(".notices")).to_contain_text("You play in this browser, against bots.")
    page.get_by_test_id("play").click()
    player = Player(page)
    player.wait()
    assert "/table/here-" in page.url
    player.play(most=1)


@pytest.mark.long
def test_a_game_moves_into_the_browser_and_back(page: Page, server: Server) -> None:
    page.goto(server.url)
    player = Player(page)
    bots = [{"kind": "bot", "bot": "clerk"}, {"kind": "bot", "bot": "engineer"}]
    answer = page.request.post(
        f"{server.url}/api/tables",
        data={"rulebook": "classic", "seats": [{"kind": "me"}, *bots], "seed": 5},
    )
    first = answer.json()["id"]
    page.goto(f"{server.url}/table/{first}")
    player.wait()
    player.play(most=2)

    move(page, "Move this game into this browser")
    page.wait_for_url("**/table/here-*")
    player.wait()
    here = ask(page, "GET", f"/tables/{page.url.rpartition('/')[2]}")["table"]
    assert [seat["bot"] for seat in here["seats"]] == [None, "clerk", "engineer"]
    assert page.request.get(f"{server.url}/api/tables/{first}").status == 404
    player.play(most=1)
    page.goto(server.url)
    page.get_by_role("button", name="Games in this browser").click()
    page.locator(".list a[href^='/table/']").click()
    page.wait_for_url("**/table/here-*")
    player.wait()
    played = ask(page, "GET", f"/tables/{here['id']}")["table"]["moves"]
    assert played > here["moves"]

    move(page, "Move this game to the server")
    page.wait_for_url(lambda url: "/table/" in url and "/table/here-" not in url)
    player.wait()
    there = page.request.get(f"{server.url}/api/tables/{page.url.rpartition('/')[2]}").json()[
        "table"
    ]
    assert there["moves"] == played
    assert [seat["bot"] for seat in there["seats"]] == [None, "clerk", "engineer"]
    assert ask(page, "GET", "/tables/mine") == []
    player.play(most=1)


def move(page: Page, where: str) -> None:
    page.get_by_role("button", name="The table").click()
    page.get_by_role("button", name=where).click()


@pytest.mark.long
def test_the_page_can_be_installed(page: Page, server: Server) -> None:
    page.goto(server.url)
    install = page.get_by_role("button", name="Install the app")
    page.get_by_test_id("play").wait_for()
    expect(install).to_be_hidden()
    manifest = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert manifest["data"]
    assert manifest["errors"] == []
    page.evaluate(INSTALLABLE)
    install.click()
    expect(page).to_have_title("installing")
    expect(install).to_be_hidden()
