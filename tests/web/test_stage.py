"""Events are animated: one can follow, skip or switch that off; what is asked waits for them."""

import re
from collections.abc import Callable
from typing import Any, Literal

import pytest
from playwright.sync_api import Page, Route, expect

import highvoltage as hv
from browsing import Player, Sit, costs, held
from highvoltage.engine.events import Sold
from highvoltage.engine.moves import Nominate
from highvoltage.engine.record import turned_tokens
from positions import board
from seating import is_last, next_decision
from serving import eventually
from spread import some

WATCH = """(what) => {
    window.staged = false
    const look = () => { window.staged ||= !!document.querySelector(what) }
    new MutationObserver(look).observe(document.body, {
        subtree: true, childList: true, attributes: true, characterData: true,
    })
}"""
"""Records that an element appeared, however briefly: a busy machine may check too late."""


def has_not_called(game: hv.Game) -> bool:
    opened = max(i for i, row in enumerate(game.log) if isinstance(row.move, Nominate))
    return all(row.seat != 0 for row in game.log[opened:])


def test_the_card_under_the_hammer_comes_forward(player_at: Sit) -> None:
    player = player_at("bid", when=has_not_called)
    page = player.page
    stage = page.get_by_role("region", name="under the hammer")
    expect(stage.get_by_text("leads")).to_be_visible()
    expect(stage.get_by_role("listitem")).to_have_count(3)
    expect(stage.locator("li.next")).to_have_text(re.compile(r"you\s+to bid"))
    expect(stage.get_by_text("to bid")).to_have_count(1)
    for control in (r"Raise to \d+", r"Bid up to \d+", "I'm out"):
        expect(player.bar.get_by_role("button", name=re.compile(control))).to_have_count(1)
    page.keyboard.press("s")
    stage.get_by_role("button", name="Bring forward").click()
    page.get_by_role("button", name="Stage").click()
    expect(stage).to_have_count(0)
    page.get_by_role("button", name="Stage").click()
    expect(stage).to_have_count(1)


def test_the_button_says_what_the_field_shows(player_at: Sit) -> None:
    """Also while one types; and an impossible bid is not shown."""
    player = player_at("bid")
    field = player.bar.get_by_role("spinbutton", name="Your limit")
    button = player.bar.get_by_role("button", name="Bid up to")
    low, high = (int(field.get_attribute(end) or 0) for end in ("min", "max"))
    for typed, limit in ((low + 3, low + 3), (1, low), (high, high), (high + 100, high)):
        field.select_text()
        player.page.keyboard.type(str(typed))
        expect(field).to_have_value(str(typed))
        expect(button).to_have_text(f"Bid up to {limit}")
    player.page.keyboard.press("Tab")
    expect(field).to_have_value(str(high))


@pytest.mark.parametrize("press", some("key", of=["key", "button", "card"]))
def test_a_press_while_something_is_shown_arrives_and_decides_nothing(
    player_at: Sit, press: str
) -> None:
    player = player_at("bid")
    page = player.page
    page.emulate_media(reduced_motion="no-preference")
    with held(page):
        player.button("[data-key=p]").click()
        skip = player.bar.get_by_role("button", name="Skip to my turn")
        expect(skip).to_be_visible()
        assert player.bar.get_attribute("data-asks") is None
        assert page.locator(".offered").count() == 0
        seq = player.seq()
        if press == "key":
            page.keyboard.press("p")
        elif press == "button":
            skip.click(force=True)  # what is under way may lie above it: any press counts
        else:
            page.locator(".market .card").first.click(force=True)
        player.wait()
        expect(skip).to_have_count(0)
        assert (player.seq(), page.locator(".card.chosen").count()) == (seq, 0)


LIVE = """() => {
    const bar = document.querySelector('.bar')
    let [seq, since, asked] = [bar.dataset.seq, performance.now(), true]
    window.waits = []
    new MutationObserver(() => {
        const now = document.querySelector('.bar')
        if (!now) return
        const { seq: at } = now.dataset
        if (at !== seq) [seq, since, asked] = [at, performance.now(), false]
        if (!asked && now.dataset.asks) {
            asked = true
            waits.push(performance.now() - since)
        }
    }).observe(document.body, { subtree: true, attributes: true, childList: true })
}"""
"""Measures the time from the last decision of the others to my buttons."""


@pytest.mark.long
@pytest.mark.parametrize("rulebook", ["classic", "recharged", "cardgame", "outpost"])
@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_my_buttons_are_there_soon(
    page_of_ann: Callable[..., Page], rulebook: str, motion: Literal["no-preference", "reduce"]
) -> None:
    player = Player(page_of_ann())
    page = player.page
    page.emulate_media(reduced_motion=motion)
    player.sit_down(rulebook, 4)
    player.wait()
    page.evaluate(LIVE)
    assert player.play() == "over"
    waits = sorted(page.evaluate("waits"))
    median, longest = waits[len(waits) // 2], waits[-1]
    print(
        f"{rulebook}, {motion}: {len(waits)} turns, median {median:.0f}, longest {longest:.0f} ms"
    )
    late = 500  # a busy machine
    assert median <= (1_200 if motion == "no-preference" else 200)
    assert longest <= (4_000 if motion == "no-preference" else 200) + late


@pytest.mark.long
def test_income_is_shown_and_what_has_happened_can_be_read(
    player_at: Sit,
) -> None:
    player = player_at("bureaucracy")
    page = player.page
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(WATCH, ".active .earned path")
    player.button("[data-primary]").click()
    page.wait_for_function("() => staged")
    player.wait()
    page.get_by_role("button", name="What just happened").click()
    turns = page.locator(".happened li")
    expect(turns.filter(has_text=re.compile(r"Clerk .* earns|powers"))).not_to_have_count(0)


@pytest.mark.parametrize("rulebook", some("outpost", of=["classic", "outpost"]))
def test_pay_is_listed_with_its_player_and_adds_up_to_the_purse(
    player_at: Sit, rulebook: str
) -> None:
    player = player_at("bureaucracy", rulebook=rulebook)
    page = player.page

    def purse() -> int:
        view = page.request.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()["view"]
        return int(view["players"][0]["money"])

    before = purse()
    expect(page.locator(".purse")).to_have_text(re.compile(rf"^\s*{before}Ɇ"))
    page.emulate_media(reduced_motion="no-preference")
    with held(page):
        player.button("[data-primary]").click()
        listed = page.locator(".player.you .earned b")
        expect(listed).to_have_text(re.compile(r"^\s*\+\d+Ɇ"))
        after = purse()
        expect(listed).to_have_text(re.compile(rf"^\s*\+{after - before}Ɇ"))
        expect(page.locator(".purse")).to_have_text(re.compile(rf"^\s*{after}Ɇ"))
        expect(page.get_by_role("region", name="Payday")).to_have_count(0)  # nothing covers the map


LISTEN = """() => {
    window.news = ''
    const listen = () => { window.news += document.querySelector('.herald')?.textContent ?? '' }
    new MutationObserver(listen).observe(document.body, { subtree: true, childList: true })
}"""


def begins_step_2(game: hv.Game) -> bool:
    return bool(game.view()["step"] == 1 and next_decision(game).view()["step"] == 2)


def begins_step_3(game: hv.Game) -> bool:
    return bool(game.view()["step"] == 2 and next_decision(game).view()["step"] == 3)


def largest(game: hv.Game) -> int:
    return max(len(player["cities"]) for player in game.view()["players"])


def begins_the_last_round(game: hv.Game) -> bool:
    """Somebody before Ann builds enough to end the game, and all her plants have their fuel."""
    view = game.view(0)
    plants, fuel = view["players"][0]["plants"], view["players"][0]["fuel"]
    if any(sum(fuel[kind] for kind in plant["fuels"]) < plant["need"] for plant in plants):
        return False
    after = next_decision(game)
    return after.outcome is None and largest(after) >= view["end_cities"] > largest(game)


@pytest.mark.parametrize(
    ("kind", "when", "seed", "words"),
    [
        pytest.param("fuel", begins_the_last_round, 4, "Last round", marks=pytest.mark.long),
        ("building", begins_step_2, 6, "Step 2 begins"),
        pytest.param("bureaucracy", begins_step_3, 6, "Step 3 begins", marks=pytest.mark.long),
    ],
)
def test_news_is_shown_large(
    player_at: Sit,
    kind: str,
    when: Callable[[hv.Game], bool],
    seed: int,
    words: str,
) -> None:
    player = player_at(kind, when=when, seed=seed)
    page = player.page
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(LISTEN)
    player.button("[data-key=d], [data-primary]").last.click()
    page.wait_for_function("words => news.includes(words)", arg=words)


def builds_first(game: hv.Game) -> bool:
    return game.view(0)["order"][-1] == 0 and game.state.round == 2


NEAREST = """() => {
    const cost = (city) => Number(/\\d+/.exec(city.getAttribute('aria-label'))?.[0] ?? Infinity)
    const cities = [...document.querySelectorAll('.city[role=button]')]
    return cities.sort((a, b) => cost(a) - cost(b)).slice(0, 2).map((city) => {
        city.dispatchEvent(new MouseEvent('click', { bubbles: true }))
        return city.getAttribute('aria-label').split('.')[0]
    })
}"""


def page_record(page: Page) -> str:
    table = page.url.rpartition("/")[2]
    return page.request.get(f"/api/tables/{table}/record").text()


def present(page: Page) -> hv.Game:
    """The game at this table, as far as it is public: no card can be turned up."""
    game = hv.replay(page_record(page))
    board(game).market.deck.clear()
    return game


def costs_after(page: Page, *moves: str) -> dict[str, int]:
    """What the cities cost Ann after these moves, by the rules."""
    game = present(page)
    for move in moves:
        game.play(move)
    found: dict[str, int] = game.view(0)["connect"]
    return found


def builds(game: hv.Game) -> list[str]:
    return [str(move) for move in game.legal_moves.choices if str(move).startswith("build")]


def costs_ahead(page: Page) -> dict[str, int]:
    """What the cities will cost Ann once her planned cities are built, and those themselves."""
    game = present(page)
    while game.phase == "fuel":
        game.play("done")
    ghosts = page.locator(".city:has(.ghost)").all()
    names = [str(ghost.get_attribute("data-city")) for ghost in ghosts]
    prices = {}
    for city in sorted(names, key=game.view(0)["connect"].__getitem__):  # as NEAREST takes them
        prices[city] = game.view(0)["connect"][city]
        game.play(f"build {city}")
    connect: dict[str, int] = game.view(0)["connect"]
    return connect | prices


def test_cities_are_planned_before_it_is_time_to_build(player_at: Sit) -> None:
    """And fuel is bought with one button, which ends the turn."""
    player = player_at("fuel", when=builds_first, seed=10)
    page = player.page
    names = page.evaluate(NEAREST)
    expect(page.locator(".city .ghost")).to_have_count(2)
    planned = costs_ahead(page)
    eventually(lambda: costs(page) == planned)
    page.locator(".fuel .more:enabled").first.click()
    before = player.seq()
    player.button("[data-primary]").click()
    player.until_moved(before)
    while player.wait() != "building":
        player.button("[data-primary]").click()  # plants would be idle: it asks for confirmation
    expect(player.button("[data-primary]")).to_contain_text(re.compile(r"Build 2 .* for \d+"))
    assert costs(page) == planned
    for name in names:
        expect(page.locator(f'.city[aria-label^="{name}"] .ghost')).to_have_count(1)


def test_a_key_shows_what_every_city_costs(player_at: Sit) -> None:
    player = player_at("building", when=lambda game: game.state.round > 1)
    page = player.page
    expect(page.locator(".track .mine em")).to_have_text(re.compile(r"^\d+$"))
    button = page.get_by_role("button", name="Cost for me")
    before = page.locator(".map .tag").count()
    page.keyboard.press("c")
    expect(button).to_have_attribute("aria-pressed", "true")
    page.locator(".map .tag").nth(before + 5).wait_for()
    button.click()
    expect(page.locator(".map .tag")).to_have_count(before)


TAGS = "() => [...document.querySelectorAll('.map .tag')].map((tag) => tag.textContent).sort()"


def test_costs_are_those_after_the_plan(player_at: Sit) -> None:
    """For every city, affordable or not, both on screen and for screen readers."""
    player = player_at("building", seed=2)
    page = player.page
    page.keyboard.press("c")
    assert costs(page) == costs_after(page)
    page.locator("[data-city=duisburg]").click()
    after = costs_after(page, "build duisburg")
    assert (after["essen"], after["mannheim"]) == (10, 45)
    assert costs(page) == after | {"duisburg": 10}
    page.mouse.move(0, 0)
    shown = sorted(["10", *map(str, after.values())])
    eventually(lambda: page.evaluate(TAGS) == shown)
    page.keyboard.press("c")


def turns_up(game: hv.Game) -> bool:
    """Ann can build a city that makes the smallest plant leave, and another one after it."""
    then = game.copy()
    return bool(builds(game) and turned_tokens(then.play(builds(game)[0])) and builds(then))


def test_costs_do_not_end_where_a_plant_is_turned_up(player_at: Sit) -> None:
    player = player_at("building", seats=2, seed=2, when=turns_up)
    page = player.page
    game = present(page)
    moves, prices = [], {}
    for _ in range(2):
        moves.append(builds(game)[0])
        city = moves[-1].split()[1]
        prices[city] = game.view(0)["connect"][city]
        page.locator(f"[data-city={city}]").click()
        game.play(moves[-1])
    assert costs(page) == costs_after(page, *moves) | prices
    total = f"Build 2 cities for {sum(prices.values())} "
    expect(player.button("[data-primary]")).to_contain_text(total)


def test_the_end_says_who_won_and_why(player_at: Sit) -> None:
    player = player_at("building", seats=2, when=is_last)
    player.button("[data-key=d]").click()
    dialog = player.page.get_by_role("dialog")
    expect(dialog).to_contain_text(re.compile("You have won!|Bea has won!"))
    game = hv.replay(page_record(player.page))
    events = [event for row in game.log for event in row.events]
    dearest = max(event.amount for event in events if isinstance(event, Sold))
    expect(dialog.locator("dd", has_text=re.compile(f"buys plant .* {dearest} Ɇ"))).to_have_count(1)
    expect(dialog).to_contain_text(re.compile(r"powered \d+ cit|Money decides: .* \d+, .* \d+"))
    for name in ("Play again", "Copy the link", "Analyse the game"):
        expect(dialog.get_by_role("button", name=name)).to_be_visible()
    # As much room as a table of four, with two rows more, has at 720.
    player.page.set_viewport_size({"width": 1280, "height": 650})

    def is_above() -> bool:
        story, foot = (dialog.locator(part).bounding_box() for part in ("dl", "footer"))
        return bool(story and foot and story["y"] + story["height"] <= foot["y"])

    eventually(is_above)
    with player.page.expect_download() as download:
        dialog.get_by_role("button", name="Picture").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    dialog.get_by_role("button", name="Close").click()


@pytest.mark.long
def test_the_players_come_forward_in_the_bar_before_the_result(player_at: Sit) -> None:
    player = player_at("building", seats=2, when=is_last)
    page = player.page
    page.emulate_media(reduced_motion="no-preference")
    with held(page):
        player.button("[data-key=d]").click()
        forward = player.bar.locator(".honours li")
        expect(forward).to_have_count(1)  # who comes last
        expect(forward).to_contain_text("2")
        name = forward.locator(".name").inner_text()
        expect(page.locator(".player.active .name")).to_have_text(name)
        expect(page.locator(".kindled.stays")).to_have_count(1)  # as long as the chip stands out
        expect(page.get_by_text("won!")).to_have_count(0)
        expect(page.locator(".phases .now")).to_have_text("Bureaucracy")
        expect(page.locator(".happened .line")).to_have_text(re.compile(r": Powered \d+$"))
        expect(player.bar.get_by_role("button", name="Skip to the result")).to_be_visible()
        page.keyboard.press("s")
        expect(page.get_by_role("dialog")).to_contain_text("won!")
        expect(forward).to_have_count(0)


NONE = {"status": "none", "done": 0, "found": None}


@pytest.mark.long
def test_the_end_shows_the_three_moves_that_cost_most(player_at: Sit) -> None:
    """One's own moves only, and only where another move would have been better."""
    player = player_at("building", seats=2, when=is_last)
    page = player.page
    table = page.url.rpartition("/")[2]
    judged = [judge(move, loss) for move, loss in enumerate((0.5, 0.4, 0.3, 0.25, 0.2, 0.1), 1)]
    judged[0]["best"] = judged[0]["played"]
    judged[2]["seat"] = 1
    found = {"names": ["Ann", "Bea"], "decisions": judged, "curves": [[0.2], [0.8]], "turns": []}
    done = {"status": "done", "done": 1, "found": found}

    slow: list[Route] = []

    def answer(route: Route) -> None:
        if route.request.method == "POST":
            route.fulfill(json=done)
        else:
            slow.append(route)

    page.route("**/analysis", answer)
    with page.expect_request("**/analysis"):
        player.button("[data-key=d]").click()
    dialog = page.get_by_role("dialog")
    # who was ahead when is there without being asked for
    expect(dialog.get_by_role("img", name="Chance of winning, %. ")).to_be_visible()
    dialog.get_by_role("button", name="Analyse the game").click()
    page.wait_for_timeout(100)  # enough for the page to request too much
    slow[0].fulfill(json=NONE)
    expect(dialog).to_contain_text("The three moves that cost you most")
    shown = dialog.locator(".moments ol li")
    expect(shown).to_have_count(3)
    for line, move, loss in zip(shown.all(), (2, 4, 5), (40, 25, 20), strict=True):
        expect(line).to_contain_text(f"Round {move}")
        expect(line.get_by_role("link")).to_have_attribute("href", f"/replay/{table}?move={move}")
        expect(line.locator(".loss")).to_have_text(f"−{loss - 2} to {loss + 2}%")  # noqa: RUF001
    dialog.get_by_role("button", name="Close").click()


def judge(move: int, loss: float) -> dict[str, Any]:
    """A decision of Ann's in the round of the same number, as the server sends it."""
    about = {"move": move, "round": move, "phase": "auction", "seat": 0}
    return about | {
        "played": "bid 7",
        "chance": 0.2,
        "best": "pass",
        "best_chance": 0.2 + loss,
        "error": 0.01,
    }
