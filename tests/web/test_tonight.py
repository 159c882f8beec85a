"""Tonight: two people on two devices find each other."""

import re

from playwright.sync_api import Browser, expect

from browsing import DESKTOP, PHONE, check_access, complaints, leave, open_page
from serving import Server


def test_two_people_find_a_game(server: Server, browser: Browser) -> None:
    pages = [open_page(browser, server.url, size) for size in (PHONE, DESKTOP)]
    for page in pages:
        page.goto("/")
        page.get_by_role("link", name="Find me a game").click()
        expect(page.get_by_role("heading", name="Open seats")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        check_access(page, "tonight")
        page.get_by_label("Rulebook").select_option("Power Grid: The Card Game")
        page.get_by_label("Players").select_option("3")
        page.get_by_label("Wait for people").select_option("60 min")
        page.get_by_role("button", name="Find me a game").click()
        expect(page.get_by_role("timer")).to_have_text(re.compile(r"in 5\d:\d\d: Clerk"))
    assert pages[0].url == pages[1].url
    for page in pages:
        expect(page.get_by_role("button", name="Stand up")).to_have_count(1)
        expect(page.get_by_text("waiting for somebody")).to_have_count(1)
        assert complaints(page) == []
        leave(page)
