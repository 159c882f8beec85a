"""Every control of a decision: what it sends, and the numbers it shows, by the server's own game.

What can be pressed is taken from the page: a control that is in no list here fails the test.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocket, expect

import highvoltage as hv
from browsing import DESKTOP, PHONE, Player, Sit, Size
from spread import some

CONTROLS = """() => {
    const seen = (each) => each.getClientRects().length && !each.closest('[inert]')
    const plain = (text) => text.replace(/\\s+/g, ' ').replace(/[0-9]+/g, '#').trim()
    const named = (each) =>
        each.getAttribute('aria-label') ?? (each.textContent.trim() || each.title)
    const what = '.bar :is(button, input, select, a[href], [role=button], [tabindex="0"])'
    return [...document.querySelectorAll(what)].filter(seen).map((each) => {
        const group = each.closest('[role=group]')?.getAttribute('aria-label') ?? ''
        const kind = ['suggestion', 'toggle', 'mix'].find((one) => each.classList.contains(one))
        const key = ['scrap', 'key', 'primary'].find((one) => one in each.dataset)
        const value = key === 'key' ? each.dataset.key : ''
        const known = kind ?? (key && `${key} ${value}`.trim())
        const words = plain(named(each))
        const place = group && group !== words ? `${group}: ` : ''
        return [known ?? place + words, words]
    })
}"""
"""The kind of each control in the bar, or its words without numbers; and its words."""

DRIVEN = {
    *("primary", "key p", "key d", "key u", "suggestion", "toggle", "scrap"),
    *("Opening bid", "Opening bid: less", "Opening bid: more"),
    *("Your bid", "Your bid: less", "Your bid: more"),
    *("Your limit", "Your limit: less", "Your limit: more", "Bid up to #"),
    *("Workers to hire", "Workers to hire: less", "Workers to hire: more"),
    *("Cities to power", "Cities to power: less", "Cities to power: more"),
    *("Empty the basket", "Clear"),
}
"""What is pressed below."""

ELSEWHERE = {
    "key h": "test_table.py::test_a_hint_can_be_followed",
    "mix": "test_cardgame.py::test_plants_run_for_the_income_that_is_shown",
    "Make a robot": "test_outpost.py::test_a_turn_is_planned_as_one_with_a_running_total",
}
"""What another test presses."""


class Wired:
    """Somebody at a table, with everything that their page sends."""

    def __init__(self, player: Player, sent: list[dict[str, Any]]) -> None:
        self.player, self.page, self.bar, self.sent = player, player.page, player.bar, sent
        self.primary = player.button("[data-primary]")
        self.read_game()
        found = self.page.evaluate(CONTROLS)
        assert [each for each in found if not each[1]] == [], "a control without a name"
        unknown = {kind for kind, _ in found} - DRIVEN - {*ELSEWHERE}
        assert not unknown, f"no test presses {unknown}"

    def read_game(self) -> None:
        """The game as the server has it."""
        table = self.page.url.rpartition("/")[2]
        self.game = hv.replay(self.page.request.get(f"/api/tables/{table}/record").text())

    def money(self) -> int:
        money: int = self.game.view(0)["players"][0]["money"]
        return money

    def shown(self, where: Locator) -> int:
        """The last number there."""
        return self.numbers(where)[-1]

    def numbers(self, where: Locator) -> list[int]:
        return [int(found) for found in re.findall(r"\d+", where.inner_text())]

    def offers(self, *numbers: int, button: Locator | None = None) -> None:
        """The last numbers on a button, the main one unless another is given."""
        words = r"\D+".join(map(str, numbers))
        expect(button or self.primary).to_have_text(re.compile(rf"(?<!\d){words}\D*$"))

    def send(self, press: Callable[[], None]) -> list[str]:
        """The moves that a press sends, which the engine plays too."""
        seq = self.player.seq()
        self.sent.clear()
        press()
        self.player.until_moved(seq)
        expect(self.bar.locator(".busy")).to_have_count(0)
        made = [each["move"] for each in self.sent if each["type"] == "move"]
        for move in made:
            assert self.game.to_move == 0
            self.game.play(move)
        return made

    def step(self, label: str, *, number: int) -> None:
        """One more, one less, then a number that is typed."""
        field = self.bar.get_by_role("spinbutton", name=label, exact=True)
        group = self.bar.get_by_role("group", name=label, exact=True)
        self.player.settle()
        value = int(field.input_value())
        group.get_by_role("button", name="more").click()
        expect(field).to_have_value(str(value + 1))
        group.get_by_role("button", name="less").click()
        expect(field).to_have_value(str(value))
        field.fill(str(number))


@pytest.fixture
def wired(page_of_ann: Callable[..., Page], player_at: Sit) -> Iterator[Callable[..., Wired]]:
    sent: list[dict[str, Any]] = []
    pages: list[Page] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda text: sent.append(json.loads(text)))

    def sit(kind: str, *, size: Size = DESKTOP, **setup: Any) -> Wired:
        page = page_of_ann(size)
        if page not in pages:
            page.on("websocket", listen)
            pages.append(page)
        return Wired(player_at(kind, size=size, **setup), sent)

    yield sit
    for page in pages:
        page.remove_listener("websocket", listen)


AUCTIONS = {
    "classic": ("nominate", "bid"),
    "recharged": ("nominate", "bid"),
    "cardgame": ("nominate", "bid"),
    "outpost": ("nominate_forced", "bid_card"),
}


@pytest.mark.parametrize("rulebook", some("classic", of=AUCTIONS))
def test_nominating_and_bidding(wired: Callable[..., Wired], rulebook: str) -> None:
    """By mouse, with the stepper and a typed number."""
    nominate, bid = AUCTIONS[rulebook]
    ann = wired(nominate, rulebook=rulebook)
    card = ann.page.locator(".card.offered").first
    number = card.get_attribute("data-card")
    card.click()
    low = int(ann.bar.get_by_role("spinbutton", name="Opening bid").get_attribute("min") or 0)
    ann.step("Opening bid", number=low + 2)
    ann.offers(low + 2, ann.money() - low - 2)
    assert ann.send(ann.primary.click) == [f"nominate {number} @{low + 2}"]

    ann = wired(bid, rulebook=rulebook, when=lambda game: rich(game, 5))
    low = ann.game.view(0)["auction"]["bid"] + 1
    ann.step("Your limit", number=low + 3)
    limit = ann.bar.get_by_role("button", name="Bid up to")
    ann.offers(low + 3, button=limit)
    ann.step("Your bid", number=low + 2)
    ann.offers(low + 2, ann.money() - low - 2)
    assert ann.send(ann.primary.click) == [f"bid {low + 2}"]


@pytest.mark.parametrize("rulebook", some("cardgame", of=AUCTIONS))
def test_a_limit_and_no_more(wired: Callable[..., Wired], rulebook: str) -> None:
    """By buttons that all games share."""
    _, bid = AUCTIONS[rulebook]
    ann = wired(bid, rulebook=rulebook, when=lambda game: rich(game, 5))
    limit = ann.game.view(0)["auction"]["bid"] + 4
    ann.bar.get_by_role("spinbutton", name="Your limit", exact=True).fill(str(limit))
    seq = ann.player.seq()
    ann.sent.clear()
    ann.bar.get_by_role("button", name="Bid up to").click()
    ann.player.until_moved(seq)
    (limit_sent,) = (each for each in ann.sent if each["type"] == "max_bid")
    auction = ann.game.view(0)["auction"]
    assert (limit_sent["card"], limit_sent["limit"]) == (auction["card"], limit)

    ann = wired(bid, rulebook=rulebook)
    assert ann.send(ann.player.button("[data-key=p]").click) == ["pass"]


def rich(game: hv.Game, spare: int) -> bool:
    """Ann may bid so much more than she must."""
    view = game.view(0)
    bid = view["auction"]["bid"] or 0
    return bool(view["players"][0]["money"] > bid + spare)


def test_buying_fuel(wired: Callable[..., Wired]) -> None:
    """One token more, one less; the basket emptied; what it costs."""
    ann = wired("fuel", when=lambda game: rich(game, 20))
    shelf = ann.page.locator(".fuel .shelf:has(.more:enabled)").first
    kind = shelf.get_attribute("data-fuel")
    more, less = shelf.locator(".more"), shelf.get_by_role("button", name="Less")
    more.click()
    expect(shelf).to_have_attribute("data-basket", "1")
    less.click()
    expect(shelf).to_have_attribute("data-basket", "0")
    more.click()
    ann.bar.get_by_role("button", name="Empty the basket").click()
    expect(shelf).to_have_attribute("data-basket", "0")
    more.click()
    check_spending(ann, lambda moves: moves[0] == f"buy {kind} 1" and set(moves[1:]) <= {"done"})


def test_buying_fuel_cards(wired: Callable[..., Wired]) -> None:
    ann = wired("fuel_cards", rulebook="cardgame", when=lambda game: rich(game, 4))
    ann.page.locator(".fuelcard.offered").first.click()
    check_spending(ann, lambda moves: moves[0].startswith("buy ") and set(moves[1:]) <= {"done"})


def check_spending(ann: Wired, wanted: Callable[[list[str]], bool]) -> None:
    """The engine, which plays what the main button sends, agrees on the cost and what is left."""
    ann.player.settle()
    cost, left = ann.numbers(ann.primary)[-2:]
    before = ann.money()
    moves = ann.send(ann.primary.click)
    assert wanted(moves), moves
    assert (ann.money(), before - ann.money()) == (left, cost)


TOUCH = pytest.param(PHONE, marks=pytest.mark.long)


@pytest.mark.parametrize("size", [DESKTOP, TOUCH], ids=["mouse", "touch"])
def test_building_two_cities(wired: Callable[..., Wired], size: Size) -> None:
    """A plan is cleared and made again, carried out as one, and its last city is taken back."""
    ann = wired("building", size=size, when=lambda game: rich(game, 40), auto=False)
    press = Locator.tap if size == PHONE else Locator.click
    press(ann.bar.locator(".suggestion").first)
    press(ann.bar.get_by_role("button", name="Clear"))
    expect(ann.page.locator(".city .ghost")).to_have_count(0)
    for planned in (1, 2):
        press(ann.bar.locator(".suggestion").first)
        expect(ann.page.locator(".city .ghost")).to_have_count(planned)
        ann.player.settle()
    expect(ann.primary).to_contain_text(re.compile("Build 2 "))
    check_spending(ann, lambda moves: [move.split()[0] for move in moves] == ["build", "build"])
    if size == PHONE:
        return  # the purse is not in its bar
    purse = ann.bar.locator(".purse .money")
    expect(purse).to_contain_text(str(ann.money()))
    before, seq = ann.money(), ann.player.seq()
    ann.sent.clear()
    ann.player.button("[data-key=u]").click()
    expect(purse).not_to_contain_text(str(before))
    (undo,) = (each for each in ann.sent if each["type"] == "undo")
    assert undo["seq"] == seq
    ann.read_game()
    expect(purse).to_contain_text(str(ann.money()))
    assert ann.money() > before


RUNS = [("classic", "bureaucracy"), ("cardgame", "run"), ("outpost", "bureaucracy")]


@pytest.mark.parametrize(("rulebook", "kind"), RUNS)
def test_running_plants(wired: Callable[..., Wired], rulebook: str, kind: str) -> None:
    """One plant less earns less, and what the button says is what is paid."""
    ann = wired(kind, rulebook=rulebook, when=lambda game: game.state.round > 1)
    most = ann.shown(ann.primary)
    if rulebook == "outpost":
        ann.bar.get_by_role("button", name="less").click()
    else:
        ann.bar.locator(".toggle[aria-pressed=true]").last.click()
    expect(ann.primary).not_to_contain_text(f"{most} ")
    ann.player.settle()
    paid = ann.shown(ann.primary)
    before = ann.money()
    (move,) = ann.send(ann.primary.click)
    assert move.split()[0] in {"run", "power"}
    assert ann.money() - before == paid < most


def test_scrapping(wired: Callable[..., Wired]) -> None:
    ann = wired("scrap", rulebook="cardgame")
    old = ann.bar.locator("[data-scrap]").first
    card = old.get_attribute("data-scrap")
    (move,) = ann.send(old.click)
    assert move.split()[:2] == ["scrap", card]


def test_a_turn_of_outpost(wired: Callable[..., Wired]) -> None:
    """A station is planned, workers are hired by the stepper, and both are paid."""
    ann = wired("company", rulebook="outpost", when=lambda game: rich(game, 30))
    ann.bar.locator(".suggestion").first.click()
    ann.bar.get_by_role("button", name="Clear").click()
    ann.bar.locator(".suggestion").first.click()
    ann.player.settle()  # how many may be hired is known once the page has its answer
    hired = ann.bar.get_by_role("spinbutton", name="Workers to hire")
    hired.fill("0")
    expect(hired).to_have_value("0")
    ann.player.settle()
    more = ann.bar.get_by_role("group", name="Workers to hire").get_by_role("button", name="more")
    more.dblclick()
    expect(hired).to_have_value("2")
    check_spending(ann, lambda moves: any(move.startswith("hire ") for move in moves))
