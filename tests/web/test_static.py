"""The game in a browser without a server: from an empty profile, with every connection refused."""

import base64
import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, expect

import highvoltage as hv
from browsing import DESKTOP, PATIENCE, PHONE, Player, Size
from serving import Process
from static_site import (
    PLACE,
    ROOT,
    Site,
    build_site,
    copy_of,
    kill,
    profile,
    show,
    sit_down,
    wait_until_kept,
)

WAITING = "navigator.serviceWorker.getRegistration().then((worker) => !!worker.waiting)"
BUDGET = 8_000_000  # bytes up to the first move, compressed


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_site(tmp_path_factory.mktemp("static"))


@pytest.fixture
def site(built: Path) -> Iterator[Site]:
    running = Site(built)
    yield running
    running.stop()


def test_a_game_goes_on_without_a_network(
    browser: Browser, built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page is usable before its engine; a killed tab and a lost network change nothing."""
    site = Site(built)
    with profile(browser, site) as person:
        page = person.tab()
        start = page.get_by_test_id("play")
        start.wait_for()
        expect(page.locator(".notices progress")).to_be_visible()
        start.click()
        player = Player(page)
        player.wait()
        player.play(most=1)
        seq = player.seq()
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
    browser: Browser, built: Path, rulebook: str, bots: list[str], size: Size
) -> None:
    site = Site(built)
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
def test_everything_else_works_without_a_network(browser: Browser, built: Path) -> None:
    """Analysis, puzzle, lesson, own map, rules; in a tab that was never online."""
    site = Site(built)
    with profile(browser, site) as person:
        first = person.tab()
        wait_until_kept(first)
        site.stop()
        first.close()
        page = person.tab()

        record = next((ROOT / "tests" / "corpus").glob("cardgame-3-players.txt")).read_text()
        page.locator("input[type=file]").set_input_files(
            {"name": "game.txt", "mimeType": "text/plain", "buffer": record.encode()}
        )
        expect(page).to_have_url(re.compile("#/replay/"))
        page.get_by_role("button", name="Analyse").click()
        expect(page.locator(".analysis")).to_contain_text("%")

        page.goto(f"{site.url}#/puzzles")
        page.locator("a.panel").first.click()
        player = Player(page)
        player.wait()

        page.goto(f"{site.url}#/tutorial/recharged")
        expect(page.locator(".coach")).to_be_visible()

        page.goto(f"{site.url}#/rules/classic")
        expect(page.locator("main img").first).to_be_visible()

        board = json.loads((ROOT / "src/highvoltage/maps/benelux.json").read_text())
        board |= {"id": "mine", "name": "Mine"}
        page.goto(site.url)
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
        for seat in range(seats.count()):
            if seats.nth(seat).input_value() != "me":
                seats.nth(seat).select_option("tycoon")
        page.get_by_role("dialog").get_by_role("button", name="Play on from here").click()
        page.wait_for_url(re.compile("#/table/here-"))
        player = Player(page)
        player.wait()
        seq = player.seq()
        while not any(path.endswith("classic.safetensors") for path in site.fetched):
            player.play(most=1)
            player.wait()
        assert player.seq() > seq


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
        kill(leader)
        follower.locator(".link:not(.open)").wait_for()
        follower.locator(".link.open").wait_for()
        before = other.seq()
        other.play(most=3)
        assert other.seq() > before


@pytest.mark.long
def test_a_full_storage_is_reported_and_loses_nothing(browser: Browser, site: Site) -> None:
    with profile(browser, site) as person:
        page = person.tab()
        player = sit_down(page, "classic", ["clerk", "clerk"])
        player.wait()
        seq = player.seq()
        storage = page.context.new_cdp_session(page)
        origin = site.url.partition("/games")[0]
        storage.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1})
        with pytest.raises(Error, match="no room left to store games"):
            player.play(most=1)
        assert player.seq() == seq
        with page.expect_download() as file:
            page.get_by_role("button", name="Table menu").click()
            page.get_by_role("button", name="Download the record").click()
        assert hv.replay(file.value.path().read_text()).to_move is not None
        storage.send("Storage.overrideQuotaForOrigin", {"origin": origin})
        page.keyboard.press("Escape")
        page.reload()
        player.wait()
        player.play(most=1)
        assert player.seq() > seq


@pytest.mark.long
def test_a_refused_storage_is_reported(browser: Browser, site: Site) -> None:
    (worker,) = site.folder.glob("assets/room_worker-*.js")
    refusing = "indexedDB.open = () => { throw new DOMException('', 'SecurityError') };\n"
    with profile(browser, site) as person:
        person.context.route(
            f"**/{worker.name}",
            lambda route: route.fulfill(
                body=refusing + worker.read_text(), content_type="text/javascript"
            ),
        )
        page = person.tab()
        expect(page.get_by_role("alert")).to_contain_text("This browser stores nothing")
        player = sit_down(page, "cardgame", ["clerk"])
        player.wait()
        player.play(most=1)


@pytest.mark.long
def test_a_new_version_is_taken_when_nobody_plays(
    browser: Browser, built: Path, tmp_path: Path
) -> None:
    site = Site(copy_of(built, tmp_path / "host"))
    with profile(browser, site) as person:
        page = person.tab()
        wait_until_kept(page)
        page.reload()  # by the service worker
        player = sit_down(page, "cardgame", ["clerk"])
        player.wait()
        player.play(most=1)
        for name in ("worker.js", "index.html"):
            file = site.folder / name
            version = re.search(r'data-version="(\w+)"', (built / PLACE / "index.html").read_text())
            assert version
            file.write_text(file.read_text().replace(version[1], "newer"))
        page.evaluate("navigator.serviceWorker.getRegistration().then((worker) => worker.update())")
        while not page.evaluate(WAITING):
            page.wait_for_timeout(300)
        player.play(most=1)  # nothing is shown at the table
        expect(page.locator(".notices")).to_be_empty()
        seq, path = player.seq(), page.url.partition("#")[2]
        show(page, "/")
        page.get_by_role("button", name="Update").click()
        expect(page.locator("meta[name=engine]")).to_have_attribute("data-version", "newer")
        show(page, path)
        player.wait()
        assert player.seq() >= seq
    site.stop()


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


@pytest.mark.long
def test_a_served_page_plays_on_when_its_server_is_gone(browser: Browser, tmp_path: Path) -> None:
    server = Process(tmp_path)
    context = browser.new_context(base_url=server.url, reduced_motion="reduce")
    context.set_default_timeout(3 * PATIENCE)
    page = context.new_page()
    page.goto("/")
    page.get_by_test_id("play").wait_for()
    wait_until_kept(page)
    assert server.stop() == 0
    page.goto("/")
    expect(page.locator(".notices")).to_contain_text("You play in this browser, against bots.")
    page.get_by_test_id("play").click()
    player = Player(page)
    player.wait()
    assert "/table/here-" in page.url
    player.play(most=1)
    context.close()
