"""The table of Outpost: a turn planned as one, the market, labour, the Syndicate, keys, text."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import highvoltage as hv
from browsing import (
    SCREENS,
    Player,
    Sit,
    check_bar,
    check_keys,
    costs,
    imported,
    leave,
    open_page,
    show_in,
)
from highvoltage import words
from highvoltage.words import catalogue
from serving import Server
from spread import some

CORPUS = Path(__file__).parents[1] / "corpus"
RULEBOOK = "outpost"
RICH = 11  # the seed of a game in which Ann has 54 left after the first auction


def _amount(money: Locator) -> int:
    return int(money.inner_text().removeprefix("+").split("Ɇ")[0])


def _discount(game: hv.Game) -> bool:
    view: Any = game.view(0)
    return any(stall["tokens"] for stall in view["market"]["current"])


def _built(game: hv.Game) -> bool:
    view: Any = game.view(0)
    return any(city["building"] for city in view["cities"].values())


def _rich(game: hv.Game) -> bool:
    assert game.to_move is not None
    money: int = game.view(game.to_move)["players"][game.to_move]["money"]
    return money > 30


def _suggest(player: Player) -> None:
    player.button(".suggestion").first.click()
    player.settle()


def test_enter_never_throws_a_turn_away(player_at: Sit) -> None:
    player = player_at("company")
    nothing = player.button("[data-key=d]")
    expect(nothing).to_have_text("Do nothing this turn")
    player.page.locator("body").evaluate("() => document.activeElement?.blur()")
    player.page.keyboard.press("Enter")
    expect(player.button("[data-primary]")).to_have_count(0)
    assert player.wait() == "company"
    _suggest(player)
    expect(player.button("[data-primary]")).to_contain_text("Play the turn for")
    expect(nothing).to_have_class(re.compile("primary"))


def test_a_turn_is_planned_as_one_with_a_running_total(player_at: Sit) -> None:
    player = player_at("company", seed=RICH)
    page = player.page
    cash = page.locator(".player.you .cash .money")
    money = _amount(cash)
    lines = page.locator(".sheet li:has(button)")
    total = page.locator(".sheet .total .money").first
    costs = []
    for count in (1, 2, 3):
        before = _amount(total)
        _suggest(player)
        expect(lines).to_have_count(count)
        costs.append(_amount(lines.last.locator(".money")))
        assert _amount(total) >= before
    wages = page.locator(".sheet li", has_text="Hired").locator(".money")
    due = sum(costs) + (_amount(wages) if wages.count() else 0)
    assert _amount(total) == due
    play = player.button("[data-primary]")
    expect(play).to_contain_text(f"for {due} Ɇ")
    expect(play).to_contain_text(f"{money - due} left")
    lines.first.get_by_role("button").click()
    expect(lines).to_have_count(2)
    player.settle()
    due, seq = _amount(total), player.seq()
    play.click()
    player.until_moved(seq)
    page.wait_for_function("() => document.querySelector('.bar').dataset.asks !== 'company'")
    page.get_by_role("tab", name="Log").click()
    expect(page.get_by_role("log")).to_contain_text("builds in")
    if player.wait() == "bureaucracy":
        expect(cash).to_have_text(re.compile(rf"^\s*{money - due}Ɇ"))


def test_cities_and_slots_are_picked_on_the_map(player_at: Sit) -> None:
    player = player_at("company")
    page = player.page
    slot = page.locator(".special.plant.offered").first
    city = (slot.get_attribute("data-city") or "").split()[0]
    slot.click(force=True)
    expect(page.locator(".sheet li:has(button)")).to_have_count(1)
    expect(page.locator(".space.new, .kind .card.chosen").first).to_be_visible()
    page.locator(f"[data-city='{city}']").click(position={"x": 8, "y": 22})
    expect(page.locator(".sheet li:has(button)")).to_have_count(2)
    # The second building in one's own city needs no path.
    station = page.locator(".sheet li:has(button)").last.locator(".money")
    player.settle()
    assert _amount(station) == 10
    page.locator(f"[data-city='{city}']").click(position={"x": 8, "y": 22})
    expect(page.locator(".sheet li:has(button)")).to_have_count(1)


def stations(game: hv.Game) -> dict[str, int]:
    """What a station costs Ann in each city, by the rules."""
    connect = game.view(0)["connect"].items()
    return {city: prices["station"] for city, prices in connect if "station" in prices}


def test_costs_are_those_after_the_plan(player_at: Sit) -> None:
    page = player_at("company").page
    table = page.url.rpartition("/")[2]
    game = hv.replay(page.request.get(f"/api/tables/{table}/record").text())
    before = stations(game)
    assert costs(page) == before
    build = next(str(move) for move in game.legal_moves.choices if "station" in str(move))
    city = build.split()[-1]
    page.locator(f"[data-city='{city}']").click(position={"x": 8, "y": 22})
    game.play(build)
    assert stations(game) != before
    assert costs(page) == stations(game) | {city: before[city]}


@pytest.mark.parametrize(("seats", "cities"), some((4, 28), of=((3, 21), (4, 28), (5, 35))))
def test_only_the_areas_in_play_are_drawn(player_at: Sit, seats: int, cities: int) -> None:
    page = player_at("nominate_forced", seats=seats).page
    expect(page.locator(".city")).to_have_count(cities)
    expect(page.locator(".special")).to_have_count(cities)
    table = page.url.rpartition("/")[2]
    view = page.request.get(f"/api/tables/{table}").json()["view"]
    expect(page.locator(".costs text")).to_have_count(len(view["connections"]))
    for city in view["cities"].values():
        label = page.get_by_role("button", name=f"{city['name']}, {city['slot']}")
        expect(label).to_have_count(1)


def test_the_market_shows_stacks_discounts_and_lowest_bids(player_at: Sit) -> None:
    page = player_at("nominate_card", when=_discount).page
    stall = page.locator(".stall:has(.tag)").first
    stall.hover()
    number = int(re.sub(r"\D", "", stall.locator(".number").text_content() or ""))
    words = page.locator(".words")
    expect(words).to_contain_text("discount")
    discount = sum(map(int, re.findall("\N{MINUS SIGN}(\\d+)", words.text_content() or "")))
    assert discount
    expect(stall.locator(".tag")).to_have_text(f"from {number - discount}")
    expect(words).to_contain_text(f"lowest bid {number - discount}")


def test_technologies_say_what_they_do(player_at: Sit) -> None:
    page = player_at("nominate_forced").page
    page.locator(".market [data-card='10']").hover()
    expect(page.locator(".words")).to_contain_text("Each card you buy costs 5 less than your bid.")


def test_workers_are_hired_on_the_ladder(player_at: Sit) -> None:
    player = player_at("company", seed=RICH)
    page = player.page
    player.button(".suggestion[data-piece=plant]").first.click()
    hire, token = player.button("input"), page.locator(".labour button.token").first
    total = page.locator(".sheet .total .money").first
    expect(hire).to_have_value("0")
    player.settle()
    alone = total.inner_text()
    token.click()
    expect(hire).to_have_value("1")
    expect(total).not_to_have_text(alone, use_inner_text=True)
    token.click()
    expect(hire).to_have_value("0")
    expect(total).to_have_text(alone, use_inner_text=True)


def test_a_card_has_one_name(player_at: Sit) -> None:
    """In the log, in the bar, and where the server bids on it."""
    player = player_at("bid_card")
    page = player.page
    page.get_by_role("tab", name="Log").click()
    line = page.get_by_role("log").get_by_text(re.compile(r" nominates .* for \d+ Ɇ")).last
    card = line.inner_text().split(" nominates ")[1].split(" for ")[0]
    expect(player.bar).to_contain_text(f"{card[0].upper()}{card[1:]} stands at ")
    expect(player.bar).not_to_contain_text(re.compile(r"[Cc]ard \d"))


def test_refusals_say_why_and_link_to_the_rule(player_at: Sit) -> None:
    player = player_at("nominate_forced")
    page = player.page
    page.locator(".stall.future .card").last.click()
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text(re.compile(r"^\s*(Plant|Habitat) \d+[a-z]? is not on offer"))
    notice.get_by_role("button", name="Rule O-6.3").click()
    expect(page.get_by_role("dialog")).to_contain_text("Future cards cannot be nominated")


def test_a_slot_that_is_taken_says_why_not(player_at: Sit) -> None:
    page = player_at("company", seats=4, when=_built).page
    page.locator(".special.built").first.click(force=True)
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("is taken")
    expect(notice.get_by_role("button", name="Rule O-1.5.2")).to_be_visible()


def test_hints_are_sentences_and_can_be_undone(player_at: Sit) -> None:
    player = player_at("company", when=_rich)
    cash = player.page.locator(".player.you .cash")
    before = cash.inner_text()
    player.page.keyboard.press("h")
    hint = player.bar.get_by_role("status")
    expect(hint).to_contain_text(re.compile(r"^\s*Build in"))
    hint.get_by_role("button", name="Do that").click()
    expect(cash).not_to_have_text(before, use_inner_text=True)
    player.page.keyboard.press("u")
    expect(cash).to_have_text(before, use_inner_text=True)


def test_any_company_can_be_inspected(player_at: Sit) -> None:
    player = player_at("company", seats=2, seed=6)
    page = player.page
    page.get_by_role("button", name="Company of Syndicate").click()
    expect(page.get_by_role("region", name="Company of Syndicate")).to_be_visible()
    expect(page.get_by_role("group", name="This turn")).to_be_hidden()
    page.get_by_role("button", name="Company of Ann").click()
    expect(page.get_by_role("group", name="This turn")).to_be_visible()


def test_people_place_the_stations_of_the_syndicate(player_at: Sit) -> None:
    player = player_at("syndicate", seats=2, seed=6)
    page = player.page
    expect(player.bar).to_contain_text("Place a Syndicate station")
    city = page.locator(".city.offered").first
    name = (city.get_attribute("aria-label") or "").split(".")[0]
    city.dispatch_event("click")
    expect(player.button("[data-primary]")).to_contain_text(f"The Syndicate builds in {name}")
    seq = player.seq()
    page.keyboard.press("Enter")
    player.until_moved(seq)
    expect(page.get_by_role("button", name=f"{name}. Syndicate")).to_have_count(1)


@pytest.mark.long
def test_keys_alone_are_enough(player_at: Sit) -> None:
    kinds = ("nominate_forced", "nominate_card", "bid_card", "company", "bureaucracy")
    check_keys(player_at, kinds, _with_keys)


def _with_keys(player: Player, kind: str) -> None:
    page = player.page
    if kind == "nominate_forced":
        player.tab_to(".market .card.offered")
        page.keyboard.press("Enter")
        player.tab_to(".bar [data-primary]")
        page.keyboard.press("Enter")
    elif kind in {"nominate_card", "bid_card"}:
        page.keyboard.press("p")
    elif kind == "company":
        player.tab_to(".planet .offered")
        page.keyboard.press("Enter")
        for arrow in ("ArrowRight", "ArrowDown"):
            page.keyboard.press(arrow)
        assert page.evaluate("!!document.activeElement.closest('.planet [data-city]')")
        page.keyboard.press("d")
    else:
        page.locator("body").evaluate("() => document.activeElement?.blur()")
        page.keyboard.press("Enter")


@pytest.mark.long
def test_reconstructed_data_is_marked(player_at: Sit) -> None:
    page = player_at("nominate_forced").page
    expect(page.locator(".cards")).not_to_contain_text("reconstructed")
    page.get_by_role("button", name="The table").click()
    expect(page.locator("dialog")).to_contain_text("are reconstructed")
    with page.expect_popup() as opened:
        page.get_by_role("link", name="What that means").click()
    rule = opened.value.get_by_text("does not contain the printed card list")
    expect(rule).to_be_visible()


def _longest_words() -> list[str]:
    """The text on a technology that has a discount and lies on others, in every language."""
    found = []
    for language in words.LANGUAGES:
        texts: dict[str, Any] = catalogue.own(language)
        about = [
            texts["minimum_bid"].format(amount=31),
            texts["discount_tokens"].format(tokens="\N{MINUS SIGN}3 \N{MINUS SIGN}2"),
            texts["stack_of"].format(count=2),
        ]
        for key, effect in texts.items():
            if key.startswith("technology_") and key.endswith("_effect"):
                name = texts[key.removesuffix("_effect")]
                found.append(f"{name} (31). {effect} · {', '.join(about)}")
    return found


def test_the_market_keeps_its_height_whatever_text_is_below_it(player_at: Sit) -> None:
    page = player_at("nominate_forced").page
    show_in(page, (1280, 720))  # the narrowest column that we support
    taller = page.locator(".words").evaluate(
        """(words, said) => {
            const copy = words.parentElement.appendChild(words.cloneNode())
            const room = words.offsetHeight
            const taller = said.filter((each) => {
                copy.textContent = each
                return copy.offsetHeight > room
            })
            copy.remove()
            return taller
        }""",
        _longest_words(),
    )
    assert taller == []


@pytest.mark.long
def test_the_charts_agree_with_the_table(page_of_ann: Callable[[], Page]) -> None:
    page = page_of_ann()
    table = imported(page, (CORPUS / "outpost-4-players.txt").read_text())
    Player(page).go(f"/replay/{table}")
    page.get_by_role("tab", name="Charts").click()
    moves = len(page.request.get(f"/api/tables/{table}/log").json()["rows"])
    view = page.request.get(f"/api/tables/{table}/at/{moves}").json()["view"]
    for title, key in (("Cities.", "network"), ("Energy.", "energy")):
        chart = page.get_by_role("img", name=title)
        chart.wait_for()
        label = chart.get_attribute("aria-label") or ""
        for player in view["players"]:
            line = label.partition(f"{view['names'][player['seat']]}: ")[2].partition(";")[0]
            assert line.split(", ")[-1] == str(player[key])
    expect(page.get_by_text("wages")).to_be_visible()
    page.get_by_role("tab", name="Log").click()
    expect(page.get_by_role("log")).to_contain_text("powers")


@pytest.mark.long
def test_the_screen_is_handed_over_where_money_is_hidden(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    Player(page).check_hand_over("outpost", 3, 14)
    leave(page)


@pytest.mark.long
@pytest.mark.parametrize("screen", SCREENS)
def test_the_action_bar_never_moves(player_at: Sit, screen: str) -> None:
    kinds = ("nominate_forced", "nominate_card", "company", "bureaucracy")
    check_bar(player_at, kinds, seats=5, size=SCREENS[screen], auto=False)


PLAY = {"pl": "Zagraj turę", "cs": "Zahrát tah", "sr-Latn": "Odigraj potez", "de": "Zug spielen"}


@pytest.mark.long
@pytest.mark.parametrize("language", some("sr-Latn", of=PLAY))
def test_every_language_is_shown(player_at: Sit, language: str) -> None:
    player = player_at("company", language=language)
    player.button(".suggestion").first.evaluate("button => button.click()")
    expect(player.button("[data-primary]")).to_contain_text(PLAY[language])
