"""A cup, walked by three people on three devices."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import DESKTOP, PHONE, check_access, complaints, leave, open_page
from serving import Server


def fits(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.long
def test_three_people_play_a_cup(server: Server, browser: Browser) -> None:
    ann, bob, cyd = (open_page(browser, server.url, size) for size in (DESKTOP, PHONE, PHONE))
    ann.goto("/")
    ann.get_by_role("link", name=re.compile("^Cups")).click()
    expect(ann.get_by_text("You have not made or joined a cup yet.")).to_be_visible()
    ann.get_by_label("Name of the cup").fill("Winter cup")
    ann.get_by_label("Seats at a table").select_option("3")
    ann.get_by_label("Rounds").fill("2")
    ann.get_by_text("Options: as in the rulebook").click()
    ann.get_by_label("Money").select_option("hidden")
    expect(ann.get_by_text("Options: Money")).to_be_visible()
    assert fits(ann)
    ann.get_by_role("button", name="Make a cup").click()
    expect(ann.get_by_role("heading", name="Winter cup")).to_be_visible()
    expect(ann.get_by_text("Points by place: 10, 7, 5.")).to_be_visible()
    expect(ann.get_by_text("Money")).to_be_visible()
    assert re.search(r"/cup/[\w-]+$", ann.url)
    for number, page in enumerate((ann, bob, cyd), 1):
        page.goto(ann.url)
        page.get_by_role("button", name="Sign up").click()
        expect(page.get_by_role("button", name="Withdraw")).to_be_visible()
        expect(page.get_by_role("heading", name=f"Players: {number}")).to_be_visible()
    assert fits(bob)
    ann.get_by_role("button", name="Begin the cup now").click()
    for page in (ann, bob, cyd):
        expect(page.get_by_text("Round 1 of 2 is being played")).to_be_visible()
        expect(page.get_by_role("heading", name=re.compile("^Table 1"))).to_be_visible()
    check_access(cyd, "cup in a round")
    assert fits(cyd)
    bob.get_by_role("link", name="To your table").first.click()
    expect(bob).to_have_url(re.compile("/table/"))
    expect(bob.get_by_text("Winter cup · 1").first).to_be_visible()
    bob.go_back()
    ann.get_by_role("button", name="End the cup").click()
    ann.get_by_role("button", name="End the cup").click()
    for page in (ann, bob, cyd):
        expect(page.get_by_text("The cup is over")).to_be_visible()
        assert complaints(page) == []
        leave(page)


@pytest.mark.long
def test_two_people_meet_in_a_club(server: Server, browser: Browser) -> None:
    ann, bob = (open_page(browser, server.url, size) for size in (DESKTOP, PHONE))
    ann.goto("/cups")
    ann.get_by_label("Name of the club").fill("Volt")
    ann.get_by_role("button", name="Make a club").click()
    expect(ann.get_by_role("heading", name="Ladder")).to_be_visible()
    bob.goto(ann.url)
    expect(bob.get_by_text("Only its members see what is in it.")).to_be_visible()
    expect(bob.get_by_role("heading", name="Chat")).to_have_count(0)
    bob.get_by_role("button", name="Join the club").click()
    bob.get_by_label("Say something").fill("Hello, Ann")
    bob.get_by_role("button", name="Send").click()
    expect(ann.get_by_text("Hello, Ann")).to_be_visible()
    expect(ann.get_by_role("button", name=re.compile("^Remove: "))).to_have_count(1)
    ann.get_by_label("Name of the cup").fill("Cup of the club")
    ann.get_by_role("button", name="Make a cup").click()
    expect(ann.get_by_role("link", name="To the club")).to_be_visible()
    bob.get_by_role("link", name="Cup of the club").click()
    bob.get_by_role("button", name="Sign up").click()
    expect(bob.get_by_role("button", name="Withdraw")).to_be_visible()
    bob.go_back()
    check_access(bob, "club")
    assert fits(bob)
    for page in (ann, bob):
        assert complaints(page) == []
        leave(page)
