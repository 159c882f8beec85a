"""What happens is staged: one can follow it, skip it, switch it off, and nothing waits for it."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

from browsing import Player


def test_the_card_under_the_hammer_comes_forward(player_at: Callable[..., Player]) -> None:
    player = player_at("bid")
    page = player.page
    stage = page.get_by_role("region", name="under the hammer")
    expect(stage.get_by_text("leads")).to_be_visible()
    expect(stage.get_by_role("listitem")).to_have_count(3)
    for control in (r"Raise to \d+", r"My limit \d+", "I'm out"):
        expect(player.bar.get_by_role("button", name=re.compile(control))).to_have_count(1)
    page.keyboard.press("s")
    stage.get_by_role("button", name="Bring forward").click()
    page.get_by_role("button", name="Stage").click()
    expect(stage).to_have_count(0)
    page.get_by_role("button", name="Stage").click()
    expect(stage).to_have_count(1)


def test_bids_fall_one_by_one_and_nothing_waits_for_them(player_at: Callable[..., Player]) -> None:
    player = player_at("bid")
    page = player.page
    page.emulate_media(reduced_motion="no-preference")
    player.button("[data-key=p]").click()
    expect(page.locator(".stage.sold")).to_be_visible()
    page.keyboard.press("s")
    expect(page.locator(".stage").get_by_role("button", name="Skip")).to_have_count(0)
    player.wait()
    page.emulate_media(reduced_motion="reduce")
