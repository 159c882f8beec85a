"""The table of the card game: choices, messages, and what is shown at the end."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import highvoltage as hv
from browsing import (
    DESKTOP,
    PHONE,
    SCREENS,
    Player,
    Sit,
    Size,
    check_bar,
    check_keys,
    choose,
    imported,
    leave,
    open_page,
    open_part,
)
from highvoltage.table.preview import preview_moves
from serving import Server
from spread import sizes, some

CORPUS = Path(__file__).parents[1] / "corpus"
RULEBOOK = "cardgame"


def test_the_basket_shows_its_cost_and_what_is_left(player_at: Sit) -> None:
    player = player_at("fuel_cards")
    page = player.page
    money = int(page.locator(".tableau dd .money").inner_text().split()[0].rstrip("Ɇ"))
    card = page.locator(".column:nth-child(n+2) .fuelcard.offered").last
    price = int(card.get_attribute("title").rsplit(", ", 1)[1].split()[0])  # type: ignore[union-attr]
    card.click()
    expect(page.locator(".fuelcard.chosen")).to_have_count(1)
    buy = player.button("[data-primary]")
    expect(buy).to_contain_text(f"for {price} Ɇ")
    expect(buy).to_contain_text(f"{money - price} left")
    page.locator(".fuelcard.chosen").click()
    expect(buy).to_have_text("Done")
    page.locator(".column:nth-child(n+2) .fuelcard.offered").last.click()
    seq = player.seq()
    buy.click()
    player.until_moved(seq)
    expect(page.locator(".tableau .store .fuelcard").first).to_be_visible()
    expect(page.locator(".tableau dd .money")).to_contain_text(str(money - price))


def too_much(game: hv.Game) -> list[str]:
    """Cards with more units than fit; Ann buys last, so nobody can take what is left."""
    seen = game.view(0)
    if seen["order"][0] != 0:
        return []
    room = seen["players"][0]["room"]
    return [
        f"{card['fuel']} {card['units']} from {price}"
        for price, column in enumerate(seen["fuel"]["columns"], 1)
        for card in column
        if 0 < room[card["fuel"]] < card["units"]
    ]


def test_surplus_units_are_shown_where_they_will_lie(player_at: Sit) -> None:
    cards: list[str] = []

    def leaves_some(game: hv.Game) -> bool:
        cards[:] = too_much(game)
        return bool(cards)

    player = player_at("fuel_cards", when=leaves_some, auto=False)
    page = player.page
    singles = page.locator(".singles > .fuelcard").count()
    page.locator(f".offered[data-fuel-pick='{cards[0]}']").first.click()
    expect(page.locator(".over .fuelcard")).not_to_have_count(0)
    expect(player.bar).to_contain_text("too much, goes to column 1")
    player.settle()
    over = page.locator(".over .fuelcard").count()
    seq = player.seq()
    player.button("[data-primary]").click()
    player.until_moved(seq)
    expect(page.locator(".singles > .fuelcard")).to_have_count(singles + over)


def test_a_card_that_does_not_fit_says_why(player_at: Sit) -> None:
    player = player_at("fuel_cards")
    page = player.page
    page.locator(".fuelcard.dim").first.click()
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("Your plants have no room for more")
    notice.get_by_role("button", name="Rule KR-19").click()
    expect(page.get_by_role("dialog")).to_contain_text("at least one unit must fit")


def test_a_plant_of_the_future_market_says_why_not(player_at: Sit) -> None:
    player = player_at("nominate")
    player.page.locator(".market .future .card").first.click()
    notice = player.page.get_by_role("alert")
    expect(notice).to_contain_text("is not on offer")
    expect(notice.get_by_role("button", name="Rule K-4.2.3")).to_be_visible()


def test_ending_a_turn_with_idle_plants_needs_confirmation(player_at: Sit) -> None:
    player = player_at("fuel_cards", when=lambda game: bool(preview_moves(game, 0, []).idle))
    seq = player.seq()
    player.page.keyboard.press("d")
    expect(player.bar.locator(".doubt")).to_contain_text("will not run")
    assert player.seq() == seq
    player.page.keyboard.press("d")
    player.until_moved(seq)


def test_plants_run_for_the_income_that_is_shown(player_at: Sit) -> None:
    player = player_at("run")
    page = player.page
    run = player.button("[data-primary]")
    best = run.inner_text()
    page.locator(".bar .toggle.on").first.click()
    expect(run).not_to_have_text(best)
    expect(player.bar).to_contain_text("You could earn")
    page.locator(".bar .toggle:not(.on):enabled").first.click()
    expect(run).to_have_text(best)
    seq = player.seq()
    run.click()
    player.until_moved(seq)
    page.get_by_role("tab", name="Log").click()
    expect(page.get_by_role("log")).to_contain_text(f"earns {best.split()[3]} Ɇ")


@pytest.mark.long
def test_a_hint_can_be_followed_and_taken_back(player_at: Sit) -> None:
    player = player_at("fuel_cards", auto=False)
    money = player.page.locator(".tableau dd .money")
    before = money.inner_text()
    player.page.keyboard.press("h")
    hint = player.bar.get_by_role("status")
    expect(hint).to_contain_text("from column")
    expect(player.page.locator(".fuelcard.hinted")).to_have_count(1)
    player.bar.get_by_role("button", name="Do that").click()
    expect(money).not_to_have_text(before)
    player.page.keyboard.press("u")
    expect(money).to_have_text(before)


@pytest.mark.long
def test_keys_alone_are_enough(player_at: Sit) -> None:
    check_keys(player_at, ("nominate", "bid", "fuel_cards", "run", "scrap"), _with_keys)


def _with_keys(player: Player, kind: str) -> None:
    page = player.page
    if kind == "bid":
        page.keyboard.press("p")
    elif kind in {"nominate", "fuel_cards"}:
        player.tab_to(".card.offered" if kind == "nominate" else ".fuelcard.offered")
        page.keyboard.press("Enter")
        player.tab_to(".bar [data-primary]")
        page.keyboard.press("Enter")
    elif kind == "scrap":
        player.tab_to(".bar .moves button")
        page.keyboard.press("Enter")
    else:
        page.evaluate("document.activeElement?.blur()")
        page.keyboard.press("Enter")


def test_two_players_see_what_the_bank_takes_and_why(player_at: Sit) -> None:
    player = player_at("fuel_cards", seats=2)
    page = player.page
    bank = page.locator(".stranger")
    expect(page.locator(".director").nth(1)).to_contain_text("Bank")
    expect(bank.locator(".chip")).to_have_count(1)
    expect(bank).to_contain_text("for one run of its plants")
    assert player.play("run") == "run"
    page.get_by_role("tab", name="Log").click()
    log = page.get_by_role("log")
    expect(log).to_contain_text("The Bank takes plant")
    expect(log).to_contain_text("the highest on offer")


def before_the_end(game: hv.Game) -> bool:
    return bool(game.state.round == 6)


@pytest.mark.long
def test_the_end_is_announced_and_counted(player_at: Sit) -> None:
    options = {"demolition": True}
    player = player_at("nominate", seats=2, when=before_the_end, options=options)
    page = player.page
    while player.play(most=1) != "over":
        player.settle()
        last = page.locator(".last", has_text="Last round.").is_visible()
        assert last == (page.locator(".head .round").inner_text().endswith("Last round"))
    assert last
    sheet = page.get_by_role("dialog").locator("tbody tr")
    expect(sheet).to_have_count(2)
    for row in sheet.all():
        cells = row.locator("td").all_inner_texts()
        assert int(cells[3]) + int(cells[4]) == int(cells[5])
    page.keyboard.press("Escape")
    expect(page.locator(".sheet table")).to_be_visible()
    page.get_by_role("tab", name="Log").click()
    expect(page.get_by_role("log")).to_contain_text("exactly one more round follows")


@pytest.mark.long
@pytest.mark.parametrize("language", ["pl", "cs", "sr-Latn", "de"])
def test_no_text_is_left_in_english(player_at: Sit, language: str) -> None:
    player = player_at("run", language=language)
    player.page.get_by_role("tab").nth(1).click()
    texts = player.page.locator("main, .bar").all_inner_texts()
    for english in ("column", "market", "plant", "earn", "round", "buys"):
        assert english not in " ".join(texts).lower().replace("plant 5", ""), english


@pytest.mark.long
def test_a_replay_shows_the_table_and_charts_that_fit(page_of_ann: Callable[[Size], Page]) -> None:
    for size in (DESKTOP, PHONE):
        page = page_of_ann(size)
        table = imported(page, (CORPUS / "cardgame-4-players.txt").read_text())
        Player(page).go(f"/replay/{table}")
        page.get_by_role("table", name="Score sheet").wait_for()
        page.get_by_role("tab", name="Charts").click()
        for title in ("Income in the round", "What all plants could earn", "Money at the end"):
            expect(page.get_by_role("img", name=title)).to_be_visible()
        page.evaluate("document.activeElement?.blur()")
        page.keyboard.press("Home")
        expect(page.locator(".tableau")).to_be_visible()


def _changed(page: Page, change: Callable[[dict[str, Any]], None]) -> Any:
    """The shipped cards with a change, as a file."""
    cards: dict[str, Any] = page.request.get("/api/cards/cardgame").json()
    change(cards)
    text = json.dumps(cards).encode()
    return {"name": "mine.json", "mimeType": "application/json", "buffer": text}


@pytest.mark.long
def test_custom_cards_are_played(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    page.goto("/new")
    page.get_by_label("Seat 2").select_option("clerk")
    choose(page, "Rulebook", "Power Grid: The Card Game")
    open_part(page, "Options")
    chosen = page.get_by_label("Choose a file")
    chosen.set_input_files({"name": "no.json", "mimeType": "application/json", "buffer": b"{"})
    expect(page.get_by_role("alert")).to_contain_text("no.json is not a JSON file.")

    def too_few(cards: dict[str, Any]) -> None:
        cards["plants"].pop()

    chosen.set_input_files(_changed(page, too_few))
    page.get_by_test_id("play").click()
    expect(page.get_by_role("alert")).to_contain_text("(A-V1)")

    def printed(cards: dict[str, Any]) -> None:
        for row in [*cards["plants"], *cards["resources"]["cards"]]:
            del row["source"]
        for side in cards["demolition"].values():
            for row in side.get("cards", []):
                del row["source"]

    page.get_by_label("mine.json").set_input_files(_changed(page, printed))
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_test_id("play").click()
    page.get_by_role("button", name="The table").click()
    expect(page.locator("dialog")).to_contain_text("Hand this seat over")
    expect(page.locator("dialog")).not_to_contain_text("reconstructed")
    leave(page)


@pytest.mark.parametrize("decisions", sizes(4, 8))
def test_the_screen_is_handed_over_where_money_is_hidden(
    server: Server, browser: Browser, decisions: int
) -> None:
    page = open_page(browser, server.url)
    Player(page).check_hand_over("cardgame", 2, decisions)
    leave(page)


@pytest.mark.long
@pytest.mark.parametrize("screen", some("phone", of=SCREENS))
def test_the_action_bar_never_moves(player_at: Sit, screen: str) -> None:
    check_bar(player_at, ("nominate", "fuel_cards", "run"), seats=6, size=SCREENS[screen])
