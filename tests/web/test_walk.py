"""Three people on three devices: they find each other, play, and look at what it came to."""

import json
from secrets import token_hex
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import highvoltage as hv
from browsing import DESKTOP, PHONE, complaints, leave, open_page
from finishing import ALMOST_OVER, make_rated
from serving import BOT, ME, OPEN, Server, eventually

TABLET = (820, 1180)
NAMES = ("ann", "bob", "cyd")


def choose_handle(page: Page, name: str) -> str:
    """A public profile under a handle like this name."""
    handle = f"{name}-{token_hex(4)}"
    page.goto("/u")
    page.get_by_label("Handle").first.fill(handle)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    return handle


def fits(page: Page) -> bool:
    found: bool = page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return found


def before_the_end(page: Page, server: Server, *others: Page) -> str:
    """A rated game before its last move, which is this person's."""
    moves = len(hv.replay(ALMOST_OVER).log) - 1
    body = {"record": ALMOST_OVER, "seats": [ME, ME, ME], "moves": moves}
    table: str = page.request.post("/api/resume", data=body).json()["id"]
    for seat, other in enumerate(others, 1):
        key = page.request.post(f"/api/tables/{table}/key", data={"seat": seat}).json()
        assert other.request.post(f"/api/tables/{table}/claim", data=key).ok
    make_rated(server, table)
    return table


@pytest.mark.long
def test_three_people_on_three_devices(server: Server, browser: Browser) -> None:
    sizes = (DESKTOP, PHONE, TABLET)
    people = [open_page(browser, server.url, size) for size in sizes]
    handles = [choose_handle(page, name) for page, name in zip(people, NAMES, strict=True)]
    meet(people, handles)
    play_rated(people, server)
    look_around(people, handles)
    other = open_page(browser, server.url, TABLET)
    carry(people[1], other, handles)
    for page in (*people, other):
        assert complaints(page) == []
        leave(page)


def meet(people: list[Page], handles: list[str]) -> None:
    """The others follow the first, are invited, and play with them; one of them leaves."""
    ann, bob, cyd = people
    for page in (bob, cyd):
        page.goto(f"/u/{handles[0]}")
        page.get_by_role("button", name="Follow", exact=True).click()
        expect(page.get_by_role("button", name="Stop following")).to_be_visible()
    body = {"rulebook": "classic", "seats": [ME, OPEN, OPEN, BOT], "public": True}
    table = ann.request.post("/api/tables", data=body).json()["id"]
    cyd.goto("/tonight")
    expect(cyd.locator(f'a[href$="/table/{table}"]').first).to_be_visible()
    ann.goto(f"/table/{table}")
    for handle in handles[1:]:
        ann.get_by_placeholder("Handle").fill(handle)
        ann.get_by_role("button", name="Invite", exact=True).click()
        expect(ann.get_by_text(f"{handle} is invited.")).to_be_visible()
    for page in (bob, cyd):
        page.goto("/")
        expect(page.get_by_role("link", name=f"{handles[0]} invites you")).to_be_visible()
        assert fits(page)
        page.get_by_role("button", name="Take a seat").click()
        page.wait_for_url(f"**/table/{table}")
    for page in people:
        page.locator(".bar").wait_for()
        assert fits(page)
    bob.get_by_role("button", name="The table").click()
    menu = bob.get_by_role("dialog")
    menu.get_by_role("button", name="Leave the game").click()
    menu.get_by_role("button", name="Leave the game").click()
    eventually(lambda: any(seat["left"] for seat in table_info(ann, table)["seats"]))


def play_rated(people: list[Page], server: Server) -> None:
    """A game to its end, which the last of them wins."""
    ann = people[0]
    table = before_the_end(ann, server, *people[1:])
    for page in people:
        page.goto(f"/table/{table}")
        page.locator(".bar").wait_for()
    ann.get_by_role("button", name="Build nothing").click()
    eventually(lambda: table_info(ann, table)["status"] == "finished")
    eventually(lambda: len(ann.request.get("/api/profile").json()["ratings"]) == 1)


def look_around(people: list[Page], handles: list[str]) -> None:
    """At each other's profile, at their own, and at the leaderboard."""
    for page, handle in zip(people, (*handles[1:], handles[0]), strict=True):
        page.goto(f"/u/{handle}")
        expect(page.get_by_role("heading", name=handle)).to_be_visible()
        assert fits(page)
    cyd = people[2]
    cyd.goto("/u")
    expect(cyd.get_by_role("link", name="1 won of 1").first).to_be_visible()
    expect(cyd.get_by_text("provisional").first).to_be_visible()
    assert fits(cyd)
    cyd.get_by_role("link", name="Leaderboard").click()
    expect(cyd.get_by_role("heading", name="Leaderboard")).to_be_visible()
    assert fits(cyd)


def carry(bob: Page, other: Page, handles: list[str]) -> None:
    """Take all that is stored along, and go on at another device."""
    bob.goto("/u")
    bob.get_by_role("button", name="Account").click()
    bob.get_by_text("Another device").click()
    bob.get_by_role("button", name="Make a link").click()
    link = bob.get_by_role("textbox", name="Another device").input_value()
    with bob.expect_download() as saved:
        bob.get_by_role("link", name="Save everything about me").click()
    about = json.loads(saved.value.path().read_text())
    assert about["contacts"] == [{"handle": handles[0], "kind": "followed"}]
    assert about["profiles"][0]["handle"] == handles[1]
    other.goto(link)
    other.get_by_role("button", name="Play here").click()
    expect(other.get_by_role("button", name="Play here")).to_have_count(0)
    other.goto("/u")
    expect(other.get_by_role("heading", name=handles[1])).to_be_visible()


def table_info(page: Page, table: str) -> Any:
    return page.request.get(f"/api/tables/{table}").json()["table"]
