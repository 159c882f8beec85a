"""What can happen at a table: company, lost connections, refusals, play without a mouse."""

import json
import re

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

import highvoltage as hv
from browsing import (
    PHONE,
    SCREENS,
    Player,
    Sit,
    check_keys,
    complaints,
    leave,
    open_page,
    who_decides,
)
from highvoltage.engine.parts.board import known_maps
from seating import is_last
from serving import Server
from spread import some


@pytest.mark.long
def test_two_browsers_at_one_table(server: Server, browser: Browser) -> None:
    ann, ben = open_page(browser, server.url), open_page(browser, server.url, PHONE, "day")
    host, guest = Player(ann), Player(ben)
    host.make(rulebook="classic", seats=[{"kind": "me"}, {"kind": "open"}])
    ben.goto(ann.url)
    ben.get_by_role("button", name="Sit down").click()
    for player in (host, guest):
        player.bar.wait_for()
    for _ in range(8):  # each sees at once what the other does
        turn = who_decides(host, guest)
        before = turn.seq()
        _least(turn)
        for player in (host, guest):
            player.until_moved(before)
    expect(ann.locator(".bar .say")).not_to_have_text(ben.locator(".bar .say").inner_text())
    for page in (ann, ben):
        assert complaints(page) == []
        leave(page)


@pytest.mark.long
def test_all_agree_to_end_the_game(server: Server, browser: Browser) -> None:
    ann, ben = open_page(browser, server.url), open_page(browser, server.url, PHONE, "day")
    Player(ann).make(rulebook="classic", seats=[{"kind": "me"}, {"kind": "open"}])
    ben.goto(ann.url)
    ben.get_by_role("button", name="Sit down").click()
    ben.locator(".bar").wait_for()
    ann.get_by_role("button", name="The table").click()
    menu = ann.get_by_role("dialog")
    for _ in range(2):
        menu.get_by_role("button", name="End the game").click()
    expect(menu).to_contain_text("The game ends as soon as")
    for answer in ("Play on", "End the game"):
        asked = ben.get_by_text("would end the game here, without a winner.")
        expect(asked).to_be_visible()
        ben.get_by_role("button", name=answer).click()
        expect(asked).to_be_hidden()
        if answer == "Play on":  # until somebody asks again
            menu.get_by_role("button", name="Play on").click()
            for _ in range(2):
                menu.get_by_role("button", name="End the game").click()
    for page in (ann, ben):
        expect(page.locator(".bar")).to_contain_text("This game was ended early")
        assert complaints(page) == []
        leave(page)


def _least(player: Player) -> None:
    """The shortest route through a decision."""
    kind = player.wait()
    if kind == "nominate" and not player.button("[data-key=p]").count():
        player.page.locator(".card.offered:visible").first.click()
        player.button("[data-primary]").click()
    elif kind in {"nominate", "bid"}:
        player.button("[data-key=p]").click()
    elif kind == "building":
        player.button("[data-key=d]").click()
    elif kind == "scrap":
        player.button(".moves button").first.click()
    else:
        player.decide("[data-primary]")


def _basket(page: Page) -> None:
    page.locator(".fuel:visible .more:enabled").first.click()


def test_reload_in_the_middle_of_a_turn(player_at: Sit) -> None:
    player = player_at("fuel")
    _basket(player.page)
    seq = player.seq()
    player.page.reload()
    assert player.wait() == "fuel"
    assert player.seq() == seq
    _basket(player.page)
    player.button("[data-primary]").click()
    player.until_moved(seq)


class Connection:
    """The connection of a page to its table, which can be cut."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.cut_off = False
        self.deaf = False  # the server receives nothing, and nobody has noticed yet
        self.unknown = False  # of the next move the server says that nothing is known yet
        self.open: list[WebSocketRoute] = []
        page.route_web_socket("**/live", self._between)

    def _between(self, page: WebSocketRoute) -> None:
        if self.cut_off:
            page.close()
            return
        server = page.connect_to_server()
        page.on_message(lambda said: None if self.deaf else self._forward(page, server, said))
        self.open.append(page)

    def _forward(self, page: WebSocketRoute, server: WebSocketRoute, said: str | bytes) -> None:
        message = json.loads(said)
        if message["type"] == "move" and self.unknown:
            self.unknown = False
            error = {"type": "error", "code": "not_known", "message": "", "values": {}}
            error["ref"] = message["ref"]
            page.send(json.dumps(error))
        else:
            server.send(said)

    def cut(self) -> None:
        self.cut_off = True
        self.open[-1].close()
        words = re.compile("Connection lost, trying again|Your move is kept")
        expect(self.page.locator(".bar .say")).to_have_text(words)

    def mend(self) -> None:
        self.cut_off = self.deaf = False
        expect(self.page.locator(".link.open")).to_be_visible()


@pytest.mark.long
def test_a_move_made_while_the_connection_is_down(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    connection = Connection(page)
    player = Player(page)
    player.sit_at(server, "fuel")
    kept = page.get_by_text("Your move is kept")

    connection.cut()  # it is kept, shown as kept, and sent after reconnecting
    _basket(page)
    seq = player.seq()
    player.button("[data-primary]").click()
    expect(kept).to_be_visible()
    connection.mend()
    player.until_moved(seq)
    expect(kept).to_be_hidden()

    player.wait()
    connection.deaf = True  # sent into a dead connection, before anybody could know: the same
    seq = player.seq()
    player.button("[data-key=d]").click()
    connection.cut()
    connection.mend()
    player.until_moved(seq)

    table = player.sit_at(server, "fuel")
    connection.cut()  # a kept move can be cancelled
    _basket(page)
    seq = player.seq()
    player.button("[data-primary]").click()
    page.get_by_role("button", name="Do not send it").click()
    connection.mend()
    assert player.wait() == "fuel"
    assert player.seq() == seq

    connection.cut()  # it no longer fits: the same person has moved on another screen
    _basket(page)
    player.button("[data-primary]").click()
    other = Player(page.context.new_page())
    other.page.goto(f"/table/{table}")
    assert other.wait() == "fuel"
    other.button("[data-key=d]").click()
    other.page.locator("[data-key=d]:has-text('anyway')").or_(
        other.page.locator(f".bar:not([data-seq='{seq}'])")
    ).first.wait_for()
    if other.seq() == seq:
        other.button("[data-key=d]").click()
    other.until_moved(seq)
    connection.mend()
    expect(page.get_by_role("alert")).to_contain_text("your move no longer fits")
    page.context.close()


@pytest.mark.long
def test_a_move_of_which_nothing_is_known_yet(server: Server, browser: Browser) -> None:
    """The page says so, and asks again by itself until something is."""
    page = open_page(browser, server.url)
    connection = Connection(page)
    player = Player(page)
    player.sit_at(server, "fuel")
    _basket(page)
    seq = player.seq()
    connection.unknown = True
    player.button("[data-primary]").click()
    expect(page.get_by_role("alert")).to_contain_text("not known yet")
    player.until_moved(seq)
    expect(page.get_by_role("alert")).to_be_hidden()
    page.context.close()


def test_a_refusal_says_why_and_links_to_the_rule(player_at: Sit) -> None:
    player = player_at("nominate")
    page = player.page
    page.locator(".market .future .card").last.click()
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("is not on offer")
    notice.get_by_role("button", name="Rule C-").click()
    rules = page.get_by_role("dialog")
    expect(rules).to_be_visible()
    page.keyboard.press("Escape")
    expect(rules).to_be_hidden()
    expect(notice).to_be_visible()
    page.locator(".card.offered").first.click()
    seq = player.seq()
    player.button("[data-primary]").click()
    player.until_moved(seq)
    expect(notice).to_be_hidden()


def test_keys_stay_in_a_dialog_until_it_is_closed(player_at: Sit) -> None:
    page = player_at("nominate").page
    menu = page.get_by_role("button", name="The table", exact=True)
    menu.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    for key in [*["Tab"] * 12, *["Shift+Tab"] * 14]:
        page.keyboard.press(key)
        assert page.evaluate("!!document.activeElement.closest('dialog')")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(menu).to_be_focused()


def test_undo_takes_back_what_is_still_mine(player_at: Sit) -> None:
    player = player_at("building")
    page = player.page
    houses = page.locator(".player.you .stat")
    before = houses.text_content() or ""
    player.button(".suggestion").first.click()
    player.button("[data-primary]").click()
    expect(houses).not_to_have_text(before)
    page.keyboard.press("u")
    expect(houses).to_have_text(before)


def test_a_hint_can_be_followed(player_at: Sit) -> None:
    player = player_at("nominate")
    seq = player.seq()
    player.page.keyboard.press("h")
    player.bar.get_by_role("button", name="Do that").click()
    player.until_moved(seq)


@pytest.mark.parametrize(
    "kinds",
    [
        ("fuel", "building"),
        pytest.param(("nominate", "bid", "bureaucracy"), marks=pytest.mark.long),
    ],
    ids=" ".join,
)
def test_keys_alone_are_enough(player_at: Sit, kinds: tuple[str, ...]) -> None:
    """Tab to what is offered, Enter to take it, letters for the other moves."""
    check_keys(player_at, kinds, _with_keys)


def _with_keys(player: Player, kind: str) -> None:
    page = player.page
    if kind == "nominate":
        player.tab_to(".card.offered")
        page.keyboard.press("Enter")
        player.tab_to(".bar [data-primary]")
        page.keyboard.press("Enter")
    elif kind == "bid":
        page.keyboard.press("p")
    elif kind == "fuel":
        player.tab_to(".fuel .more")
        page.keyboard.press("Enter")
        player.tab_to(".bar [data-primary]")
        page.keyboard.press("Enter")
    elif kind == "building":
        player.tab_to(".city.offered")
        page.keyboard.press("Enter")
        player.tab_to(".bar [data-primary]")
        page.keyboard.press("Enter")
    else:
        page.locator("body").evaluate("() => document.activeElement?.blur()")
        page.keyboard.press("Enter")


@pytest.mark.long
@pytest.mark.parametrize("screen", some("phone", of=SCREENS))
def test_the_action_bar_never_moves(server: Server, browser: Browser, screen: str) -> None:
    page = open_page(browser, server.url, SCREENS[screen], painted=screen != "phone")
    player = Player(page)
    player.sit_down()
    page.evaluate(
        """() => {
            window.shifts = 0
            new PerformanceObserver((list) => {
                for (const entry of list.getEntries())
                    for (const { node } of entry.sources)
                        if (node?.matches?.('.bar, .map, .column, .pocket'))
                            window.shifts += entry.value
            }).observe({ type: 'layout-shift', buffered: true })
        }"""
    )
    player.bar.wait_for()
    box = player.bar.bounding_box()
    for kind in ("nominate", "fuel", "building", "bureaucracy"):
        assert player.play(kind) == kind
        assert player.bar.bounding_box() == box
        assert player.bar.evaluate("bar => bar.scrollWidth <= bar.clientWidth")
    if screen != "phone":  # there it is as high as what it holds, and the room goes to the map
        assert page.evaluate("window.shifts") == 0
    leave(page)


@pytest.mark.long
def test_a_map_that_comes_with_a_table_is_drawn(player_at: Sit) -> None:
    """The page does not know it, and it contains only what is required."""
    known = json.loads(known_maps()["italy"].path.read_text("utf-8"))
    own = {field: known[field] for field in ("regions", "cities", "connections")}
    player = player_at("nominate")
    page = player.page
    player.sit_down(map={**own, "id": "mine", "name": "My own land"})
    player.wait()
    expect(page.locator(".land .ground")).to_have_attribute("d", re.compile("^M"))
    expect(page.locator(".city")).to_have_count(len(own["cities"]))
    player.go("/")
    expect(page.get_by_role("link", name="My own land").first).to_be_visible()


@pytest.mark.long
def test_the_menu_chooses_a_colour_and_the_result_says_who_left(player_at: Sit) -> None:
    player = player_at("building", when=is_last)
    page = player.page
    page.get_by_role("button", name="The table").click()
    colours = "() => [0, 1].map((n) => getComputedStyle(document.documentElement)"
    colours += ".getPropertyValue(`--player-${n}`))"
    page.get_by_role("radio", name="amber").click()  # whatever was chosen before
    mine, theirs = page.evaluate(colours)
    page.get_by_role("radio", name="sky blue").click()
    assert page.evaluate(colours) == [theirs, mine]
    page.get_by_role("radio", name="amber").click()
    assert page.evaluate(colours) == [mine, theirs]
    page.get_by_role("button", name="Leave the game").click()
    page.get_by_role("button", name="Leave the game").click()
    page.keyboard.press("Escape")
    result = page.get_by_role("dialog", name="Result")
    expect(result).to_contain_text("Ann left the game; a bot played on.")
    expect(result.locator(".gone")).to_have_count(1)  # nobody else left


def test_a_move_shows_its_effect_at_once(server: Server, browser: Browser) -> None:
    """One message there and one back: nothing else is requested, and nothing is waited for."""
    page = open_page(browser, server.url)
    sent: list[str] = []

    def between(route: WebSocketRoute) -> None:
        upstream = route.connect_to_server()

        def speak(text: str | bytes) -> None:
            sent.append(json.loads(text)["type"])
            upstream.send(text)

        def answer(text: str | bytes) -> None:
            sent.append(json.loads(text)["type"])
            route.send(text)

        route.on_message(speak)
        upstream.on_message(answer)

    page.route_web_socket("**/live", between)
    player = Player(page)
    player.sit_at(server, "building")
    player.button(".suggestion").first.click()
    expect(player.button("[data-primary]")).to_be_enabled()
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    sent.clear()
    page.evaluate(
        """() => new Promise((shown) => {
            const bar = document.querySelector('.bar')
            const before = bar.dataset.seq
            new MutationObserver(() => bar.dataset.seq !== before && shown())
              .observe(bar, { attributes: true })
            bar.querySelector('[data-primary]').click()
        })"""
    )
    order = [kind for kind in sent if kind in {"move", "state"}]
    assert order[:2] == ["move", "state"]
    assert order.count("move") == 1
    assert not [url for url in requested if "/api/" in url]
    page.context.close()


@pytest.mark.rule("A-JPN-4")
def test_a_new_network_or_a_connection_is_a_question_with_both_costs(player_at: Sit) -> None:
    known: dict[str, int] = {}

    def is_a_choice(game: hv.Game) -> bool:
        known.update({str(move): game.cost(move) or 0 for move in game.legal_moves.plain})
        return {"build osaka", "start osaka"} <= {*map(str, game.legal_moves.plain)}

    player = player_at("building", map="japan", ann="apprentice", seed=1, when=is_a_choice)
    before = player.seq()
    city = player.page.locator('.city[data-city="osaka"]')
    labels = [f"Connect {known['build osaka']} Ɇ", f"New network {known['start osaka']} Ɇ"]
    connecting, starting = (player.bar.get_by_role("button", name=label) for label in labels)
    go = player.button("[data-primary]")
    expect(city).to_have_accessible_name(re.compile(rf"{known['start osaka']} as the start of"))
    city.dispatch_event("click")
    expect(starting).to_be_visible()
    connecting.click()
    expect(go).to_contain_text(f"Build in Ōsaka for {known['build osaka']} Ɇ")
    city.dispatch_event("click")  # removed from the plan
    city.dispatch_event("click")
    starting.click()
    expect(go).to_contain_text(f"Start a new network in Ōsaka for {known['start osaka']} Ɇ")
    go.click()
    player.until_moved(before)
    expect(player.page.get_by_text("starts a new network in Ōsaka").first).to_be_attached()
