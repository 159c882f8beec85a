"""A stranger draws a map, plays it, and sends it to somebody else."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, pi, sin

import msgspec
import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from browsing import PATIENCE, SCREENS, Player, check_access, complaints, leave, open_page
from highvoltage.engine.parts.board import read_map
from highvoltage.mapmaker import make_map
from highvoltage.mapmaker.judge import judge, spans
from highvoltage.mapmaker.mending import mend
from serving import Server

ROWS, COLUMNS = 5, 4
SPOTS = [  # from row to row, to and fro, so that neighbours in the list are neighbours on the map
    (row, column if row % 2 == 0 else COLUMNS - 1 - column)
    for row in range(ROWS)
    for column in range(COLUMNS)
]
END_CITIES = {"4": 14, "5": 11, "6": 9}
Place = tuple[float, float]


class Hand:
    """Draws on the map with a mouse, or with a finger."""

    def __init__(self, page: Page, *, finger: bool) -> None:
        self.page = page
        self.session: CDPSession | None = page.context.new_cdp_session(page) if finger else None

    def press(self, at: Place) -> None:
        if self.session:
            self.page.touchscreen.tap(*at)
        else:
            self.page.mouse.click(*at)

    def draw(self, *way: Place) -> None:
        """Press down at the first place and lift at the last."""
        if not self.session:
            self.page.mouse.move(*way[0])
            self.page.mouse.down()
            for at in way[1:]:
                self.page.mouse.move(*at, steps=3)
            self.page.mouse.up()
            return
        self._touch("touchStart", way[0])
        for before, at in pairwise(way):
            self._touch("touchMove", ((before[0] + at[0]) / 2, (before[1] + at[1]) / 2))
            self._touch("touchMove", at)
        self._touch("touchEnd")

    def _touch(self, kind: str, at: Place | None = None) -> None:
        assert self.session
        points = [{"x": at[0], "y": at[1]}] if at else []
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def _places(page: Page) -> Sequence[Place]:
    box = page.get_by_test_id("canvas").bounding_box()
    assert box
    side = min(box["width"], box["height"] / 1.4) * 0.8
    left = box["x"] + (box["width"] - side) / 2
    top = box["y"] + (box["height"] - 1.2 * side) / 2
    return [
        (left + side * column / (COLUMNS - 1), top + 1.2 * side * row / (ROWS - 1))
        for row, column in SPOTS
    ]


def _place_cities(page: Page, hand: Hand, places: Sequence[Place]) -> None:
    """Place cities, name the last one, and take one back that is too many."""
    for at in places:
        hand.press(at)
    cities = page.locator("[data-city]")
    expect(cities).to_have_count(len(SPOTS))
    page.get_by_label("Name of the city").fill("Nový Jičín")
    page.get_by_label("Name of the city").press("Enter")
    expect(page.locator("[data-city=novy_jicin]")).to_have_count(1)
    hand.press((places[0][0] + 30, places[0][1] + 30))
    expect(cities).to_have_count(len(SPOTS) + 1)
    page.get_by_role("button", name="Undo").click()
    expect(cities).to_have_count(len(SPOTS))
    expect(page.get_by_test_id("faults")).to_contain_text("no connection joins novy_jicin")


def _connect_and_paint(page: Page, hand: Hand, places: Sequence[Place]) -> None:
    page.get_by_role("radio", name="Connections").click()
    for way in pairwise(places):
        hand.draw(*way)
    expect(page.locator("line[data-wire]")).to_have_count(len(SPOTS) - 1)
    page.get_by_label(re.compile("^City 19.Nový Jičín costs")).fill("3")
    page.get_by_role("radio", name="Regions").click()
    page.get_by_role("radio", name="Paint with Purple").click()
    hand.draw(*_places(page)[10:])
    expect(page.locator(".count").nth(1)).to_have_text("10")


def _add_rule(page: Page) -> None:
    """So few cities end no game of four or more: a special rule helps."""
    state = page.get_by_test_id("faults")
    expect(state).to_contain_text("with 4 players")
    page.get_by_role("tab", name="Rules").click()
    field = "Cities that end the game"
    rules = page.get_by_label("Add a special rule…")
    assert "undefined" not in rules.inner_text()
    rules.select_option(field)
    expect(page.get_by_text("How many cities of one player end the game")).to_be_visible()
    page.get_by_text("A-ZAF-8", exact=True).click()
    expect(page.locator("details p")).to_be_visible()
    page.get_by_label(f"{field}, which").fill("4")
    page.get_by_label(f"{field}, which").press("Tab")
    for players, cities in END_CITIES.items():
        if players != "4":
            page.get_by_role("button", name="Add", exact=True).click()
        page.get_by_label(f"{field}, {players}", exact=True).fill(str(cities))
        page.get_by_label(f"{field}, {players}", exact=True).press("Tab")
    expect(state).to_have_text("This map can be played.")


def _link(page: Page) -> str:
    """The fragment of the link that holds the map."""
    page.get_by_role("tab", name="File").click()
    page.get_by_role("button", name="Link that holds the map").click()
    link = page.get_by_role("textbox", name="Link that holds the map").input_value()
    return link[link.index("#map=") :]


@pytest.mark.long
@pytest.mark.parametrize("screen", SCREENS)
def test_a_stranger_draws_a_map_plays_it_and_shares_it(
    server: Server, browser: Browser, screen: str
) -> None:
    name = f"Moravia by {screen}"
    page = open_page(browser, server.url, SCREENS[screen])
    hand = Hand(page, finger=screen == "phone")
    page.goto("/")
    page.get_by_role("link", name="Map maker").click()
    places = _places(page)
    _place_cities(page, hand, places)
    _connect_and_paint(page, hand, places)
    _add_rule(page)
    if screen == "desktop":
        check_access(page, "maker", "main", ("night",))
    page.get_by_role("tab", name="Map").click()
    page.get_by_label("Name of the map").fill(name)

    friend = open_page(browser, server.url, SCREENS[screen])
    friend.goto("/" + _link(page))
    expect(friend.get_by_label("Name of the map")).to_have_value(name)
    expect(friend.locator("[data-city]")).to_have_count(len(SPOTS))
    expect(friend.get_by_test_id("faults")).to_have_text("This map can be played.")
    assert _link(friend) == _link(page)

    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_text("It is in the library, as version 1.")).to_be_visible()
    friend.get_by_role("link", name="Map library").first.click()
    friend.get_by_label("Name, author or city").fill("jičín")
    published = friend.get_by_test_id("published").filter(has_text=name)
    expect(published.get_by_role("heading", name=name)).to_be_visible()
    published.get_by_role("button", name="Play", exact=True).click()
    published.get_by_role("button", name="Play it against bots").click()
    friend.wait_for_url("**/table/*")
    there = friend.url.rpartition("/")[2]
    assert friend.request.get(f"/api/tables/{there}/ruleset").json()["board"]["name"] == name

    page.reload()  # nothing is lost
    expect(page.get_by_label("Name of the map")).to_have_value(name)
    page.get_by_role("tab", name="Play").click()
    page.get_by_role("button", name="Play it against bots").click()
    page.wait_for_url("**/table/*")
    Player(page).play(most=3)
    table = page.url.rpartition("/")[2]
    ruleset = page.request.get(f"/api/tables/{table}/ruleset").json()
    board = ruleset["board"]
    assert board["name"] == name
    (end,) = (line for line in ruleset["lines"] if line["name"] == "end_cities")
    assert end["value"] == END_CITIES["4"]
    assert ["city_19", "novy_jicin", 3] in board["connections"]
    for each in (page, friend):
        assert complaints(each) == []
        leave(each)


@pytest.mark.long
def test_a_map_is_made_changed_and_kept(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    page.goto("/maker")
    page.get_by_role("tab", name="File").click()
    page.get_by_label("Seed").fill("7")
    page.get_by_label("Size").select_option("cities: 35, regions: 5")
    page.get_by_role("button", name="Make one for me").click()
    expect(page.locator("[data-city]")).to_have_count(35)
    expect(page.get_by_test_id("faults")).to_have_text("This map can be played.")
    expect(page.get_by_text("Try 1 of at most 8")).to_be_visible()
    expect(page.get_by_test_id("judged")).to_have_text(re.compile("^Games played: [1-9].* of 100$"))
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Make one for me")).to_be_visible()
    _keep_an_outline(page)
    link = _link(page)
    city = page.locator("[data-city]").first
    city.focus()
    city.press("Enter")
    page.get_by_test_id("canvas").press("Delete")
    expect(page.locator("[data-city]")).to_have_count(34)
    expect(page.get_by_role("textbox", name="Link that holds the map")).to_have_count(0)
    assert _link(page) != link
    page.keyboard.press("Control+z")
    expect(page.locator("[data-city]")).to_have_count(35)
    page.keyboard.press("Control+y")
    expect(page.locator("[data-city]")).to_have_count(34)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    page.get_by_role("button", name="Start anew").click()
    expect(page.locator("[data-city]")).to_have_count(0)
    expect(page.locator(".land")).to_have_count(0)
    page.get_by_label("Open a file").set_input_files(saved.value.path())
    expect(page.locator("[data-city]")).to_have_count(34)
    expect(page.locator(".land")).to_have_count(1)
    assert complaints(page) == []
    leave(page)


@pytest.mark.long
def test_a_map_is_mended_as_the_command_does_it(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    page.goto("/maker")
    page.get_by_role("tab", name="File").click()
    page.get_by_label("Seed").fill("3")
    page.get_by_label("Size").select_option("cities: 35, regions: 5")
    page.get_by_role("button", name="Make one for me").click()
    expect(page.get_by_text("Try 2 of at most 8")).to_be_visible()  # it takes three
    page.set_default_timeout(10 * PATIENCE)
    page.get_by_role("button", name="Make one for me").wait_for()
    expect(page.get_by_text("So far, nothing is unlike the official boards.")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    made = json.loads(saved.value.path().read_text("utf-8"))
    drawn = make_map("3", 35, 5)
    mended = mend(drawn)
    assert made["connections"] == [*msgspec.to_builtins(mended.connections)]
    page.keyboard.press("Control+z")
    expect(page.locator(".cost text")).to_have_text([str(each.cost) for each in drawn.connections])
    assert complaints(page) == []
    leave(page)


def _keep_an_outline(page: Page) -> None:
    """Choose a coast with far more points than a map keeps."""
    coast = [[radius * cos(turn), radius * sin(turn)] for turn, radius in _coast(40_000)]
    shape = json.dumps({"type": "Polygon", "coordinates": [[*coast, coast[0]]]}).encode()
    page.get_by_label("Picture or GeoJSON").set_input_files(
        {"name": "coast.geojson", "mimeType": "application/json", "buffer": shape}
    )
    land = page.locator(".land")
    expect(land).to_have_count(1)
    path = land.get_attribute("d")
    assert path
    assert 1_000 < len(path) <= 20_000
    expect(page.get_by_test_id("faults")).to_have_text("This map can be played.")


def _coast(points: int) -> Iterator[tuple[float, float]]:
    """Clockwise, as the interior of a polygon lies on the right."""
    for n in range(points):
        turn = -2 * pi * n / points
        yield turn, 10 + sin(7 * turn) + 0.5 * sin(401 * turn)


@pytest.mark.long
def test_bots_judge_a_map_until_they_are_stopped(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    board = page.request.get(f"{server.url}/api/maps/germany").json()
    south = {city["id"] for city in board["cities"] if city["region"] == "south"}
    for link in board["connections"]:  # nobody goes there
        link[2] = {0: link[2], 1: 90, 2: 60}[len(south & {*link[:2]})]
    page.goto("/maker")
    page.get_by_role("tab", name="File").click()
    page.get_by_label("Open a file").set_input_files(
        {"name": "map.json", "mimeType": "application/json", "buffer": json.dumps(board).encode()}
    )
    page.get_by_role("tab", name="Map").click()
    page.get_by_label("Name of the map").fill("")  # it is called My map until somebody names it
    expect(page.get_by_test_id("faults")).to_have_text("This map can be played.")
    page.get_by_role("tab", name="Verdict").click()
    page.get_by_role("button", name="Judge this map").click()
    expect(page.locator("[data-figure=loneliest_region].odd")).to_be_visible()
    expect(page.locator("[data-figure]")).to_have_count(len(spans()))
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    low, high = spans()["rounds"]
    expect(page.locator("[data-figure=rounds]").get_by_role("img")).to_have_attribute(
        "aria-label", re.compile(f"official boards {low:.1f} to {high:.0f}$")
    )
    games = int(re.findall(r"\d+", page.get_by_test_id("judged").inner_text())[0])
    for figure in judge(read_map(board), games).figures:
        shown = page.locator(f"[data-figure={figure.name}] b").inner_text()
        value = float(shown.rstrip("%")) / (100 if "%" in shown else 1)
        assert value == pytest.approx(figure.value, abs=0.06 if figure.name == "rounds" else 0.006)
    page.get_by_role("button", name="Mend the costs").click()
    expect(page.get_by_text("The map has changed since")).to_be_visible()
    expect(page.locator(".cost text").filter(has_text=re.compile("^(60|90)$"))).to_have_count(0)
    assert complaints(page) == []
    leave(page)


@pytest.mark.long
def test_a_new_map_is_drawn_for_a_new_table(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    page.goto("/new")
    page.get_by_role("button", name="Map", exact=False).first.click()
    page.get_by_role("radio", name="A new map").click()
    expect(page.get_by_text("Drawn by chance for this game")).to_be_visible()
    page.get_by_role("button", name="Make the table").click()
    page.wait_for_url("**/table/*")
    table = page.url.rpartition("/")[2]
    board = page.request.get(f"/api/tables/{table}/ruleset").json()["board"]
    assert "generator" in board["edition"]
    assert complaints(page) == []
    leave(page)


def test_what_is_no_map_changes_nothing(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    page.goto("/#map=abcdef")
    expect(page.get_by_text("This link holds no map")).to_be_visible()
    page.get_by_role("tab", name="File").click()
    content = b'{"cities": [{"id": 7}]}'
    page.get_by_label("Open a file").set_input_files(
        {"name": "odd.json", "mimeType": "application/json", "buffer": content}
    )
    expect(page.get_by_role("alert").get_by_text("regions")).to_be_visible()
    point = b'{"type": "Point", "coordinates": [1, 2]}'
    page.get_by_label("Picture or GeoJSON").set_input_files(
        {"name": "point.geojson", "mimeType": "application/json", "buffer": point}
    )
    expect(page.get_by_text("point.geojson is neither a picture nor an outline")).to_be_visible()
    expect(page.locator("[data-city]")).to_have_count(0)
    assert complaints(page) == []
    leave(page)
