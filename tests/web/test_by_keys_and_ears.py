"""Without a mouse: whole games by keys alone, and a round by the accessibility tree alone."""

import re

import pytest
from playwright.sync_api import Browser, Page

from browsing import PATIENCE, Player, complaints, leave, open_page
from serving import Server

MOST_PRESSES = 3  # a decision, on average
GAMES = ("cardgame", "classic", "outpost", "recharged")
SETTLED = """() => {
    const bar = document.querySelector('.bar')
    return bar && !bar.dataset.previewing && !bar.querySelector('.busy')
}"""


class Keys:
    """Somebody who presses keys, and counts them."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.page = player.page
        self.presses = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.wait_for_function(SETTLED)
            self.page.keyboard.press(key)
            self.presses += 1

    def sees(self, what: str) -> int:
        return self.page.locator(f"{what}:visible").count()

    def decide(self, kind: str, nth: int) -> None:
        ways = {"scrap": "1", "regions": "1", "bid": "Enter" if nth % 5 == 0 else "p"}
        verb = kind.partition("_")[0]
        if verb in ways:
            self.press(ways[verb])
        elif verb == "nominate":
            self.nominate()
        elif verb == "fuel":
            self.buy(".fuelcard.offered" if kind == "fuel_cards" else ".fuel .more")
        elif verb in ("building", "company"):
            if self.sees(".bar .suggestion"):
                self.press("1")
            is_done = verb == "company" or not self.sees(".bar [data-primary]")
            self.press("d" if is_done else "Enter")
        elif verb in ("cartel", "marks", "syndicate"):
            self.press("1", "Enter")
        else:
            self.press("Enter")

    def nominate(self) -> None:
        plants = self.sees(".player.you :is(.chip, .card)")
        if plants >= 3 and self.sees(".bar [data-key=p]"):
            self.press("p")
        else:
            self.press(str(min(9, self.sees(".card.offered"))), "Enter")

    def buy(self, offered: str) -> None:
        for at in range(1, 1 + min(2, self.sees(offered))):
            self.press(str(at))
        self.press("Enter")
        self.page.wait_for_function(SETTLED)
        if self.sees(".bar .doubt"):  # it asks once more
            self.press("Enter")


@pytest.mark.long
@pytest.mark.parametrize(("rulebook", "most"), [(each, 6) for each in GAMES])
def test_a_few_decisions_by_keys_alone(
    server: Server, browser: Browser, rulebook: str, most: int
) -> None:
    assert _play(server, browser, rulebook, most) == most


@pytest.mark.long
@pytest.mark.parametrize("rulebook", GAMES)
def test_a_whole_game_by_keys_alone(server: Server, browser: Browser, rulebook: str) -> None:
    assert _play(server, browser, rulebook, 2_000) > 15


def _play(server: Server, browser: Browser, rulebook: str, most: int) -> int:
    """Play until the game is over or so many decisions were made; returns their number."""
    page = open_page(browser, server.url)
    player = Player(page)
    player.make(rulebook=rulebook, seats=[{"kind": "me"}, {"kind": "bot", "bot": "clerk"}])
    page.evaluate("() => { onmousedown = () => { throw Error('no mouse') } }")
    keys = Keys(player)
    made = 0
    while made < most and (kind := player.wait()) != "over":
        made += 1
        seq = player.seq()
        keys.decide(kind, made)
        player.until_moved(seq)
    assert keys.presses <= MOST_PRESSES * made
    assert complaints(page) == []
    leave(page)
    return made


@pytest.mark.long
def test_from_a_chosen_plant_one_press_nominates(server: Server, browser: Browser) -> None:
    page = open_page(browser, server.url)
    player = Player(page)
    player.make(rulebook="classic", seats=[{"kind": "me"}, {"kind": "bot", "bot": "clerk"}])
    player.wait()
    page.locator(".card.offered").first.focus()
    page.keyboard.press("Enter")
    page.locator(".card.chosen").wait_for()
    seq = player.seq()
    page.keyboard.press("Enter")
    player.until_moved(seq)
    leave(page)


# The accessibility tree


class Listener:
    """Somebody who is read the page, and activates what was read."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def tree(self) -> str:
        return self.page.locator("body").aria_snapshot(timeout=PATIENCE)

    def my_move(self, tree: str) -> str:
        """What is read of my move; empty while others move."""
        _, _, region = tree.partition('region "Your move":')
        return region.partition("\n- ")[0]

    def activate(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).first.click()

    def buttons(self, text: str) -> list[str]:
        return [
            (quoted or plain)
            for quoted, plain in re.findall(
                r"- (?:'button \"(.+?)\"'|button \"(.+?)\")(?! \[dis)", text
            )
        ]


TOOLS = {"Undo", "Hint"}
WANTED = {  # what is chosen first when asked this
    "put a plant up": r"Plant ",
    "buy fuel": r"Put 2 ",
    "connect cities": r".+ costs you",
}


@pytest.mark.long
def test_a_round_is_read_and_played_by_the_accessibility_tree(
    server: Server, browser: Browser
) -> None:
    page = open_page(browser, server.url)
    player = Player(page)
    player.make(
        rulebook="classic", map="germany", seats=[{"kind": "me"}, {"kind": "bot", "bot": "clerk"}]
    )
    listener = Listener(page)
    heard: list[str] = []
    for _ in range(200):
        player.wait()
        if "Round 2" in (tree := listener.tree()):
            break
        move = listener.my_move(tree)
        asked = re.search(r'paragraph: "?(.+?)"?\n', move)
        choices = [name for name in listener.buttons(move) if name not in TOOLS]
        assert asked, tree
        first = asked[1] not in heard
        heard.append(asked[1])
        wanted = next((names for words, names in WANTED.items() if words in asked[1]), "$.")
        offered = [name for name in listener.buttons(tree) if re.match(wanted, name)]
        agreed = [name for name in choices if re.match("Buy |Build in |Power ", name)]
        listener.activate((offered if first and offered else agreed or choices[-1:])[0])
    assert "Round 2" in listener.tree()
    for words in ("put a plant up", "buy fuel", "connect cities", "Power your cities"):
        assert [each for each in heard if words in each], (words, sorted({*heard}))
    assert complaints(page) == []
    leave(page)
