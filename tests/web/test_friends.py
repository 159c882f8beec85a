"""People who follow, invite and block each other, on two devices."""

import re
from datetime import UTC, datetime, timedelta
from secrets import token_hex

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import DESKTOP, PHONE, check_access, complaints, leave, open_page
from highvoltage.puzzles import shipped
from serving import Server


def choose_handle(page: Page) -> str:
    handle = f"h{token_hex(5)}"
    page.goto("/u")
    page.get_by_label("Handle").first.fill(handle)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    return handle


def test_two_people_follow_and_invite_each_other(server: Server, browser: Browser) -> None:
    ann, bob = (open_page(browser, server.url, size) for size in (DESKTOP, PHONE))
    of_ann, of_bob = choose_handle(ann), choose_handle(bob)
    bob.get_by_placeholder("Handle").fill(of_ann)
    bob.get_by_role("button", name="Follow", exact=True).click()
    expect(bob.get_by_text("at no public table now")).to_be_visible()
    check_access(bob, "profile with people")
    assert bob.evaluate("document.documentElement.scrollWidth <= innerWidth")
    body = {"rulebook": "classic", "seats": [{"kind": "me"}, {"kind": "open"}], "public": True}
    table = ann.request.post("/api/tables", data=body).json()["id"]
    bob.goto("/tonight")
    followed = bob.get_by_role("region", name="People you follow")
    expect(followed.get_by_role("link", name=of_ann)).to_be_visible()
    expect(followed.locator(f'a[href$="/table/{table}"]')).to_be_visible()
    ann.goto(f"/table/{table}")
    ann.get_by_label("Or invite somebody by handle:").fill(of_bob)
    ann.get_by_role("button", name="Invite", exact=True).click()
    expect(ann.get_by_text(f"{of_bob} is invited.")).to_be_visible()
    check_access(ann, "table with an invitation")
    bob.goto("/")
    expect(bob.get_by_role("link", name=f"{of_ann} invites you")).to_be_visible()
    check_access(bob, "first page with an invitation")
    assert bob.evaluate("document.documentElement.scrollWidth <= innerWidth")
    bob.get_by_role("button", name="Decline").click()
    expect(bob.get_by_role("heading", name="Invitations")).to_have_count(0)
    bob.goto(f"/u/{of_ann}")
    bob.get_by_role("button", name="Block").click()
    expect(bob.get_by_role("button", name="Stop blocking")).to_be_visible()
    expect(bob.get_by_role("button", name="Follow")).to_have_count(0)
    bob.get_by_role("button", name="Stop blocking").click()
    expect(bob.get_by_role("button", name="Follow")).to_be_visible()
    ann.request.delete(f"/api/tables/{table}")
    body["seats"].append({"kind": "open"})  # type: ignore[attr-defined]  # it is a list
    again = ann.request.post("/api/tables", data=body).json()["id"]
    ann.request.post("/api/invitations", data={"table": again, "handle": of_bob})
    bob.goto("/")
    bob.get_by_role("button", name="Take a seat").click()
    bob.wait_for_url(f"**/table/{again}")
    for page in (ann, bob):
        assert complaints(page) == []
        leave(page)


@pytest.mark.long
def test_a_holiday_is_seen_at_the_table_and_in_the_list(server: Server, browser: Browser) -> None:
    ann, bob = (open_page(browser, server.url, size) for size in (DESKTOP, PHONE))
    seats = [{"kind": "me"}, {"kind": "open"}]
    pace = {"kind": "move", "seconds": 172_800}
    body = {"rulebook": "classic", "seats": seats, "pace": pace, "seed": 3}  # Bob begins
    table = ann.request.post("/api/tables", data=body).json()["id"]
    bob.request.post(f"/api/tables/{table}/join", data={})
    ann.goto(f"/table/{table}")
    expect(ann.get_by_text(re.compile(r"^(47:59|48:00):\d\d$")).first).to_be_visible()
    bob.goto("/u")
    today = datetime.now(UTC).date()
    last = today + timedelta(days=3)
    for label, day in (("First day", last), ("Last day", last)):
        bob.get_by_label(label).fill(day.isoformat())
    bob.get_by_role("button", name="Be away").click()
    expect(bob.get_by_role("button", name="End it")).to_be_visible()
    bob.get_by_label("First day").fill(today.isoformat())
    bob.get_by_label("Last day").fill(last.isoformat())
    bob.get_by_role("button", name="Be away").click()
    expect(bob.get_by_text("You are away then already.")).to_be_visible()
    complaints(bob).clear()  # about the refusal
    calendar = bob.get_by_role("region", name="Calendar")
    expect(calendar.locator(f'a[href$="/table/{table}"]')).to_be_visible()
    calendar.get_by_role("button", name="Make an address").click()
    address = calendar.get_by_role("textbox").input_value()
    file = ann.request.get(address)
    assert file.headers["content-type"].startswith("text/calendar")
    assert "your turn" in file.text()
    check_access(bob, "profile with a calendar and holidays")
    assert bob.evaluate("document.documentElement.scrollWidth <= innerWidth")
    bob.get_by_role("button", name="End it").click()
    expect(bob.get_by_role("button", name="End it")).to_have_count(0)
    bob.get_by_label("First day").fill(today.isoformat())
    bob.get_by_label("Last day").fill(last.isoformat())
    bob.get_by_role("button", name="Be away").click()
    away = f"away until {last:%b} {last.day}, {last.year}"
    expect(ann.get_by_text(away)).to_be_visible()
    check_access(ann, "table with a holiday")
    ann.goto("/")
    expect(ann.get_by_role("link").filter(has_text=away)).to_be_visible()
    for page in (ann, bob):
        assert complaints(page) == []
        leave(page)


@pytest.mark.long
def test_a_guest_comes_to_another_device_by_link_with_what_they_have(
    server: Server, browser: Browser
) -> None:
    ann, phone = (open_page(browser, server.url, size) for size in (DESKTOP, PHONE))
    puzzle = shipped()[0]
    body = {"puzzle": puzzle.name, "moves": puzzle.answers[:1]}
    assert ann.request.post("/api/solved-puzzles", data=body).ok
    handle = choose_handle(ann)
    solved = "Solved: 1"
    expect(ann.get_by_text(solved)).to_be_visible()
    ann.get_by_role("button", name="Account").click()
    ann.get_by_text("Another device").click()
    ann.get_by_role("button", name="Make a link").click()
    link = ann.get_by_role("textbox", name="Another device").input_value()
    phone.goto(link)
    check_access(phone, "a link from another device")
    phone.get_by_role("button", name="Play here").click()
    phone.wait_for_url(f"{server.url}/")
    phone.goto("/u")
    expect(phone.get_by_role("heading", name=handle)).to_be_visible()
    expect(phone.get_by_text(solved)).to_be_visible()
    phone.goto(link)  # it works once
    phone.reload()
    phone.get_by_role("button", name="Play here").click()
    expect(phone.get_by_role("alert")).to_be_visible()
    complaints(phone).clear()  # about the refusal
    for page in (ann, phone):
        assert complaints(page) == []
        leave(page)
