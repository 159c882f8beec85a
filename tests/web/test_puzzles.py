"""Puzzles are solved by clicking, at the table of their game."""

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import SCREENS, check_access, complaints, leave, open_page
from highvoltage import puzzles
from highvoltage.puzzles import Puzzle
from serving import Server
from spread import some


def check_question(page: Page, puzzle: Puzzle) -> None:
    page.goto(f"/puzzle/{puzzle.name}")
    page.locator(".bar .moves > *").first.wait_for()


def play(page: Page, move: str) -> None:
    """A nomination, a bid or a pass, by the buttons on the page."""
    verb, _, rest = move.partition(" ")
    if verb == "pass":
        page.locator(".bar [data-key=p]").click()
        return
    if verb == "nominate":
        card = rest.partition(" ")[0]
        named = ", ".join(f'[data-card="{card}{letter}"]' for letter in ("", *"bcde"))
        page.locator(f".card.offered:is({named})").first.click()
    page.locator(".bar [data-primary]").click()


@pytest.mark.parametrize(
    ("rulebook", "screen"),
    some(
        ("cardgame", "phone"),
        of=[("classic", "desktop"), ("cardgame", "phone"), ("outpost", "desktop")],
    ),
)
def test_a_puzzle_is_tried_and_solved(
    server: Server, browser: Browser, rulebook: str, screen: str
) -> None:
    puzzle = next(
        each
        for each in puzzles.shipped()
        if each.rulebook == rulebook and each.answers[0].startswith("nominate")
    )
    wrong = next(each.move for each in puzzle.tried if each.move not in puzzle.answers)
    page = open_page(browser, server.url, SCREENS[screen])
    check_question(page, puzzle)
    expect(page.get_by_text("Find the best move.")).to_be_visible()
    play(page, wrong)
    expect(page.get_by_text("Not this:")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    play(page, puzzle.answers[0])
    answer = page.get_by_role("dialog", name="Right!")
    rows = answer.locator("tbody tr")
    expect(rows).to_have_count(len(puzzle.tried))
    expect(rows.first).to_contain_text(f"{round(100 * puzzle.tried[0].chance)}%")
    expect(answer).to_contain_text(f"{round(100 * puzzle.margin)} points more")
    if rulebook == "classic":  # the answer is shown in the same way in all
        check_access(page, "answer", "dialog", ("night",))
    answer.get_by_role("link", name="Puzzles").click()
    expect(page.get_by_text(f"Solved: 1 of {len(puzzles.shipped())}")).to_be_visible()
    assert complaints(page) == []
    leave(page)


@pytest.mark.long
def test_puzzles_are_found_by_game_and_theme_and_an_answer_can_be_looked_up(
    server: Server, browser: Browser
) -> None:
    page = open_page(browser, server.url, language="de")
    page.goto("/")
    page.get_by_role("link", name="Aufgaben").click()
    links = page.locator("main ol a")
    expect(links).to_have_count(len(puzzles.shipped()))
    check_access(page, "puzzles")
    expect(page.locator("a.daily .button")).to_have_text("Lösen")
    page.get_by_label("Spiel").select_option("cardgame")
    page.get_by_label("Thema").select_option("auction")
    some = [
        each for each in puzzles.shipped() if (each.rulebook, each.theme) == ("cardgame", "auction")
    ]
    expect(links).to_have_count(len(some))
    share = f"sehen es {round(100 * some[0].found)}-mal von 100"
    expect(links.first).to_contain_text(share)
    links.first.click()
    page.get_by_role("button", name="Lösung zeigen").click()
    answer = page.get_by_role("dialog", name="Die Lösung")
    expect(answer).to_contain_text("Punkte mehr")
    answer.get_by_role("button", name="Nächste Aufgabe").click()
    expect(page).not_to_have_url(f"{server.url}/puzzle/{some[0].name}")
    page.goto("/puzzles")
    expect(page.get_by_text("gezeigt")).to_have_count(1)
    page.goto("/puzzle/chess-1")
    expect(page.get_by_text("Diese Aufgabe gibt es nicht.")).to_be_visible()
    leave(page)
