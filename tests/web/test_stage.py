"""What happens is staged: one can follow it, skip it, switch it off, and nothing waits for it."""

import re
from collections.abc import Callable

from playwright.sync_api import expect

import highvoltage as hv
from browsing import Player
from highvoltage import bots


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


def _is_last(game: hv.Game) -> bool:
    """If Ann builds no more the game is over before she is asked again."""
    if max(len(player["cities"]) for player in game.view()["players"]) < 12:
        return False
    after = game.copy()
    after.play("done")
    while after.to_move not in {None, 0}:
        after.play(str(bots.ask(bots.make("clerk", 1), after).move))
    return after.outcome is not None


def test_the_end_says_who_won_and_by_what(player_at: Callable[..., Player]) -> None:
    player = player_at("building", seats=2, when=_is_last)
    player.button("[data-key=d]").click()
    dialog = player.page.get_by_role("dialog")
    expect(dialog).to_contain_text(re.compile("(Ann|Bea) has won!"))
    expect(dialog).to_contain_text(re.compile(r"(Supplied|Money): \d+ to \d+"))
    for name in ("Play again", "Copy the link", "Analyse the game"):
        expect(dialog.get_by_role("button", name=name)).to_be_visible()
    with player.page.expect_download() as download:
        dialog.get_by_role("button", name="Picture").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    dialog.get_by_role("button", name="Close").click()
