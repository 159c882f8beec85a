"""The rules on the page: how to play, and one click away every rule."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import Player, complaints, leave, open_page
from serving import Server


@pytest.fixture
def page(page_of_ann: Callable[[], Page]) -> Page:
    return page_of_ann()


@pytest.mark.long
def test_how_to_play_leads_to_the_rules_and_back(page: Page) -> None:
    Player(page).go("/rules/classic")
    expect(page.get_by_role("heading", name="how to play")).to_be_visible()
    drawing = page.get_by_role("img", name="Plant 14")
    expect(drawing).to_have_js_property("naturalWidth", 372)
    page.get_by_role("button", name="C-4.3.1", exact=True).first.click()
    expect(page).to_have_url("/rules/classic/C-4.3.1")
    expect(page.get_by_text("If the nominator is the only eligible player")).to_be_in_viewport()
    page.get_by_role("button", name="How to play").click()
    expect(page.get_by_role("heading", name="how to play")).to_be_visible()


@pytest.mark.long
def test_the_whole_or_only_the_summary_can_be_printed(page: Page) -> None:
    Player(page).go("/rules/classic")
    page.evaluate("window.print = () => undefined")
    title = page.get_by_role("heading", name="how to play")
    summary = page.get_by_role("heading", name="In short")
    for button, whole in (("Print", True), ("Print the summary", False)):
        page.get_by_role("button", name=button, exact=True).click()
        page.emulate_media(media="print")
        expect(summary).to_be_visible()
        expect(title).to_be_visible(visible=whole)
        expect(page.get_by_role("button", name=button, exact=True)).to_be_hidden()
        sheets = re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))
        assert (len(sheets) > 1) is whole
        page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="print")
    expect(title).to_be_visible()


def test_rules_can_be_searched_and_opened_at_a_rule(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)  # people follow such links without having been here
    page.goto("/rules/classic/C-4.5.1")
    rule = page.get_by_text("The winner pays the bid to the bank")
    expect(rule).to_be_in_viewport()
    page.get_by_role("searchbox").fill("hybrid coal oil")
    expect(page.get_by_role("status")).to_contain_text("result")
    expect(rule).to_be_hidden()
    assert complaints(page) == []
    leave(page)
