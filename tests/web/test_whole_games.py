"""Games against bots to their end, played with the mouse.

Every run plays one from the first page on, `make test-long` all others.
"""

import pytest
from playwright.sync_api import Browser, expect

from browsing import (
    DESKTOP,
    PHONE,
    Player,
    Sit,
    Size,
    check_access,
    choose,
    complaints,
    leave,
    open_page,
)
from serving import Server
from spread import some

# What these rounds require of everybody; whether one nominates or bids depends on the others
BOARD = {"auction", "fuel", "building", "bureaucracy"}
OUTPOST = {"auction", "company"}  # a player who spends everything has nothing to run
AUCTION = ("nominate", "bid")


CHOSEN = ("Power Grid: The Card Game", 2, PHONE)
GAMES = [
    CHOSEN,
    ("Power Grid (2004)", 2, PHONE),
    ("Power Grid (2004)", 4, DESKTOP),
    ("Power Grid Recharged (2018)", 2, PHONE),
    ("Power Grid Recharged (2018)", 4, DESKTOP),
    ("Power Grid: The Card Game", 4, DESKTOP),
    ("Power Grid: Outpost", 2, DESKTOP),
    ("Power Grid: Outpost", 4, PHONE),
]


@pytest.mark.parametrize(("rulebook", "players", "size"), some(of=GAMES))
def test_a_whole_game_can_be_played(
    server: Server, browser: Browser, rulebook: str, players: int, size: Size
) -> None:
    page = open_page(browser, server.url, size)
    page.goto("/")
    choose(page, "Rulebook", rulebook)
    choose(page, "Opponents", str(players))
    page.get_by_role("combobox", name="Bots").select_option("clerk")
    page.get_by_test_id("play").click()
    # The deal is random: a player who spends everything on plants has nothing else to decide.
    play_to_the_end(Player(page), {"auction"})
    assert complaints(page) == []
    leave(page)


@pytest.mark.long
@pytest.mark.parametrize(("map_", "decisions"), [("australia", {"sell"}), ("india", {"fuel"})])
def test_a_board_with_moves_of_its_own_can_be_played(
    server: Server, browser: Browser, map_: str, decisions: set[str]
) -> None:
    page = open_page(browser, server.url)
    player = Player(page)
    player.sit_down("recharged", 2, map=map_)
    play_to_the_end(player, decisions)
    assert complaints(page) == []
    leave(page)


@pytest.mark.long
@pytest.mark.parametrize(
    ("rulebook", "players", "kind", "rounds", "decisions"),
    [
        ("classic", 4, "building", 10, BOARD),
        ("outpost", 2, "company", 8, OUTPOST),
    ],
)
def test_the_last_rounds_of_a_game_can_be_played(
    player_at: Sit, rulebook: str, players: int, kind: str, rounds: int, decisions: set[str]
) -> None:
    late = player_at(
        kind, rulebook=rulebook, seats=players, when=lambda game: game.state.round >= rounds
    )
    play_to_the_end(late, decisions)


def play_to_the_end(player: Player, decisions: set[str]) -> None:
    page = player.page
    assert player.play() == "over"
    expect(page.get_by_role("dialog")).to_contain_text("Play again")
    check_access(page, "result", "dialog[open]")
    decided = {"auction" if kind.startswith(AUCTION) else kind for kind in player.seen}
    assert decisions <= decided
    page.keyboard.press("Escape")
