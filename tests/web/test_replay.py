"""Replay of a finished game."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect

import highvoltage as hv
from browsing import SCREENS, Player, Sit, Size, complaints, imported, leave, open_page
from serving import Server
from spread import some

RECORD = (Path(__file__).parents[1] / "corpus" / "classic-money-hidden.txt").read_text()


@pytest.fixture
def page(page_of_ann: Callable[[], Page]) -> Page:
    return page_of_ann()


def test_move_by_move(page: Page) -> None:
    table = imported(page, RECORD)
    Player(page).go(f"/replay/{table}?move=100")
    slider = page.get_by_role("slider", name="Move")
    expect(slider).to_have_value("100")
    expect(page.locator(".player .cash .money")).to_have_count(page.locator(".player").count())
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("101")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value("99")
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    expect(page.locator(".player .stat").first).to_contain_text("0")
    page.get_by_role("combobox", name="Speed").select_option(index=4)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(slider).not_to_have_value("0")
    page.get_by_role("button", name="Stop").click()
    page.keyboard.press("End")
    moves = _moves(page, table)
    expect(page.locator(".bar output")).to_have_text(f"{moves} / {moves}")
    with page.expect_download() as file:
        page.get_by_role("button", name="Download the record").click()
    assert file.value.path().read_text().startswith(RECORD[:20])


def _moves(page: Page, table: str) -> int:
    moves: int = page.request.get(f"/api/tables/{table}").json()["table"]["moves"]
    return moves


def test_the_table_of_an_imported_game_is_its_replay(page: Page) -> None:
    """Nobody sits there, so nobody is away; and the back link leads to where one came from."""
    table = imported(page, RECORD)
    player = Player(page)
    player.go("/rules/classic")
    player.go(f"/table/{table}")
    expect(page.get_by_role("slider", name="Move")).to_be_visible()
    page.wait_for_url(f"**/replay/{table}")
    expect(page.locator(".player .tag", has_text="away")).to_have_count(0)
    page.go_back()
    page.wait_for_url("**/rules/classic")


@pytest.mark.long
def test_a_player_who_buys_or_builds_nothing_is_not_said_to_have_done_so(page: Page) -> None:
    game = hv.replay(RECORD)
    Player(page).go(f"/replay/{imported(page, RECORD)}")
    page.get_by_role("tab", name="Log").click()
    expected = {
        ("fuel", False): "buys no fuel",
        ("fuel", True): "has finished buying",
        ("building", False): "builds nothing",
        ("building", True): "has finished building",
    }
    for before, row in pairwise(game.log):
        some_before = (before.phase, before.seat) == (row.phase, row.seat)
        if str(row.move) == "done" and (words := expected.pop((row.phase, some_before), None)):
            page.get_by_role("slider", name="Move").fill(str(game.log.index(row) + 1))
            line = f"{game.names[row.seat]} {words}"
            expect(page.locator(".bar")).to_contain_text(line)
            expect(page.get_by_role("log").locator("li").last).to_contain_text(line)
    assert expected == {}


@pytest.mark.long
def test_the_link_to_a_position_can_be_shared(page: Page, server: Server, browser: Browser) -> None:
    """One to the game on this server, one that holds the game."""
    table = imported(page, RECORD)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    Player(page).go(f"/replay/{table}?move=41")
    page.get_by_role("slider").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Share").click()
    short = _copied(page, "Link to this server")
    origin = page.url.partition("/replay")[0]
    assert short == f"{origin}/replay/{table}?move=42"
    whole = _copied(page, "Link that holds the game")
    assert whole.startswith(f"{origin}/#game=")
    expect(page.get_by_role("dialog")).to_contain_text(f"{len(whole)} characters")
    so_far = _copied(page, "Link that holds the game up to here")
    page.keyboard.press("Escape")
    friend = open_page(browser, server.url)
    slider = friend.get_by_role("slider", name="Move")
    for link in (short, whole, so_far):
        friend.goto(link)
        expect(slider).to_have_value("42")
    expect(slider).to_have_attribute("max", "42")  # what follows is not in it
    friend.reload()
    expect(slider).to_have_value("42")
    assert len(friend.request.get("/api/tables/mine").json()) == 2  # each imported once
    assert complaints(friend) == []
    leave(friend)


def _copied(page: Page, title: str) -> str:
    heading = page.get_by_role("heading", name=title, exact=True)
    page.evaluate("navigator.clipboard.writeText('')")
    page.locator("dialog section", has=heading).get_by_role("button").click()
    link: str = page.wait_for_function("navigator.clipboard.readText()").json_value()
    return link


def test_a_link_that_holds_no_game_says_so(page: Page) -> None:
    page.goto("/#game=cut-off")
    expect(page.get_by_text("This link holds no game.")).to_be_visible()
    page.evaluate("location.hash = '#game=S0zKTEnNKeYCAA'")  # text, and no record
    expect(page.get_by_text("The game of this link cannot be shown.")).to_be_visible()
    complaints(page).clear()  # the browser complains of every refused request


@pytest.mark.long
def test_a_game_goes_on_from_a_move_against_bots(page: Page) -> None:
    table = imported(page, RECORD)
    game = hv.replay(RECORD).after(41)
    Player(page).go(f"/replay/{table}")
    on = page.get_by_role("button", name="Play on from here")
    expect(on).to_be_disabled()  # it is over
    page.get_by_role("slider", name="Move").fill("41")
    on.click()
    dialog = page.get_by_role("dialog")
    mover = game.names[game.to_move or 0]
    expect(dialog.get_by_label(mover)).to_have_value("me")
    dialog.get_by_role("button", name="Play on from here").click()
    page.wait_for_url("**/table/*")
    page.locator(".bar .moves > *").first.wait_for()
    played = page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}/record").text()
    assert str(hv.replay(played).record()) == str(game.record())


def test_charts_agree_with_the_table(page: Page) -> None:
    table = imported(page, RECORD)
    Player(page).go(f"/replay/{table}")
    page.get_by_role("tab", name="Charts").click()
    chart = page.get_by_role("img", name="Cities.")
    chart.wait_for()
    view = page.request.get(f"/api/tables/{table}/at/{_moves(page, table)}").json()["view"]
    label = chart.get_attribute("aria-label") or ""
    for player in view["players"]:
        line = label.partition(f"{view['names'][player['seat']]}: ")[2].partition(";")[0]
        assert line.split(", ")[-1] == str(len(player["cities"]))
    expect(page.get_by_text("Money spent")).to_be_visible()


@pytest.mark.long
def test_a_game_is_analysed(page: Page) -> None:
    table = imported(page, _begun())
    Player(page).go(f"/replay/{table}")
    page.get_by_role("tab", name="Analysis").click()
    begin = page.get_by_role("button", name="Analyse the game")
    begin.click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    costliest = page.get_by_role("heading", name="The costliest moves")
    expect(costliest).to_be_visible()
    page.reload()  # it was done once for everybody
    page.get_by_role("tab", name="Analysis").click()
    expect(costliest).to_be_visible()
    expect(begin).to_have_count(0)


@pytest.mark.long
def test_the_line_of_a_game_is_drawn_without_an_analysis(page: Page) -> None:
    table = imported(page, RECORD)
    Player(page).go(f"/replay/{table}")
    page.get_by_role("tab", name="Analysis").click()
    answers = (page.request.get(f"/api/tables/{table}/line").json() for _ in range(50))
    found = next(line for line in answers if line["complete"])
    turn = found["turns"][0]
    point = page.locator(".analysis").get_by_role("button", name=f"Round {turn['round']}, ")
    expect(page.locator(".analysis svg rect")).to_have_count(len(found["turns"]))
    point.click()  # leads to the beginning of that round
    chart = page.get_by_role("img", name="Chance of winning, %.")
    whole = rf"{found['names'][0]}: (\d+, ){{{len(found['curves'][0]) - 1}}}\d+"
    expect(chart).to_have_attribute("aria-label", re.compile(whole))
    label = chart.get_attribute("aria-label") or ""
    drawn = []
    for name, curve in zip(found["names"], found["curves"], strict=True):
        line = [int(each) for each in label.partition(f"{name}: ")[2].partition(";")[0].split(", ")]
        for shown, chance in zip(line, curve, strict=True):
            assert abs(shown - 100 * chance) < 1
        drawn.append(line)
    assert {*map(sum, zip(*drawn, strict=True))} == {100}
    before, after = drawn[turn["seat"]][turn["round"] - 1 : turn["round"] + 1]
    expect(point).to_contain_text(f"from {before} to {after}%")
    rows = page.request.get(f"/api/tables/{table}/log").json()["rows"]
    start = next(number for number, row in enumerate(rows) if row["round"] == turn["round"])
    expect(page.get_by_role("slider", name="Move")).to_have_value(str(start))


@pytest.mark.long
def test_who_watches_bots_sees_the_line(page: Page) -> None:
    seats = [{"kind": "bot", "bot": "clerk"}, {"kind": "bot", "bot": "random"}]
    wanted = {"rulebook": "cardgame", "seats": seats, "seed": 1}
    table = page.request.post("/api/tables", data=wanted).json()["id"]
    Player(page).go(f"/table/{table}")
    result = page.get_by_role("dialog", name="Result")
    result.get_by_role("img", name="Chance of winning, %. Clerk").wait_for()
    result.get_by_role("button", name="Close").click()
    page.get_by_role("tab", name="Chances").click()
    expect(page.locator("main").get_by_role("img", name="Chance of winning, %.")).to_be_visible()


def _begun() -> str:
    """The record of the first moves of a game."""
    game = hv.new("cardgame", players=3, seed=1)
    while len(game.log) < 12:
        game.play(game.legal_moves.choices[0])
    return str(game.record())


@pytest.mark.long
@pytest.mark.parametrize("screen", some("phone", of=SCREENS))
def test_the_better_move_is_shown_at_the_decision(
    page_of_ann: Callable[[Size], Page], screen: str
) -> None:
    page = page_of_ann(SCREENS[screen])
    table = imported(page, RECORD)
    row = page.request.get(f"/api/tables/{table}/log").json()["rows"][6]
    judged = {key: row[key] for key in ("round", "phase", "seat")}
    judged |= {"move": 7, "played": row["move"], "chance": 0.2, "best": "pass", "error": 0.02}
    sizes = {"size": 9, "money": 80, "other_size": 7, "other_money": 60}
    sale = {"sold_to": 1, "sold": "10", "sold_price": 21, "sold_round": 1, "buyer": "B"}
    judged["why"] = {"code": "leads_to_cities", "values": {"than": row["move"], **sizes, **sale}}
    fine = judged | {"move": 9, "best": row["move"], "best_chance": 0.2}
    decisions = [judged | {"best_chance": 0.55}, fine]
    found = {"names": ["A", "B"], "decisions": decisions, "curves": [], "turns": []}
    info = {"status": "running", "done": 0.6, "found": found}
    page.route("**/analysis", lambda route: route.fulfill(json=info))
    Player(page).go(f"/replay/{table}")
    page.get_by_role("tab", name="Analysis").click()
    mistake = page.locator(".analysis ol button")
    expect(mistake).to_have_count(1)  # shown once it is certain, before the analysis is complete
    expect(mistake).to_contain_text("31 to 39%")
    expect(mistake).to_contain_text("cities 9, money 80")
    expect(mistake).to_contain_text("In round 1 B buys card 10 for 21 Ɇ.")  # what happened
    working = page.get_by_role("progressbar")
    expect(working).to_be_visible()
    info |= {"status": "done", "done": 1}
    expect(working).to_have_count(0)
    mistake.click()
    expect(page.get_by_role("slider", name="Move")).to_have_value("7")
    expect(mistake).to_have_attribute("aria-current", "step")
    better = page.locator(".bar .better")
    expect(better).to_have_text("Better: Pass. 55% instead of 20%")
    page.get_by_role("button", name="Forward one move").click()
    expect(better).to_have_count(0)


AUCTION = {
    "en": "Auction",
    "pl": "Licytacja",
    "cs": "Dražba",
    "sr-Latn": "Aukcija",
    "de": "Auktion",
}


@pytest.mark.long
@pytest.mark.parametrize("language", some("pl", of=AUCTION))
def test_every_language_is_shown(player_at: Sit, language: str) -> None:
    page = player_at("nominate", language=language).page
    expect(page.locator(".phases .now")).to_have_text(AUCTION[language])
    expect(page.locator("html")).to_have_attribute("lang", language)


@contextmanager
def another_site(folder: Path) -> Iterator[str]:
    files = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), files) as site:
        thread = Thread(target=site.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{site.server_port}"
        finally:
            site.shutdown()
            thread.join()


@pytest.mark.long
def test_a_game_is_shown_in_a_frame_of_another_site(
    server: Server, browser: Browser, tmp_path: Path
) -> None:
    """From an address of its own, without cookies."""
    owner = open_page(browser, server.url)
    table = imported(owner, RECORD)
    for place in ("embed", "replay"):
        frame = f'<iframe src="{server.url}/{place}/{table}?move=60" width="960" height="600">'
        (tmp_path / f"{place}.html").write_text(frame)
    reader = browser.new_context()
    with another_site(tmp_path) as site:
        page = reader.new_page()
        page.goto(f"{site}/embed.html")
        slider = page.frame_locator("iframe").get_by_role("slider", name="Move")
        expect(slider).to_have_value("60")
        assert reader.cookies() == []
        with page.expect_response(f"**/replay/{table}*") as answer:
            page.goto(f"{site}/replay.html")
        assert "frame-ancestors 'none'" in answer.value.headers["content-security-policy"]
        reader.close()
    leave(owner)


@pytest.mark.long
def test_a_game_is_saved_as_a_film(page: Page) -> None:
    table = imported(page, RECORD)
    Player(page).go(f"/replay/{table}?move=60")
    page.get_by_role("button", name="Share").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a film").click()
    film = Path(saved.value.path()).read_bytes()
    assert film.startswith(b"\x1a\x45\xdf\xa3")  # how WebM begins
    assert len(film) > 20_000
    expect(page.get_by_role("textbox", name="For your own page")).to_have_value(
        re.compile(rf'src="http.*/embed/{table}\?move=60"')
    )
