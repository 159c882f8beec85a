"""Games against bots to their end, played with the mouse.

One is played from the first page on in every run, all others by `make test-long`. Of the 2004
edition and of Outpost every run plays the last rounds; the first ones, of the edition of 2018 and
of Outpost, are played where a first game is led through.
"""

import pytest
from playwright.sync_api import Browser, expect

from browsing import DESKTOP, PHONE, Player, Sit, Size, check_access, complaints, leave, open_page
from serving import Server
from spread import some

# What these rounds ask of everybody; whether one nominates or bids is for the others to say
BOARD = {"auction", "fuel", "building", "bureaucracy"}
OUTPOST = {"auction", "company"}  # who spends all has nothing to run
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


@pytest.mark.parametrize(("rulebook", "players", "size"), some(CHOSEN, of=GAMES))
def test_a_whole_game_can_be_played(
    server: Server, browser: Browser, rulebook: str, players: int, size: Size
) -> None:
    page = open_page(browser, server.url, size)
    page.goto("/")
    page.get_by_role("radio", name=rulebook).click()
    page.get_by_role("radio", name=str(players - 1), exact=True).click()
    page.get_by_role("combobox", name="Bots").select_option("clerk")
    page.get_by_test_id("play").click()
    # The deal is drawn by lot: who spends all on plants is asked for nothing else.
    play_to_the_end(Player(page), {"auction"})
    assert complaints(page) == []
    leave(page)


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
    asked = {"auction" if kind.startswith(AUCTION) else kind for kind in player.seen}
    assert decisions <= asked
    page.keyboard.press("Escape")
