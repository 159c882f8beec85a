"""The game in a browser without a server: from an empty profile, with every connection refused."""

import base64
import json
import re
import zlib

import pytest
from playwright.sync_api import Browser, Page, expect

import highvoltage as hv
from browsing import DESKTOP, PHONE, Player, Size
from static_site import (
    ROOT,
    Site,
    kill,
    profile,
    show,
    sit_down,
    wait_until_kept,
)

BUDGET = 8_000_000  # bytes up to the first move, compressed


def first_move(page: Page) -> int:
    """Begin a game, before its engine is here, and make a move; return how many were made."""
    start = page.get_by_test_id("play")
    start.wait_for()
    expect(page.locator(".notices progress")).to_be_visible()
    start.click()
    player = Player(page)
    player.wait()
    player.play(most=1)
    return player.seq()


@pytest.mark.long
def test_a_game_is_played_without_a_server(browser: Browser, site: Site) -> None:
    with profile(browser, site) as person:
        assert first_move(person.tab()) > 0


@pytest.mark.long
def test_a_game_goes_on_without_a_network(
    browser: Browser, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    """A killed tab and a lost network change nothing."""
    with profile(browser, site) as person:
        page = person.tab()
        seq = first_move(page)
        sizes = site.size()
        with capsys.disabled():
            print(f"\nfetched up to the first move: {sum(sizes.values()):,} bytes (gzip -9)")
        assert sum(sizes.values()) < BUDGET, sizes
        wait_until_kept(page)
        table = page.url
        site.stop()
        kill(page)

        page = person.tab()
        page.locator(".list a").first.click()
        assert page.url == table
        player = Player(page)
        player.wait()
        assert player.seq() >= seq
        player.play(most=1)
        assert player.seq() > seq


@pytest.mark.long
@pytest.mark.parametrize(
    ("rulebook", "bots", "size"),
    [
        ("classic", ["engineer", "clerk"], DESKTOP),
        ("recharged", ["apprentice", "director"], PHONE),
        ("cardgame", ["random", "engineer"], PHONE),
        ("outpost", ["clerk", "apprentice"], DESKTOP),
    ],
)
def test_a_whole_game_survives_three_killed_tabs(
    browser: Browser, site: Site, rulebook: str, bots: list[str], size: Size
) -> None:
    with profile(browser, site, size) as person:
        page = person.tab()
        wait_until_kept(page)
        site.stop()
        page.reload()
        player = sit_down(page, rulebook, bots)
        path = page.url.partition("#")[2]
        for moves in (3, 9, 6):
            player.wait()
            player.play(most=moves)
            seq = player.seq()
            kill(page)
            page = person.tab(path)
            player = Player(page)
            player.wait()
            assert player.seq() >= seq
        assert player.play() == "over"
        expect(page.get_by_role("dialog")).to_contain_text("Play again")
        page.goto(site.url)
        page.locator(".list a").first.click()
        expect(page).to_have_url(re.compile("#/replay/"))
        count = page.locator(".bar output")
        expect(count).to_have_text(re.compile(r"^(\d+) / \1$"))
        page.keyboard.press("Home")
        expect(count).to_have_text(re.compile(r"^0 / "))
        with page.expect_download() as file:
            page.get_by_role("button", name="Download the record").click()
        game = hv.replay(file.value.path().read_text())
        assert game.outcome
        assert game.rules.name == rulebook


@pytest.mark.long
def test_everything_else_works_without_a_network(browser: Browser, site: Site) -> None:
    """Analysis, puzzle, lesson, own map, rules; in a tab that was never online."""
    with profile(browser, site) as person:
        first = person.tab()
        wait_until_kept(first)
        site.stop()
        first.close()
        page = person.tab("/rules/classic")
        page.locator("main img").first.wait_for()

        show(page, "/")
        record = ROOT / "tests" / "corpus" / "cardgame-3-players.txt"
        page.locator("input[type=file]").set_input_files(record)
        page.wait_for_url(re.compile("#/replay/"))
        page.get_by_role("tab", name="Analysis").click()
        page.get_by_role("button", name="Analyse the game").click()
        expect(page.get_by_text(re.compile(r"going through the game: [1-9]"))).to_be_visible()

        show(page, "/puzzles")
        page.locator("main ol a").first.click()
        Player(page).wait()
        page.get_by_role("button", name="Show the answer").click()
        expect(page.get_by_role("dialog", name="The answer")).to_be_visible()

        show(page, "/tutorial/recharged")
        page.locator(".coach").wait_for()
        Player(page).wait()

        board = json.loads((ROOT / "src/highvoltage/maps/benelux.json").read_text())
        board |= {"id": "mine", "name": "Mine"}
        player = sit_down(page, "classic", ["clerk"], map=board)
        player.wait()
        player.play("building")
        assert page.locator(".city").count() == len(board["cities"])


@pytest.mark.long
def test_a_link_holds_a_game_that_goes_on_against_the_tycoon(browser: Browser, site: Site) -> None:
    record = (ROOT / "tests" / "corpus" / "classic-money-hidden.txt").read_bytes()
    record = record.replace(b'money: "hidden"', b'money: "open"')  # what the tycoon knows
    packed = zlib.compress(record, wbits=-zlib.MAX_WBITS)
    code = base64.urlsafe_b64encode(packed).rstrip(b"=").decode()
    with profile(browser, site) as person:
        page = person.context.new_page()
        page.goto(f"{site.url}#game={code}&move=41")
        slider = page.get_by_role("slider", name="Move")
        slider.wait_for()  # for the engine
        expect(slider).to_have_value("41")
        page.get_by_role("button", name="Play on from here").click()
        seats = page.locator("dialog select")
        expect(seats).to_have_count(2)
        for seat in range(2):
            if seats.nth(seat).input_value() != "me":
                seats.nth(seat).select_option("tycoon")
        page.get_by_role("dialog").get_by_role("button", name="Play on from here").click()
        page.wait_for_url(re.compile("#/table/here-"))
        player = Player(page)
        player.wait()
        seq = player.seq()
        while not any(path.endswith("classic.safetensors") for path in site.fetched):
            assert player.play(most=1) != "over"
        assert player.play(most=1)
        assert player.seq() > seq


@pytest.mark.long
def test_on_boards_with_rules_of_their_own_the_tycoon_plays_by_another_network(
    browser: Browser, site: Site
) -> None:
    with profile(browser, site) as person:
        page = person.tab()
        player = sit_down(page, "classic", ["tycoon", "tycoon"], map="korea")
        player.wait()
        assert player.play("fuel")
        assert any(path.endswith("classic-boards.safetensors") for path in site.fetched)
        expect(page.get_by_text(re.compile("Tycoon.* buys in the market")).first).to_be_attached()


@pytest.mark.long
def test_one_tab_leads_and_the_others_follow(browser: Browser, site: Site) -> None:
    with profile(browser, site) as person:
        leader = person.tab()
        player = sit_down(leader, "classic", ["clerk", "clerk"])
        player.wait()
        follower = person.tab(leader.url.partition("#")[2])
        other = Player(follower)
        other.wait()
        assert other.seq() == player.seq()
        before = player.seq()
        other.play(most=1)
        player.until_moved(before)
        leader.close()
        follower.locator(".link:not(.open)").wait_for()  # for as long as it takes to lead
        follower.locator(".link.open").wait_for()
        before = other.seq()
        other.play(most=2)
        assert other.seq() > before
        third = person.tab(follower.url.partition("#")[2])
        newcomer = Player(third)
        newcomer.wait()
        assert newcomer.seq() == other.seq()


@pytest.mark.long
def test_the_page_never_waits_for_a_director(browser: Browser, site: Site) -> None:
    """No task of the page's own thread takes 50 ms of its processor time while bots think."""
    with profile(browser, site) as person:
        page = person.tab()
        player = sit_down(page, "classic", ["director", "director"])
        player.wait()
        player.play(most=1)
        browser.start_tracing(page=page, categories=["toplevel", "__metadata"])
        for _ in range(4):
            before = player.seq()
            player.play(most=1)
            player.until_moved(before)
            player.wait()
        events = json.loads(browser.stop_tracing())["traceEvents"]
        pages = {
            (each["pid"], each["tid"])
            for each in events
            if each["name"] == "thread_name" and each["args"]["name"] == "CrRendererMain"
        }
        tasks = [
            each["tdur"]
            for each in events
            if (each["pid"], each["tid"]) in pages and each["ph"] == "X" and "tdur" in each
        ]
        assert tasks
        assert max(tasks) < 50_000  # microseconds
