"""A coach on request: off until it is switched on, and only for who plays alone."""

from playwright.sync_api import expect

from browsing import Sit


def test_a_coach_speaks_when_it_is_switched_on(player_at: Sit) -> None:
    player = player_at("nominate")
    page = player.page
    coach = page.locator("[data-coach]")
    expect(coach).to_have_count(0)

    def switch() -> None:
        page.get_by_role("button", name="The table", exact=True).click()
        page.get_by_role("checkbox", name="Coach").click()
        page.keyboard.press("Escape")

    switch()
    try:
        expect(coach).to_contain_text("Weigh two things")
        coach.get_by_role("button", name="Close").click()
        expect(coach).to_have_count(0)
        seq = player.seq()
        page.keyboard.press("h")
        player.bar.get_by_role("button", name="Do that").click()
        player.until_moved(seq)
    finally:
        switch()
    expect(coach).to_have_count(0)
