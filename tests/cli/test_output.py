"""How lists and judgements are laid out at the terminal, and what is told beside them."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

import highvoltage as hv
from highvoltage import mcp as models
from highvoltage import words
from highvoltage.analysis import Analysis, JudgedDecision, TurningPoint
from highvoltage.cli import analyse, bench, listing, making, reading, replaying
from highvoltage.cli.game_spec import map_title
from highvoltage.cli.mcp import mcp
from highvoltage.engine.parts.board import known_maps, load_map
from highvoltage.mapmaker.judge import Figure, Sample, Verdict, play_sample
from highvoltage.rules.player import Paragraph


def console_to(shown: io.StringIO, *, terminal: bool = False) -> Console:
    return Console(file=shown, width=2_000, force_terminal=terminal, no_color=True)


def lines_of(shown: io.StringIO) -> list[str]:
    return [line.rstrip() for line in shown.getvalue().splitlines()]


def test_every_map_is_one_line_with_two_spaces_between_its_columns() -> None:
    listing.show_maps(console_to(shown := io.StringIO()))
    boards = [load_map(name) for name in known_maps()]
    printed = [", ".join(filter(None, (board.name, board.edition))) for board in boards]
    names, about = max(map(len, known_maps())), max(map(len, printed))
    assert lines_of(shown) == [
        f"{name:{names}}  {edition:{about}}  {', '.join(board.regions)}"
        for name, edition, board in zip(known_maps(), printed, boards, strict=True)
    ]


def test_a_map_is_shown_by_region_without_a_gap() -> None:
    listing.show_map("germany", console_to(shown := io.StringIO()))
    board, lines = load_map("germany"), lines_of(shown)
    assert len(lines) == 1 + len(board.regions) + len(board.cities)
    (kiel,) = [line for line in lines if line.startswith("  Kiel ")]
    assert kiel.split("  ")[-1].strip() == "Flensburg 4, Lübeck 4, Hamburg 8"


def test_options_bots_and_boards_are_listed_without_a_gap() -> None:
    listing.show_games(console_to(shown := io.StringIO()))
    games, _, rest = shown.getvalue().partition(words.say("terminal_boards"))
    boards, _, bots = rest.partition(words.say("opponent_kind"))
    parts = games.rstrip().split("\n\n")
    assert len(parts) == len(hv.games())
    for part, meta in zip(parts, hv.games().values(), strict=True):
        head, about, *rows = part.splitlines()
        assert head.startswith(f"{meta.name}  ")
        assert about.startswith("  ")
        assert len(rows) == 1 + bool(meta.maps) + len(meta.options)
    about_boards = [load_map(name) for name in known_maps()]
    told = [board for board in about_boards if board.about]
    variants = sum(len(board.variants) for board in told)
    assert len(boards.strip().splitlines()) == len(told) + variants
    assert tuple(line.split()[0] for line in bots.strip().splitlines()) == hv.bots.names()


def test_a_random_game_shows_every_position_before_its_move() -> None:
    seen: list[int] = []
    game = bench.random_game("cardgame", 1, lambda now: seen.append(len(now.log)))
    assert seen == [*range(len(game.log))]
    assert game.outcome is not None


def test_a_map_is_judged_by_the_games_that_were_played_until_somebody_stops_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games = [play_sample("germany", n) for n in range(2)]

    def stopped_after(count: int) -> int:
        def play(*_: object) -> Iterator[Sample]:
            yield from games[:count]
            raise KeyboardInterrupt

        monkeypatch.setattr(making, "in_order", play)
        shown = io.StringIO()
        found = making.judge_map("germany", 7, 1, console_to(shown, terminal=True))
        assert f"{count}/7" in shown.getvalue()
        assert f"{count + 1}/7" not in shown.getvalue()
        return found.games

    assert [stopped_after(count) for count in (1, 2)] == [1, 2]
    with pytest.raises(KeyboardInterrupt):
        stopped_after(0)


def test_what_is_unusual_of_a_map_is_said_beside_what_is_usual() -> None:
    rounds = Figure("rounds", 12.34, 9.0, 11.0, 0.5, "", usual=False)
    city = Figure("first_city", 0.1234, 0.05, 0.2, 0.01, "kiel", usual=True)
    found = Verdict(50, (rounds, city), (("kiel", "luebeck"),))
    making.show_verdict(found, "germany", console_to(shown := io.StringIO()))
    assert lines_of(shown) == [
        "Germany after 50 games",
        "                                  official boards",
        "rounds of a game           12.3   9.0 to 11.0",
        "wins differ by first city  12.3%  5.0% to 20.0%    Kiel",
        "Hardly ever used: Kiel-Lübeck",
        "Unlike every official board in: rounds of a game.",
    ]
    making.show_verdict(Verdict(9, (city,), ()), "germany", console_to(shown := io.StringIO()))
    assert lines_of(shown)[-2:] == [
        "wins differ by first city  12.3%  5.0% to 20.0%    Kiel",
        "It plays like an official board in every respect that was measured.",
    ]


def test_rules_are_named_behind_a_text_below_a_table_and_not_at_a_heading() -> None:
    def shown(text: str) -> str:
        return reading._to_markdown(Paragraph("any", ("C-1", "C-2"), text))

    assert shown("## Fuel") == "## Fuel"
    assert shown("Buy fuel.") == "Buy fuel. *(C-1, C-2)*"
    assert shown("| a | b |") == "| a | b |\n\n*(C-1, C-2)*"


def test_an_analysis_shows_the_costliest_moves_the_chances_and_the_turning_points() -> None:
    game = hv.new("cardgame", players=["Ann", "Bob"], seed=1)
    worse = [
        JudgedDecision(move, 2, "auction", 1, f"nominate {move} @{move}", 0.4, "pass", 0.7, 0.05)
        for move in (9, 8, 7)
    ]
    turns = [TurningPoint(3, 0, 0.25, 0.75)]
    found = Analysis(("Ann", "Bob"), worse, [[0.5, 0.0], [0.5, 1.0]], turns, (), 1)
    analyse.show(found, game, 2, console_to(shown := io.StringIO()))
    head, empty, columns, first, second, *rest = lines_of(shown)
    assert (head, empty, columns.split()[0]) == ("The costliest moves", "", "Loss")
    assert ["9" in first.split(), "8" in second.split()] == [True, True]
    note = words.say("analysis_note")
    assert rest == [
        *("", "Chance of winning, round by round", "", "  ▄   Ann", "  ▄█  Bob"),
        *("", "Turning points", "", "  Round 3, Ann: from 25 to 75%", "", note),
    ]
    nothing = Analysis(("Ann", "Bob"), [], [[0.5], [0.5]], [], (), 1)
    analyse.show(nothing, game, 2, console_to(shown := io.StringIO()))
    assert lines_of(shown) == [
        *("The costliest moves", "", words.say("analysis_none"), ""),
        *("Chance of winning, round by round", "", "  ▄  Ann", "  ▄  Bob", "", note),
    ]


def test_a_map_is_called_as_people_call_it() -> None:
    assert [map_title(name) for name in ("germany", "uk_ireland", "nowhere")] == [
        *("Germany", load_map("uk_ireland").name, "Nowhere"),
    ]
    with words.speaking("pl"):
        assert map_title("germany") == "Niemcy"


def test_a_position_as_json_is_written_to_be_read() -> None:
    game = hv.new("cardgame", players=["Ann", "Zoë"], seed=1)
    shown = replaying.as_json(game)
    assert shown.startswith('{\n  "rulebook": "cardgame",\n  "version": ')
    assert '"Zoë"' in shown


def test_a_model_is_spoken_to_in_english_whatever_the_terminal_speaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[tuple[str, str]] = []

    class Server:
        def run(self, transport: str) -> None:
            ran.append((words.spoken(), transport))

    monkeypatch.setattr(models, "model_server", lambda *_: Server())
    words.speak("de")
    try:
        mcp("Ann", "1", tmp_path)
    finally:
        words.speak(words.ENGLISH)
    assert ran == [("en", "stdio")]
